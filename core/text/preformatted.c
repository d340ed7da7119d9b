/* Stage: what stands between the tags of a <pre> to its lines, as `victor.page.verdict.preformatted` has
 * them. */
#include "base/code_points.h"
#include "base/codes.h"
#include "text/preformatted.h"

/* Bits of what a tag is. */
enum { ENDS_LINE = 1, IS_BREAK = 2 };
enum { CHARS, STARTS, IDS, STEPS, ROLES, SHOWN, N_ARRAYS };

typedef struct {
    Array arrays[N_ARRAYS];
    const uint32_t *chars;
    const int64_t *text_start, *id; /* (n_tags) */
    const int8_t *step;
    const uint8_t *roles; /* (N_TAG_IDS) */
    const uint8_t *shown; /* (last - first) is the text after a tag shown */
    int64_t n_chars, n_tags;
    int64_t first, last; /* tags of the <pre> */
} Pre;

typedef struct {
    Codes text;
    bool is_at_start; /* of a line */
    bool is_filled;   /* something stands since the last block-level tag */
} Lines;

static bool is_newline(uint32_t code)
{
    return code == '\n' || code == '\r';
}

/* Text as written; CR LF and CR are one newline each. */
static Outcome add_text(Lines *lines, const uint32_t *code, const uint32_t *end)
{
    if (code == end)
        return DONE;
    if (!growing_reserve(&lines->text, end - code))
        return MEMORY;
    lines->is_filled = true;
    lines->is_at_start = is_newline(end[-1]);
    uint32_t *begin = lines->text.items + lines->text.used, *out = begin;
    for (; code < end; code++) {
        *out++ = *code == '\r' ? '\n' : *code;
        if (*code == '\r' && code + 1 < end && code[1] == '\n')
            code++;
    }
    lines->text.used += (size_t)(out - begin);
    return DONE;
}

/* A block-level element begins or ends: what follows is on a new line. */
static Outcome end_line(Lines *lines)
{
    const uint32_t newline = '\n';
    Outcome outcome = DONE;
    if (lines->is_filled && !lines->is_at_start)
        outcome = add_text(lines, &newline, &newline + 1);
    lines->is_filled = false;
    return outcome;
}

/* Is text white space with a newline in it. */
static bool is_blank_line(const uint32_t *code, const uint32_t *end)
{
    bool has_newline = false;
    for (; code < end; code++) {
        if (!is_space(*code))
            return false;
        has_newline |= is_newline(*code);
    }
    return has_newline;
}

static Outcome add_after_tag(const Pre *pre, int64_t tag, Lines *lines)
{
    const uint32_t newline = '\n';
    const uint32_t *text = pre->chars + pre->text_start[tag];
    const uint32_t *end = pre->chars + pre->text_start[tag + 1];
    uint8_t role = pre->roles[pre->id[tag]];
    Outcome outcome = role & ENDS_LINE ? end_line(lines) : DONE;
    if (outcome != DONE || !pre->shown[tag - pre->first])
        return outcome;
    /* Markup is set on lines of its own: white space between two block-level tags is no text. */
    if ((role & ENDS_LINE) && (pre->roles[pre->id[tag + 1]] & ENDS_LINE) && pre->step[tag] < 0 &&
        is_blank_line(text, end))
        return DONE;
    /* A <br> stands for a newline of the source that may follow it. */
    if ((role & IS_BREAK) && (text == end || !is_newline(*text)))
        outcome = add_text(lines, &newline, &newline + 1);
    return outcome == DONE ? add_text(lines, text, end) : outcome;
}

/* All lines without blank ones at the ends. */
static PyObject *text_of(Lines *lines)
{
    uint32_t *codes = lines->text.items;
    size_t first = 0, last = lines->text.used;
    while (last && is_space(codes[last - 1]))
        last--;
    for (size_t at = 0; at < last && is_space(codes[at]); at++)
        if (codes[at] == '\n')
            first = at + 1;
    return string_of(codes + first, last - first);
}

static bool is_sound(const Pre *pre)
{
    if (pre->first < 0 || pre->first >= pre->last || pre->last >= pre->n_tags ||
        pre->arrays[IDS].length != pre->n_tags || pre->arrays[STEPS].length != pre->n_tags ||
        pre->arrays[ROLES].length != N_TAG_IDS ||
        pre->arrays[SHOWN].length != pre->last - pre->first)
        return false;
    int64_t before = 0, wrong = 0;
    for (int64_t tag = pre->first; tag <= pre->last; tag++) {
        wrong |= pre->text_start[tag] < before || pre->id[tag] < 0 || pre->id[tag] >= N_TAG_IDS;
        before = pre->text_start[tag];
    }
    return !wrong && before <= pre->n_chars;
}

/* Read the arguments; -1 with an exception set. What is borrowed is to be given back anyway. */
static int borrow(Pre *pre, PyObject *arguments)
{
    long long first, last;
    Array *arrays = pre->arrays;
    if (!PyArg_ParseTuple(arguments, "O&O&O&O&O&O&LL", BORROW(CHARS), BORROW(STARTS), BORROW(IDS),
                          BORROW(STEPS), BORROW(ROLES), BORROW(SHOWN), &first, &last))
        return -1;
    pre->chars = arrays[CHARS].items;
    pre->text_start = arrays[STARTS].items;
    pre->id = arrays[IDS].items;
    pre->step = arrays[STEPS].items;
    pre->roles = arrays[ROLES].items;
    pre->shown = arrays[SHOWN].items;
    pre->n_chars = arrays[CHARS].length;
    pre->n_tags = arrays[STARTS].length;
    pre->first = first;
    pre->last = last;
    if (is_sound(pre))
        return 0;
    raise_outcome(WRONG, "code_text");
    return -1;
}

/* code_text(chars, text_start, id, step, roles, shown, first, last): the text of the <pre> whose
 * start and end are two tags. */
PyObject *code_text(PyObject *module, PyObject *arguments)
{
    Pre pre = {.arrays = {
                   [CHARS] = WANTED("u4"), [STARTS] = WANTED("i8"), [IDS] = WANTED("i8"),
                   [STEPS] = WANTED("i1"), [ROLES] = WANTED("u1"), [SHOWN] = WANTED("b1"),
               }};
    Lines lines = {.is_at_start = true};
    PyObject *result = NULL;
    (void)module;
    if (borrow(&pre, arguments) == 0) {
        Outcome outcome = growing_reserve(&lines.text, 1) ? DONE : MEMORY;
        for (int64_t tag = pre.first; outcome == DONE && tag < pre.last; tag++)
            outcome = add_after_tag(&pre, tag, &lines);
        result = outcome == DONE ? text_of(&lines) : raise_outcome(outcome, "code_text");
        growing_free(&lines.text);
    }
    arrays_return(pre.arrays, N_ARRAYS);
    return result;
}
