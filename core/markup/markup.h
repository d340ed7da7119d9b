/* All markup of a page as columns: what `victor.page.markup.full_record.Markup` holds. */
#ifndef VICTOR_MARKUP_H
#define VICTOR_MARKUP_H

#include "parsing/tokeniser.h"

/* Ordinals of tags as the lean stream of a page counts them, for sinks that see all markup. */
typedef struct {
    bool alt_text;    /* an image holds its alternative text, and has an end */
    int64_t last_tag; /* ordinal of the last tag; that of the page itself is 0 */
    int64_t depth;    /* of dropped elements */
    bool in_tex;
    Growing scratch;
} LeanTags;

/* Is an element a point in the stream, which has no end. */
bool is_point(const Name *name);
/* Count a start tag, whose ordinal goes to *tag: where it is dropped, that of the last one. False if
 * there is no memory. */
bool lean_start(LeanTags *tags, const Name *name, const Attribute *attributes, size_t count,
                int64_t *tag);
/* Is the end of an element a tag; if so it is counted. Its ordinal is the last, and the depth is
 * that inside the element, until `lean_ended` is called. */
bool lean_end(LeanTags *tags, const Name *name);
void lean_ended(LeanTags *tags, const Name *name);

/* What an item is; `victor.page.markup.full_record.Kind`. */
enum { ITEM_DOCTYPE, ITEM_START, ITEM_END, ITEM_TEXT, ITEM_COMMENT };

/* Columns of m items. Texts stand one after the other in UTF-8: that of item i is
 * text[text_starts[i]:text_starts[i + 1]]. */
typedef struct {
    Growing kinds;       /* (m) uint8 */
    Growing tags;        /* (m) int64 ordinal of the tag, or of the last one before */
    Growing dropped;     /* (m) uint8 0 or 1 */
    Growing text;        /* bytes */
    Growing text_starts; /* (m + 1) int64 */
    Growing places;      /* (m) int64 where its attributes are in the page, as of `place_of` */
    int64_t n_tags;      /* in the lean stream of the page */
} Record;

/* Record a page of valid UTF-8; with `alt_text` an image holds its alternative text, and has an end. */
Outcome record_markup(Record *record, Slice markup, bool alt_text);
/* Record only the places of the start tags outside dropped elements, line breaks left out, and after
 * them the length of the page; and all tags of frames, videos and sounds. */
Outcome record_places(Record *record, Record *players, Slice markup);
void record_free(Record *record);

enum { MOST_WORDS = 64, LEAST_LETTERS = 4 };

/* Is one of `count` words in a text, whatever the case of its ASCII letters. The words are in lower
 * case, no more than `MOST_WORDS`, and each has `LEAST_LETTERS` bytes or more; else WRONG. Takes
 * time by the length of the text, times that of the words where many of their beginnings are. */
Outcome holds_word(Slice text, const Slice *words, size_t count, bool *answer);

#endif
