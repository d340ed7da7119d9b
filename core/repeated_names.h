/* Which attributes of an element have a name that another had before. */
#ifndef VICTOR_REPEATED_NAMES_H
#define VICTOR_REPEATED_NAMES_H

#include "tokeniser.h"

/* repeated[a] becomes 1 if an attribute before a has the same name as the parser gives it, else 0.
 * Takes time n log n, as an element may have a million attributes. */
Outcome find_repeated(const Attribute *attributes, size_t count, uint8_t *repeated);

#endif
