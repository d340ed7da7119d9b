/* What of a page is left out of its HTML, given what is kept of its text. */
#ifndef VICTOR_HTML_REMOVALS_H
#define VICTOR_HTML_REMOVALS_H

#include "core.h"

/* One page of a table; tags and blocks count from the first of the page or of the table. */
typedef struct {
    int64_t n_tags, n_elements, n_segments;
    int64_t first_tag;           /* ordinal of the page's own tag in the arrays that follow */
    const int64_t *ids;          /* (n_tags) tag ids */
    const int64_t *open, *close; /* (n_elements) tags; element 0 is the page */
    const int64_t *element_ids;  /* (n_elements) tag ids */
    const int64_t *segment_tags; /* (n_segments) the tag before each, ascending */
    const int64_t *blocks;       /* (n_segments) */
    const uint8_t *kept;         /* (n_segments) is the segment kept */
    const uint8_t *block_kept;   /* (n_segments) is anything of its block kept */
    int64_t n_ids;
    const uint8_t *is_frame;  /* (n_ids) elements that are never removed */
    const uint8_t *splits;    /* (n_ids) tags that separate blocks */
    int64_t break_id;         /* the tag id of which two in a row separate blocks */
} KeptPage;

/* Of the tag with a number, or of the text behind it. */
enum {
    TAG_REMOVED = 1,
    TEXT_REMOVED = 2, /* with the element around it */
    TEXT_CUT = 4,     /* a segment that is not kept */
    TEXT_IS_PART = 8, /* of a block that is kept */
};

/* Flags of each tag of the page; WRONG if numbers are out of their bounds. */
Outcome find_removals(const KeptPage *page, Arena *arena, uint8_t *flags);

#endif
