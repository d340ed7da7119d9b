/* Names and declarations of markup as the parser gives them. */
#ifndef VICTOR_MARKUP_TEXT_H
#define VICTOR_MARKUP_TEXT_H

#include "tokeniser.h"

/* Bytes that the parser keeps of a name. */
enum { NAME_BYTES = 100 };

/* A name in ASCII lower case, U+0000 as U+FFFD, without characters that `NAME_BYTES` have no room
 * for; returns how many bytes are written to `out`, which has room for as many. */
size_t put_name(Slice name, uint8_t *out);

/* Is a name this ASCII word, which is in lower case. */
bool is_name(Slice name, const char *word);

/* What stands between <!DOCTYPE and > as name, keyword and quoted identifiers. `out` has room for
 * `text.length * 3 + 32` bytes; returns how many are written. */
size_t put_doctype(Slice text, uint8_t *out);

/* Is an element the script of a formula, which is shown and not dropped. The value is resolved in
 * `scratch`; returns false if there is no memory for it. */
bool is_tex(Slice name, const Attribute *attributes, size_t count, Growing *scratch, bool *answer);

/* Room for `more` bytes, or for one number, at the end of an array. */
static inline bool append_byte(Growing *array, uint8_t value)
{
    if (!growing_reserve(array, 1))
        return false;
    array->items[array->used++] = value;
    return true;
}

static inline bool append_number(Growing *array, int64_t value)
{
    if (!growing_reserve(array, sizeof value))
        return false;
    memcpy(array->items + array->used, &value, sizeof value);
    array->used += sizeof value;
    return true;
}

#endif
