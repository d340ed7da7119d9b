/* A page to HTML again: the sink that writes what `victor.render.html` does. */
#include "html_writer.h"
#include "eight_bytes.h"
#include "html_removals.h"
#include "lean_tags.h"
#include "markup_text.h"

typedef struct {
    LeanTags tags;
    const uint8_t *flags; /* of each tag, see html_removals.h */
    int64_t n_tags;
    Growing *html;
    Growing text;       /* a text that is cut, of which only white space may stay */
    Growing scratch;    /* resolved values */
    bool in_text;       /* a text has begun and may go on */
    bool is_raw;        /* text is written as it is */
    bool is_unfinished; /* <plaintext has no > yet: it gets one if there is text in it */
    bool is_over;       /* nothing can be written any more */
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

static inline bool put_word(Growing *html, const char *word)
{
    return put(html, word, strlen(word));
}

/* Bytes that begin a character which may be escaped. */
static const uint8_t IS_SPECIAL[256] = {
    ['&'] = 1, ['<'] = 1, ['>'] = 1, ['"'] = 1, ['\r'] = 1, [0xC2] = 1};

/* Where the next such character is from `at` on, or the end. */
static size_t next_special(Slice text, size_t at)
{
    for (; text.length - at >= 8; at += 8) {
        uint64_t bytes = eight_bytes(text.text + at);
        /* " and &, as < and >, differ in one bit. */
        if (any_is(bytes & all_eight(0xFB), '"') | any_is(bytes & all_eight(0xFD), '<') |
            any_is(bytes, '\r') | any_is(bytes, 0xC2))
            break;
    }
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

/* May a piece of markup stand for something else than itself. */
static bool may_differ(Slice text)
{
    size_t at = 0;
    for (; text.length - at >= 8; at += 8) {
        uint64_t bytes = eight_bytes(text.text + at);
        if (any_is(bytes, '&') | any_is(bytes, '\r') | any_is(bytes, 0))
            return true;
    }
    for (; at < text.length; at++)
        if (text.text[at] == '&' || text.text[at] == '\r' || !text.text[at])
            return true;
    return false;
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

static const char ENDLESS[] = "plaintext"; /* everything after it is its text */

/* Write what ends the start tag of such an element, before its text. */
static bool end_start_tag(Writer *writer)
{
    bool is_unfinished = writer->is_unfinished;
    writer->is_unfinished = false;
    return !is_unfinished || put(writer->html, ">", 1);
}

static bool is_any(Slice name, const char *const *words)
{
    for (; *words; words++)
        if (is_name(name, *words, strlen(*words)))
            return true;
    return false;
}

/* Dropped elements whose text is written as it is. */
static bool holds_raw_text(Slice name)
{
    static const char *const words[] = {"script",  "style",    "iframe", "noembed",
                                        "noframes", "xmp", NULL};
    return name.length >= 3 && name.length <= 8 && is_any(name, words);
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
    if (text.length - at < word || !is_name((Slice){text.text + at, word}, "charset", 7))
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

/* The value of an attribute with references resolved, which may be in `scratch`. */
static bool resolved(Growing *scratch, Slice *value)
{
    if (!may_differ(*value))
        return true;
    scratch->used = 0;
    if (!append_value(scratch, *value))
        return false;
    *value = (Slice){scratch->items, scratch->used};
    return true;
}

static bool put_attribute(Growing *html, Slice name, Slice value, bool is_meta)
{
    if (!put(html, " ", 1) || !append_name(html, name) || !put(html, "=\"", 2))
        return false;
    bool is_put;
    if (is_meta && is_name(name, "charset", 7))
        is_put = put_word(html, "utf-8");
    else if (is_meta && is_name(name, "content", 7))
        is_put = put_content(html, value);
    else
        is_put = put_escaped(html, value, true);
    return is_put && put(html, "\"", 1);
}

/* An image stays where it separates, but its dropped alternative text does not. */
static bool put_attributes(Writer *writer, const Attribute *attributes, size_t count, bool is_meta,
                           bool is_cut)
{
    bool without_alt = is_cut && count;
    for (size_t a = 0; a < count; a++) {
        Slice value = attributes[a].value;
        if (without_alt && is_name(attributes[a].name, "alt", 3)) {
            value.length = 0;
            without_alt = false;
        }
        if (!resolved(&writer->scratch, &value) ||
            !put_attribute(writer->html, attributes[a].name, value, is_meta))
            return false;
    }
    return !without_alt || put_word(writer->html, " alt=\"\"");
}

static bool put_start(Writer *writer, const Name *name, const Attribute *attributes, size_t count,
                      bool is_cut)
{
    writer->is_raw = name->tag < 0 ? holds_raw_text(name->name) : is_name(name->name, ENDLESS, 9);
    writer->is_unfinished = writer->is_raw && is_name(name->name, ENDLESS, 9);
    return put(writer->html, "<", 1) && append_name(writer->html, name->name) &&
           put_attributes(writer, attributes, count, is_name(name->name, "meta", 4), is_cut) &&
           (writer->is_unfinished || put(writer->html, ">", 1));
}

static bool put_end(Writer *writer, Slice name)
{
    bool is_endless = is_name(name, ENDLESS, 9);
    if (is_endless && !writer->is_unfinished) {
        writer->is_over = true;
        return true;
    }
    writer->is_raw = writer->is_unfinished = false;
    if (is_name(name, "param", 5))
        return true;
    if (is_endless)
        return put(writer->html, "/>", 2);
    return put(writer->html, "</", 2) && append_name(writer->html, name) &&
           put(writer->html, ">", 1);
}

/* --- What becomes of an item ------------------------------------------------------------------ */

/* Flags of the tag with a number; none where the page has more tags than it should. */
static uint8_t flags_of(const Writer *writer, int64_t tag)
{
    return tag < writer->n_tags ? writer->flags[tag] : TAG_REMOVED | TEXT_REMOVED;
}

/* Flags of the text behind the last tag. */
static uint8_t flags_of_text(const Writer *writer)
{
    uint8_t flags = flags_of(writer, writer->tags.last_tag);
    bool is_shown = !writer->tags.depth;
    return is_shown ? flags : flags & TEXT_REMOVED;
}

/* Begin or go on with a text: if it is cut it is kept until its end. */
static bool write_text(Writer *writer, Slice text, bool has_references)
{
    uint8_t flags = flags_of_text(writer);
    Growing *html = writer->html;
    bool begins = !writer->in_text;
    writer->in_text = true;
    if (flags & TEXT_IS_PART) /* where a part of a kept block goes, a space stays */
        return !begins || ((flags & TEXT_REMOVED || end_start_tag(writer)) && put(html, " ", 1));
    if (flags & TEXT_REMOVED)
        return true;
    if (begins && !end_start_tag(writer))
        return false;
    if (flags & TEXT_CUT)
        return append_text(&writer->text, text, has_references);
    if (writer->is_raw)
        return append_text(html, text, has_references);
    if (!may_differ(text))
        return put_escaped(html, text, false);
    writer->scratch.used = 0;
    return append_text(&writer->scratch, text, has_references) &&
           put_escaped(html, (Slice){writer->scratch.items, writer->scratch.used}, false);
}

/* Called before everything that ends a text. */
static bool end_text(Writer *writer)
{
    Slice text = {writer->text.items, writer->text.used};
    writer->text.used = 0;
    writer->in_text = false;
    return !text.length || put_white_ends(writer->html, text, writer->is_raw);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

static Outcome on_start(void *opaque, const Name *name, const Attribute *attributes, size_t count)
{
    Writer *writer = opaque;
    int64_t tag;
    Outcome outcome = lean_start(&writer->tags, name, attributes, count, &tag);
    if (outcome != DONE || writer->is_over)
        return outcome;
    uint8_t flags = flags_of(writer, tag);
    bool is_removed = flags & (writer->tags.depth ? TEXT_REMOVED : TAG_REMOVED);
    bool is_image = writer->tags.alt_text && !writer->tags.depth && is_name(name->name, "img", 3);
    if (!end_text(writer))
        return MEMORY;
    if (is_removed)
        return !is_image || !(flags & TEXT_IS_PART) || put(writer->html, " ", 1) ? DONE : MEMORY;
    return put_start(writer, name, attributes, count, is_image && flags & TEXT_CUT) ? DONE : MEMORY;
}

static Outcome on_end(void *opaque, const Name *name)
{
    Writer *writer = opaque;
    bool is_tag;
    Outcome outcome = lean_end(&writer->tags, name, &is_tag);
    if (outcome != DONE || !is_tag)
        return outcome;
    uint8_t flags = flags_of(writer, writer->tags.last_tag);
    bool is_removed = flags & (writer->tags.depth ? TEXT_REMOVED : TAG_REMOVED);
    if (!writer->is_over && (!end_text(writer) || (!is_removed && !put_end(writer, name->name))))
        return MEMORY;
    lean_ended(&writer->tags, name);
    return DONE;
}

static Outcome on_text(void *opaque, Slice text, bool has_references)
{
    Writer *writer = opaque;
    return writer->is_over || write_text(writer, text, has_references) ? DONE : MEMORY;
}

/* Begin what is neither tag nor text; false if there is no memory. */
static bool begin_other(Writer *writer, bool *is_written)
{
    *is_written = !writer->is_over &&
                  !(flags_of(writer, writer->tags.last_tag) & TEXT_REMOVED);
    if (!writer->is_over && !end_text(writer))
        return false;
    if (*is_written)
        writer->is_raw = writer->is_unfinished = false;
    return true;
}

static Outcome on_comment(void *opaque, Slice text)
{
    Writer *writer = opaque;
    Growing *html = writer->html;
    bool is_written;
    if (!begin_other(writer, &is_written))
        return MEMORY;
    if (!is_written)
        return DONE;
    bool is_put = put(html, "<!--", 4) && append_text(html, text, false) && put(html, "-->", 3);
    return is_put ? DONE : MEMORY;
}

static Outcome on_doctype(void *opaque, const Doctype *doctype)
{
    Writer *writer = opaque;
    Growing *html = writer->html;
    bool is_written;
    if (!begin_other(writer, &is_written))
        return MEMORY;
    if (!is_written)
        return DONE;
    bool is_put =
        put_word(html, "<!DOCTYPE ") && append_doctype(html, doctype) && put(html, ">", 1);
    return is_put ? DONE : MEMORY;
}

Outcome write_html(Growing *html, Slice markup, const PageFlags *page, int64_t *n_tags)
{
    Writer writer = {
        .tags = {.is_void = page->is_void, .n_ids = page->n_ids, .alt_text = page->alt_text},
        .flags = page->flags,
        .n_tags = page->n_tags,
        .html = html,
    };
    Sink sink = {&writer, on_start, on_end, on_text, on_comment, on_doctype};
    Outcome outcome = growing_reserve(html, markup.length) ? DONE : MEMORY;
    if (outcome == DONE)
        outcome = tokenise(markup, &sink);
    if (outcome == DONE && !end_text(&writer))
        outcome = MEMORY;
    *n_tags = lean_count(&writer.tags);
    growing_free(&writer.tags.scratch);
    growing_free(&writer.scratch);
    growing_free(&writer.text);
    return outcome;
}
