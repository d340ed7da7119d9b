/* Numbers that several stages and Python agree on. */
#ifndef VICTOR_CODES_H
#define VICTOR_CODES_H

#include <stdint.h>

enum { N_CODE_POINTS = 0x110000, N_TABULATED = 0x20000 };

/* What code points are. */
typedef struct {
    uint8_t classes[N_CODE_POINTS];
    uint32_t lower[N_TABULATED]; /* lower case where that is one code point; others are their own */
} Characters;

static inline uint32_t lower_case(const Characters *characters, uint32_t code)
{
    return code < N_TABULATED ? characters->lower[code] : code;
}

/* Codes of an event stream (`victor.page.parsing.events`): a tag is a surrogate, one for each kind of tag
 * of each tag id, and one with a bundle of attributes has the number of that behind it. Text after a <br>
 * begins with another surrogate. No text of a page holds one. */
enum { TAG_BASE = 0xD800, N_TAG_CODES = 0x400, BUNDLE_BASE = 0x10000, LINE_BREAK = 0xDC00 };
enum { OPEN_TAG, CLOSE_TAG, OPEN_WITH_BUNDLE, N_TAG_KINDS };
enum { N_TAG_IDS = 128 }; /* more than there are */

/* Classes of characters (`victor.page.parsing.characters`). */
enum {
    SPACE, LOWER, UPPER, CASELESS, IDEOGRAPH, DIGIT, OTHER_WORD, SENTENCE_END, PUNCTUATION, SYMBOL,
    JOINER, N_CLASSES
};

/* Kinds of tokens (`victor.page.table.tokens`). */
enum { ALPHA_TOKEN, NUMERIC_TOKEN, MIXED_TOKEN, OTHER_TOKEN, PUNCTUATION_TOKEN };

/* 2^64 over the golden ratio, `victor.page.table.hashes.GOLDEN`. */
#define GOLDEN UINT64_C(0x9E3779B97F4A7C15)

#endif
