/* Stage: n-grams of texts.
 *
 * A text becomes digits of an alphabet: 0 before every word and at the end, else the digit of a
 * letter (`victor.language.words`). N-grams are numbers in that number system. Twins of
 * `BeesleyIdentifier.identify` and `CavnarIdentifier.identify`.
 */
#include "core.h"
#include <stdlib.h>

#define N_CODES 0x110000
#define LONGEST 5        /* characters of an n-gram: victor.language.profiles.LONGEST */
#define FIRST_CAPACITY 8192
#define FIRST_SHIFT (64 - 14)
#define LARGEST_BASE 4000 /* LONGEST digits and the length fit 63 bits */

typedef struct {
    int32_t *items;
    int64_t length;
} Digits;

/* --- Texts ------------------------------------------------------------------------------------ */

/* The digits of a text; those of letters have to be above 0 and below the base. */
static Outcome read_digits(Arena *arena, const Py_UCS4 *codes, int64_t length,
                           const int32_t *digit_of_code, int64_t base, Digits *digits)
{
    /* Every character gives at most itself and one boundary, and no two that are no letters
     * follow one another: 2 * length + 1 bounds both. */
    digits->items = TAKE(arena, int32_t, 2 * (size_t)length + 1);
    if (!digits->items)
        return MEMORY;
    int64_t used = 0;
    bool in_word = false;
    for (int64_t at = 0; at < length; at++) {
        if (codes[at] >= N_CODES)
            return WRONG;
        int32_t digit = digit_of_code[codes[at]];
        if (digit < 0 || digit >= base)
            return WRONG;
        if (digit && !in_word)
            digits->items[used++] = 0;
        if (digit)
            digits->items[used++] = digit;
        in_word = digit != 0;
    }
    digits->items[used++] = 0;
    digits->length = used;
    return DONE;
}

/* What both functions get: a text, and what its characters are as digits. */
typedef struct {
    Py_UCS4 *codes;
    int64_t length;
    Array digit_of_code;
} Text;

static void text_return(Text *text)
{
    PyMem_Free(text->codes);
    array_return(&text->digit_of_code);
    memset(text, 0, sizeof *text);
}

static int text_borrow(Text *text, PyObject *string, PyObject *digit_of_code)
{
    memset(text, 0, sizeof *text);
    if (!PyUnicode_Check(string)) {
        PyErr_SetString(PyExc_TypeError, "want a text");
        return -1;
    }
    if (array_borrow(&text->digit_of_code, digit_of_code, 'i', sizeof(int32_t)) < 0)
        return -1;
    text->length = PyUnicode_GetLength(string);
    text->codes = PyUnicode_AsUCS4Copy(string);
    if (!text->codes || text->digit_of_code.length != N_CODES) {
        if (text->codes)
            PyErr_SetString(PyExc_ValueError, "want a digit for every code point");
        text_return(text);
        return -1;
    }
    return 0;
}

/* --- Trigrams of letters (Beesley) ------------------------------------------------------------ */

/* Known trigrams: the pair of the first two digits has a number, and that with the third a row. */
typedef struct {
    int64_t base, n_pairs;
    const int32_t *pair_of; /* (base * base), -1: no known trigram begins so */
    const int32_t *row_of;  /* (n_pairs * base), -1: not known */
} TrigramRows;

/* The row of every trigram, and the numbers of those that have none; both arrays get their items
 * appended. Rows of unknown trigrams are `n_rows` and up, in the order of `unknown`. */
static Outcome find_rows(const Digits *digits, const TrigramRows *known, int64_t n_rows,
                         Growing *rows, Growing *unknown)
{
    size_t n_trigrams = (size_t)digits->length - 1;
    if (!growing_reserve(rows, n_trigrams * sizeof(int32_t)))
        return MEMORY;
    int32_t *row = (int32_t *)(void *)rows->items;
    int64_t two_before = 0, n_unknown = 0;
    for (size_t at = 0; at < n_trigrams; at++) {
        int64_t before = digits->items[at], here = digits->items[at + 1];
        int64_t first_two = (before ? two_before : 0) * known->base + before;
        int64_t pair = known->pair_of[first_two];
        if (pair >= known->n_pairs)
            return WRONG;
        row[at] = pair < 0 ? -1 : known->row_of[pair * known->base + here];
        two_before = before;
        if (row[at] >= 0)
            continue;
        int64_t number = first_two * known->base + here;
        if (n_rows + n_unknown >= INT32_MAX || !growing_reserve(unknown, sizeof number))
            return MEMORY;
        memcpy(unknown->items + unknown->used, &number, sizeof number);
        unknown->used += sizeof number;
        row[at] = (int32_t)(n_rows + n_unknown++);
    }
    rows->used = n_trigrams * sizeof(int32_t);
    return DONE;
}

static Outcome run_trigram_rows(const Text *text, const TrigramRows *known, int64_t n_rows,
                                Growing *rows, Growing *unknown)
{
    Arena arena = {NULL};
    Digits digits;
    Outcome outcome = read_digits(&arena, text->codes, text->length, text->digit_of_code.items,
                                  known->base, &digits);
    if (outcome == DONE)
        outcome = find_rows(&digits, known, n_rows, rows, unknown);
    arena_free(&arena);
    return outcome;
}

static bool trigram_rows_fit(TrigramRows *known, const Array *pair_of, const Array *row_of)
{
    if (known->base < 1 || known->base > N_CODES || row_of->length % known->base)
        return false;
    known->n_pairs = row_of->length / known->base;
    known->pair_of = pair_of->items;
    known->row_of = row_of->items;
    return pair_of->length == known->base * known->base;
}

/* trigram_rows(text, digit_of_code, pair_of, row_of, base, n_rows) -> (rows, unknown) */
static PyObject *trigram_rows(PyObject *module, PyObject *arguments)
{
    PyObject *string, *digit_object, *pair_object, *row_object;
    TrigramRows known = {0};
    long long base, n_rows;
    if (!PyArg_ParseTuple(arguments, "OOOOLL", &string, &digit_object, &pair_object, &row_object,
                          &base, &n_rows))
        return NULL;
    known.base = base;
    Text text = {0};
    Array pair_of = {0}, row_of = {0};
    Growing rows = {0}, unknown = {0};
    PyObject *result = NULL;
    if (text_borrow(&text, string, digit_object) < 0 ||
        array_borrow(&pair_of, pair_object, 'i', sizeof(int32_t)) < 0 ||
        array_borrow(&row_of, row_object, 'i', sizeof(int32_t)) < 0)
        goto finish;
    Outcome outcome = WRONG;
    if (n_rows >= 0 && n_rows < INT32_MAX && trigram_rows_fit(&known, &pair_of, &row_of)) {
        Py_BEGIN_ALLOW_THREADS
        outcome = run_trigram_rows(&text, &known, n_rows, &rows, &unknown);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE)
        result = Py_BuildValue("NN", owned_growing(module, &rows),
                               owned_growing(module, &unknown));
    else
        raise_outcome(outcome, "trigram_rows");
finish:
    growing_free(&rows);
    growing_free(&unknown);
    array_return(&row_of);
    array_return(&pair_of);
    text_return(&text);
    return result;
}

/* Sums of rows of two tables, the second numbered after the first, in the order of `rows`. */
static Outcome add_rows(const Array *rows, const Array *first, const Array *second, int64_t width,
                        double *sums)
{
    const int32_t *row = rows->items;
    const double *known = first->items, *other = second->items;
    int64_t n_known = first->length / width, n_all = n_known + second->length / width;
    for (int64_t column = 0; column < width; column++)
        sums[column] = 0.0;
    for (int64_t at = 0; at < rows->length; at++) {
        int64_t number = row[at];
        if (number < 0 || number >= n_all)
            return WRONG;
        const double *values =
            number < n_known ? known + number * width : other + (number - n_known) * width;
        for (int64_t column = 0; column < width; column++)
            sums[column] += values[column];
    }
    return DONE;
}

/* sum_rows(rows, first, second, width) -> (width) float64 */
static PyObject *sum_rows(PyObject *module, PyObject *arguments)
{
    PyObject *row_object, *first_object, *second_object, *result = NULL;
    long long width;
    if (!PyArg_ParseTuple(arguments, "OOOL", &row_object, &first_object, &second_object, &width))
        return NULL;
    Array rows = {0}, first = {0}, second = {0};
    if (array_borrow(&rows, row_object, 'i', sizeof(int32_t)) < 0 ||
        array_borrow(&first, first_object, 'f', sizeof(double)) < 0 ||
        array_borrow(&second, second_object, 'f', sizeof(double)) < 0)
        goto finish;
    Outcome outcome = WRONG;
    double *sums = NULL;
    if (width > 0 && first.length % width == 0 && second.length % width == 0 &&
        width <= first.length + second.length) {
        sums = malloc((size_t)width * sizeof *sums);
        outcome = sums ? DONE : MEMORY;
    }
    if (outcome == DONE) {
        Py_BEGIN_ALLOW_THREADS
        outcome = add_rows(&rows, &first, &second, width, sums);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE) {
        result = owned(module, sums, (size_t)width * sizeof *sums);
    } else {
        free(sums);
        raise_outcome(outcome, "sum_rows");
    }
finish:
    array_return(&second);
    array_return(&first);
    array_return(&rows);
    return result;
}

/* --- N-grams by frequency (Cavnar and Trenkle) ------------------------------------------------ */

typedef struct {
    int64_t key; /* number of the n-gram * (LONGEST + 1) + its length */
    int64_t count;
} Gram;

/* Distinct n-grams with their counts: an open hash table of places in an array. */
typedef struct {
    Gram *grams;
    int64_t n_grams, capacity;
    int32_t *slots; /* place + 1, 0: free */
    uint64_t n_slots; /* a power of two, twice the capacity */
    int shift;        /* 64 - the logarithm of that */
    uint64_t seed;    /* odd */
} GramCounts;

/* Multiplicative hashing by a random odd number: nobody can write a page whose n-grams share one
 * slot (M. Dietzfelbinger et al., A reliable randomized algorithm for the closest-pair problem). */
static uint64_t first_slot(const GramCounts *counts, int64_t key)
{
    return ((uint64_t)key * counts->seed) >> counts->shift;
}

/* The slot of a key, or the free one where it belongs. */
static uint64_t slot_of(const GramCounts *counts, int64_t key)
{
    uint64_t slot = first_slot(counts, key);
    while (counts->slots[slot] && counts->grams[counts->slots[slot] - 1].key != key)
        slot = (slot + 1) & (counts->n_slots - 1);
    return slot;
}

static bool grow(GramCounts *counts)
{
    int64_t capacity = counts->capacity ? 2 * counts->capacity : FIRST_CAPACITY;
    if (capacity > INT32_MAX / 2)
        return false;
    Gram *grams = realloc(counts->grams, (size_t)capacity * sizeof *grams);
    if (!grams)
        return false;
    counts->grams = grams;
    int32_t *slots = calloc((size_t)capacity, 2 * sizeof *slots);
    if (!slots)
        return false;
    free(counts->slots);
    counts->slots = slots;
    counts->capacity = capacity;
    counts->n_slots = 2 * (uint64_t)capacity;
    counts->shift--;
    for (int64_t place = 0; place < counts->n_grams; place++)
        slots[slot_of(counts, counts->grams[place].key)] = (int32_t)place + 1;
    return true;
}

/* The place of an n-gram, which is counted once more; -1 if there is no memory. */
static int32_t count_gram(GramCounts *counts, int64_t key)
{
    if (counts->n_grams == counts->capacity && !grow(counts))
        return -1;
    uint64_t slot = slot_of(counts, key);
    if (!counts->slots[slot]) {
        counts->grams[counts->n_grams] = (Gram){key, 0};
        counts->slots[slot] = (int32_t)++counts->n_grams;
    }
    int32_t place = counts->slots[slot] - 1;
    counts->grams[place].count++;
    return place;
}

/* A count that the `size` most frequent n-grams have at least, also when more are counted. */
static int64_t least_count(const GramCounts *counts, int64_t size, int64_t *histogram,
                           int64_t most)
{
    memset(histogram, 0, (size_t)(most + 1) * sizeof *histogram);
    for (int64_t place = 0; place < counts->n_grams; place++)
        histogram[counts->grams[place].count]++;
    int64_t n_above = 0, count = most;
    for (; count > 0; count--) {
        n_above += histogram[count];
        if (n_above >= size)
            break;
    }
    return count;
}

/* Count the n-grams of all lengths, but leave out longer ones that contain one which is not
 * among the `size` most frequent: they are not either. */
static Outcome count_grams(Arena *arena, const Digits *digits, int64_t base, int64_t size,
                           GramCounts *counts, int64_t *least)
{
    int64_t n_digits = digits->length;
    const int32_t *digit = digits->items;
    int64_t *numbers = ZEROS(arena, int64_t, (size_t)n_digits);
    int32_t *places = ZEROS(arena, int32_t, (size_t)n_digits);
    int64_t *histogram = TAKE(arena, int64_t, (size_t)n_digits + 1);
    if (!numbers || !places || !histogram)
        return MEMORY;
    *least = 0;
    for (int64_t length = 1; length <= LONGEST; length++) {
        for (int64_t at = 0; at + length <= n_digits; at++) {
            /* The places still are those of the n-grams that are shorter by one. */
            bool is_counted = length == 1 ? digit[at] != 0 : true;
            if (length > 2) {
                int32_t first = places[at], second = places[at + 1];
                is_counted = first >= 0 && second >= 0 && digit[at + 1] != 0 &&
                             digit[at + length - 2] != 0 && counts->grams[first].count >= *least &&
                             counts->grams[second].count >= *least;
            }
            numbers[at] = numbers[at] * base + digit[at + length - 1];
            places[at] = -1;
            if (!is_counted)
                continue;
            places[at] = count_gram(counts, numbers[at] * (LONGEST + 1) + length);
            if (places[at] < 0)
                return MEMORY;
        }
        *least = least_count(counts, size, histogram, n_digits);
    }
    return DONE;
}

/* Is an n-gram behind another: rarer, or as frequent and later in the order of keys. */
static bool is_behind(Gram gram, Gram other)
{
    return gram.count != other.count ? gram.count < other.count : gram.key > other.key;
}

static void sift_down(Gram *grams, int64_t root, int64_t n_grams)
{
    Gram moved = grams[root];
    for (int64_t child = 2 * root + 1; child < n_grams; child = 2 * root + 1) {
        if (child + 1 < n_grams && is_behind(grams[child + 1], grams[child]))
            child++;
        if (!is_behind(grams[child], moved))
            break;
        grams[root] = grams[child];
        root = child;
    }
    grams[root] = moved;
}

/* Sort in place by a heap whose root is behind all others; the most frequent comes first. */
static void sort_grams(Gram *grams, int64_t n_grams)
{
    for (int64_t root = n_grams / 2 - 1; root >= 0; root--)
        sift_down(grams, root, n_grams);
    for (int64_t last = n_grams - 1; last > 0; last--) {
        Gram behind = grams[0];
        grams[0] = grams[last];
        grams[last] = behind;
        sift_down(grams, 0, last);
    }
}

/* Languages' ranked n-grams: ranks[i * n_languages + l] of keys[i], below 0 where l has none. */
typedef struct {
    const int64_t *keys; /* (n_keys) ascending */
    const double *ranks;
    int64_t n_keys, n_languages, size;
} Ranks;

static int64_t row_of_key(const Ranks *ranks, int64_t key)
{
    int64_t low = 0, high = ranks->n_keys;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (ranks->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ranks->n_keys && ranks->keys[low] == key ? low : -1;
}

/* Add to every language's sum how far out of place an n-gram of this rank is. */
static void add_distances(const Ranks *ranks, int64_t key, double rank, double *sums)
{
    int64_t row = row_of_key(ranks, key);
    double most = (double)ranks->size;
    for (int64_t language = 0; language < ranks->n_languages; language++) {
        double distance = most;
        double other = row < 0 ? -1.0 : ranks->ranks[row * ranks->n_languages + language];
        if (other >= 0) {
            distance = other - rank;
            if (distance < 0)
                distance = -distance;
            if (distance > most)
                distance = most;
        }
        sums[language] += distance;
    }
}

/* Distances of the ranked n-grams of a text; those of one count share their mean rank. */
static void compare_grams(const Ranks *ranks, const Gram *grams, int64_t n_grams, double *sums)
{
    for (int64_t language = 0; language < ranks->n_languages; language++)
        sums[language] = 0.0;
    for (int64_t start = 0, end; start < n_grams; start = end) {
        int64_t sum = 0;
        for (end = start; end < n_grams && grams[end].count == grams[start].count; end++)
            sum += end;
        double rank = (double)sum / (double)(end - start);
        for (int64_t at = start; at < end; at++)
            add_distances(ranks, grams[at].key, rank, sums);
    }
}

static Outcome run_rank_distances(const Text *text, int64_t base, const Ranks *ranks,
                                  uint64_t seed, double *sums, int64_t *n_ranked)
{
    Arena arena = {NULL};
    Digits digits;
    GramCounts counts = {.shift = FIRST_SHIFT + 1, .seed = seed | 1};
    int64_t least = 0;
    Outcome outcome = read_digits(&arena, text->codes, text->length, text->digit_of_code.items,
                                  base, &digits);
    if (outcome == DONE)
        outcome = count_grams(&arena, &digits, base, ranks->size, &counts, &least);
    if (outcome == DONE) {
        int64_t n_left = 0;
        for (int64_t place = 0; place < counts.n_grams; place++)
            if (counts.grams[place].count >= least)
                counts.grams[n_left++] = counts.grams[place];
        sort_grams(counts.grams, n_left);
        *n_ranked = n_left < ranks->size ? n_left : ranks->size;
        compare_grams(ranks, counts.grams, *n_ranked, sums);
    }
    free(counts.grams);
    free(counts.slots);
    arena_free(&arena);
    return outcome;
}

/* rank_distances(text, digit_of_code, base, keys, ranks, size, seed) -> (sums, number of n-grams)
 */
static PyObject *rank_distances(PyObject *module, PyObject *arguments)
{
    PyObject *string, *digit_object, *key_object, *rank_object, *result = NULL;
    long long base, size;
    unsigned long long seed;
    if (!PyArg_ParseTuple(arguments, "OOLOOLK", &string, &digit_object, &base, &key_object,
                          &rank_object, &size, &seed))
        return NULL;
    Text text = {0};
    Array keys = {0}, values = {0};
    if (text_borrow(&text, string, digit_object) < 0 ||
        array_borrow(&keys, key_object, 'i', sizeof(int64_t)) < 0 ||
        array_borrow(&values, rank_object, 'f', sizeof(double)) < 0)
        goto finish;
    Ranks ranks = {keys.items, values.items, keys.length, 0, size};
    Outcome outcome = WRONG;
    double *sums = NULL;
    int64_t n_ranked = 0;
    if (base > 0 && base <= LARGEST_BASE && size > 0 && keys.length > 0 &&
        values.length > 0 && values.length % keys.length == 0) {
        ranks.n_languages = values.length / keys.length;
        sums = malloc((size_t)ranks.n_languages * sizeof *sums);
        outcome = sums ? DONE : MEMORY;
    }
    if (outcome == DONE) {
        Py_BEGIN_ALLOW_THREADS
        outcome = run_rank_distances(&text, base, &ranks, seed, sums, &n_ranked);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE) {
        size_t bytes = (size_t)ranks.n_languages * sizeof *sums;
        result = Py_BuildValue("NL", owned(module, sums, bytes), (long long)n_ranked);
    } else {
        free(sums);
        raise_outcome(outcome, "rank_distances");
    }
finish:
    array_return(&values);
    array_return(&keys);
    text_return(&text);
    return result;
}

PyMethodDef language_methods[] = {
    {"trigram_rows", trigram_rows, METH_VARARGS, "Rows of the trigrams of a text."},
    {"sum_rows", sum_rows, METH_VARARGS, "Sums of rows of two tables, in their order."},
    {"rank_distances", rank_distances, METH_VARARGS,
     "How far the n-grams of a text are out of place in languages' lists."},
    {NULL, NULL, 0, NULL},
};
