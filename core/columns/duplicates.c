/* Columns of `victor.features.duplicates`: blocks of a page with the same text. */
#include "columns.h"
#include "sorting.h"

enum { FIRST, COUNT };
enum { LETTERS, WORDS };              /* what is compared */
enum { LETTER_PLANES = 0x40000 };     /* no letter has a code point above */
enum { WORD_BEGINS = 1 << 21 };       /* added to the first code point of a word */

/* The hash of a text: a polynomial modulo 2^64 over words of 64 bits, each of several codes. */
typedef struct {
    uint64_t sum, power, n_words;
    uint64_t word; /* the codes of the next one so far */
    int filled;    /* bits of it */
} Polynomial;

static void end_word(Polynomial *text)
{
    uint64_t bits = text->word;
    bits ^= bits >> 32;
    bits *= 0xBF58476D1CE4E5B9u;
    bits ^= bits >> 29;
    text->sum += bits * text->power;
    text->power *= GOLDEN;
    text->n_words++;
    text->word = 0;
    text->filled = 0;
}

static void end_text(Polynomial *text)
{
    if (text->filled)
        end_word(text);
}

/* Lower-cased letters of some characters, 16 bits of each. */
static Polynomial letters_of(const uint32_t *chars, int64_t start, int64_t end,
                             const uint16_t *codes)
{
    Polynomial text = {.power = 1};
    for (int64_t at = start; at < end; at++) {
        uint32_t code = chars[at] < LETTER_PLANES ? chars[at] : LETTER_PLANES - 1;
        uint64_t letter = codes[code]; /* 0 for what is none */
        text.word |= letter << text.filled;
        text.filled += letter ? 16 : 0;
        if (text.filled == 64)
            end_word(&text);
    }
    end_text(&text);
    return text;
}

/* Characters of words and where these begin, 32 bits of each. */
static Polynomial words_of(const Request *request, int64_t start, int64_t end, int64_t *token)
{
    const Table *table = request->table;
    Polynomial text = {.power = 1};
    for (int64_t at = start; at < end; at++) {
        uint32_t code = table->chars[at];
        uint8_t class = request->shared->classes[code];
        while (*token < table->n_tokens && table->tokens.start[*token] < at)
            ++*token;
        if (class < LOWER || class > OTHER_WORD)
            continue;
        if (*token < table->n_tokens && table->tokens.start[*token] == at &&
            table->tokens.word[*token])
            code += WORD_BEGINS;
        text.word |= (uint64_t)code << text.filled;
        text.filled += 32;
        if (text.filled == 64)
            end_word(&text);
    }
    end_text(&text);
    return text;
}

static uint64_t power_of_golden(uint64_t exponent)
{
    uint64_t power = 1, square = GOLDEN;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            power *= square;
        square *= square;
    }
    return power;
}

/* Hash of the text of every block, its white space after it included. */
static void hash_blocks(const Request *request, bool by_words, uint64_t *hashes)
{
    const Table *table = request->table;
    const int64_t *start = request->shared->start, n = table->n_blocks;
    int64_t token = 0;
    uint64_t n_words = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t end = i + 1 < n ? start[i + 1] : table->n_chars;
        Polynomial text = by_words ? words_of(request, start[i], end, &token)
                                   : letters_of(table->chars, start[i], end, input(request, 0));
        hashes[i] = text.sum;
        n_words += text.n_words;
    }
    /* Scaled as one polynomial over all blocks is, which tells what a page adds to it. */
    uint64_t scale = power_of_golden(n_words);
    for (int64_t i = 0; i < n; i++)
        hashes[i] = hashes[i] * scale + (uint64_t)request->shared->page[i];
}

/* Parameter: (2) what is compared; is a block that nothing equals the first of its group. Input:
 * 16 bits of the lower case of every letter, 0 for other characters; empty for words. */
Outcome duplicates_columns(const Request *request, float *const *rows)
{
    int64_t n = request->table->n_blocks;
    if (request->parameters[0].length != 2)
        return WRONG;
    bool by_words = parameter(request, 0)[0] == WORDS, alone = parameter(request, 0)[1] != 0;
    if (!by_words && request->inputs[0].length != LETTER_PLANES)
        return WRONG;
    uint64_t *keys = TAKE(request->arena, uint64_t, (size_t)n);
    uint64_t *spare = TAKE(request->arena, uint64_t, (size_t)n);
    if (!keys || !spare)
        return MEMORY;
    hash_blocks(request, by_words, keys);
    /* Sorted as one number with the block: equal ones come together, in their order. */
    int bits = 0;
    while (n >> bits)
        bits++;
    for (int64_t i = 0; i < n; i++)
        keys[i] = keys[i] << bits | (uint64_t)i;
    sort_keys(keys, spare, n);
    for (int64_t from = 0, to = 0; from < n; from = to) {
        for (to = from + 1; to < n && keys[to] >> bits == keys[from] >> bits;)
            to++;
        for (int64_t at = from; at < to; at++) {
            uint64_t block = keys[at] & (((uint64_t)1 << bits) - 1);
            rows[FIRST][block] = at == from && (alone || to - from > 1);
            rows[COUNT][block] = (float)(to - from);
        }
    }
    return DONE;
}
