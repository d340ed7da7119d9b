/* The tokeniser: UTF-8 markup to start tags, end tags and texts of a balanced tree of elements.
 *
 * Tokens are those of the HTML standard, section 13.2.5; which element ends or implies which other
 * is what libxml2 2.14 does, as `element_rules.h` (made by probing lxml) has it. What is found goes
 * to a sink, so that event codes, columns of all markup and HTML are made in the same pass.
 */
#ifndef VICTOR_TOKENISER_H
#define VICTOR_TOKENISER_H

#include "parsing/characters.h"

/* An attribute as written: references are not resolved (`resolve_value`), the name has its case
 * (`resolve_name`, `is_name`). */
typedef struct {
    Slice name;
    Slice value; /* empty where there is none */
} Attribute;
typedef GROWING(Attribute) Attributes;

/* The name of an element. */
typedef struct {
    int element; /* row of `element_rules.h`; N_ELEMENTS for a name that is not there */
    int tag;     /* id of `victor.page.parsing.tags`; that of #unknown or #custom for other names; -1 for
                  * one that is dropped */
    Slice name;  /* as written; of an implied element that of the rules */
} Name;

/* A document type declaration, its parts as written (`resolve_text` without references). */
typedef struct {
    Slice name; /* empty where there is none */
    bool has_public, has_system;
    Slice public_id, system_id;
} Doctype;

/* What receives a page, in order; a hook that is NULL is not called. Each returns DONE, or stops
 * the page with its outcome. Every start of an element is followed by its end. */
typedef struct {
    void *state;
    /* Names of attributes differ: of those with one name only the first is there. */
    Outcome (*start)(void *state, const Name *name, const Attribute *attributes, size_t count);
    /* An empty element, and one that ends with its start tag, has an end, too. The name is the
     * one of its start. */
    Outcome (*end)(void *state, const Name *name);
    /* Text as written, never empty; one text may come in pieces. In raw text (script, style)
     * references stand for nothing. */
    Outcome (*text)(void *state, Slice text, bool has_references);
    /* What stands between <!-- and -->, or in what counts as a comment: with its question mark
     * for a processing instruction. As written (`resolve_text` without references). */
    Outcome (*comment)(void *state, Slice text);
    Outcome (*doctype)(void *state, const Doctype *doctype);
} Sink;

/* The row of a name, which is not empty, in the rules; N_ELEMENTS if it is not there. */
int element_of(Slice name);

/* Send a page to a sink. The markup has to be valid UTF-8 (`is_utf8`). */
Outcome tokenise(Slice markup, const Sink *sink);

/* Where the attributes of a start tag that a sink gets are in the markup; 0 if it has none. */
static inline int64_t place_of(Slice markup, const Attribute *attributes, size_t count)
{
    return count ? attributes[0].name.text - markup.text : 0;
}

/* Read the attributes at such a place, whatever stands there, those with a name that was there, too. */
Outcome attributes_at(Slice markup, size_t place, Attributes *attributes);

#endif
