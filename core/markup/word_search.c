/* Does a text hold one of a few words: by tables of their first letters. */
#include "markup/markup.h"
#include <stdlib.h>

/* Pairs of letters that are looked at, at every third place: one of the first three of a word is. */
enum { STEP = LEAST_LETTERS - 1, N_PAIRS = 1 << 16 };

typedef struct {
    /* Bit w of may_begin[at][byte]: word w has this byte at this place, in either case. */
    uint64_t may_begin[LEAST_LETTERS][256];
    /* Bit k of places[pair]: a word has this pair from its letter k on, in either case. */
    uint8_t places[N_PAIRS];
} Beginnings;

static uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

static uint8_t upper(uint8_t byte)
{
    return byte >= 'a' && byte <= 'z' ? (uint8_t)(byte & ~0x20) : byte;
}

/* The place of a pair in the table, whatever the order of bytes. */
static uint16_t pair_of(const uint8_t *text)
{
    uint16_t pair;
    memcpy(&pair, text, sizeof pair);
    return pair;
}

static void add_pair(Beginnings *beginnings, uint8_t first, uint8_t second, int bit)
{
    for (int i = 0; i < 4; i++) {
        const uint8_t pair[] = {i & 1 ? upper(first) : first, i & 2 ? upper(second) : second};
        beginnings->places[pair_of(pair)] |= (uint8_t)(1u << bit);
    }
}

static Outcome fill(Beginnings *beginnings, const Slice *words, size_t count)
{
    if (count > MOST_WORDS)
        return WRONG;
    for (size_t word = 0; word < count; word++) {
        const uint8_t *text = words[word].text;
        if (words[word].length < LEAST_LETTERS)
            return WRONG;
        for (size_t at = 0; at < LEAST_LETTERS; at++) {
            beginnings->may_begin[at][text[at]] |= (uint64_t)1 << word;
            beginnings->may_begin[at][upper(text[at])] |= (uint64_t)1 << word;
        }
        for (int at = 0; at < STEP; at++)
            add_pair(beginnings, text[at], text[at + 1], at);
    }
    return DONE;
}

/* From its end on, since the first letters are known to be those of the word. */
static bool begins_with(Slice text, Slice word)
{
    if (text.length < word.length)
        return false;
    for (size_t at = word.length; at > 0; at--)
        if (lower(text.text[at - 1]) != word.text[at - 1])
            return false;
    return true;
}

/* Does a text begin with one of the words; it has at least the letters of the shortest. */
static bool begins_with_any(const Beginnings *beginnings, Slice text, const Slice *words)
{
    uint64_t begun = ~(uint64_t)0;
    for (size_t at = 0; at < LEAST_LETTERS; at++)
        begun &= beginnings->may_begin[at][text.text[at]];
    for (size_t word = 0; begun; word++, begun >>= 1)
        if ((begun & 1) && begins_with(text, words[word]))
            return true;
    return false;
}

Outcome holds_word(Slice text, const Slice *words, size_t count, bool *answer)
{
    Beginnings *beginnings = calloc(1, sizeof *beginnings);
    Outcome outcome = beginnings ? fill(beginnings, words, count) : MEMORY;
    *answer = false;
    for (size_t at = STEP - 1; outcome == DONE && at + 1 < text.length && !*answer; at += STEP) {
        unsigned before = beginnings->places[pair_of(text.text + at)];
        for (size_t start = at; before; start--, before >>= 1) {
            Slice rest = {text.text + start, text.length - start};
            *answer |= (before & 1) && rest.length >= LEAST_LETTERS &&
                       begins_with_any(beginnings, rest, words);
        }
    }
    free(beginnings);
    return outcome;
}
