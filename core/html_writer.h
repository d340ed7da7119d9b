/* Columns of a page to HTML: what `victor.render.html` writes. */
#ifndef VICTOR_HTML_WRITER_H
#define VICTOR_HTML_WRITER_H

#include "tokeniser.h"

/* Columns of m items as `markup_record.h` has them, and what becomes of each. */
typedef struct {
    int64_t n_items;
    const uint8_t *kinds;
    const uint8_t *text;
    const int64_t *text_starts;
    const int64_t *attribute_starts;
    const uint8_t *values;
    const int64_t *value_starts;
    const uint8_t *removed; /* nothing of it is written; a space if it is a part */
    const uint8_t *cut;     /* its text is not written */
    const uint8_t *parts;   /* it is part of a block that is kept */
} Items;

/* Append the page to `html`. */
Outcome write_html(const Items *items, Growing *html);

#endif
