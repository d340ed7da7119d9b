/* Which pages have no formulas for sure: no tag of theirs has what `victor.page.formulas.find` looks
 * for. A tag that has it may still be none. */
#ifndef VICTOR_FORMULA_SIGNS_H
#define VICTOR_FORMULA_SIGNS_H

#include "parsing/tokeniser.h"

/* May a tag show a formula, by its name and attributes but for its class. */
bool may_show_formula(const Name *name, const Attribute *attributes, size_t count);

/* May one of some classes, with references resolved, be that of a formula. */
bool may_name_formula(const uint8_t *classes, size_t length);

#endif
