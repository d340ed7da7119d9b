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

/* An attribute as written: references are not resolved (`resolve_value`), the name has its case
 * (`resolve_name`, `is_name`). */
typedef struct {
    Slice name;
    Slice value; /* empty where there is none */
} Attribute;

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

/* Send a page to a sink. The markup has to be valid UTF-8 (`is_utf8`). */
Outcome tokenise(Slice markup, const Sink *sink);

bool is_utf8(Slice bytes);

/* The length of the reference that `text` begins with (at its `&`), 0 if it is none. What it stands
 * for goes to `codes`; the second is 0 where there is but one. In the value of an attribute a
 * reference without a semicolon is none where an equals sign, a letter or a digit follows. */
size_t read_reference(Slice text, bool in_value, uint32_t codes[2]);

/* A code point as UTF-8; returns what follows it. */
uint8_t *put_utf8(uint8_t *out, uint32_t code);

/* Text as the parser gives it: references resolved, CR LF and CR as LF, U+0000 as U+FFFD.
 * `out` has room for `text.length * RESOLVED + 8` bytes (a reference may be shorter than what it
 * stands for); returns how many are written. */
enum { RESOLVED = 3 };
size_t resolve_text(Slice text, bool has_references, uint8_t *out);
/* The same for the value of an attribute, whose ambiguous references stay as they are. */
size_t resolve_value(Slice value, uint8_t *out);

/* The name of an element or attribute as the parser gives it: ASCII letters in lower case, U+0000
 * as U+FFFD, and no character that does not fit into NAME_ROOM bytes. Returns the length. */
enum { NAME_ROOM = 100 };
size_t resolve_name(Slice name, uint8_t out[NAME_ROOM]);

static inline uint8_t lower_byte(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 32) : byte;
}

/* Is a name as written the same as one in lower case, of `length` ASCII characters. */
static inline bool is_name(Slice name, const char *wanted, size_t length)
{
    if (name.length != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower_byte(name.text[i]) != (uint8_t)wanted[i])
            return false;
    return true;
}

#endif
