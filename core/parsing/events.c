/* Stage: bytes of pages to event codes, bundles of attributes and notes for the heads.
 *
 * `victor.page.parsing.events` says what the codes are. All pages of a stream are read without the
 * interpreter.
 */
#include "base/code_points.h"
#include "base/codes.h"
#include "base/results.h"
#include "element_rules.h"
#include "parsing/attributes.h"
#include "parsing/events.h"
#include "parsing/page_signs.h"

#include <stdio.h>

enum { LONGEST_WANTED = 64 };
/* Which images hold their alternative text as text, and are their attributes recorded. */
enum { ALT_ELSEWHERE = 1, ALT_IN_LINKS = 2, ALT_BUNDLED = 4 };
/* A wanted attribute that no tag has: the characters of all those that it has. */
static const char LENGTH_OF_ALL[] = "#length";
#define NOTED(name) (1u << (name))

/* An open element that is code, or may be. */
typedef struct {
    size_t start; /* in the codes */
    uint8_t tag;
    bool sets_lines;
} OpenCode;

/* One page. */
typedef struct {
    Stream *stream;
    Slice page;
    int64_t n_tags;
    int64_t dropped;  /* elements that are dropped around what comes */
    int dropped_from; /* the outermost of them */
    Slice dropped_type; /* its type, if it is a script */
    Slice dropped_text; /* its text, if it is a title or a script */
    bool dropped_references;
    bool in_tex;
    Growing annotations; /* uint8_t: tags of those that are open */
    Growing anchors; /* uint8_t: has each open <a> an address */
    int64_t n_links; /* of them have one */
    GROWING(OpenCode) code;
    int64_t n_pre; /* of them are <pre> */
    int64_t n_setting; /* of them set line ends */
    size_t first_code; /* where the outermost open element for code begins in the codes, 0 if none */
    size_t listing; /* likewise for what is a listing if it has lines */
    int64_t n_tables; /* and cells of them */
    uint8_t signs; /* of the page */
} Reading;

/* --- Codes ---------------------------------------------------------------------------------------- */

static uint32_t tag_code(int tag, int kind)
{
    return (uint32_t)(TAG_BASE + N_TAG_KINDS * tag + kind);
}

static Outcome put_tag(Reading *reading, int tag, int kind)
{
    reading->n_tags++;
    return growing_append(&reading->stream->codes, tag_code(tag, kind)) ? DONE : MEMORY;
}

/* A tag, and the code that says more of it. */
static Outcome put_tag_with(Reading *reading, int tag, int kind, uint32_t code)
{
    Outcome outcome = put_tag(reading, tag, kind);
    return outcome == DONE && growing_append(&reading->stream->codes, code) ? DONE : MEMORY;
}

/* Do 16 bytes stand for a code point each: ASCII, but for what is resolved or may be. */
static bool are_plain(const uint8_t *at)
{
    const uint64_t each = UINT64_C(0x0101010101010101), most = each * 0x7F;
    uint64_t words[2], plain = each * 0x80;
    memcpy(words, at, sizeof words);
    if ((words[0] | words[1]) & (each * 0x80))
        return false;
    for (int i = 0; i < 2; i++) /* none of these is zero, so adding sets its highest bit */
        plain &= (words[i] + most) & ((words[i] ^ (each * '&')) + most) &
                 ((words[i] ^ (each * '\r')) + most);
    return plain == each * 0x80;
}

/* Note where the attributes of a start tag are. */
static Outcome put_place(Reading *reading, const Attribute *attributes, size_t count)
{
    int64_t place = place_of(reading->page, attributes, count);
    return growing_append(&reading->stream->places, place) ? DONE : MEMORY;
}

/* The code points of one character or reference; returns what follows it. */
static const uint8_t *put_character(const uint8_t *at, const uint8_t *end, bool has_references,
                                    bool in_value, uint32_t **codes)
{
    uint32_t pair[2];
    size_t used = 0;
    if (*at >= 0x80) {
        const Value rest = {at, end - at};
        int64_t length = 0;
        *(*codes)++ = long_code(&rest, &length);
        return at + length;
    }
    if (*at == '&' && has_references)
        used = read_reference((Slice){at, (size_t)(end - at)}, in_value, pair);
    if (used) {
        *(*codes)++ = pair[0];
        if (pair[1])
            *(*codes)++ = pair[1];
        return at + used;
    }
    if (*at != '\r')
        *(*codes)++ = *at ? *at : 0xFFFD;
    else if (at + 1 == end || at[1] != '\n')
        *(*codes)++ = '\n';
    return at + 1;
}

static Outcome put_text(Stream *stream, Slice text, bool has_references, bool in_value)
{
    enum { WORDS = 16 };
    const uint8_t *at = text.text, *end = at + text.length;
    /* A reference is longer than what it stands for has code points. */
    if (!growing_reserve(&stream->codes, text.length))
        return MEMORY;
    uint32_t *first = stream->codes.items + stream->codes.used, *codes = first;
    while (at < end) {
        for (; end - at >= WORDS && are_plain(at); at += WORDS, codes += WORDS)
            for (int i = 0; i < WORDS; i++)
                codes[i] = at[i];
        for (int i = 0; at < end && i < WORDS; i++)
            at = put_character(at, end, has_references, in_value, &codes);
    }
    stream->codes.used += (size_t)(codes - first);
    return DONE;
}

/* --- Bundles -------------------------------------------------------------------------------------- */

/* The resolved value of an attribute, in the scratch; false if there is no memory. */
static bool resolve(Stream *stream, Slice value, Slice *text)
{
    stream->scratch.used = 0;
    bool enough = append_value(&stream->scratch, value);
    *text = (Slice){stream->scratch.items, stream->scratch.used};
    return enough;
}

/* Look for the attributes that make a bundle; returns how many there are. */
static int64_t find_wanted(Stream *stream, const Attribute *attributes, size_t count)
{
    int64_t n_given = 0;
    for (size_t i = 0; i < count; i++) {
        Slice name = attributes[i].name;
        if (name.length > LONGEST_WANTED - 1 || !(stream->wanted_lengths >> name.length & 1))
            continue;
        for (int64_t k = 0; k < stream->n_wanted; k++) {
            if (!is_name(name, (const char *)stream->wanted[k].text, stream->wanted[k].length))
                continue;
            if (!n_given++)
                memset(stream->given, 0, (size_t)stream->n_wanted * sizeof *stream->given);
            stream->given[k] = &attributes[i];
        }
    }
    if (stream->length_column >= 0) {
        if (!n_given++)
            memset(stream->given, 0, (size_t)stream->n_wanted * sizeof *stream->given);
        stream->given[stream->length_column] = attributes;
    }
    return n_given;
}

static int64_t n_code_points(Slice text)
{
    int64_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += (text.text[i] & 0xC0) != 0x80;
    return count;
}

/* Measure all attributes of a tag: their names and values, which are resolved, a space, an equals
 * sign and two quotes for each. */
static Outcome measure_attributes(Stream *stream, const Attribute *attributes, size_t count)
{
    enum { QUOTING = 4 };
    stream->length_of_all = 0;
    for (size_t i = 0; i < count; i++) {
        Slice text;
        if (!resolve(stream, attributes[i].value, &text))
            return MEMORY;
        stream->length_of_all += QUOTING + n_code_points(text) + n_code_points(attributes[i].name);
    }
    return DONE;
}

/* The row of the bundle of `given`, whose key is every value there is: its number, length, bytes. */
static Outcome bundle_row(Stream *stream, int64_t *row)
{
    enum { HEADER = 2 * sizeof(uint64_t) };
    Growing *key = &stream->scratch;
    key->used = 0;
    for (int64_t k = 0; k < stream->n_wanted; k++) {
        if (!stream->given[k])
            continue;
        Slice value = stream->given[k]->value;
        char digits[24];
        if (k == stream->length_column) {
            int n_digits = snprintf(digits, sizeof digits, "%lld", (long long)stream->length_of_all);
            value = (Slice){(const uint8_t *)digits, (size_t)n_digits};
        }
        size_t start = key->used;
        if (!growing_reserve(key, HEADER))
            return MEMORY;
        key->used += HEADER;
        if (!append_value(key, value))
            return MEMORY;
        uint64_t header[2] = {(uint64_t)k, key->used - start - HEADER};
        memcpy(key->items + start, header, HEADER);
    }
    if ((int64_t)stream->bundles.keys.used < stream->max_bundles)
        return keys_add(&stream->bundles, key->items, key->used, row);
    if (!keys_find(&stream->bundles, key->items, key->used, row)) {
        stream->has_overflow = true;
        *row = stream->max_bundles;
    }
    return DONE;
}

/* --- Notes ---------------------------------------------------------------------------------------- */

static Outcome add_value(Stream *stream, int name, Slice text, bool in_value, bool has_references)
{
    int64_t start = (int64_t)stream->bytes.used;
    bool enough = in_value ? append_value(&stream->bytes, text)
                           : append_text(&stream->bytes, text, has_references);
    NotedValue value = {name, start, (int64_t)stream->bytes.used};
    return enough && growing_append(&stream->values, value) ? DONE : MEMORY;
}

static Outcome add_note(Reading *reading, int element)
{
    Stream *stream = reading->stream;
    Note note = {element, reading->n_tags, (int64_t)stream->values.used};
    return growing_append(&stream->notes, note) ? DONE : MEMORY;
}

static bool has_name(Slice name, const char *wanted)
{
    return is_name(name, wanted, strlen(wanted));
}

/* The row in `noted_names` of an attribute, given the first and the end of those that may be; -1
 * for none. */
static int noted(Slice name, int first, int end)
{
    for (int row = first; row < end; row++)
        if (has_name(name, noted_names[row]))
            return row;
    return -1;
}

/* Note the attributes of an element that are among some rows, if there are any, and all it needs,
 * given as bits by row. */
static Outcome note_among(Reading *reading, int element, const Attribute *attributes,
                          size_t count, unsigned needed, int first, int end)
{
    Stream *stream = reading->stream;
    size_t values = stream->values.used, bytes = stream->bytes.used;
    unsigned rows = 0;
    for (size_t i = 0; i < count; i++) {
        int row = noted(attributes[i].name, first, end);
        if (row < 0)
            continue;
        if (add_value(stream, row, attributes[i].value, true, true) != DONE)
            return MEMORY;
        rows |= NOTED(row);
    }
    if (rows && (rows & needed) == needed)
        return add_note(reading, element);
    stream->values.used = values;
    stream->bytes.used = bytes;
    return DONE;
}

static Outcome note_attributes(Reading *reading, int element, const Attribute *attributes,
                               size_t count, unsigned needed)
{
    return note_among(reading, element, attributes, count, needed, 0, NOTED_BORDER);
}

/* Note what a table or a cell says of itself, by its number among those of the page. */
static Outcome note_table(Reading *reading, int element, const Attribute *attributes, size_t count)
{
    bool is_table = element == NOTE_OF_TABLE;
    size_t n_notes = reading->stream->notes.used;
    Outcome outcome = note_among(reading, element, attributes, count, 0,
                                 is_table ? NOTED_BORDER : NOTED_COLSPAN,
                                 is_table ? NOTED_COLSPAN : NOTED_TEXT);
    if (reading->stream->notes.used > n_notes)
        reading->stream->notes.items[n_notes].tag = reading->n_tables;
    reading->n_tables++;
    return outcome;
}

/* Does a relation, as it is written, only say what a browser is to load: those of most links do. */
static bool is_loaded(Slice relation)
{
    for (size_t i = 0; i < relation.length; i++)
        if (relation.text[i] >= 0x80 || relation.text[i] == '&')
            return false; /* another look is taken when it is read */
    return only_loads(relation);
}

static Outcome note_link(Reading *reading, const Attribute *attributes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (has_name(attributes[i].name, "rel") && is_loaded(attributes[i].value))
            return DONE;
    return note_attributes(reading, NOTE_OF_LINK, attributes, count,
                           NOTED(NOTED_REL) | NOTED(NOTED_HREF));
}

static Outcome note(Reading *reading, int element, const Attribute *attributes, size_t count)
{
    switch (element) {
    case ELEMENT_META:
        return note_attributes(reading, NOTE_OF_META, attributes, count, NOTED(NOTED_CONTENT));
    case ELEMENT_LINK:
        return note_link(reading, attributes, count);
    case ELEMENT_BASE:
        return note_attributes(reading, NOTE_OF_BASE, attributes, count, NOTED(NOTED_HREF));
    case ELEMENT_TIME:
        return note_attributes(reading, NOTE_OF_TIME, attributes, count, NOTED(NOTED_DATETIME));
    case ELEMENT_HTML:
        return note_attributes(reading, NOTE_OF_HTML, attributes, count, 0);
    case ELEMENT_TD:
    case ELEMENT_TH:
        return note_table(reading, NOTE_OF_CELL, attributes, count);
    default:
        return DONE;
    }
}

/* --- Dropped elements ----------------------------------------------------------------------------- */

static Slice value_of(const Attribute *attributes, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (has_name(attributes[i].name, name))
            return attributes[i].value;
    return (Slice){(const uint8_t *)"", 0};
}

static Outcome start_dropped(Reading *reading, const Name *name, const Attribute *attributes,
                             size_t count)
{
    if (reading->dropped++)
        return DONE;
    reading->dropped_from = name->element;
    if (name->element == ELEMENT_IFRAME || name->element == ELEMENT_VIDEO ||
        name->element == ELEMENT_AUDIO)
        reading->signs |= MAY_HAVE_PLAYERS;
    reading->dropped_text = reading->dropped_type = (Slice){(const uint8_t *)"", 0};
    if (name->element != ELEMENT_SCRIPT)
        return DONE;
    static const char tex[] = "math/tex";
    Slice type = value_of(attributes, count, "type"), text;
    if (!resolve(reading->stream, type, &text))
        return MEMORY;
    if (holds_name(text, "ld+json"))
        reading->dropped_type = type;
    if (!begins_with_name(text, tex))
        return DONE;
    reading->dropped = 0;
    reading->in_tex = true;
    reading->signs |= MAY_HAVE_FORMULAS;
    if (put_place(reading, attributes, count) != DONE)
        return MEMORY;
    return put_tag(reading, element_rules[ELEMENT_ANNOTATION].tag, OPEN_TAG);
}

/* May a script put another one into the page, as `HeadNotes.note_script` reads it. */
static bool pushes_script(const Reading *reading)
{
    static const char begin[] = "(self.__next_s=";
    return reading->dropped_from == ELEMENT_SCRIPT &&
           reading->dropped_text.length >= sizeof begin &&
           !memcmp(reading->dropped_text.text, begin, sizeof begin - 1);
}

static Outcome end_dropped(Reading *reading)
{
    if (reading->in_tex) {
        reading->in_tex = false;
        return put_tag(reading, element_rules[ELEMENT_ANNOTATION].tag, CLOSE_TAG);
    }
    if (--reading->dropped)
        return DONE;
    Stream *stream = reading->stream;
    bool is_title = reading->dropped_from == ELEMENT_TITLE && reading->dropped_text.length;
    if (!is_title && !reading->dropped_type.length && !pushes_script(reading))
        return DONE;
    if (add_value(stream, NOTED_TYPE, reading->dropped_type, true, true) != DONE ||
        add_value(stream, NOTED_TEXT, reading->dropped_text, false, reading->dropped_references) !=
            DONE)
        return MEMORY;
    return add_note(reading, is_title ? NOTE_OF_TITLE : NOTE_OF_SCRIPT);
}

/* --- Bundles as columns --------------------------------------------------------------------------- */

/* Add the values of a row from its key, each with a space after it. */
static void add_row(const Stream *stream, const Key *key, Growing *values, int64_t *ends)
{
    const uint8_t *at = stream->bundles.bytes.items + key->start, *end = at + key->length;
    for (int64_t k = 0; k < stream->n_wanted; k++) {
        uint64_t header[2] = {0, 0};
        if (at < end)
            memcpy(header, at, sizeof header);
        if (at < end && header[0] == (uint64_t)k) {
            uint8_t *copy = values->items + values->used;
            memcpy(copy, at + sizeof header, (size_t)header[1]);
            copy[header[1]] = ' ';
            at += sizeof header + (size_t)header[1];
            values->used += (size_t)header[1] + 1;
        }
        ends[k] = (int64_t)values->used;
    }
}

/* The rows as `victor.page.parsing.events.BundleColumns` has them; that of what was too many is empty. */
static Outcome put_columns(Stream *stream)
{
    size_t width = (size_t)stream->n_wanted, n_rows = stream->bundles.keys.used + stream->has_overflow;
    /* A key is longer than its values with their spaces. */
    if (n_rows > SIZE_MAX / (width + 1) - 1 ||
        !growing_reserve(&stream->row_values, stream->bundles.bytes.used + 1) ||
        !growing_reserve(&stream->row_offsets, n_rows * width + 1))
        return MEMORY;
    int64_t *offsets = stream->row_offsets.items;
    offsets[0] = 0;
    for (size_t row = 0; row < n_rows; row++) {
        const Key none = {0, 0, 0};
        const Key *key =
            row < stream->bundles.keys.used ? &stream->bundles.keys.items[row] : &none;
        add_row(stream, key, &stream->row_values, offsets + 1 + row * width);
    }
    stream->row_offsets.used = n_rows * width + 1;
    return DONE;
}

/* --- The sink ------------------------------------------------------------------------------------- */

/* Is an element one whose start says no more than its bundle. */
static bool is_common(const Stream *stream, const Name *name)
{
    switch (name->element) {
    case ELEMENT_HTML:
    case ELEMENT_META:
    case ELEMENT_LINK:
    case ELEMENT_BASE:
    case ELEMENT_TIME:
    case ELEMENT_ANNOTATION:
    case ELEMENT_BR:
    case ELEMENT_PRE:
    case ELEMENT_CODE:
    case ELEMENT_SAMP:
    case ELEMENT_TT:
    case ELEMENT_TABLE:
    case ELEMENT_TD:
    case ELEMENT_TH:
    case ELEMENT_DIV:
    case ELEMENT_SPAN:
        return false;
    case ELEMENT_IMG:
        return !stream->alt_text;
    default:
        return name->tag > TAG_CUSTOM;
    }
}

static Outcome start_annotation(Reading *reading, const Attribute *attributes, size_t count)
{
    bool holds_tex = true;
    for (size_t i = 0; i < count; i++)
        if (has_name(attributes[i].name, "encoding")) {
            Slice text;
            if (!resolve(reading->stream, attributes[i].value, &text))
                return MEMORY;
            holds_tex = holds_name(text, "tex");
        }
    int tag = holds_tex ? element_rules[ELEMENT_ANNOTATION].tag : TAG_UNKNOWN;
    if (!growing_append(&reading->annotations, (uint8_t)tag))
        return MEMORY;
    return put_tag(reading, tag, OPEN_TAG);
}

static Outcome start_bundled(Reading *reading, const Name *name, const Attribute *attributes,
                             size_t count)
{
    if (!count || !find_wanted(reading->stream, attributes, count))
        return reading->dropped ? DONE : put_tag(reading, name->tag, OPEN_TAG);
    int64_t row = 0;
    Outcome outcome = DONE;
    if (reading->stream->length_column >= 0)
        outcome = measure_attributes(reading->stream, attributes, count);
    if (outcome == DONE)
        outcome = bundle_row(reading->stream, &row);
    if (outcome != DONE || reading->dropped)
        return outcome;
    return put_tag_with(reading, name->tag, OPEN_WITH_BUNDLE, (uint32_t)(BUNDLE_BASE + row));
}

static Outcome start_image(Reading *reading, const Name *name, const Attribute *attributes,
                           size_t count)
{
    int mode = reading->stream->alt_text, wanted = reading->n_links ? ALT_IN_LINKS : ALT_ELSEWHERE;
    Outcome outcome = start_bundled(reading, name, attributes, mode & ALT_BUNDLED ? count : 0);
    if (outcome == DONE && mode & wanted)
        outcome = put_text(reading->stream, value_of(attributes, count, "alt"), true, true);
    return outcome == DONE ? put_tag(reading, name->tag, CLOSE_TAG) : outcome;
}

/* Is a word one of a list of classes. */
static bool is_class(Slice classes, const char *word)
{
    const char *text = (const char *)classes.text;
    for (size_t at = 0; at < classes.length; at++) {
        size_t start = at;
        while (at < classes.length && (!text[at] || !strchr(" \t\n\f\r", text[at])))
            at++;
        if (at - start == strlen(word) && !memcmp(text + start, word, at - start))
            return true;
    }
    return false;
}

/* Has an element one of some classes. */
static Outcome find_class(Reading *reading, const Attribute *attributes, size_t count,
                          const char *const *words, bool *is_found)
{
    Slice classes;
    if (!resolve(reading->stream, value_of(attributes, count, "class"), &classes))
        return MEMORY;
    for (; *words && !*is_found; words++)
        *is_found = is_class(classes, *words);
    return DONE;
}

/* Does an element hold lines of code that a style sheet sets as <pre> does. */
static Outcome find_listing(Reading *reading, int element, const Attribute *attributes,
                            size_t count, bool *is_listing)
{
    static const char *const of_code[] = {"block", "d-block", "code-block", NULL};
    static const char *const of_table[] = {"js-file-line-container", "hljs-ln", NULL};
    static const char *const of_div[] = {"code-block", NULL};
    bool has_language = false;
    if (element == ELEMENT_CODE)
        return find_class(reading, attributes, count, of_code, is_listing);
    if (element == ELEMENT_TABLE)
        return find_class(reading, attributes, count, of_table, is_listing);
    for (size_t i = 0; element == ELEMENT_DIV && i < count && !has_language; i++)
        has_language = has_name(attributes[i].name, "data-lang");
    return has_language ? find_class(reading, attributes, count, of_div, is_listing) : DONE;
}

/* Does a style keep the line ends of a text. */
static bool keeps_lines(Slice text)
{
    static const char property[] = "white-space";
    const Value style = {text.text, (int64_t)text.length};
    for (int64_t at = 0; at < style.length; at++)
        if ((style.text[at] | 0x20) == 'w' &&
            ((is_declared(&style, at, property, "pre") &&
              !is_declared(&style, at, property, "pre-line")) ||
             is_declared(&style, at, property, "break-spaces")))
            return true;
    return false;
}

/* Does an element say that line ends of its text are line ends on the screen, and that it is code. */
static Outcome find_setting(Reading *reading, const Attribute *attributes, size_t count,
                            bool *sets_lines, bool *is_named_code)
{
    static const char *const of_code[] = {
        "code", "codeblock", "code-block", "cmd", "command", "console", "highlight", "hljs",
        "listing", "prettyprint", "source", "sourcecode", "syntax", "terminal", NULL};
    static const char *const fonts[] = {"monospace", "courier", "consolas", "menlo", NULL};
    Slice style = value_of(attributes, count, "style"), text;
    if (!style.length)
        return DONE;
    if (!resolve(reading->stream, style, &text))
        return MEMORY;
    *sets_lines = keeps_lines(text);
    if (!*sets_lines)
        return DONE;
    for (const char *const *font = fonts; *font && !*is_named_code; font++)
        *is_named_code = holds_name(text, *font);
    return find_class(reading, attributes, count, of_code, is_named_code);
}

/* Note where an element begins that may turn out to be a listing. */
static void note_code(Reading *reading, int element, bool sets_lines, bool is_named_code,
                      bool is_listing)
{
    size_t start = reading->stream->codes.used;
    bool is_code = !is_listing && (element == ELEMENT_CODE || element == ELEMENT_SAMP ||
                                   element == ELEMENT_TT);
    bool is_box = !is_listing && (element == ELEMENT_DIV || element == ELEMENT_SPAN);
    reading->n_pre += element == ELEMENT_PRE;
    reading->n_setting += sets_lines;
    if (is_code && !reading->first_code)
        reading->first_code = start;
    if (element == ELEMENT_PRE)
        reading->listing = 0;
    else if (!reading->n_pre && !reading->listing) {
        if ((reading->n_setting && is_code) || (sets_lines && is_box && is_named_code))
            reading->listing = start;
        else if (sets_lines)
            reading->listing = reading->first_code;
    }
}

static Outcome start_code(Reading *reading, const Name *name, const Attribute *attributes,
                          size_t count)
{
    Name seen = *name;
    bool is_pre = name->element == ELEMENT_PRE, is_listing = false;
    bool sets_lines = false, is_named_code = false;
    if (!is_pre && !reading->n_pre && count &&
        find_listing(reading, name->element, attributes, count, &is_listing) != DONE)
        return MEMORY;
    if (count && find_setting(reading, attributes, count, &sets_lines, &is_named_code) != DONE)
        return MEMORY;
    if (is_listing)
        seen.tag = element_rules[ELEMENT_LISTING].tag;
    else if (name->element == ELEMENT_TABLE &&
             note_table(reading, NOTE_OF_TABLE, attributes, count) != DONE)
        return MEMORY;
    OpenCode open = {reading->stream->codes.used, (uint8_t)seen.tag, sets_lines};
    note_code(reading, name->element, sets_lines, is_named_code, is_listing);
    if (!growing_append(&reading->code, open))
        return MEMORY;
    return start_bundled(reading, &seen, attributes, count);
}

static bool is_or_may_be_code(int element)
{
    return element == ELEMENT_PRE || element == ELEMENT_CODE || element == ELEMENT_SAMP ||
           element == ELEMENT_TT || element == ELEMENT_TABLE || element == ELEMENT_DIV ||
           element == ELEMENT_SPAN;
}

/* Has the text of the codes from one on more than one line. */
static bool has_lines(const Stream *stream, size_t start)
{
    uint32_t box = tag_code(element_rules[ELEMENT_DIV].tag, OPEN_TAG);
    bool is_filled = false, is_broken = false;
    for (size_t at = start; at < stream->codes.used; at++) {
        uint32_t code = stream->codes.items[at];
        if (code == '\n' || code == LINE_BREAK || code == box || code == box + OPEN_WITH_BUNDLE)
            is_broken |= is_filled;
        else if ((code < TAG_BASE || (code >= TAG_BASE + N_TAG_CODES && code < BUNDLE_BASE)) &&
                 !is_space(code)) {
            if (is_broken)
                return true;
            is_filled = true;
        }
    }
    return false;
}

/* The tag of the innermost element that is code, or may be, which ends. What turns out to be code
 * begins anew. */
static int end_code(Reading *reading)
{
    OpenCode open = reading->code.items[--reading->code.used];
    int listing = element_rules[ELEMENT_LISTING].tag;
    reading->n_setting -= open.sets_lines;
    if (open.start == reading->first_code)
        reading->first_code = 0;
    if (open.start != reading->listing)
        return open.tag;
    reading->listing = 0;
    if (!has_lines(reading->stream, open.start + 1))
        return open.tag;
    reading->stream->codes.items[open.start] += (uint32_t)(N_TAG_KINDS * (listing - open.tag));
    return listing;
}

/* Count the links that are open, where alternative texts are asked for. */
static Outcome start_anchor(Reading *reading, const Attribute *attributes, size_t count)
{
    bool is_link = false;
    if (!reading->stream->alt_text)
        return DONE;
    for (size_t i = 0; i < count && !is_link; i++)
        is_link = has_name(attributes[i].name, "href");
    reading->n_links += is_link;
    return growing_append(&reading->anchors, (uint8_t)is_link) ? DONE : MEMORY;
}

static Outcome on_start(void *state, const Name *name, const Attribute *attributes, size_t count)
{
    Reading *reading = state;
    if (name->tag < 0)
        return start_dropped(reading, name, attributes, count);
    if (!reading->dropped && name->element != ELEMENT_BR &&
        put_place(reading, attributes, count) != DONE)
        return MEMORY;
    if (!(reading->signs & MAY_HAVE_FORMULAS) && !reading->dropped &&
        may_show_formula(name, attributes, count))
        reading->signs |= MAY_HAVE_FORMULAS;
    if (name->element == ELEMENT_A && !(reading->signs & LINKS_TO_NOTES) &&
        leads_to_note(value_of(attributes, count, "href")))
        reading->signs |= LINKS_TO_NOTES;
    if (name->element == ELEMENT_A && start_anchor(reading, attributes, count) != DONE)
        return MEMORY;
    /* A bundle has its number even where its element vanishes with a dropped one. */
    if (is_common(reading->stream, name))
        return start_bundled(reading, name, attributes, count);
    if (reading->dropped)
        return DONE;
    switch (name->element) {
    case ELEMENT_BR:
        return put_tag_with(reading, name->tag, OPEN_TAG, LINE_BREAK);
    case ELEMENT_IMG:
        return start_image(reading, name, attributes, count);
    case ELEMENT_ANNOTATION:
        return start_annotation(reading, attributes, count);
    case ELEMENT_PRE:
    case ELEMENT_CODE:
    case ELEMENT_SAMP:
    case ELEMENT_TT:
    case ELEMENT_TABLE:
    case ELEMENT_DIV:
    case ELEMENT_SPAN:
        return start_code(reading, name, attributes, count);
    default:
        if (note(reading, name->element, attributes, count) != DONE)
            return MEMORY;
        return start_bundled(reading, name, attributes, count);
    }
}

static Outcome on_end(void *state, const Name *name)
{
    Reading *reading = state;
    if (name->tag < 0)
        return end_dropped(reading);
    if (name->element == ELEMENT_A && reading->stream->alt_text)
        reading->n_links -= reading->anchors.items[--reading->anchors.used];
    if (reading->dropped || element_rules[name->element].is_void)
        return DONE;
    int tag = name->tag;
    if (name->element == ELEMENT_ANNOTATION)
        tag = reading->annotations.items[--reading->annotations.used];
    if (is_or_may_be_code(name->element))
        tag = end_code(reading);
    reading->n_pre -= name->element == ELEMENT_PRE;
    return put_tag(reading, tag, CLOSE_TAG);
}

static Outcome on_text(void *state, Slice text, bool has_references)
{
    Reading *reading = state;
    if (!reading->dropped)
        return put_text(reading->stream, text, has_references, false);
    reading->dropped_text = text;
    reading->dropped_references = has_references;
    return DONE;
}

static Outcome read_page(Stream *stream, int64_t page)
{
    Reading reading = {.stream = stream, .page = stream->pages[page]};
    Sink sink = {.state = &reading, .start = on_start, .end = on_end, .text = on_text};
    Outcome outcome = put_tag(&reading, TAG_PAGE, OPEN_TAG);
    if (outcome == DONE)
        outcome = tokenise(stream->pages[page], &sink);
    if (outcome == DONE)
        outcome = put_tag(&reading, TAG_PAGE, CLOSE_TAG);
    if (outcome == DONE && !(growing_append(&stream->page_signs, reading.signs) &&
                             growing_append(&stream->places, (int64_t)reading.page.length) &&
                             growing_append(&stream->place_starts, (int64_t)stream->places.used)))
        outcome = MEMORY;
    growing_free(&reading.annotations);
    growing_free(&reading.anchors);
    growing_free(&reading.code);
    stream->note_starts[page + 1] = (int64_t)stream->notes.used;
    stream->page_starts[page + 1] = (int64_t)stream->codes.used;
    return outcome;
}

Outcome read_stream(Stream *stream)
{
    enum { BYTES_PER_CODE = 4 }; /* of most pages; room that nobody uses costs nothing */
    size_t n_bytes = 0;
    for (int64_t page = 0; page < stream->n_pages; page++)
        n_bytes += stream->pages[page].length;
    bool is_begun = growing_reserve(&stream->codes, n_bytes / BYTES_PER_CODE) &&
                    growing_append(&stream->place_starts, 0);
    Outcome outcome = is_begun ? DONE : MEMORY;
    for (int64_t page = 0; page < stream->n_pages && outcome == DONE; page++)
        outcome = is_utf8(stream->pages[page]) ? read_page(stream, page) : NOT_UTF8;
    return outcome == DONE ? put_columns(stream) : outcome;
}

/* --- Methods -------------------------------------------------------------------------------------- */

/* Bytes objects of a tuple as slices; -1 with an exception set. */
static int read_slices(Stream *stream, PyObject *pages)
{
    stream->n_pages = PyTuple_Size(pages);
    size_t count = (size_t)stream->n_pages + 1;
    stream->pages = TAKE(&stream->arena, Slice, count);
    stream->page_starts = calloc(count, sizeof *stream->page_starts);
    stream->note_starts = calloc(count, sizeof *stream->note_starts);
    if (!stream->pages || !stream->page_starts || !stream->note_starts) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t page = 0; page < stream->n_pages; page++)
        if (!bytes_slice(PyTuple_GetItem(pages, (Py_ssize_t)page), &stream->pages[page]))
            return -1;
    return 0;
}

/* Is a name of an attribute ASCII without spaces, and short enough. */
static bool is_plain_name(const char *text, Py_ssize_t length)
{
    bool is_plain = length < LONGEST_WANTED;
    for (Py_ssize_t i = 0; i < length; i++)
        is_plain &= text[i] > ' ' && text[i] < 0x7F;
    return is_plain;
}

/* The names of attributes that make a bundle; -1 with an exception set. */
static int read_wanted(Stream *stream, PyObject *names)
{
    stream->n_wanted = PyTuple_Size(names);
    stream->length_column = -1;
    stream->wanted = TAKE(&stream->arena, Slice, (size_t)stream->n_wanted + 1);
    stream->given = TAKE(&stream->arena, const Attribute *, (size_t)stream->n_wanted + 1);
    if (!stream->wanted || !stream->given) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t k = 0; k < stream->n_wanted; k++) {
        Py_ssize_t length;
        const char *text =
            PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, (Py_ssize_t)k), &length);
        if (!text)
            return -1;
        if (!is_plain_name(text, length)) {
            PyErr_SetString(PyExc_ValueError, "a name of an attribute is ASCII without spaces, "
                                              "and shorter than 64 characters");
            return -1;
        }
        if (!strcmp(text, LENGTH_OF_ALL))
            stream->length_column = k;
        stream->wanted[k] = (Slice){(const uint8_t *)text, (size_t)length};
        stream->wanted_lengths |= UINT64_C(1) << length;
    }
    return 0;
}

int stream_open(Stream *stream, PyObject *pages, PyObject *names)
{
    return read_wanted(stream, names) < 0 ? -1 : read_slices(stream, pages);
}

void stream_close(Stream *stream)
{
    free(stream->page_starts);
    free(stream->note_starts);
    growing_free(&stream->codes);
    growing_free(&stream->row_values);
    growing_free(&stream->row_offsets);
    growing_free(&stream->notes);
    growing_free(&stream->values);
    growing_free(&stream->bytes);
    growing_free(&stream->scratch);
    growing_free(&stream->page_signs);
    growing_free(&stream->places);
    growing_free(&stream->place_starts);
    keys_free(&stream->bundles);
    arena_free(&stream->arena);
}

/* What was read, as the method gives it. */
static PyObject *results(PyObject *module, Stream *stream)
{
    int64_t *page_starts = stream->page_starts, *note_starts = stream->note_starts;
    size_t bytes = (size_t)(stream->n_pages + 1) * sizeof *page_starts;
    stream->page_starts = stream->note_starts = NULL;
    return Py_BuildValue(
        "(NNNNNNNNN)", owned_growing(module, &stream->codes),
        owned_growing(module, &stream->row_values), owned_growing(module, &stream->row_offsets),
        owned_growing(module, &stream->notes), owned_growing(module, &stream->values),
        owned_growing(module, &stream->bytes), owned(module, page_starts, bytes),
        owned(module, note_starts, bytes), owned_growing(module, &stream->page_signs));
}

static PyObject *events(PyObject *module, PyObject *args)
{
    PyObject *pages, *names, *result = NULL;
    int alt_text;
    long long max_bundles;
    if (!PyArg_ParseTuple(args, "O!O!iL", &PyTuple_Type, &pages, &PyTuple_Type, &names, &alt_text,
                          &max_bundles))
        return NULL;
    Stream stream = {.alt_text = alt_text, .max_bundles = max_bundles};
    if (stream_open(&stream, pages, names) == 0) {
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = read_stream(&stream);
        Py_END_ALLOW_THREADS
        result = outcome == DONE       ? results(module, &stream)
                 : outcome == NOT_UTF8 ? Py_NewRef(Py_None)
                                       : raise_outcome(outcome, "events");
    }
    stream_close(&stream);
    return result;
}

PyMethodDef events_methods[] = {
    {"events", events, METH_VARARGS,
     "events(pages, attributes, alt_text, max_bundles): of a tuple of pages codes, values and\n"
     "offsets of bundles, notes, their values and the bytes of these, where the codes of each page\n"
     "begin, and its notes, and the signs of each; None if a page is no UTF-8."},
    {NULL, NULL, 0, NULL},
};
