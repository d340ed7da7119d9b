/* Pieces of markup in arrays that grow, as the parser gives them. */
#ifndef VICTOR_MARKUP_TEXT_H
#define VICTOR_MARKUP_TEXT_H

#include "parsing/tokeniser.h"

/* Append to UTF-8; false if there is no memory. */
bool append_name(Growing *text, Slice name);
bool append_text(Growing *text, Slice slice, bool has_references);
bool append_value(Growing *text, Slice value);
/* Name, keyword and identifiers in quotes. */
bool append_doctype(Growing *text, const Doctype *doctype);

/* Is an element the script of a formula, which is shown and not dropped. The value is resolved in
 * `scratch`; returns false if there is no memory for it. */
bool is_tex(Slice name, const Attribute *attributes, size_t count, Growing *scratch, bool *answer);

/* Append one item of an array of int64. */
static inline bool append_number(Growing *array, int64_t value)
{
    if (array->capacity - array->used < sizeof value && !growing_reserve(array, sizeof value))
        return false;
    memcpy(array->items + array->used, &value, sizeof value);
    array->used += sizeof value;
    return true;
}

#endif
