/* Columns of `victor.features.words`: what kind of words a block holds. */
#include "columns/columns.h"

enum { COUNT, CAPITAL, SHORT, DIGITS, MARKS, END };
enum { END_WORD, END_SENTENCE, END_PUNCTUATION, END_OTHER };

typedef struct {
    int64_t capital, short_ones, marks;
} Words;

static Words words_of(const Table *table, int64_t block, int64_t longest_short)
{
    Words words = {0};
    const int64_t *offsets = table->tokens.block_offsets;
    for (int64_t token = offsets[block]; token < offsets[block + 1]; token++) {
        uint8_t kind = table->tokens.kind[token], class = table->tokens.first_class[token];
        int64_t length = table->tokens.end[token] - table->tokens.start[token];
        bool is_word = table->tokens.word[token];
        words.capital += is_word && class == UPPER;
        words.short_ones +=
            is_word && length <= longest_short && kind == ALPHA_TOKEN && class == LOWER;
        words.marks += kind == PUNCTUATION_TOKEN;
    }
    return words;
}

static int kind_of_end(uint8_t class)
{
    switch (class) {
    case SENTENCE_END:
        return END_SENTENCE;
    case PUNCTUATION:
        return END_PUNCTUATION;
    case SYMBOL:
        return END_OTHER;
    default:
        return END_WORD;
    }
}

/* Share of the characters of a block that are digits, of those that are no white space. */
static float share_of_digits(const Request *request, int64_t i)
{
    int64_t digits = 0, visible = 0;
    for (int64_t at = request->shared->start[i]; at < request->shared->end[i]; at++) {
        uint8_t class = request->shared->characters->classes[request->table->chars[at]];
        digits += class == DIGIT;
        visible += class != SPACE;
    }
    return share(digits, at_least_1(visible));
}

/* Parameter: (1) most letters of a short word. */
Outcome words_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    if (request->parameters[0].length != 1)
        return WRONG;
    int64_t longest_short = parameter(request, 0)[0];
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t count = request->shared->words[i], divisor = at_least_1(count);
        int64_t first = table->tokens.block_offsets[i], end = table->tokens.block_offsets[i + 1];
        if (first == end)
            return WRONG; /* the segmenter gives a block only where there is something to see */
        Words words = words_of(table, i, longest_short);
        rows[COUNT][i] = (float)count;
        rows[CAPITAL][i] = share(words.capital, divisor);
        rows[SHORT][i] = share(words.short_ones, divisor);
        rows[DIGITS][i] = share_of_digits(request, i);
        rows[MARKS][i] = share(words.marks, divisor);
        rows[END][i] = (float)kind_of_end(table->tokens.last_class[end - 1]);
    }
    return DONE;
}
