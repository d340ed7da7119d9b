/* Stage: what the steps after the labels may find to do (`victor.kinds.hints`). */
#include "model/model.h"
#include "table/table.h"

enum { UNITS = 1, HEADLINES = 2, DANGLING = 4 };
enum { IS_UNIT = 1, IS_LIST = 2, IS_CODE = 4 }; /* roles of tags */

/* Bounds of the steps, as `victor.kinds.hints` hands them over. */
enum { ISLAND_KEEPS, LARGEST_ISLAND, LONGEST_HEADLINE, N_BOUNDS };

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

/* May a block be the headline of its page that is kept. */
static bool may_be_headline(const Labelled *batch, int64_t block)
{
    int64_t words = batch->words[block], level = batch->levels[block];
    uint8_t label = batch->labels[block];
    return label != OTHER && words > 0 && (double)words <= batch->bounds[LONGEST_HEADLINE] &&
           (level == 1 || level == 2 || label == HEADER);
}

static int hints_of(const Labelled *batch)
{
    const Table *table = batch->table;
    int hints = units(batch);
    for (int64_t page = 0; page < table->n_pages; page++) {
        bool last_is_heading = false; /* or kept as a header, which may be the headline */
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
            if (batch->labels[i] != OTHER)
                last_is_heading = batch->levels[i] > 0 || batch->labels[i] == HEADER;
            hints |= may_be_headline(batch, i) ? HEADLINES : 0;
        }
        hints |= last_is_heading ? DANGLING : 0;
    }
    return hints;
}

static Outcome look(Labelled *batch, const Array *arrays, int *hints)
{
    int64_t n = batch->table->n_blocks;
    if (arrays[LABELS].length != n || arrays[MARGINALS].length != n * N_LABELS ||
        arrays[WORDS].length != n || arrays[LEVELS_OF_HEADINGS].length != n ||
        arrays[ROLES].length != N_TAG_IDS || arrays[BOUNDS].length != N_BOUNDS)
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
