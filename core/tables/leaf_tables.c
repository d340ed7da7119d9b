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
    if (outcome == DONE && !bits && count_cells(leaf) != offsets[i + 1] - offsets[i])
        return WRONG;
    if (outcome == DONE && bits && count_cells(leaf) == 0)
        return WRONG; /* a candidate has cells */
    return outcome == DONE ? place_cells(leaf) : outcome;
}

/* --- Measures of tables ------------------------------------------------------------------------ */

/* Measure tables; `*beyond` is a character of which nothing is known, 0 if all are known. */
static Outcome measure_all(const Table *table, const Array *arrays, float *measures,
                           int64_t *beyond)
{
    const int64_t *tables = arrays[TABLES].items, *ends = arrays[ENDS].items;
    const uint8_t *marks = arrays[MARKS].items;
    CharacterBits bits = {arrays[CHARACTERS].items, arrays[CHARACTERS].length};
    Leaf leaf = {0};
    Outcome outcome = DONE;
    for (int64_t i = 0; outcome == DONE && !leaf.beyond && i < arrays[TABLES].length; i++) {
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

static PyObject *measured(PyObject *module, const Table *table, const Array *arrays)
{
    int64_t n_tables = arrays[TABLES].length;
    if (!spans_fit(arrays) || arrays[ENDS].length != n_tables ||
        arrays[MARKS].length != n_tables * N_MARKS)
        return raise_outcome(WRONG, "measure_tables");
    size_t count = (size_t)n_tables * N_MEASURES;
    float *measures = calloc(count + 1, sizeof *measures);
    if (!measures)
        return PyErr_NoMemory();
    Outcome outcome;
    int64_t beyond;
    Py_BEGIN_ALLOW_THREADS
    outcome = measure_all(table, arrays, measures, &beyond);
    Py_END_ALLOW_THREADS
    if (outcome == DONE && !beyond)
        return owned(module, measures, count * sizeof *measures);
    free(measures);
    return outcome == DONE ? PyLong_FromLongLong(beyond)
                           : raise_outcome(outcome, "measure_tables");
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
    const Batch *batch = blocks_of(module, object);
    if (batch) {
        const Table *table = &batch->table;
        result = measured(module, table, arrays);
    }
    arrays_return(arrays, N_ARRAYS);
    return result;
}

/* --- Columns of cells -------------------------------------------------------------------------- */

/* Columns of the cells of tables with spans. */
static Outcome find_columns(const Table *table, const Array *arrays, int64_t *columns)
{
    const int64_t *tables = arrays[TABLES].items, *offsets = arrays[CELL_OFFSETS].items;
    Leaf leaf = {0};
    Outcome outcome = DONE;
    for (int64_t i = 0; outcome == DONE && i < arrays[TABLES].length; i++) {
        outcome = WRONG;
        if (is_element(table, tables[i]))
            outcome = read_and_place(table, arrays, i, table->elements.close[tables[i]] + 1, NULL,
                                     &leaf);
        for (int64_t cell = 0; outcome == DONE && cell < count_cells(&leaf); cell++)
            columns[offsets[i] + cell] = leaf_cells(&leaf)[cell].first_column;
    }
    leaf_free(&leaf);
    return outcome;
}

static PyObject *columns_found(PyObject *module, const Table *table, const Array *arrays)
{
    size_t n_cells = (size_t)arrays[COLUMNS].length;
    if (!spans_fit(arrays))
        return raise_outcome(WRONG, "cell_columns");
    int64_t *columns = calloc(n_cells + 1, sizeof *columns);
    if (!columns)
        return PyErr_NoMemory();
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = find_columns(table, arrays, columns);
    Py_END_ALLOW_THREADS
    if (outcome == DONE)
        return owned(module, columns, n_cells * sizeof *columns);
    free(columns);
    return raise_outcome(outcome, "cell_columns");
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
    const Batch *batch = blocks_of(module, object);
    if (batch) {
        const Table *table = &batch->table;
        result = columns_found(module, table, arrays);
    }
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
