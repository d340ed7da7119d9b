/* Values of attributes to numbers of classes, and to what hides an element. */
#include "base/code_points.h"
#include "base/codes.h"
#include "base/keys.h"
#include "parsing/attributes.h"
#include <stdlib.h>

uint32_t long_code(const Value *value, int64_t *at)
{
    const uint8_t *byte = value->text + *at;
    int64_t size = byte[0] < 0xC0 ? 1 : byte[0] < 0xE0 ? 2 : byte[0] < 0xF0 ? 3 : 4;
    if (size > value->length - *at)
        size = 1;
    *at += size;
    if (size == 1)
        return byte[0];
    uint32_t code = byte[0] & (0x7Fu >> size);
    for (int64_t i = 1; i < size; i++)
        code = code << 6 | (byte[i] & 63u);
    return code < N_CODE_POINTS ? code : 0xFFFD;
}

/* --- Numbers of first classes ----------------------------------------------------------------- */

/* White space, seen without a call for nearly all of what is none. */
static inline bool is_white(uint32_t code)
{
    return (code <= ' ' || code >= 0x80) && is_space(code);
}

/* The first word of a value; without bytes if there is none. */
static Value first_word(Value value)
{
    int64_t start = 0, end, next = 0;
    if (!value.text)
        return value;
    while (next < value.length && is_white(next_code(&value, &next)))
        start = next;
    for (end = next = start; next < value.length && !is_white(next_code(&value, &next));)
        end = next;
    return (Value){value.text + start, end - start};
}

Outcome number_words(int64_t *numbers, const Bundles *bundles)
{
    Keys words = {0};
    Outcome outcome = DONE;
    for (int64_t row = 0; row < bundles->n_rows && outcome == DONE; row++) {
        Value word = first_word(value_at(bundles, row, 0));
        if (!word.length)
            continue;
        outcome = keys_add(&words, word.text, (size_t)word.length, &numbers[row]);
        numbers[row]++;
    }
    keys_free(&words);
    return outcome;
}

/* --- What hides an element -------------------------------------------------------------------- */

/* Lower case as regular expressions without case have it, of the letters that are asked for. */
static uint32_t lower_of(uint32_t code)
{
    if (code >= 'A' && code <= 'Z')
        return code + 32;
    if (code == 0x130 || code == 0x131) /* I with a dot, i without one */
        return 'i';
    return code == 0x17F ? 's' : code; /* long s */
}

/* The end of a word at a place, or -1. */
static int64_t after_word(const Value *style, int64_t at, const char *word)
{
    for (; *word; word++)
        if (at >= style->length || lower_of(next_code(style, &at)) != (uint32_t)*word)
            return -1;
    return at;
}

static int64_t after_white(const Value *style, int64_t at)
{
    for (int64_t next = at; next < style->length && is_white(next_code(style, &next));)
        at = next;
    return at;
}

bool is_declared(const Value *style, int64_t at, const char *name, const char *value)
{
    at = after_word(style, at, name);
    if (at < 0)
        return false;
    at = after_white(style, at);
    if (at >= style->length || style->text[at] != ':')
        return false;
    return after_word(style, after_white(style, at + 1), value) >= 0;
}

/* Where white space before a place begins. */
static int64_t before_white(const Value *style, int64_t at)
{
    for (int64_t first = at; first > 0; at = first) {
        do
            first--;
        while (first > 0 && (style->text[first] & 0xC0) == 0x80);
        int64_t next = first;
        if (!is_white(next_code(style, &next)))
            return at;
    }
    return at;
}

/* Is -999 at a place what a style says of a side, so that the element is off the screen. */
static bool is_away(const Value *style, int64_t at)
{
    static const char *const names[] = {"left", "right", "top", "text-indent"};
    if (style->length - at < 4 || memcmp(style->text + at, "-999", 4) != 0)
        return false;
    at = before_white(style, at);
    if (at == 0 || style->text[at - 1] != ':')
        return false;
    at = before_white(style, at - 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t length = (int64_t)strlen(names[i]);
        if (at >= length && memcmp(style->text + at - length, names[i], (size_t)length) == 0)
            return true;
    }
    return false;
}

static bool style_hides(const Value *style)
{
    for (int64_t at = 0; at < style->length; at++) { /* d and v have no other case than ASCII's */
        int first = style->text[at] | 0x20;
        if ((first == 'd' && is_declared(style, at, "display", "none")) ||
            (first == 'v' && is_declared(style, at, "visibility", "hidden")) ||
            (first == '-' && is_away(style, at)))
            return true;
    }
    return false;
}

static bool is_true(Value value)
{
    return value.length == 4 && memcmp(value.text, "true", 4) == 0;
}

void fill_hides(uint8_t *hides, const Bundles *bundles)
{
    for (int64_t row = 0; row < bundles->n_rows; row++) {
        Value style = value_at(bundles, row, 0);
        hides[row] = value_at(bundles, row, 1).text || is_true(value_at(bundles, row, 2)) ||
                     style_hides(&style);
    }
}
