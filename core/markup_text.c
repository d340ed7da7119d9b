/* Names and declarations of markup as the parser gives them. */
#include "markup_text.h"

static const uint8_t REPLACEMENT[3] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */

static uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

/* Bytes of the character that begins with `lead`, as valid UTF-8 has them. */
static size_t character_bytes(uint8_t lead)
{
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

size_t put_name(Slice name, uint8_t *out)
{
    size_t used = 0;
    for (size_t at = 0; at < name.length;) {
        const uint8_t *from = name.text + at;
        size_t bytes = character_bytes(*from);
        if (bytes > name.length - at)
            bytes = name.length - at;
        at += bytes;
        if (bytes == 1 && *from) {
            if (used < NAME_BYTES)
                out[used++] = lower(*from);
            continue;
        }
        if (!*from) {
            from = REPLACEMENT;
            bytes = sizeof REPLACEMENT;
        }
        if (used + bytes <= NAME_BYTES) {
            memcpy(out + used, from, bytes);
            used += bytes;
        }
    }
    return used;
}

bool is_name(Slice name, const char *word)
{
    if (strlen(word) != name.length)
        return false;
    for (size_t at = 0; at < name.length; at++)
        if (lower(name.text[at]) != (uint8_t)word[at])
            return false;
    return true;
}

/* --- Declarations of the document type -------------------------------------------------------- */

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

static void skip_blanks(Slice *rest)
{
    while (rest->length && is_blank(*rest->text)) {
        rest->text++;
        rest->length--;
    }
}

/* Take `length` bytes from the front. */
static Slice take(Slice *rest, size_t length)
{
    Slice taken = {rest->text, length};
    rest->text += length;
    rest->length -= length;
    return taken;
}

/* Take what stands in quotes; false, and nothing taken, if there are none. */
static bool take_quoted(Slice *rest, Slice *inside)
{
    if (!rest->length || (*rest->text != '"' && *rest->text != '\''))
        return false;
    uint8_t quote = *take(rest, 1).text;
    const uint8_t *end = memchr(rest->text, quote, rest->length);
    *inside = take(rest, end ? (size_t)(end - rest->text) : rest->length);
    if (end)
        take(rest, 1);
    return true;
}

/* A blank, and an identifier in quotes that it does not hold, if possible. */
static size_t put_quoted(Slice identifier, uint8_t *out)
{
    bool has_quote = identifier.length && memchr(identifier.text, '"', identifier.length);
    uint8_t quote = has_quote ? '\'' : '"';
    size_t used = 0;
    out[used++] = ' ';
    out[used++] = quote;
    used += resolve_text(identifier, false, out + used);
    out[used++] = quote;
    return used;
}

static bool take_keyword(Slice *rest, const char *word)
{
    size_t length = strlen(word);
    if (rest->length < length || !is_name((Slice){rest->text, length}, word))
        return false;
    take(rest, length);
    skip_blanks(rest);
    return true;
}

size_t put_doctype(Slice text, uint8_t *out)
{
    Slice rest = text;
    skip_blanks(&rest);
    size_t length = 0;
    while (length < rest.length && !is_blank(rest.text[length]))
        length++;
    size_t used = resolve_text(take(&rest, length), false, out);
    skip_blanks(&rest);
    Slice public_id, system_id;
    bool has_public = false, has_system = false;
    if (take_keyword(&rest, "public")) {
        has_public = take_quoted(&rest, &public_id);
        skip_blanks(&rest);
        has_system = has_public && take_quoted(&rest, &system_id);
    } else if (take_keyword(&rest, "system")) {
        has_system = take_quoted(&rest, &system_id);
    }
    if (has_public || has_system) {
        memcpy(out + used, has_public ? " PUBLIC" : " SYSTEM", 7);
        used += 7;
    }
    if (has_public)
        used += put_quoted(public_id, out + used);
    if (has_system)
        used += put_quoted(system_id, out + used);
    return used;
}

/* --- Formulas --------------------------------------------------------------------------------- */

static bool begins_with(Slice text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && is_name((Slice){text.text, length}, word);
}

bool is_tex(Slice name, const Attribute *attributes, size_t count, Growing *scratch, bool *answer)
{
    *answer = false;
    if (!is_name(name, "script"))
        return true;
    for (size_t a = 0; a < count; a++) {
        if (!is_name(attributes[a].name, "type"))
            continue;
        Slice value = attributes[a].value;
        scratch->used = 0;
        if (!growing_reserve(scratch, value.length * 3 + 8))
            return false;
        size_t bytes = resolve_value(value, scratch->items);
        *answer = begins_with((Slice){scratch->items, bytes}, "math/tex");
        return true;
    }
    return true;
}
