/* The tokeniser: UTF-8 markup to start tags, end tags and texts of a balanced tree of elements.
 *
 * Tokens are those of the HTML standard, section 13.2.5; which element ends or implies which other
 * is what libxml2 2.14 does, as `element_rules.h` (made by probing lxml) has it. What is found goes
 * to a sink, so that event codes, columns of all markup and HTML are made in the same pass.
 */
#ifndef VICTOR_TOKENISER_H
#define VICTOR_TOKENISER_H

#include "core.h"

/* Bytes of the page, or of a table of names. */
typedef struct {
    const uint8_t *text;
    size_t length;
} Slice;

/* An attribute as written: references are not resolved, the name has its case. */
typedef struct {
    Slice name;
    Slice value; /* empty where there is none */
} Attribute;

/* The name of an element. */
typedef struct {
    int element; /* row of `element_rules.h`; N_ELEMENTS for a name that is not there */
    int tag;     /* id of `victor.page.tags`; that of #unknown or #custom for other names; -1 for
                  * one that is dropped */
    Slice name;  /* as written; of an implied element that of the rules */
} Name;

/* What receives a page, in order; a hook that is NULL is not called. Each returns DONE, or stops
 * the page with its outcome. Every start of an element is followed by its end. */
typedef struct {
    void *state;
    /* Attributes with a name that was there before are left out of nothing: the first counts. */
    Outcome (*start)(void *state, const Name *name, const Attribute *attributes, size_t count);
    Outcome (*end)(void *state, const Name *name);
    /* Text as written; in raw text (script, style) references stand for nothing. */
    Outcome (*text)(void *state, Slice text, bool has_references);
    Outcome (*comment)(void *state, Slice text);
    Outcome (*doctype)(void *state, Slice text);
} Sink;

/* Send a page to a sink. The markup has to be valid UTF-8 (`is_utf8`). */
Outcome tokenise(Slice markup, const Sink *sink);

bool is_utf8(Slice bytes);

/* Text as the parser gives it: references resolved, CR LF and CR as LF, U+0000 as U+FFFD.
 * `out` has room for `text.length * 2 + 8` bytes (a reference may be shorter than what it stands
 * for); returns how many are written. */
size_t resolve_text(Slice text, bool has_references, uint8_t *out);
/* The same for the value of an attribute, whose ambiguous references stay as they are. */
size_t resolve_value(Slice value, uint8_t *out);

#endif
