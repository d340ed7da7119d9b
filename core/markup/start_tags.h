/* Ordinals of tags as the lean stream of a page counts them, for sinks that see all markup. */
#ifndef VICTOR_LEAN_TAGS_H
#define VICTOR_LEAN_TAGS_H

#include "parsing/tokeniser.h"

typedef struct {
    const uint8_t *is_void; /* of each tag id: a point in the stream, which has no end */
    int64_t n_ids;
    bool alt_text;    /* an image holds its alternative text, and has an end */
    int64_t last_tag; /* ordinal of the last tag; that of the page itself is 0 */
    int64_t depth;    /* of dropped elements */
    bool in_tex;
    Growing scratch;
} LeanTags;

/* Count a start tag, whose ordinal goes to *tag: where it is dropped, that of the last one. */
Outcome lean_start(LeanTags *tags, const Name *name, const Attribute *attributes, size_t count,
                   int64_t *tag);

/* Is the end of an element a tag; if so it is counted. Its ordinal is the last, and the depth is
 * that inside the element, until `lean_ended` is called. */
Outcome lean_end(LeanTags *tags, const Name *name, bool *is_tag);
void lean_ended(LeanTags *tags, const Name *name);

/* Number of tags of a page that has ended. */
static inline int64_t lean_count(const LeanTags *tags)
{
    return tags->last_tag + 2;
}

#endif
