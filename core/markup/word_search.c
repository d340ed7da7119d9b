/* Does a text hold one of a few words: by tables of their first letters. */
#include "markup/word_search.h"

/* Pairs of bytes that are compared at every third place: one of the first three of a word is. */
enum { STEP = LEAST_LETTERS - 1, N_PAIRS = 1 << 16 };

typedef struct {
    /* Bit w of may_begin[at][byte]: word w has this byte at this place, in either case. */
    uint64_t may_begin[LEAST_LETTERS][256];
    uint8_t is_pair[N_PAIRS / 8]; /* one bit for each two bytes */
} Beginnings;

static uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

static uint8_t upper(uint8_t byte)
{
    return byte >= 'a' && byte <= 'z' ? (uint8_t)(byte & ~0x20) : byte;
}

static unsigned pair_of(uint8_t first, uint8_t second)
{
    return (unsigned)first << 8 | second;
}

static void add_pair(Beginnings *beginnings, uint8_t first, uint8_t second)
{
    unsigned pair = pair_of(first, second);
    beginnings->is_pair[pair >> 3] |= (uint8_t)(1u << (pair & 7));
}

static Outcome fill(Beginnings *beginnings, const Slice *words, size_t count)
{
    memset(beginnings, 0, sizeof *beginnings);
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
        for (size_t at = 0; at < STEP; at++) {
            add_pair(beginnings, text[at], text[at + 1]);
            add_pair(beginnings, text[at], upper(text[at + 1]));
            add_pair(beginnings, upper(text[at]), text[at + 1]);
            add_pair(beginnings, upper(text[at]), upper(text[at + 1]));
        }
    }
    return DONE;
}

static bool begins_with(Slice text, Slice word)
{
    if (text.length < word.length)
        return false;
    for (size_t at = 0; at < word.length; at++)
        if (lower(text.text[at]) != word.text[at])
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
    Beginnings beginnings;
    Outcome outcome = fill(&beginnings, words, count);
    *answer = false;
    if (outcome != DONE)
        return outcome;
    for (size_t at = STEP - 1; at + 1 < text.length; at += STEP) {
        unsigned pair = pair_of(text.text[at], text.text[at + 1]);
        if (!(beginnings.is_pair[pair >> 3] >> (pair & 7) & 1))
            continue;
        for (size_t start = at - (STEP - 1); start <= at; start++) {
            if (text.length - start < LEAST_LETTERS)
                break;
            Slice rest = {text.text + start, text.length - start};
            if (begins_with_any(&beginnings, rest, words)) {
                *answer = true;
                return DONE;
            }
        }
    }
    return DONE;
}
