/* Stage: block table to bits of the phrases that blocks consist of, as `victor.page.names.phrases`. */
#include "base/hash_groups.h"
#include "table/table.h"
#include <stdlib.h>

enum { N_SHAPES = 1 << 17, N_TABULATED = 0x20000, SECOND = 40503 };
enum { RARE = 1 }; /* in the table of plain characters: left to Python */
enum { EXACT, BEGIN, END, N_PLACES };
enum { BEGIN_SHAPES, END_SHAPES, LOWER_CASES, PLAIN, WEIGHTS, CHARS, STARTS, ENDS, HASHES, BITS,
       N_ARRAYS };

/* The phrases, the same for all tables. */
typedef struct {
    const uint8_t *shapes[2]; /* (N_SHAPES) of the first and of the last words of phrases */
    const uint32_t *lower;    /* (N_TABULATED) */
    const uint32_t *plain;    /* (n_plain) what is left of a character, 0 for nothing, or RARE */
    const uint64_t *weights;  /* (N_TABULATED) number of a character in a hash */
    const uint32_t *chars;    /* plain texts of the phrases */
    const int64_t *starts, *ends, *bits; /* by phrase: extent in `chars`; N_PLACES bits each */
    const uint64_t *hashes;              /* (n_phrases) ascending */
    int64_t n_plain, n_phrases;
    int64_t longest; /* characters of a phrase */
} Lists;

/* What is looked for, and where. */
typedef struct {
    Lists lists;
    Table table;
    int64_t is_short, edge; /* characters of a text that is looked at as a whole, and of an end */
} Phrases;

/* A plain text: words in lower case with single spaces. */
typedef struct {
    uint32_t *chars;
    int64_t length;
    int64_t *word_starts; /* (n_words) */
    int64_t n_words;
} Text;

/* --- Which blocks can match ------------------------------------------------------------------- */

static bool is_plain_word(const Table *table, int64_t token)
{
    return table->tokens.word[token] && table->tokens.kind[token] != NUMERIC_TOKEN;
}

static uint32_t lower_of(const Phrases *phrases, uint32_t code)
{
    return code < N_TABULATED ? phrases->lists.lower[code] : code;
}

/* First and last letter and length of a token in a few bits. */
static int64_t shape_of(const Phrases *phrases, int64_t token)
{
    const Table *table = &phrases->table;
    int64_t start = table->tokens.start[token], end = table->tokens.end[token];
    uint32_t first = lower_of(phrases, table->chars[start]);
    uint32_t last = lower_of(phrases, table->chars[end - 1]);
    return (first * 2003 + last * 31 + (uint32_t)(end - start)) % N_SHAPES;
}

/* Can a text whose outermost words are these begin, or end, with a phrase. */
static bool may_match(const Phrases *phrases, const uint8_t *shapes, int64_t outer, int64_t inner)
{
    const uint8_t *kind = phrases->table.tokens.kind;
    int64_t one = shape_of(phrases, outer);
    int64_t two = one * SECOND + (inner == outer ? 1 : shape_of(phrases, inner));
    return shapes[one] || shapes[two % N_SHAPES] || kind[outer] != ALPHA_TOKEN ||
           kind[inner] != ALPHA_TOKEN;
}

/* The first word at or after a token, in steps of 1 or -1; `end` if there is none before it. */
static int64_t word_from(const Table *table, int64_t token, int64_t end, int64_t step)
{
    while (token != end && !is_plain_word(table, token))
        token += step;
    return token;
}

static bool is_likely(const Phrases *phrases, int64_t block)
{
    const Table *table = &phrases->table;
    int64_t start = table->tokens.block_offsets[block];
    int64_t end = table->tokens.block_offsets[block + 1];
    int64_t first = word_from(table, start, end, 1);
    if (first == end)
        return false;
    int64_t second = word_from(table, first + 1, end, 1);
    if (second == end)
        return may_match(phrases, phrases->lists.shapes[0], first, first) ||
               may_match(phrases, phrases->lists.shapes[1], first, first);
    if (may_match(phrases, phrases->lists.shapes[0], first, second))
        return true;
    int64_t last = word_from(table, end - 1, start - 1, -1);
    int64_t last_but_one = word_from(table, last - 1, start - 1, -1);
    return may_match(phrases, phrases->lists.shapes[1], last, last_but_one);
}

/* --- What a text is --------------------------------------------------------------------------- */

/* Add what is left of some characters; false if Python has to look at them. */
static bool add_plain(Text *text, const Phrases *phrases, const uint32_t *chars, int64_t count,
                      bool *in_word)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t plain = chars[i] < phrases->lists.n_plain ? phrases->lists.plain[chars[i]] : RARE;
        if (plain == RARE)
            return false;
        if (plain && !*in_word) {
            if (text->n_words)
                text->chars[text->length++] = ' ';
            text->word_starts[text->n_words++] = text->length;
        }
        if (plain)
            text->chars[text->length++] = plain;
        *in_word = plain != 0;
    }
    return true;
}

/* The bits that a part of a text sets at a place if it is a phrase. */
static int64_t bits_of(const Phrases *phrases, const uint32_t *chars, int64_t length, int place)
{
    if (length > phrases->lists.longest)
        return 0;
    uint64_t hash = 0, power = 1;
    for (int64_t i = 0; i < length; i++, power *= GOLDEN)
        hash += phrases->lists.weights[chars[i]] * power;
    int64_t first = 0, end = phrases->lists.n_phrases;
    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        if (phrases->lists.hashes[middle] < hash)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < phrases->lists.n_phrases && phrases->lists.hashes[first] == hash; first++) {
        int64_t start = phrases->lists.starts[first];
        if (phrases->lists.ends[first] - start == length &&
            memcmp(phrases->lists.chars + start, chars, (size_t)length * sizeof *chars) == 0)
            return phrases->lists.bits[first * N_PLACES + place];
    }
    return 0;
}

static int64_t bits_of_text(const Phrases *phrases, const Text *text)
{
    if (text->n_words == 0)
        return 0;
    int64_t bits = bits_of(phrases, text->chars, text->length, EXACT);
    for (int64_t word = 1; word < text->n_words; word++) {
        int64_t start = text->word_starts[word];
        bits |= bits_of(phrases, text->chars, start - 1, BEGIN);
        bits |= bits_of(phrases, text->chars + start, text->length - start, END);
    }
    return bits;
}

/* Bits of every block; blocks that are left to Python, and how many. */
static Outcome look_at_blocks(const Phrases *phrases, int64_t *masks, int64_t *rare,
                              int64_t *n_rare, Arena *arena)
{
    const Table *table = &phrases->table;
    int64_t longest = phrases->is_short > 2 * phrases->edge ? phrases->is_short : 2 * phrases->edge;
    /* Between words is a space: no text has more than twice as many characters. */
    Text text = {.chars = TAKE(arena, uint32_t, 2 * (size_t)longest + 2),
                 .word_starts = TAKE(arena, int64_t, (size_t)longest + 1)};
    if (!text.chars || !text.word_starts)
        return MEMORY;
    for (int64_t block = 0; block < table->n_blocks; block++) {
        masks[block] = 0;
        if (!is_likely(phrases, block))
            continue;
        int64_t start = table->segments.start[table->segment_starts[block]];
        int64_t end = table->segments.end[table->segment_starts[block + 1] - 1];
        bool is_long = end - start > phrases->is_short, in_word = false;
        int64_t head = is_long ? phrases->edge : end - start, tail = is_long ? phrases->edge : 0;
        if (head < 0 || head > table->n_chars - start || tail > end)
            return WRONG;
        text.length = text.n_words = 0;
        if (add_plain(&text, phrases, table->chars + start, head, &in_word) &&
            add_plain(&text, phrases, table->chars + end - tail, tail, &in_word))
            masks[block] = bits_of_text(phrases, &text);
        else
            rare[(*n_rare)++] = block;
    }
    return DONE;
}

/* --- From Python ------------------------------------------------------------------------------ */

static bool are_below(const uint32_t *codes, int64_t count, uint32_t bound)
{
    for (int64_t i = 0; i < count; i++)
        if (codes[i] >= bound)
            return false;
    return true;
}

/* Read the arrays of Python; false if they do not fit together. */
static bool read_lists(void *what, const Array *arrays)
{
    Lists *lists = what;
    lists->shapes[0] = arrays[BEGIN_SHAPES].items;
    lists->shapes[1] = arrays[END_SHAPES].items;
    lists->lower = arrays[LOWER_CASES].items;
    lists->plain = arrays[PLAIN].items;
    lists->weights = arrays[WEIGHTS].items;
    lists->chars = arrays[CHARS].items;
    lists->starts = arrays[STARTS].items;
    lists->ends = arrays[ENDS].items;
    lists->hashes = arrays[HASHES].items;
    lists->bits = arrays[BITS].items;
    lists->n_plain = arrays[PLAIN].length;
    lists->n_phrases = arrays[HASHES].length;
    bool fit = arrays[BEGIN_SHAPES].length == N_SHAPES && arrays[END_SHAPES].length == N_SHAPES &&
               arrays[LOWER_CASES].length == N_TABULATED &&
               arrays[WEIGHTS].length == N_TABULATED &&
               arrays[STARTS].length == lists->n_phrases &&
               arrays[ENDS].length == lists->n_phrases &&
               arrays[BITS].length == lists->n_phrases * N_PLACES &&
               are_below(lists->plain, lists->n_plain, N_TABULATED);
    for (int64_t i = 0; fit && i < lists->n_phrases; i++) {
        int64_t start = lists->starts[i], end = lists->ends[i];
        fit = start >= 0 && start <= end && end <= arrays[CHARS].length;
        if (fit && end - start > lists->longest)
            lists->longest = end - start;
    }
    return fit;
}

static const Keeping lists_kept = {
    "victor._core.phrase_lists", "b1b1u4u4u8u4i8i8u8i8", sizeof(Lists), read_lists,
};

/* phrase_lists(arrays) -> what `phrases` is given */
static PyObject *phrase_lists(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &lists_kept);
}

static PyObject *masks_and_rare(PyObject *module, const Phrases *phrases)
{
    size_t n = (size_t)phrases->table.n_blocks;
    int64_t *masks = calloc(n + 1, sizeof *masks), *rare = calloc(n + 1, sizeof *rare), n_rare = 0;
    Outcome outcome = MEMORY;
    Arena arena = {0};
    if (masks && rare) {
        Py_BEGIN_ALLOW_THREADS
        outcome = look_at_blocks(phrases, masks, rare, &n_rare, &arena);
        arena_free(&arena);
        Py_END_ALLOW_THREADS
    }
    if (outcome != DONE) {
        free(masks);
        free(rare);
        return raise_outcome(outcome, "phrases");
    }
    PyObject *first = owned(module, masks, n * sizeof *masks);
    PyObject *second = owned(module, rare, (size_t)n_rare * sizeof *rare);
    PyObject *both = first && second ? PyTuple_Pack(2, first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    return both;
}

/* phrases(table, lists, short, edge) -> bits of every block, blocks that are left to Python */
static PyObject *phrases(PyObject *module, PyObject *args)
{
    enum { LONGEST_EDGE = 1 << 20 };
    PyObject *table, *capsule, *result;
    long long is_short, edge;
    if (!PyArg_ParseTuple(args, "OOLL", &table, &capsule, &is_short, &edge))
        return NULL;
    const Lists *lists = what_is_kept(capsule, &lists_kept);
    if (!lists)
        return NULL;
    if (is_short < 0 || edge < 0 || is_short >= LONGEST_EDGE || edge >= LONGEST_EDGE)
        return raise_outcome(WRONG, "phrases");
    Phrases phrases = {.lists = *lists, .is_short = is_short, .edge = edge};
    if (table_borrow(&phrases.table, table, true) < 0)
        return NULL;
    result = masks_and_rare(module, &phrases);
    table_return(&phrases.table);
    return result;
}

PyMethodDef phrases_methods[] = {
    {"phrase_lists", phrase_lists, METH_O, "Lists of phrases, checked once for all tables."},
    {"phrases", phrases, METH_VARARGS, "Bits of the phrases that blocks consist of."},
    {NULL, NULL, 0, NULL},
};
