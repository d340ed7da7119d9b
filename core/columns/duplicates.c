/* Columns of `victor.features.duplicates`: blocks of a page with the same text. */
#include "base/sorting.h"
#include "columns/columns.h"

enum { FIRST, COUNT };
enum { LETTERS, WORDS };              /* what is compared */
enum { LETTER_PLANES = 0x40000 };     /* no letter has a code point above */
enum { WORD_BEGINS = 1 << 21 };       /* added to the first code point of a word */

/* The hash of a text: a polynomial modulo 2^64 over words of 64 bits, each of several codes. */
typedef struct {
    uint64_t sum, power, n_words;
} Polynomial;

static void add_bits(Polynomial *text, uint64_t bits)
{
    bits ^= bits >> 32;
    bits *= UINT64_C(0xBF58476D1CE4E5B9);
    bits ^= bits >> 29;
    text->sum += bits * text->power;
    text->power *= GOLDEN;
    text->n_words++;
}

enum { LANES = 4, GATHERED = 64 };

static uint64_t bits_of(const uint16_t letters[LANES])
{
    return letters[0] | (uint64_t)letters[1] << 16 | (uint64_t)letters[2] << 32 |
           (uint64_t)letters[3] << 48;
}

/* Lower-cased letters of some characters, 16 bits of each; they are gathered before they are added,
 * so that it does not matter where in the text the next one comes. */
static Polynomial letters_of(const uint32_t *chars, int64_t start, int64_t end,
                             const uint16_t *codes)
{
    Polynomial text = {.power = 1};
    uint16_t letters[LANES + GATHERED];
    int n_letters = 0; /* fewer than LANES before each round */
    for (int64_t from = start, to; from < end; from = to) {
        to = end - from > GATHERED ? from + GATHERED : end;
        for (int64_t at = from; at < to; at++) {
            uint16_t letter = codes[chars[at] < LETTER_PLANES ? chars[at] : LETTER_PLANES - 1];
            letters[n_letters] = letter;
            n_letters += letter != 0; /* else it is none */
        }
        int first = 0;
        for (; first + LANES <= n_letters; first += LANES)
            add_bits(&text, bits_of(letters + first));
        n_letters -= first;
        memmove(letters, letters + first, (size_t)n_letters * sizeof *letters);
    }
    if (n_letters) {
        memset(letters + n_letters, 0, (size_t)(LANES - n_letters) * sizeof *letters);
        add_bits(&text, bits_of(letters));
    }
    return text;
}

/* Characters of words and where these begin, 32 bits of each. */
static Polynomial words_of(const Request *request, int64_t start, int64_t end, int64_t *token)
{
    const Table *table = request->table;
    Polynomial text = {.power = 1};
    uint64_t bits = 0;
    bool is_half = false;
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
        bits |= (uint64_t)code << (is_half ? 32 : 0);
        if (is_half) {
            add_bits(&text, bits);
            bits = 0;
        }
        is_half = !is_half;
    }
    if (is_half)
        add_bits(&text, bits);
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
