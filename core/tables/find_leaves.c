/* Which tables without tables in them may hold data: those with rows and cells enough. */
#include "base/results.h"
#include "columns/batch.h"
#include "tables/find_leaves.h"
#include "tables/leaf.h"

/* Rows that tell whether a table holds data: 30, 50 or all of them changed no verdict on 123
 * development pages with tables. */
enum { FIRST_ROWS = 20 };
enum { FEWEST = 2 }; /* rows, and cells in one of them, of a table with data */

typedef struct {
    const Table *table;
    const uint16_t *roles;
    const uint8_t *kept, *among; /* blocks; elements, or NULL for all */
    int64_t *row_of;             /* (n_elements) innermost row around each, or it itself; -1 else */
    int64_t *n_cells;            /* (n_elements) cells so far by innermost row */
    int64_t *tables, *ends, *starts, *cells, *rows;
    int64_t n_tables, n_found_cells;
} Search;

static bool is(const Search *search, int64_t element, uint16_t role)
{
    return search->roles[search->table->elements.tag[element]] & role;
}

static void find_rows(Search *search)
{
    const int64_t *parents = search->table->elements.parent;
    for (int64_t e = 0; e < search->table->n_elements; e++) {
        int64_t above = parents[e] == e ? -1 : search->row_of[parents[e]];
        search->row_of[e] = is(search, e, IS_ROW) ? e : above;
    }
}

/* Note a table without tables in it, with its cells, if it has enough; it ends before `stop`. */
static void look_at(Search *search, int64_t table, int64_t stop)
{
    const int64_t *opens = search->table->elements.open;
    int64_t first = search->n_found_cells, n_cells = first, n_rows = 0;
    int64_t end = search->table->elements.close[table] + 1;
    bool is_wide = false;
    for (int64_t e = table + 1; e < stop; e++) {
        if (is(search, e, IS_ROW) && n_rows++ == FIRST_ROWS)
            end = opens[e];
        if (!is(search, e, IS_CELL))
            continue;
        int64_t row = search->row_of[e];
        search->cells[n_cells] = e;
        search->rows[n_cells++] = row;
        if (row > table)
            is_wide |= ++search->n_cells[row] >= FEWEST;
    }
    if (n_rows < FEWEST || !is_wide || opens[search->cells[first]] >= end)
        return;
    search->tables[search->n_tables] = table;
    search->ends[search->n_tables] = end;
    search->starts[search->n_tables++] = first;
    search->n_found_cells = n_cells;
}

/* Is a block of those between two tags kept; `*next` is the first one that may be. */
static bool has_kept(const Search *search, int64_t table, int64_t *next)
{
    const Table *t = search->table;
    int64_t open = t->elements.open[table], close = t->elements.close[table];
    for (; *next < t->n_blocks; ++*next) {
        int64_t tag = t->segments.tag[t->segment_starts[*next]];
        if (tag >= close)
            return false;
        if (tag >= open && search->kept[*next])
            return true;
    }
    return false;
}

static void find_leaves(Search *search)
{
    const Table *t = search->table;
    int64_t last = -1, next_block = 0;
    for (int64_t e = 0; e <= t->n_elements; e++) {
        if (e < t->n_elements && !is(search, e, IS_TABLE))
            continue;
        /* The table before this one, whose tables would stand between. */
        bool is_leaf = last >= 0 && (e == t->n_elements ||
                                     t->elements.close[last] < t->elements.open[e]);
        if (is_leaf && (!search->among || search->among[last]) &&
            has_kept(search, last, &next_block)) {
            int64_t stop = last + 1;
            while (stop < e && t->elements.open[stop] < t->elements.close[last])
                stop++;
            look_at(search, last, stop);
        }
        last = e;
    }
    search->starts[search->n_tables] = search->n_found_cells;
}

Outcome may_hold_data(const Table *table, const uint16_t *roles, const uint8_t *kept,
                      const int64_t *element_page, Arena *arena, uint8_t *pages)
{
    Search search = {.table = table, .roles = roles, .kept = kept};
    int64_t **columns[] = {&search.row_of, &search.n_cells, &search.tables, &search.ends,
                           &search.starts, &search.cells,   &search.rows};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (!(*columns[i] = ZEROS(arena, int64_t, (size_t)table->n_elements + 1)))
            return MEMORY;
    find_rows(&search);
    find_leaves(&search);
    for (int64_t i = 0; i < search.n_tables; i++)
        pages[element_page[search.tables[i]]] = 1;
    return DONE;
}

static PyObject *leaves_found(PyObject *module, Search *search)
{
    int64_t n = search->table->n_elements;
    Result results[] = {RESULT(search->tables, n), RESULT(search->ends, n),
                        RESULT(search->starts, n + 1), RESULT(search->cells, n),
                        RESULT(search->rows, n)};
    enum { N_RESULTS = sizeof results / sizeof *results };
    Arena arena = {0};
    search->row_of = TAKE(&arena, int64_t, (size_t)n);
    search->n_cells = ZEROS(&arena, int64_t, (size_t)n);
    bool has_room = search->row_of && search->n_cells && results_take(results, N_RESULTS);
    if (has_room) {
        Py_BEGIN_ALLOW_THREADS
        find_rows(search);
        find_leaves(search);
        Py_END_ALLOW_THREADS
    }
    arena_free(&arena);
    results[0].used = results[1].used = search->n_tables;
    results[2].used = search->n_tables + 1;
    results[3].used = results[4].used = search->n_found_cells;
    return has_room ? results_hand_over(module, results, N_RESULTS) : PyErr_NoMemory();
}

PyObject *leaf_tables(PyObject *module, PyObject *arguments)
{
    enum { ROLES, KEPT, AMONG, N_ARRAYS };
    Array arrays[N_ARRAYS] = {
        [ROLES] = WANTED("u2"), [KEPT] = WANTED("b1"), [AMONG] = WANTED("b1?")};
    PyObject *object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&", &object, BORROW(ROLES), BORROW(KEPT),
                          BORROW(AMONG)))
        return NULL;
    const Batch *batch = blocks_of(module, object);
    if (batch) {
        const Table *table = &batch->table;
        Search search = {.table = table, .roles = arrays[ROLES].items,
                         .kept = arrays[KEPT].items, .among = arrays[AMONG].items};
        bool fits = arrays[ROLES].length == N_TAG_IDS && arrays[KEPT].length == table->n_blocks &&
                    (!search.among || arrays[AMONG].length == table->n_elements);
        result = fits ? leaves_found(module, &search) : raise_outcome(WRONG, "leaf_tables");
    }
    arrays_return(arrays, N_ARRAYS);
    return result;
}
