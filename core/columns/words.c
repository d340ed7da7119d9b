/* Columns of `victor.features.words`: what kind of words a block holds. */
#include "columns/columns.h"

enum { COUNT, CAPITAL, SHORT, DIGITS, MARKS, END, PRICES, MEAN_LENGTH };
enum { END_WORD, END_SENTENCE, END_PUNCTUATION, END_OTHER };

typedef struct {
    int64_t capital, short_ones, marks, characters;
} Words;

static Words words_of(const Table *table, int64_t block, int64_t longest_short)
{
    Words words = {0};
    const int64_t *offsets = table->tokens.block_offsets;
    for (int64_t token = offsets[block]; token < offsets[block + 1]; token++) {
        uint8_t kind = table->tokens.kind[token], class = table->tokens.first_class[token];
        int64_t length = table->tokens.end[token] - table->tokens.start[token];
        bool is_word = table->tokens.word[token];
        words.characters += is_word ? length : 0;
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

static uint8_t class_at(const Request *request, int64_t at)
{
    /* Beyond the text is only what no table of the segmenter leads to. */
    if (at < 0 || at >= request->table->n_chars)
        return SPACE;
    return request->shared->classes[request->table->chars[at]];
}

/* Has a character a digit beside it in its block; one space between them does not part them. */
static bool is_by_digit(const Request *request, int64_t at, int64_t first, int64_t last)
{
    int64_t before = at - 1 > first ? at - 1 : first, after = at + 1 < last ? at + 1 : last;
    before -= class_at(request, before) == SPACE;
    after += class_at(request, after) == SPACE;
    return class_at(request, before) == DIGIT || class_at(request, after) == DIGIT;
}

static bool is_one_of(const Array *codes, uint32_t code)
{
    const int64_t *some = codes->items;
    for (int64_t i = 0; i < codes->length; i++)
        if (some[i] == code)
            return true;
    return false;
}

typedef struct {
    int64_t digits, visible, symbols;
} Characters;

/* Three counts in one number, so that a character costs one addition. */
enum { COUNT_BITS = 21, MOST_COUNTED = 1 << 20 };
#define ONE_DIGIT (UINT64_C(1) | ONE_VISIBLE)
#define ONE_VISIBLE (UINT64_C(1) << COUNT_BITS)
#define ONE_SYMBOL (UINT64_C(1) << 2 * COUNT_BITS | ONE_VISIBLE)

static const uint64_t counts_of_class[JOINER + 1] = {
    [LOWER] = ONE_VISIBLE,        [UPPER] = ONE_VISIBLE,       [CASELESS] = ONE_VISIBLE,
    [IDEOGRAPH] = ONE_VISIBLE,    [DIGIT] = ONE_DIGIT,         [OTHER_WORD] = ONE_VISIBLE,
    [SENTENCE_END] = ONE_VISIBLE, [PUNCTUATION] = ONE_VISIBLE, [SYMBOL] = ONE_SYMBOL,
    [JOINER] = ONE_VISIBLE,
};

static Characters characters_of(const Request *request, int64_t start, int64_t end)
{
    enum { MASK = (1 << COUNT_BITS) - 1 };
    Characters characters = {0};
    for (int64_t from = start, to; from < end; from = to) {
        uint64_t counts = 0;
        to = end - from > MOST_COUNTED ? from + MOST_COUNTED : end;
        for (int64_t at = from; at < to; at++)
            counts += counts_of_class[request->shared->classes[request->table->chars[at]]];
        characters.digits += (int64_t)(counts & MASK);
        characters.visible += (int64_t)(counts >> COUNT_BITS & MASK);
        characters.symbols += (int64_t)(counts >> 2 * COUNT_BITS);
    }
    return characters;
}

/* Currency signs next to a digit. */
static int64_t count_prices(const Request *request, int64_t start, int64_t end)
{
    int64_t prices = 0;
    for (int64_t at = start; at < end; at++)
        if (class_at(request, at) == SYMBOL &&
            is_one_of(&request->parameters[0], request->table->chars[at]))
            prices += is_by_digit(request, at, start, end - 1);
    return prices;
}

/* Parameters: code points of currency signs; (1) most letters of a short word. */
Outcome words_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    if (request->parameters[1].length != 1)
        return WRONG;
    int64_t longest_short = parameter(request, 1)[0];
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t count = request->shared->words[i], divisor = at_least_1(count);
        int64_t first = table->tokens.block_offsets[i], end = table->tokens.block_offsets[i + 1];
        if (first == end)
            return WRONG; /* the segmenter gives a block only where there is something to see */
        Words words = words_of(table, i, longest_short);
        int64_t start = request->shared->start[i], beyond = request->shared->end[i], prices = 0;
        Characters characters = characters_of(request, start, beyond);
        if (characters.symbols && characters.digits)
            prices = count_prices(request, start, beyond);
        rows[COUNT][i] = (float)count;
        rows[CAPITAL][i] = share(words.capital, divisor);
        rows[SHORT][i] = share(words.short_ones, divisor);
        rows[DIGITS][i] = share(characters.digits, at_least_1(characters.visible));
        rows[MARKS][i] = share(words.marks, divisor);
        rows[END][i] = (float)kind_of_end(table->tokens.last_class[end - 1]);
        rows[PRICES][i] = (float)prices;
        rows[MEAN_LENGTH][i] = share(words.characters, divisor);
    }
    return DONE;
}
