/* Comments, raw-text elements, ends of line breaks, preformatted text and tables: what the repair of
 * a page looks at. */
#include "parsing/unclosed.h"

static const char *const marked_names[] = {
    "iframe", "noframes", "script", "style", "textarea", "title", "xmp", "pre",
    "table", "tbody", "tfoot", "thead",
};
enum { N_MARKED = sizeof marked_names / sizeof *marked_names, N_RAW = 7, PREFORMATTED = N_RAW };
enum { WIDTH = 8 }; /* bytes of a tag that are compared; a shorter page has spaces after it */

/* The bit that tells lower case from upper case, and other characters, too, does not count. */
static bool is_like(uint8_t byte, char wanted)
{
    return (byte | 0x20) == (uint8_t)wanted;
}

/* Do the bytes at a place match a word; at most `limit` of them are looked at. */
static bool matches(Slice markup, size_t at, const char *word, size_t limit)
{
    for (size_t i = 0; word[i] && i < limit; i++)
        if (at + i >= markup.length || !is_like(markup.text[at + i], word[i]))
            return false;
    return true;
}

static bool is_space_or_end(uint8_t byte)
{
    return byte == ' ' || byte == '>' || byte == '/' || byte == '\t' || byte == '\n' ||
           byte == '\f' || byte == '\r';
}

/* Does the name of a tag end before a place; at the end of the page its last byte says so. */
static bool ends_name(Slice markup, size_t at)
{
    size_t padded = markup.length < WIDTH ? WIDTH : markup.length;
    if (at >= padded)
        at = padded - 1;
    return at >= markup.length || is_space_or_end(markup.text[at]);
}

/* Does one of the names begin with a byte; most tags begin with none of these. */
static bool begins_name(uint8_t byte)
{
    static const uint32_t letters = 1u << ('b' & 31) | 1u << ('f' & 31) | 1u << ('i' & 31) |
                                    1u << ('n' & 31) | 1u << ('p' & 31) | 1u << ('s' & 31) |
                                    1u << ('t' & 31) | 1u << ('x' & 31);
    return (byte & 0xC0) == 0x40 && (letters >> (byte & 31) & 1);
}

/* The kind of the mark at a `<`, -1 if there is none. */
static int mark_at(Slice markup, size_t at)
{
    size_t name = at + 1;
    if (name < markup.length && is_like(markup.text[name], '!'))
        return matches(markup, name, "!--", WIDTH) ? MARK_COMMENT : -1;
    bool is_end = name < markup.length && is_like(markup.text[name], '/');
    name += is_end;
    if (name >= markup.length || !begins_name(markup.text[name]))
        return -1;
    size_t limit = WIDTH - (name - at);
    if (is_end && matches(markup, name, "br", limit) && ends_name(markup, name + 2))
        return MARK_BREAK_END;
    for (int number = 0; number < N_MARKED; number++) {
        const char *raw = marked_names[number];
        if (is_like(markup.text[name], raw[0]) && matches(markup, name, raw, limit))
            return ends_name(markup, name + strlen(raw)) ? FIRST_RAW_MARK + 2 * number + is_end : -1;
    }
    return -1;
}

int next_mark(Slice markup, size_t *at)
{
    while (*at < markup.length) {
        const uint8_t *tag = memchr(markup.text + *at, '<', markup.length - *at);
        if (!tag)
            break;
        *at = (size_t)(tag - markup.text);
        int kind = mark_at(markup, *at);
        if (kind >= 0)
            return kind;
        ++*at;
    }
    return -1;
}

/* The place after the first end of a comment, 0 if there is none. */
static size_t after_comment(Slice markup, size_t at)
{
    while (at + 3 <= markup.length) {
        const uint8_t *dash = memchr(markup.text + at, '-', markup.length - at - 2);
        if (!dash)
            break;
        at = (size_t)(dash - markup.text) + 1;
        if (dash[1] == '-' && dash[2] == '>')
            return at + 2;
    }
    return 0;
}

/* Does a <div> begin between two places. */
static bool has_div(Slice markup, size_t at, size_t end)
{
    for (; at < end; at++) {
        const uint8_t *tag = memchr(markup.text + at, '<', end - at);
        if (!tag)
            return false;
        at = (size_t)(tag - markup.text);
        if (matches(markup, at + 1, "div", WIDTH))
            return true;
    }
    return false;
}

/* Does the tag at a place have a cell right after it. */
static bool has_cell_after(Slice markup, size_t at)
{
    do
        at++;
    while (at < markup.length && markup.text[at] != '<' && markup.text[at] != '>');
    if (at == markup.length || markup.text[at] == '<')
        return false;
    do
        at++;
    while (at < markup.length && markup.text[at] && strchr(" \t\n\f\r", markup.text[at]));
    bool is_cell = matches(markup, at, "<td", WIDTH) || matches(markup, at, "<th", WIDTH);
    at += strlen("<td");
    return is_cell && at < markup.length && /* and no <thead> */
           (is_space_or_end(markup.text[at]) || markup.text[at] == '\v');
}

bool needs_repair(Slice markup)
{
    size_t comment_end = 0; /* of the last comment that began */
    bool is_open[N_RAW] = {false};
    size_t at = 0, pre_start = 0;
    for (int kind; (kind = next_mark(markup, &at)) >= 0; at++) {
        if (kind == MARK_BREAK_END)
            return true;
        if (kind == MARK_COMMENT) {
            /* The end of the comment before may be this start, too: <!-->. */
            if (comment_end > at + 5)
                return true;
            comment_end = after_comment(markup, at + 2);
            if (!comment_end)
                return true;
            continue;
        }
        int number = (kind - FIRST_RAW_MARK) / 2;
        bool is_end = kind & 1;
        if (number == PREFORMATTED) {
            if (is_end && has_div(markup, pre_start, at))
                return true;
            pre_start = at;
            continue;
        }
        if (number > PREFORMATTED) {
            if (!is_end && has_cell_after(markup, at))
                return true;
            continue;
        }
        if (is_open[number] != is_end)
            return true;
        is_open[number] = !is_end;
    }
    for (int number = 0; number < N_RAW; number++)
        if (is_open[number])
            return true;
    return false;
}

/* --- Methods -------------------------------------------------------------------------------------- */

typedef struct {
    GROWING(int64_t) places;
    GROWING(uint8_t) kinds;
} Marks;

static bool find_marks(Slice markup, Marks *marks)
{
    size_t at = 0;
    for (int kind; (kind = next_mark(markup, &at)) >= 0; at++)
        if (!growing_append(&marks->places, (int64_t)at) ||
            !growing_append(&marks->kinds, (uint8_t)kind))
            return false;
    return true;
}

PyObject *marks_of_page(PyObject *module, PyObject *page)
{
    Slice markup;
    if (!bytes_slice(page, &markup))
        return NULL;
    Marks marks = {{0}, {0}};
    bool is_done;
    Py_BEGIN_ALLOW_THREADS
    is_done = find_marks(markup, &marks);
    Py_END_ALLOW_THREADS
    if (is_done)
        return Py_BuildValue("(NN)", owned_growing(module, &marks.places),
                             owned_growing(module, &marks.kinds));
    growing_free(&marks.places);
    growing_free(&marks.kinds);
    return PyErr_NoMemory();
}

PyObject *pages_to_repair(PyObject *module, PyObject *pages)
{
    (void)module;
    Py_ssize_t count = PyTuple_Size(pages);
    PyObject *flags = count < 0 ? NULL : PyBytes_FromStringAndSize(NULL, count);
    char *flag = flags ? PyBytes_AsString(flags) : NULL;
    for (Py_ssize_t page = 0; flag && page < count; page++) {
        Slice markup;
        if (!bytes_slice(PyTuple_GetItem(pages, page), &markup)) {
            Py_DECREF(flags);
            return NULL;
        }
        Py_BEGIN_ALLOW_THREADS
        flag[page] = needs_repair(markup);
        Py_END_ALLOW_THREADS
    }
    return flags;
}
