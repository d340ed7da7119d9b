/* Everything on a page as columns: what `victor.page.markup.full_record.Markup` holds. */
#ifndef VICTOR_MARKUP_RECORD_H
#define VICTOR_MARKUP_RECORD_H

#include "markup/start_tags.h"

/* What an item is; `victor.page.markup.full_record.Kind`. */
enum { ITEM_DOCTYPE, ITEM_START, ITEM_END, ITEM_TEXT, ITEM_COMMENT };

/* Columns of m items. Texts stand one after the other in UTF-8: that of item i is
 * text[text_starts[i]:text_starts[i + 1]]. Attribute a has its name at values[value_starts[2 * a]]
 * and its value after it; those of item i are attribute_starts[i] to attribute_starts[i + 1]. */
typedef struct {
    Growing kinds;            /* (m) uint8 */
    Growing tags;             /* (m) int64 ordinal of the tag, or of the last one before */
    Growing dropped;          /* (m) uint8 0 or 1 */
    Growing text;             /* bytes */
    Growing text_starts;      /* (m + 1) int64 */
    Growing attribute_starts; /* (m + 1) int64 */
    Growing values;           /* bytes */
    Growing value_starts;     /* (2 * attributes + 1) int64 */
    int64_t n_tags;           /* in the lean stream of the page */
} Record;

/* Record a page of valid UTF-8; the tags are those before its first one. */
Outcome record_markup(Record *record, Slice markup, const LeanTags *tags);
/* Record only the attributes of the start tags outside dropped elements, line breaks left out:
 * `attribute_starts`, `values` and `value_starts`; and all tags of frames, videos and sounds. */
Outcome record_attributes(Record *record, Record *players, Slice markup, const LeanTags *tags);
void record_free(Record *record);

#endif
