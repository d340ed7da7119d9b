/* Whether the tags of a page are closed in order: `victor.page.places.xpaths.Nesting`. */
#ifndef VICTOR_MARKUP_NESTING_H
#define VICTOR_MARKUP_NESTING_H

#include "base/codes.h"
#include "parsing/tokeniser.h"

/* What an element is; bits by tag id. Of others nothing is asked. */
enum { NESTED_BLOCK = 1, NESTED_CONTAINER = 2, NESTED_HEADING = 4, NESTED_PARAGRAPH = 8 };

typedef struct {
    bool in_order;
    bool stray_end;
    char is_shaky[N_TAG_IDS]; /* of headings */
} NestingOfTags;

/* Look at all tags of a page, those in comments and scripts, too; linear in its length. Roles
 * (N_TAG_IDS) are of tags. */
Outcome nesting_of(NestingOfTags *nesting, Slice markup, const uint8_t *roles);

#endif
