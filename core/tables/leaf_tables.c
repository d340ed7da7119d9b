/* Stage: tables that hold no table, measured. What Python calls. */
#include "tables/leaf.h"
#include <stdlib.h>

/* --- What several functions are given ---------------------------------------------------------- */

/* A block table, and what its tags are to a table. */
typedef struct {
    Table table;
    Array roles;
} Given;

static void return_given(Given *given)
{
    array_return(&given->roles);
    table_return(&given->table);
}

static int borrow_given(Given *given, PyObject *block_table, PyObject *roles)
{
    memset(&given->roles, 0, sizeof given->roles);
    if (table_borrow(&given->table, block_table, false) < 0)
        return -1;
    if (array_borrow(&given->roles, roles, 'u', 2) == 0) {
        if (given->roles.length == N_TAG_IDS)
            return 0;
        raise_outcome(WRONG, "roles of tags");
    }
    return_given(given);
    return -1;
}

/* Borrow some more arrays; those borrowed are given back if one fails. */
static int borrow_arrays(Array *arrays, PyObject *const *objects, const char *kinds,
                         const size_t *sizes)
{
    for (int i = 0; kinds[i]; i++)
        if (array_borrow(&arrays[i], objects[i], kinds[i], sizes[i]) < 0) {
            while (i-- > 0)
                array_return(&arrays[i]);
            return -1;
        }
    return 0;
}

static void return_arrays(Array *arrays, int count)
{
    for (int i = 0; i < count; i++)
        array_return(&arrays[i]);
}

static const uint16_t *roles_of(const Given *given)
{
    return given->roles.items;
}

/* --- Measures of tables ------------------------------------------------------------------------ */

enum { TABLES, ENDS, CELL_OFFSETS, COLUMNS, ROWS, MARKS, CHARACTERS, N_MEASURE_ARRAYS };

static bool is_element(const Table *table, int64_t element)
{
    return element >= 0 && element < table->n_elements;
}

/* Measure tables; `*beyond` is a character of which nothing is known, 0 if all are known. */
static Outcome measure_all(const Given *given, const Array *arrays, float *measures,
                           int64_t *beyond)
{
    const int64_t *tables = arrays[TABLES].items, *ends = arrays[ENDS].items;
    const int64_t *offsets = arrays[CELL_OFFSETS].items;
    CharacterBits bits = {arrays[CHARACTERS].items, arrays[CHARACTERS].length};
    Leaf leaf = {0};
    Outcome outcome = DONE;
    for (int64_t i = 0; outcome == DONE && !leaf.beyond && i < arrays[TABLES].length; i++) {
        Spans spans = {arrays[COLUMNS].items, arrays[ROWS].items, offsets[i + 1]};
        outcome = WRONG;
        if (!is_element(&given->table, tables[i]) || ends[i] > given->table.n_tags ||
            offsets[i] < 0 || offsets[i] > offsets[i + 1] || offsets[i + 1] > arrays[COLUMNS].length)
            break;
        outcome = read_leaf(&given->table, roles_of(given), tables[i], ends[i], &spans, offsets[i],
                            &bits, &leaf);
        if (outcome == DONE && count_cells(&leaf) == 0)
            outcome = WRONG; /* a candidate has cells */
        if (outcome == DONE)
            outcome = place_cells(&leaf);
        if (outcome == DONE)
            outcome = measure_leaf(&leaf, (const uint8_t *)arrays[MARKS].items + i * N_MARKS,
                                   measures + i * N_MEASURES);
    }
    *beyond = leaf.beyond;
    leaf_free(&leaf);
    return outcome;
}

static bool measure_arrays_fit(const Array *arrays)
{
    int64_t n_tables = arrays[TABLES].length;
    return arrays[ENDS].length == n_tables && arrays[CELL_OFFSETS].length == n_tables + 1 &&
           arrays[ROWS].length == arrays[COLUMNS].length &&
           arrays[MARKS].length == n_tables * N_MARKS;
}

static PyObject *measured(PyObject *module, const Given *given, const Array *arrays)
{
    if (!measure_arrays_fit(arrays))
        return raise_outcome(WRONG, "measure_tables");
    size_t count = (size_t)arrays[TABLES].length * N_MEASURES;
    float *measures = calloc(count ? count : 1, sizeof(float));
    if (!measures)
        return PyErr_NoMemory();
    Outcome outcome;
    int64_t beyond;
    Py_BEGIN_ALLOW_THREADS
    outcome = measure_all(given, arrays, measures, &beyond);
    Py_END_ALLOW_THREADS
    if (outcome == DONE && !beyond)
        return owned(module, measures, count * sizeof(float));
    free(measures);
    return outcome == DONE ? PyLong_FromLongLong(beyond)
                           : raise_outcome(outcome, "measure_tables");
}

/* measure_tables(block_table, roles, tables, ends, cell_offsets, columns, rows, marks, characters):
 * (tables, N_MEASURES) float32; or, if `characters` has no bits for some character, that one. The
 * tables, their ends and the offsets of their cells are those of `_Leaves` in
 * `victor.tables.page_tables`; columns and rows are the spans of the cells, marks (tables, N_MARKS)
 * uint8. */
static PyObject *measure_tables(PyObject *module, PyObject *arguments)
{
    PyObject *block_table, *roles, *objects[N_MEASURE_ARRAYS], *result = NULL;
    Given given;
    Array arrays[N_MEASURE_ARRAYS];
    const size_t sizes[] = {8, 8, 8, 8, 8, 1, 1};
    if (!PyArg_ParseTuple(arguments, "OOOOOOOOO", &block_table, &roles, &objects[0], &objects[1],
                          &objects[2], &objects[3], &objects[4], &objects[5], &objects[6]) ||
        borrow_given(&given, block_table, roles) < 0)
        return NULL;
    if (borrow_arrays(arrays, objects, "iiiiiuu", sizes) == 0) {
        result = measured(module, &given, arrays);
        return_arrays(arrays, N_MEASURE_ARRAYS);
    }
    return_given(&given);
    return result;
}

/* --- Columns of cells -------------------------------------------------------------------------- */

enum { SPANNED_TABLES, SPANNED_OFFSETS, SPANNED_COLUMNS, SPANNED_ROWS, N_SPANNED_ARRAYS };

/* Columns of the cells of tables with spans. */
static Outcome find_columns(const Given *given, const Array *arrays, int64_t *columns)
{
    const int64_t *tables = arrays[SPANNED_TABLES].items, *offsets = arrays[SPANNED_OFFSETS].items;
    int64_t n_cells = arrays[SPANNED_COLUMNS].length;
    Leaf leaf = {0};
    Outcome outcome = DONE;
    for (int64_t i = 0; outcome == DONE && i < arrays[SPANNED_TABLES].length; i++) {
        Spans spans = {arrays[SPANNED_COLUMNS].items, arrays[SPANNED_ROWS].items, offsets[i + 1]};
        outcome = WRONG;
        if (!is_element(&given->table, tables[i]) || offsets[i] < 0 || offsets[i + 1] > n_cells)
            break;
        outcome = read_leaf(&given->table, roles_of(given), tables[i],
                            given->table.elements.close[tables[i]] + 1, &spans, offsets[i], NULL,
                            &leaf);
        if (outcome == DONE && count_cells(&leaf) != offsets[i + 1] - offsets[i])
            outcome = WRONG;
        if (outcome == DONE)
            outcome = place_cells(&leaf);
        for (int64_t cell = 0; outcome == DONE && cell < count_cells(&leaf); cell++)
            columns[offsets[i] + cell] = leaf_cells(&leaf)[cell].first_column;
    }
    leaf_free(&leaf);
    return outcome;
}

/* cell_columns(block_table, roles, tables, cell_offsets, columns, rows): int64 column of every cell
 * with all spans expanded, given the spans. */
static PyObject *cell_columns(PyObject *module, PyObject *arguments)
{
    PyObject *block_table, *roles, *objects[N_SPANNED_ARRAYS], *result = NULL;
    Given given;
    Array arrays[N_SPANNED_ARRAYS];
    const size_t sizes[] = {8, 8, 8, 8};
    if (!PyArg_ParseTuple(arguments, "OOOOOO", &block_table, &roles, &objects[0], &objects[1],
                          &objects[2], &objects[3]) ||
        borrow_given(&given, block_table, roles) < 0)
        return NULL;
    if (borrow_arrays(arrays, objects, "iiii", sizes) == 0) {
        size_t n_cells = (size_t)arrays[SPANNED_COLUMNS].length;
        Outcome outcome = WRONG;
        int64_t *columns = calloc(n_cells + 1, sizeof *columns);
        if (columns && arrays[SPANNED_OFFSETS].length == arrays[SPANNED_TABLES].length + 1 &&
            arrays[SPANNED_ROWS].length == arrays[SPANNED_COLUMNS].length) {
            Py_BEGIN_ALLOW_THREADS
            outcome = find_columns(&given, arrays, columns);
            Py_END_ALLOW_THREADS
        }
        if (outcome == DONE) {
            result = owned(module, columns, n_cells * sizeof *columns);
        } else {
            raise_outcome(columns ? outcome : MEMORY, "cell_columns");
            free(columns);
        }
        return_arrays(arrays, N_SPANNED_ARRAYS);
    }
    return_given(&given);
    return result;
}

PyMethodDef leaf_tables_methods[] = {
    {"measure_tables", measure_tables, METH_VARARGS, NULL},
    {"cell_columns", cell_columns, METH_VARARGS, NULL},
    {"forest_shares", forest_shares, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
