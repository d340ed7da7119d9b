/* Pieces of markup in arrays that grow, as the parser gives them. */
#include "markup/texts.h"

/* Room that any text takes when references and U+0000 in it are resolved. */
static bool reserve_resolved(Growing *text, Slice slice)
{
    return slice.length <= (SIZE_MAX - 8) / RESOLVED &&
           growing_reserve(text, slice.length * RESOLVED + 8);
}

bool append_name(Growing *text, Slice name)
{
    if (!growing_reserve(text, NAME_ROOM))
        return false;
    text->used += resolve_name(name, text->items + text->used);
    return true;
}

bool append_text(Growing *text, Slice slice, bool has_references)
{
    if (!reserve_resolved(text, slice))
        return false;
    text->used += resolve_text(slice, has_references, text->items + text->used);
    return true;
}

bool append_value(Growing *text, Slice value)
{
    if (!reserve_resolved(text, value))
        return false;
    text->used += resolve_value(value, text->items + text->used);
    return true;
}

/* --- Declarations of the document type -------------------------------------------------------- */

static bool append_word(Growing *text, const char *word)
{
    size_t length = strlen(word);
    if (!growing_reserve(text, length))
        return false;
    memcpy(text->items + text->used, word, length);
    text->used += length;
    return true;
}

/* A blank, and an identifier in quotes that it does not hold, if possible. */
static bool append_quoted(Growing *text, Slice identifier)
{
    bool has_quote = identifier.length && memchr(identifier.text, '"', identifier.length);
    return append_word(text, has_quote ? " '" : " \"") && append_text(text, identifier, false) &&
           append_word(text, has_quote ? "'" : "\"");
}

bool append_doctype(Growing *text, const Doctype *doctype)
{
    const char *keyword = doctype->has_public ? " PUBLIC" : doctype->has_system ? " SYSTEM" : "";
    return append_text(text, doctype->name, false) && append_word(text, keyword) &&
           (!doctype->has_public || append_quoted(text, doctype->public_id)) &&
           (!doctype->has_system || append_quoted(text, doctype->system_id));
}

/* --- Formulas --------------------------------------------------------------------------------- */

bool is_tex(Slice name, const Attribute *attributes, size_t count, Growing *scratch, bool *answer)
{
    static const size_t length = sizeof "math/tex" - 1;
    *answer = false;
    if (!is_name(name, "script", 6))
        return true;
    for (size_t a = 0; a < count; a++) {
        if (!is_name(attributes[a].name, "type", 4))
            continue;
        scratch->used = 0;
        if (!append_value(scratch, attributes[a].value))
            return false;
        *answer = scratch->used >= length &&
                  is_name((Slice){scratch->items, length}, "math/tex", length);
        return true;
    }
    return true;
}
