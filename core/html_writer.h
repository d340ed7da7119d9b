/* A page to HTML again: what `victor.render.html` writes. */
#ifndef VICTOR_HTML_WRITER_H
#define VICTOR_HTML_WRITER_H

#include "tokeniser.h"

typedef struct {
    const uint8_t *flags; /* (n_tags) as in html_removals.h */
    int64_t n_tags;
    const uint8_t *is_void; /* (n_ids) of tag ids: points in the stream */
    int64_t n_ids;
    bool alt_text; /* an image is part of the text that its alternative text is */
} PageFlags;

/* Append the kept part of a page of valid UTF-8 to `html`. How many tags it has goes to *n_tags; if
 * these are not as many as there are flags, what is written means nothing. */
Outcome write_html(Growing *html, Slice markup, const PageFlags *page, int64_t *n_tags);

#endif
