/* Whether the tags of a page are closed in order: `victor.page.markup.nesting.Nesting`. */
#ifndef VICTOR_MARKUP_NESTING_H
#define VICTOR_MARKUP_NESTING_H

#include "parsing/tokeniser.h"

enum { MOST_NESTED_NAMES = 128, LONGEST_NESTED_NAME = 15 };

/* What an element is; bits. */
enum { NESTED_INLINE = 1, NESTED_CONTAINER = 2, NESTED_HEADING = 4, NESTED_PARAGRAPH = 8 };

/* The elements that count, by their names in lower case in ascending order. */
typedef struct {
    Slice names[MOST_NESTED_NAMES];
    const uint8_t *roles; /* (count) */
    size_t count;
} NestedNames;

typedef struct {
    bool in_order;
    bool stray_end;
    bool is_shaky[MOST_NESTED_NAMES]; /* of headings */
} NestingOfTags;

/* Look at all tags of a page, those in comments and scripts, too; linear in its length. */
Outcome nesting_of(NestingOfTags *nesting, Slice markup, const NestedNames *names);

#endif
