/* Stage: tables that hold no table, measured. What Python calls. */
#include "columns/batch.h"
#include "tables/leaf.h"
#include <stdlib.h>

/* What both functions are given after the block table; the last three are for measures alone. */
enum { ROLES, TABLES, CELL_OFFSETS, COLUMNS, ROWS, ENDS, MARKS, CHARACTERS, N_ARRAYS };
#define WANTED_ARRAYS \
    {[ROLES] = WANTED("u2"), [TABLES] = WANTED("i8"), [CELL_OFFSETS] = WANTED("i8"), \
     [COLUMNS] = WANTED("i8"), [ROWS] = WANTED("i8"), [ENDS] = WANTED("i8"), \
     [MARKS] = WANTED("u1"), [CHARACTERS] = WANTED("u1")}

static bool spans_fit(const Array *arrays)
{
    return arrays[ROLES].length == N_TAG_IDS &&
           arrays[CELL_OFFSETS].length == arrays[TABLES].length + 1 &&
           arrays[ROWS].length == arrays[COLUMNS].length;
}

static bool is_element(const Table *table, int64_t element)
{
    return element >= 0 && element < table->n_elements;
}

/* Read one of the tables up to a tag, and put its cells to their places. */
static Outcome read_and_place(const Table *table, const Array *arrays, int64_t i, int64_t end,
                              const CharacterBits *bits, Leaf *leaf)
{
    const int64_t *tables = arrays[TABLES].items, *offsets = arrays[CELL_OFFSETS].items;
    Spans spans = {arrays[COLUMNS].items, arrays[ROWS].items, offsets[i + 1]};
    if (offsets[i] < 0 || offsets[i] > offsets[i + 1] || offsets[i + 1] > arrays[COLUMNS].length)
        return WRONG;
    Outcome outcome = read_leaf(table, arrays[ROLES].items, tables[i], end, &spans, offsets[i],
                                bits, leaf);
    if (outcome == DONE && !bits && (int64_t)leaf->cells.used != offsets[i + 1] - offsets[i])
        return WRONG;
    if (outcome == DONE && bits && !leaf->cells.used)
        return WRONG; /* a candidate has cells */
    return outcome == DONE ? place_cells(leaf) : outcome;
}

/* What a function makes of tables: fills `count` items, which are 0, and `*beyond`, a character of which
 * nothing is known, 0 if all are known. */
typedef Outcome Read(const Table *table, const Array *arrays, void *items, int64_t *beyond);

/* What is made, or `*beyond`. */
static PyObject *made(PyObject *module, PyObject *object, const Array *arrays, Read *read, size_t count,
                      size_t size)
{
    const Batch *batch = blocks_of(module, object);
    void *items = batch ? calloc(count + 1, size) : NULL;
    Outcome outcome = items ? WRONG : MEMORY;
    int64_t beyond = 0;
    if (!batch)
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    if (items && spans_fit(arrays))
        outcome = read(&batch->table, arrays, items, &beyond);
    Py_END_ALLOW_THREADS
    if (outcome == DONE && !beyond)
        return owned(module, items, count * size);
    free(items);
    return outcome == DONE ? PyLong_FromLongLong(beyond) : raise_outcome(outcome, "leaf_tables");
}

/* --- Measures of tables ------------------------------------------------------------------------ */

static Outcome measure_all(const Table *table, const Array *arrays, void *items, int64_t *beyond)
{
    const int64_t *tables = arrays[TABLES].items, *ends = arrays[ENDS].items;
    const uint8_t *marks = arrays[MARKS].items;
    CharacterBits bits = {arrays[CHARACTERS].items, arrays[CHARACTERS].length};
    Leaf leaf = {0};
    int64_t n_tables = arrays[TABLES].length;
    bool fit = arrays[ENDS].length == n_tables && arrays[MARKS].length == n_tables * N_MARKS;
    Outcome outcome = fit ? DONE : WRONG;
    float *measures = items;
    for (int64_t i = 0; outcome == DONE && !leaf.beyond && i < n_tables; i++) {
        outcome = WRONG;
        if (is_element(table, tables[i]) && ends[i] <= table->n_tags)
            outcome = read_and_place(table, arrays, i, ends[i], &bits, &leaf);
        if (outcome == DONE)
            outcome = measure_leaf(&leaf, marks + i * N_MARKS, measures + i * N_MEASURES);
    }
    *beyond = leaf.beyond;
    leaf_free(&leaf);
    return outcome;
}

/* measure_tables(batch, roles, tables, ends, cell_offsets, columns, rows, marks, characters):
 * (tables, N_MEASURES) float32; or, if `characters` has no bits for some character, that one. The
 * tables, their ends and the offsets of their cells are those of `_Leaves` in
 * `victor.tables.page_tables`; columns and rows are the spans of the cells, marks (tables, N_MARKS)
 * uint8. */
static PyObject *measure_tables(PyObject *module, PyObject *arguments)
{
    PyObject *object, *result = NULL;
    Array arrays[N_ARRAYS] = WANTED_ARRAYS;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&O&O&O&O&O&", &object, BORROW(ROLES),
                          BORROW(TABLES), BORROW(ENDS), BORROW(CELL_OFFSETS), BORROW(COLUMNS),
                          BORROW(ROWS), BORROW(MARKS), BORROW(CHARACTERS)))
        return NULL;
    size_t count = (size_t)arrays[TABLES].length * N_MEASURES;
    result = made(module, object, arrays, measure_all, count, sizeof(float));
    arrays_return(arrays, N_ARRAYS);
    return result;
}

/* --- Columns of cells -------------------------------------------------------------------------- */

/* Columns of the cells of tables with spans. */
static Outcome find_columns(const Table *table, const Array *arrays, void *items, int64_t *beyond)
{
    const int64_t *tables = arrays[TABLES].items, *offsets = arrays[CELL_OFFSETS].items;
    int64_t *columns = items;
    Leaf leaf = {0};
    Outcome outcome = DONE;
    for (int64_t i = 0; outcome == DONE && i < arrays[TABLES].length; i++) {
        outcome = WRONG;
        if (is_element(table, tables[i]))
            outcome = read_and_place(table, arrays, i, table->elements.close[tables[i]] + 1, NULL,
                                     &leaf);
        for (size_t cell = 0; outcome == DONE && cell < leaf.cells.used; cell++)
            columns[offsets[i] + (int64_t)cell] = leaf.cells.items[cell].first_column;
    }
    *beyond = 0;
    leaf_free(&leaf);
    return outcome;
}

/* cell_columns(batch, roles, tables, cell_offsets, columns, rows): int64 column of every cell
 * with all spans expanded, given the spans. */
static PyObject *cell_columns(PyObject *module, PyObject *arguments)
{
    PyObject *object, *result = NULL;
    Array arrays[N_ARRAYS] = WANTED_ARRAYS;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&O&O&", &object, BORROW(ROLES), BORROW(TABLES),
                          BORROW(CELL_OFFSETS), BORROW(COLUMNS), BORROW(ROWS)))
        return NULL;
    size_t count = (size_t)arrays[COLUMNS].length;
    result = made(module, object, arrays, find_columns, count, sizeof(int64_t));
    arrays_return(arrays, N_ARRAYS);
    return result;
}

PyMethodDef leaf_tables_methods[] = {
    {"leaf_tables", leaf_tables, METH_VARARGS, NULL},
    {"measure_tables", measure_tables, METH_VARARGS, NULL},
    {"cell_columns", cell_columns, METH_VARARGS, NULL},
    {"forest_shares", forest_shares, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
