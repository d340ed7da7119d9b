/* Columns of `victor.features.characters`: kinds of characters in a block. */
#include "columns/columns.h"

enum { LETTERS, DIGITS, PUNCTUATION_MARKS, OTHERS, N_KINDS };

static int kind_of_class(uint8_t class)
{
    switch (class) {
    case LOWER:
    case UPPER:
    case CASELESS:
    case IDEOGRAPH:
        return LETTERS;
    case DIGIT:
        return DIGITS;
    case SENTENCE_END:
    case PUNCTUATION:
        return PUNCTUATION_MARKS;
    default:
        return OTHERS;
    }
}

/* Count the characters of a token one by one. A joiner is of the class of what comes before it,
 * which is kept from one such token to the next. */
static void count_characters(const Request *request, int64_t token, uint8_t *class,
                             int64_t counts[N_KINDS])
{
    const Table *table = request->table;
    for (int64_t at = table->tokens.start[token]; at < table->tokens.end[token]; at++) {
        uint8_t next = request->shared->classes[table->chars[at]];
        if (next != JOINER)
            *class = next;
        counts[kind_of_class(*class)]++;
    }
}

/* Letters, digits and marks of a block. The length of most tokens tells. */
static void count_visible(const Request *request, int64_t block, uint8_t *class,
                          int64_t counts[N_KINDS])
{
    const Table *table = request->table;
    const int64_t *offsets = table->tokens.block_offsets;
    for (int64_t token = offsets[block]; token < offsets[block + 1]; token++) {
        int64_t length = table->tokens.end[token] - table->tokens.start[token];
        switch (table->tokens.kind[token]) {
        case ALPHA_TOKEN:
            counts[LETTERS] += length;
            break;
        case NUMERIC_TOKEN:
            counts[DIGITS] += length;
            break;
        case PUNCTUATION_TOKEN:
            counts[PUNCTUATION_MARKS] += length;
            break;
        default:
            count_characters(request, token, class, counts);
        }
    }
}

Outcome characters_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    uint8_t class = JOINER;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        uint64_t length = 0, white = 0; /* unsigned, for they are not checked */
        for (int64_t t = request->shared->tag[i]; t <= request->shared->last_tag[i]; t++) {
            length += (uint64_t)table->tags.text_length[t];
            white += (uint64_t)table->tags.text_space[t];
        }
        int64_t visible[N_KINDS] = {0};
        count_visible(request, i, &class, visible);
        int64_t counts[] = {visible[LETTERS], visible[DIGITS], visible[PUNCTUATION_MARKS],
                            (int64_t)white, 0};
        uint64_t rest = length - white;
        for (int kind = LETTERS; kind <= PUNCTUATION_MARKS; kind++)
            rest -= (uint64_t)visible[kind];
        counts[4] = (int64_t)rest;
        for (int kind = 0; kind < 5; kind++) {
            rows[2 * kind][i] = share(counts[kind], (int64_t)length);
            rows[2 * kind + 1][i] = (float)counts[kind];
        }
    }
    return DONE;
}
