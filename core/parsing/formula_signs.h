/* Which pages have no formulas for sure: no tag of theirs has what `victor.page.markup.formulas`
 * looks for. A tag that has it may still be none. */
#ifndef VICTOR_FORMULA_SIGNS_H
#define VICTOR_FORMULA_SIGNS_H

#include "parsing/tokeniser.h"

/* May a tag carry the TeX of a formula. */
bool may_show_formula(const Name *name, const Attribute *attributes, size_t count);

#endif
