/* Does a text hold one of a few words: by tables of their first letters. */
#include "word_search.h"

/* Bit w of may_begin[at][byte]: word w has this byte at this place, in either case. */
typedef uint64_t Beginnings[LEAST_LETTERS][256];

static uint8_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

static Outcome fill(Beginnings may_begin, const Slice *words, size_t count)
{
    if (count > MOST_WORDS)
        return WRONG;
    for (size_t word = 0; word < count; word++) {
        if (words[word].length < LEAST_LETTERS)
            return WRONG;
        for (size_t at = 0; at < LEAST_LETTERS; at++) {
            uint8_t letter = words[word].text[at];
            bool has_case = letter >= 'a' && letter <= 'z';
            may_begin[at][letter] |= (uint64_t)1 << word;
            may_begin[at][has_case ? letter & ~0x20 : letter] |= (uint64_t)1 << word;
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

Outcome holds_word(Slice text, const Slice *words, size_t count, bool *answer)
{
    Beginnings may_begin = {{0}};
    Outcome outcome = fill(may_begin, words, count);
    *answer = false;
    if (outcome != DONE)
        return outcome;
    for (size_t at = 0; at + LEAST_LETTERS <= text.length; at++) {
        const uint8_t *from = text.text + at;
        uint64_t begun = may_begin[0][from[0]] & may_begin[1][from[1]] & may_begin[2][from[2]] &
                         may_begin[3][from[3]];
        for (size_t word = 0; begun; word++, begun >>= 1) {
            if ((begun & 1) && begins_with((Slice){from, text.length - at}, words[word])) {
                *answer = true;
                return DONE;
            }
        }
    }
    return DONE;
}
