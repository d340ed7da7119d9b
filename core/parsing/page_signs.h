/* What pages may have, or have not for sure: formulas, notes that links lead to, frames, videos and
 * sounds. A tag that has
 * what `victor.page.markup.formulas` or `victor.render.tree.notes` looks for may still be none. */
#ifndef VICTOR_PAGE_SIGNS_H
#define VICTOR_PAGE_SIGNS_H

#include "parsing/tokeniser.h"

/* Bits of what a page may have. */
enum PageSigns { MAY_HAVE_FORMULAS = 1, LINKS_TO_NOTES = 2, MAY_HAVE_PLAYERS = 4 };

/* May a tag carry the TeX of a formula. */
bool may_show_formula(const Name *name, const Attribute *attributes, size_t count);
/* Does the address of a link end as one that leads to a note does. */
bool leads_to_note(Slice address);

#endif
