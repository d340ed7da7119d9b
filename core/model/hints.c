/* Stage: what the steps after the labels may find to do (`victor.kinds.hints`). */
#include "model/model.h"
#include "table/table.h"

enum {
    UNITS = 1, SIGNS = 2, PARTED = 4, STAND_INS = 8, DATA = 16, COPIES = 32, HEADLINES = 64,
    DANGLING = 128
};
enum { IS_UNIT = 1, IS_LIST = 2, IS_SPAN = 4, IS_CODE = 8 }; /* roles of tags */

/* Bounds of the steps, as `victor.kinds.hints` hands them over; signs follow. */
enum {
    ISLAND_KEEPS, LARGEST_ISLAND, STAND_IN, LONGEST_SIGN, DATA_WORDS, COPY_WORDS, LEAST_OF_COPY,
    MOST_OF_COPY, LONGEST_HEADLINE, N_BOUNDS, N_SIGNS = 3
};

enum { LABELS, MARGINALS, WORDS, LEVELS_OF_HEADINGS, ROLES, BOUNDS, N_ARRAYS };

typedef struct {
    const Table *table;
    const uint8_t *labels, *roles;
    const double *marginals, *bounds;
    const int64_t *words, *levels;
    int64_t *words_before, *kept_before, *expected_before; /* (n_blocks + 1) */
} Labelled;

static void add_up(const Labelled *page)
{
    page->words_before[0] = page->kept_before[0] = page->expected_before[0] = 0;
    for (int64_t i = 0; i < page->table->n_blocks; i++) {
        double keep = 1.0 - page->marginals[i * N_LABELS + OTHER];
        page->words_before[i + 1] = page->words_before[i] + page->words[i];
        page->kept_before[i + 1] = page->kept_before[i] + (page->labels[i] != OTHER);
        page->expected_before[i + 1] =
            (int64_t)((uint64_t)page->expected_before[i] +
                      (uint64_t)words_expected(keep, page->words[i]));
    }
}

/* How many blocks begin before a tag. */
static int64_t blocks_before(const Table *table, int64_t tag)
{
    int64_t low = 0, high = table->n_blocks;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        bool is_before = table->segments.tag[table->segment_starts[middle]] < tag;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

/* May an element be an island with dropped blocks, or a list or code that is kept in part. */
static bool may_change(const Labelled *page, int64_t element, double largest)
{
    const Table *table = page->table;
    uint8_t role = page->roles[table->elements.tag[element]];
    if (!(role & IS_UNIT))
        return false;
    int64_t start = blocks_before(table, table->elements.open[element]);
    int64_t stop = blocks_before(table, table->elements.close[element]);
    int64_t words = page->words_before[stop] - page->words_before[start];
    int64_t kept = page->kept_before[stop] - page->kept_before[start];
    int64_t expected = page->expected_before[stop] - page->expected_before[start];
    if (kept == stop - start)
        return false;
    if (role & IS_CODE && kept)
        return true;
    if (!words || ((double)words > largest && !(role & IS_CODE)))
        return false;
    return (role & IS_LIST && kept) || (double)expected / ((double)words * SCALE) >= page->bounds[ISLAND_KEEPS];
}

static int units(const Labelled *batch)
{
    const Table *table = batch->table;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1];
        int64_t expected = batch->expected_before[end] - batch->expected_before[first];
        bool is_last = page + 1 == table->n_pages;
        int64_t stop = is_last ? table->n_elements : table->page_roots[page + 1];
        for (int64_t element = table->page_roots[page]; element < stop; element++)
            if (may_change(batch, element, batch->bounds[LARGEST_ISLAND] * (double)expected / SCALE))
                return UNITS;
    }
    return 0;
}

static bool is_sign(const double *signs, uint32_t code)
{
    return code == signs[0] || code == signs[1] || code == signs[2];
}

static int of_segment(const Labelled *batch, int64_t i, bool in_heading)
{
    const Table *table = batch->table;
    const int64_t *start = table->segments.start, *tag = table->segments.tag;
    const double *bounds = batch->bounds;
    double length = (double)(table->segments.end[i] - start[i]);
    uint32_t code = table->chars[start[i]];
    int hints = length == bounds[STAND_IN] && code == '[' ? STAND_INS : 0;
    if (length <= bounds[LONGEST_SIGN] && (in_heading || is_sign(bounds + N_BOUNDS, code)))
        hints |= SIGNS;
    if (i && table->segments.end[i - 1] == start[i] && tag[i] == tag[i - 1] + 2 &&
        batch->roles[table->tags.id[tag[i]]] & batch->roles[table->tags.id[tag[i] - 1]] & IS_SPAN)
        hints |= PARTED;
    return hints;
}

static int of_block(const Labelled *batch, int64_t block, int64_t kept_words)
{
    const Table *table = batch->table;
    uint8_t label = batch->labels[block];
    int64_t words = batch->words[block], level = batch->levels[block];
    int64_t first = table->segment_starts[block], hints = 0;
    for (int64_t i = first; i < table->segment_starts[block + 1]; i++)
        hints |= of_segment(batch, i, level > 0);
    if (label == OTHER)
        return (int)hints;
    uint32_t code = table->chars[table->segments.start[first]];
    const double *bounds = batch->bounds;
    double size = (double)words, share = words ? size / (double)kept_words : 0.0;
    if (size >= bounds[DATA_WORDS] && (code == '{' || code == '['))
        hints |= DATA;
    if (size >= bounds[COPY_WORDS] && share >= bounds[LEAST_OF_COPY] &&
        share <= bounds[MOST_OF_COPY])
        hints |= COPIES;
    if (words > 0 && size <= bounds[LONGEST_HEADLINE] &&
        (level == 1 || level == 2 || label == HEADER))
        hints |= HEADLINES;
    return (int)hints;
}

static int hints_of(const Labelled *batch)
{
    const Table *table = batch->table;
    int hints = units(batch);
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t kept_words = 0;
        bool last_is_heading = false; /* or kept as a header, which may be the headline */
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
            bool is_kept = batch->labels[i] != OTHER;
            kept_words += is_kept ? batch->words[i] : 0;
            if (is_kept)
                last_is_heading = batch->levels[i] > 0 || batch->labels[i] == HEADER;
        }
        hints |= last_is_heading ? DANGLING : 0;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            hints |= of_block(batch, i, kept_words);
    }
    return hints;
}

static Outcome look(Labelled *batch, const Array *arrays, int *hints)
{
    int64_t n = batch->table->n_blocks;
    if (arrays[LABELS].length != n || arrays[MARGINALS].length != n * N_LABELS ||
        arrays[WORDS].length != n || arrays[LEVELS_OF_HEADINGS].length != n ||
        arrays[ROLES].length != N_TAG_IDS || arrays[BOUNDS].length != N_BOUNDS + N_SIGNS)
        return WRONG;
    batch->labels = arrays[LABELS].items;
    batch->marginals = arrays[MARGINALS].items;
    batch->words = arrays[WORDS].items;
    batch->levels = arrays[LEVELS_OF_HEADINGS].items;
    batch->roles = arrays[ROLES].items;
    batch->bounds = arrays[BOUNDS].items;
    Arena arena = {0};
    int64_t *room = TAKE(&arena, int64_t, 3 * ((size_t)n + 1));
    if (room) {
        batch->words_before = room;
        batch->kept_before = room + n + 1;
        batch->expected_before = room + 2 * (n + 1);
        add_up(batch);
        *hints = hints_of(batch);
    }
    arena_free(&arena);
    return room ? DONE : MEMORY;
}

/* hints(table, labels, marginals, words, heading_level, roles, bounds): bits. */
PyObject *hints_method(PyObject *module, PyObject *arguments)
{
    (void)module;
    Array arrays[N_ARRAYS] = {
        [LABELS] = WANTED("u1"), [MARGINALS] = WANTED("f8"), [WORDS] = WANTED("i8"),
        [LEVELS_OF_HEADINGS] = WANTED("i8"), [ROLES] = WANTED("u1"), [BOUNDS] = WANTED("f8"),
    };
    PyObject *block_table;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&O&O&O&:hints", &block_table, BORROW(LABELS),
                          BORROW(MARGINALS), BORROW(WORDS), BORROW(LEVELS_OF_HEADINGS),
                          BORROW(ROLES), BORROW(BOUNDS)))
        return NULL;
    Table table;
    int hints = 0;
    PyObject *result = NULL;
    if (table_borrow(&table, block_table, false) == 0) {
        Labelled batch = {.table = &table};
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = look(&batch, arrays, &hints);
        Py_END_ALLOW_THREADS
        result = outcome == DONE ? PyLong_FromLong(hints) : raise_outcome(outcome, "hints");
        table_return(&table);
    }
    arrays_return(arrays, N_ARRAYS);
    return result;
}
