/* Stage: collapsed text to tokens, as `victor.page.table.tokens` defines them. */
#include "table/blocks.h"

/* What characters a token has, and the kinds of tokens that follow from it. */
enum { LETTERS = 1, DIGITS = 2, OTHER_WORDS = 4, MARKS = 8, SYMBOLS = 16 };
enum { WORD_RUN = 1, OTHER_RUN = 2, UNSPACED_RUN = 3 };
enum { SHARES_OF_A_WORD = 28 };

static const uint8_t run_of_class[256] = {
    [LOWER] = WORD_RUN,         [UPPER] = WORD_RUN,        [CASELESS] = WORD_RUN,
    [IDEOGRAPH] = WORD_RUN,     [DIGIT] = WORD_RUN,        [OTHER_WORD] = WORD_RUN,
    [SENTENCE_END] = OTHER_RUN, [PUNCTUATION] = OTHER_RUN, [SYMBOL] = OTHER_RUN,
    [JOINER] = OTHER_RUN,       [UNSPACED] = UNSPACED_RUN,
};
static const uint8_t content_of_class[256] = {
    [LOWER] = LETTERS,         [UPPER] = LETTERS, [CASELESS] = LETTERS,
    [IDEOGRAPH] = LETTERS,     [DIGIT] = DIGITS,  [OTHER_WORD] = OTHER_WORDS,
    [SENTENCE_END] = MARKS,    [PUNCTUATION] = MARKS, [SYMBOL] = SYMBOLS,
    [UNSPACED] = LETTERS,
};

typedef struct {
    const uint32_t *chars;
    int64_t n_chars;
    const uint8_t *classes; /* of all code points */
    const uint8_t *shares;  /* of a word; those of code points beyond are that of the last one */
    int64_t n_shares;
    int64_t *start, *end;
    uint8_t *kind, *word, *first_class, *last_class;
    int64_t *block_offsets, *segment_offsets;
    int64_t n_tokens;
    uint8_t class_before; /* of the character before the next token: that of a joiner there */
} Tokeniser;

static uint8_t kind_of(unsigned content)
{
    switch (content) {
    case LETTERS:
        return ALPHA_TOKEN;
    case DIGITS:
        return NUMERIC_TOKEN;
    case LETTERS | DIGITS:
        return MIXED_TOKEN;
    case MARKS:
        return PUNCTUATION_TOKEN;
    default:
        return OTHER_TOKEN;
    }
}

static inline uint8_t class_of(const Tokeniser *tokeniser, int64_t at, uint8_t before)
{
    uint8_t class = tokeniser->classes[tokeniser->chars[at]];
    return class == JOINER ? before : class;
}

static int64_t share_of(const Tokeniser *tokeniser, int64_t at)
{
    int64_t code = tokeniser->chars[at];
    return tokeniser->shares[code < tokeniser->n_shares ? code : tokeniser->n_shares - 1];
}

/* Add a token without its end, last class and content. */
static int64_t begin_token(Tokeniser *tokeniser, int64_t start, uint8_t class)
{
    int64_t token = tokeniser->n_tokens++;
    tokeniser->start[token] = start;
    tokeniser->first_class[token] = class;
    tokeniser->word[token] = run_of_class[class] != OTHER_RUN;
    return token;
}

static void end_token(Tokeniser *tokeniser, int64_t token, int64_t end, uint8_t class, uint8_t kind)
{
    tokeniser->end[token] = end;
    tokeniser->last_class[token] = class;
    tokeniser->kind[token] = kind;
}

/* Cut a run of a script without spaces into words of equal length, each beginning with a letter:
 * as many as the shares of its letters make up. */
static void cut_unspaced(Tokeniser *tokeniser, int64_t start, int64_t end)
{
    int64_t total = 0, seen = 0, number = 0;
    for (int64_t at = start; at < end; at++)
        total += share_of(tokeniser, at);
    int64_t n_words = (total + SHARES_OF_A_WORD / 2) / SHARES_OF_A_WORD;
    n_words = n_words > 1 ? n_words : 1;
    int64_t token = begin_token(tokeniser, start, CASELESS);
    for (int64_t at = start; at < end; at++) {
        seen += share_of(tokeniser, at);
        /* Less one, so that the number goes up with a letter. */
        int64_t now = seen > 0 ? (seen - 1) * n_words / total : 0;
        if (now > number && at > start) {
            end_token(tokeniser, token, at, CASELESS, ALPHA_TOKEN);
            token = begin_token(tokeniser, at, CASELESS);
        }
        number = now;
    }
    end_token(tokeniser, token, end, CASELESS, ALPHA_TOKEN);
}

/* One past the run of one kind that begins with a character of a class; its last class and what is
 * in it. An ideograph is alone. */
static int64_t end_of_run(const Tokeniser *tokeniser, int64_t at, int64_t to, uint8_t *class,
                          unsigned *content)
{
    uint8_t run = run_of_class[*class];
    *content = content_of_class[*class];
    bool is_alone = *class == IDEOGRAPH;
    while (++at < to && !is_alone) {
        uint8_t next = class_of(tokeniser, at, *class);
        if (run_of_class[next] != run || next == IDEOGRAPH)
            break;
        *content |= content_of_class[next];
        *class = next;
    }
    return at;
}

/* Tokens of the characters between two cuts. */
static void cut_text(Tokeniser *tokeniser, int64_t at, int64_t to)
{
    uint8_t class = tokeniser->class_before;
    while (at < to) {
        class = class_of(tokeniser, at, class);
        if (class == SPACE) {
            at++;
            continue;
        }
        int64_t start = at;
        uint8_t first = class;
        unsigned content;
        at = end_of_run(tokeniser, start, to, &class, &content);
        if (first == UNSPACED)
            cut_unspaced(tokeniser, start, at);
        else
            end_token(tokeniser, begin_token(tokeniser, start, first), at, class, kind_of(content));
    }
    tokeniser->class_before = class;
}

/* How many tokens begin before each of some ascending positions, and all of them. */
static void count_before(const Tokeniser *tokeniser, const Array *positions, int64_t *offsets)
{
    const int64_t *position = positions->items;
    int64_t token = 0;
    for (int64_t i = 0; i < positions->length; i++) {
        while (token < tokeniser->n_tokens && tokeniser->start[token] < position[i])
            token++;
        offsets[i] = token;
    }
    offsets[positions->length] = tokeniser->n_tokens;
}

static bool are_ascending(const Array *positions, int64_t last)
{
    const int64_t *position = positions->items;
    int64_t before = 0, wrong = 0;
    for (int64_t i = 0; i < positions->length; i++) {
        wrong |= position[i] < before;
        before = position[i];
    }
    return !wrong && before <= last;
}

static bool are_code_points(const uint32_t *chars, int64_t count)
{
    uint32_t wrong = 0;
    for (int64_t i = 0; i < count; i++)
        wrong |= chars[i] >= N_CODE_POINTS;
    return !wrong;
}

static void cut_all(Tokeniser *tokeniser, const Array *blocks, const Array *segments)
{
    const int64_t *block_start = blocks->items;
    int64_t from = 0;
    for (int64_t block = 0; block < blocks->length; block++) {
        cut_text(tokeniser, from, block_start[block]);
        from = block_start[block];
    }
    cut_text(tokeniser, from, tokeniser->n_chars);
    count_before(tokeniser, blocks, tokeniser->block_offsets);
    count_before(tokeniser, segments, tokeniser->segment_offsets);
}

/* The arrays, with their most items. */
static void list_arrays(Tokeniser *t, int64_t n_blocks, int64_t n_segments,
                        Result results[N_TOKEN_COLUMNS])
{
    const Result all[N_TOKEN_COLUMNS] = {
        RESULT(t->start, t->n_chars),
        RESULT(t->end, t->n_chars),
        RESULT(t->kind, t->n_chars),
        RESULT(t->word, t->n_chars),
        RESULT(t->first_class, t->n_chars),
        RESULT(t->last_class, t->n_chars),
        RESULT(t->block_offsets, n_blocks + 1),
        RESULT(t->segment_offsets, n_segments + 1),
    };
    memcpy(results, all, sizeof all);
}

/* The whole stage without the interpreter; the arrays are taken if it is done. */
static Outcome make_tokens(Tokeniser *t, const Array *blocks, const Array *segments,
                           Result results[N_TOKEN_COLUMNS])
{
    list_arrays(t, blocks->length, segments->length, results);
    if (!t->n_shares || !are_ascending(blocks, t->n_chars) ||
        !are_ascending(segments, INT64_MAX) || !are_code_points(t->chars, t->n_chars))
        return WRONG;
    if (!results_take(results, N_TOKEN_COLUMNS))
        return MEMORY;
    cut_all(t, blocks, segments);
    for (int i = 0; i < N_TOKEN_COLUMNS; i++)
        results[i].used = i < 6 ? t->n_tokens : results[i].room;
    return DONE;
}

static Tokeniser tokeniser_of(const Vocabulary *vocabulary, const uint32_t *chars, int64_t n_chars)
{
    return (Tokeniser){
        .chars = chars, .n_chars = n_chars, .classes = vocabulary->token_classes,
        .shares = vocabulary->shares, .n_shares = vocabulary->n_shares, .class_before = SPACE,
    };
}

Outcome cut_tokens(const Vocabulary *vocabulary, const Table *table, Column *columns)
{
    int64_t *starts = malloc(((size_t)table->n_blocks + 1) * sizeof *starts);
    if (!starts)
        return MEMORY;
    for (int64_t i = 0; i < table->n_blocks; i++)
        starts[i] = table->segments.start[table->segment_starts[i]];
    const Array blocks = {.items = starts, .length = table->n_blocks};
    const Array segments = {.items = table->segments.start, .length = table->n_segments};
    Tokeniser tokeniser = tokeniser_of(vocabulary, table->chars, table->n_chars);
    Result results[N_TOKEN_COLUMNS];
    Outcome outcome = make_tokens(&tokeniser, &blocks, &segments, results);
    if (outcome == DONE)
        results_move(results, N_TOKEN_COLUMNS, columns);
    free(starts);
    return outcome;
}

/* tokenize(vocabulary, chars, block_starts, segment_starts): the columns as memory. */
static PyObject *tokenize(PyObject *module, PyObject *arguments)
{
    enum { CHARS, BLOCKS, SEGMENTS, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {
        [CHARS] = WANTED("u4"), [BLOCKS] = WANTED("i8"), [SEGMENTS] = WANTED("i8"),
    };
    PyObject *capsule;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&", &capsule, BORROW(CHARS), BORROW(BLOCKS),
                          BORROW(SEGMENTS)))
        return NULL;
    const Vocabulary *vocabulary = vocabulary_of(capsule);
    Tokeniser tokeniser; /* to which the results point */
    Result results[N_TOKEN_COLUMNS];
    Outcome outcome = WRONG;
    if (vocabulary) {
        tokeniser = tokeniser_of(vocabulary, arrays[CHARS].items, arrays[CHARS].length);
        Py_BEGIN_ALLOW_THREADS;
        outcome = make_tokens(&tokeniser, &arrays[BLOCKS], &arrays[SEGMENTS], results);
        Py_END_ALLOW_THREADS;
    }
    arrays_return(arrays, N_ARGUMENTS);
    if (outcome == DONE)
        return results_hand_over(module, results, N_TOKEN_COLUMNS);
    return vocabulary ? raise_outcome(outcome, "tokenize") : NULL;
}

PyMethodDef tokens_methods[] = {
    {"tokenize", tokenize, METH_VARARGS, "Columns of the tokens of collapsed text."},
    {NULL, NULL, 0, NULL},
};
