/* Columns of a page to HTML: what `victor.render.html` writes. */
#include "html_writer.h"
#include "markup_record.h"
#include "markup_text.h"

typedef struct {
    const Items *items;
    Growing *html;
    bool is_raw;        /* text is written as it is */
    bool is_unfinished; /* <plaintext has no > yet: it gets one if there is text in it */
} Writer;

/* --- Bytes ------------------------------------------------------------------------------------ */

static inline bool put(Growing *html, const void *bytes, size_t count)
{
    if (html->capacity - html->used < count && !growing_reserve(html, count))
        return false;
    if (count)
        memcpy(html->items + html->used, bytes, count);
    html->used += count;
    return true;
}

static inline bool put_slice(Growing *html, Slice slice)
{
    return put(html, slice.text, slice.length);
}

static inline bool put_word(Growing *html, const char *word)
{
    return put(html, word, strlen(word));
}

/* Bytes that begin a character which may be escaped. */
static const uint8_t IS_SPECIAL[256] = {
    ['&'] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1, ['\r'] = 1, [0xC2] = 1};

/* Does any of 32 bytes begin such a character; a loop that compilers vectorise. */
static bool has_special(const uint8_t *bytes)
{
    uint8_t any = 0;
    for (int at = 0; at < 32; at++) {
        uint8_t byte = bytes[at];
        any |= (uint8_t)((byte == '&') | (byte == '<') | (byte == '>') | (byte == '"') |
                         (byte == '\r') | (byte == 0xC2));
    }
    return any;
}

/* Where the next such character is from `at` on, or the end. */
static size_t next_special(Slice text, size_t at)
{
    while (text.length - at >= 32 && !has_special(text.text + at))
        at += 32;
    while (at < text.length && !IS_SPECIAL[text.text[at]])
        at++;
    return at;
}

/* What the character at the front is written as, and its bytes; NULL if as it is. */
static const char *escape(Slice text, bool in_value, size_t *bytes)
{
    *bytes = 1;
    switch (*text.text) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '\r':
        return "&#13;";
    case '"':
        return in_value ? "&quot;" : NULL;
    case 0xC2: /* U+00A0 is C2 A0 */
        *bytes = 2;
        return text.length > 1 && text.text[1] == 0xA0 ? "&nbsp;" : NULL;
    default:
        return NULL;
    }
}

static bool put_escaped(Growing *html, Slice text, bool in_value)
{
    size_t done = 0, bytes;
    for (size_t at = 0; (at = next_special(text, at)) < text.length;) {
        const char *written = escape((Slice){text.text + at, text.length - at}, in_value, &bytes);
        if (!written) {
            at++;
            continue;
        }
        if (!put(html, text.text + done, at - done) || !put_word(html, written))
            return false;
        at += bytes;
        done = at;
    }
    return put(html, text.text + done, text.length - done);
}

/* --- White space at the ends of a text -------------------------------------------------------- */

/* Is a character of some bytes white space to `str.strip`. Escaped characters are none. */
static bool is_space(const uint8_t *text, size_t bytes, bool is_raw)
{
    if (bytes == 1)
        return (*text >= 9 && *text <= 13 && (*text != '\r' || is_raw)) ||
               (*text >= 28 && *text <= 32);
    if (bytes == 2)
        return text[0] == 0xC2 && (text[1] == 0x85 || (text[1] == 0xA0 && is_raw));
    switch (text[0] << 16 | text[1] << 8 | text[2]) {
    case 0xE19A80: /* U+1680 */
    case 0xE280A8: /* U+2028 */
    case 0xE280A9:
    case 0xE280AF: /* U+202F */
    case 0xE2819F: /* U+205F */
    case 0xE38080: /* U+3000 */
        return true;
    default: /* U+2000 to U+200A */
        return text[0] == 0xE2 && text[1] == 0x80 && text[2] >= 0x80 && text[2] <= 0x8A;
    }
}

/* Bytes of the white space at the front of a text, or at its end. */
static size_t space_at(Slice text, bool at_end, bool is_raw)
{
    for (size_t bytes = 1; bytes <= 3 && bytes <= text.length; bytes++) {
        const uint8_t *from = at_end ? text.text + text.length - bytes : text.text;
        if (is_space(from, bytes, is_raw))
            return bytes;
    }
    return 0;
}

static bool put_white_ends(Growing *html, Slice text, bool is_raw)
{
    Slice inner = text;
    for (size_t bytes; (bytes = space_at(inner, false, is_raw)) > 0;) {
        inner.text += bytes;
        inner.length -= bytes;
    }
    for (size_t bytes; (bytes = space_at(inner, true, is_raw)) > 0;)
        inner.length -= bytes;
    const uint8_t *end = inner.text + inner.length;
    return put(html, text.text, (size_t)(inner.text - text.text)) &&
           put(html, end, (size_t)(text.text + text.length - end));
}

/* --- Tags ------------------------------------------------------------------------------------- */

static bool is_any(Slice name, const char *const *words)
{
    for (; *words; words++)
        if (is_name(name, *words))
            return true;
    return false;
}

/* Elements whose text is written as it is. */
static bool holds_raw_text(Slice name)
{
    static const char *const words[] = {"script",  "style",    "iframe", "noembed",
                                        "noframes", "xmp", "plaintext", NULL};
    return name.length >= 3 && name.length <= 9 && is_any(name, words);
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static size_t skip_blanks(Slice text, size_t at)
{
    while (at < text.length && is_blank(text.text[at]))
        at++;
    return at;
}

/* If an encoding is declared at a position: where its name begins, and behind it; else false. */
static bool find_encoding(Slice text, size_t at, size_t *start, size_t *end)
{
    static const size_t word = sizeof "charset" - 1;
    if (text.length - at < word || !is_name((Slice){text.text + at, word}, "charset"))
        return false;
    at = skip_blanks(text, at + word);
    if (at >= text.length || text.text[at] != '=')
        return false;
    *start = at = skip_blanks(text, at + 1);
    while (at < text.length && !is_blank(text.text[at]) && text.text[at] != ';')
        at++;
    *end = at;
    return at > *start;
}

/* The content of <meta> with every declared encoding changed to UTF-8. */
static bool put_content(Growing *html, Slice content)
{
    size_t done = 0, start, end;
    for (size_t at = 0; at < content.length; at++) {
        if (!find_encoding(content, at, &start, &end))
            continue;
        Slice before = {content.text + done, start - done};
        if (!put_escaped(html, before, true) || !put_word(html, "utf-8"))
            return false;
        done = end;
        at = end - 1;
    }
    return put_escaped(html, (Slice){content.text + done, content.length - done}, true);
}

static bool put_attribute(Growing *html, Slice name, Slice value, bool is_meta)
{
    if (!put(html, " ", 1) || !put_slice(html, name) || !put(html, "=\"", 2))
        return false;
    bool is_put;
    if (is_meta && is_name(name, "charset"))
        is_put = put_word(html, "utf-8");
    else if (is_meta && is_name(name, "content"))
        is_put = put_content(html, value);
    else
        is_put = put_escaped(html, value, true);
    return is_put && put(html, "\"", 1);
}

static Slice text_between(const uint8_t *text, const int64_t *starts, int64_t row)
{
    return (Slice){text + starts[row], (size_t)(starts[row + 1] - starts[row])};
}

/* The attributes of an item. An image stays where it separates, but its dropped alternative text
 * does not. */
static bool put_attributes(Writer *writer, int64_t item, bool is_meta)
{
    const Items *items = writer->items;
    int64_t first = items->attribute_starts[item], end = items->attribute_starts[item + 1];
    bool without_alt = items->cut[item] && end > first;
    for (int64_t row = first; row < end; row++) {
        Slice name = text_between(items->values, items->value_starts, 2 * row);
        Slice value = text_between(items->values, items->value_starts, 2 * row + 1);
        if (without_alt && is_name(name, "alt")) {
            value.length = 0;
            without_alt = false;
        }
        if (!put_attribute(writer->html, name, value, is_meta))
            return false;
    }
    return !without_alt || put_word(writer->html, " alt=\"\"");
}

static bool put_start(Writer *writer, int64_t item, Slice name)
{
    writer->is_raw = holds_raw_text(name);
    writer->is_unfinished = writer->is_raw && is_name(name, "plaintext");
    return put(writer->html, "<", 1) && put_slice(writer->html, name) &&
           put_attributes(writer, item, is_name(name, "meta")) &&
           (writer->is_unfinished || put(writer->html, ">", 1));
}

static bool put_end(Growing *html, Slice name)
{
    if (is_name(name, "param"))
        return true;
    if (is_name(name, "plaintext"))
        return put_word(html, "/>");
    return put(html, "</", 2) && put_slice(html, name) && put(html, ">", 1);
}

static bool put_declaration(Growing *html, uint8_t kind, Slice text)
{
    bool is_comment = kind == ITEM_COMMENT;
    return put_word(html, is_comment ? "<!--" : "<!DOCTYPE ") && put_slice(html, text) &&
           put_word(html, is_comment ? "-->" : ">");
}

static bool put_text(Writer *writer, int64_t item, Slice text)
{
    Growing *html = writer->html;
    if (writer->is_unfinished && !put(html, ">", 1))
        return false;
    writer->is_unfinished = false;
    if (!writer->items->cut[item])
        return writer->is_raw ? put_slice(html, text) : put_escaped(html, text, false);
    /* Where a part of a kept block goes, a space stays. */
    return writer->items->parts[item] ? put(html, " ", 1)
                                      : put_white_ends(html, text, writer->is_raw);
}

/* One item; *is_last becomes true if nothing can be written after it. */
static bool put_item(Writer *writer, int64_t item, bool *is_last)
{
    const Items *items = writer->items;
    Slice text = text_between(items->text, items->text_starts, item);
    uint8_t kind = items->kinds[item];
    if (items->removed[item])
        return put(writer->html, " ", 1);
    if (kind == ITEM_TEXT)
        return put_text(writer, item, text);
    if (kind == ITEM_START)
        return put_start(writer, item, text);
    if (kind == ITEM_END && !writer->is_unfinished && is_name(text, "plaintext")) {
        *is_last = true;
        return true;
    }
    writer->is_raw = writer->is_unfinished = false;
    return kind == ITEM_END ? put_end(writer->html, text)
                            : put_declaration(writer->html, kind, text);
}

Outcome write_html(const Items *items, Growing *html)
{
    Writer writer = {.items = items, .html = html};
    bool is_last = false;
    int64_t n_attributes = items->attribute_starts[items->n_items];
    int64_t size = items->text_starts[items->n_items] + items->value_starts[2 * n_attributes];
    if (!growing_reserve(html, (size_t)size + 4 * (size_t)(items->n_items + n_attributes)))
        return MEMORY;
    for (int64_t item = 0; item < items->n_items && !is_last; item++)
        if ((!items->removed[item] || items->parts[item]) && !put_item(&writer, item, &is_last))
            return MEMORY;
    return DONE;
}
