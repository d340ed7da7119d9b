/* Stage: data tables and what is kept or dropped whole. What Python calls. */
#include "units.h"
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

static uint16_t role_of(const Given *given, int64_t element)
{
    return roles_of(given)[given->table.elements.tag[element]];
}

static bool append_number(Growing *array, int64_t number)
{
    if (!growing_reserve(array, sizeof number))
        return false;
    memcpy(array->items + array->used, &number, sizeof number);
    array->used += sizeof number;
    return true;
}

/* --- Tables that may hold data ----------------------------------------------------------------- */

/* Numbers that the search keeps of every element. */
typedef struct {
    int64_t table; /* innermost table, itself included; -1 for none */
    int64_t row;
    int64_t n_cells, n_rows; /* of a row, of a table */
    bool is_wide, has_table, has_kept;
} Around;

/* For each element what is around it, and for rows and tables what they hold. */
static void look_around(const Given *given, const uint8_t *kept, int64_t fewest, Around *around)
{
    const Table *table = &given->table;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        uint16_t role = role_of(given, e);
        around[e].table = parent < e ? around[parent].table : -1;
        around[e].row = parent < e ? around[parent].row : -1;
        if (role & IS_TABLE) {
            if (around[e].table >= 0)
                around[around[e].table].has_table = true;
            around[e].table = e;
        }
        if (role & IS_ROW) {
            around[e].row = e;
            if (around[e].table >= 0)
                around[around[e].table].n_rows++;
        }
        if (role & IS_CELL && around[e].row >= 0 &&
            ++around[around[e].row].n_cells == fewest && around[around[e].row].table >= 0)
            around[around[around[e].row].table].is_wide = true;
    }
    for (int64_t block = 0; block < table->n_blocks; block++) {
        int64_t tag = table->segments.tag[table->segment_starts[block]];
        int64_t holder = around[table->tags.element[tag]].table;
        if (kept[block] && holder >= 0)
            around[holder].has_kept = true;
    }
}

/* Lists of what was found, a row a table; cells by tables. */
typedef struct {
    Growing tables, ends, cell_offsets, cell_tags, with_code;
} Candidates;

/* Note a table, the end of its first rows, and the tags of the cells in them. */
static bool note_table(const Given *given, int64_t element, int64_t most_rows, Candidates *found)
{
    const Table *table = &given->table;
    int64_t close = table->elements.close[element], end = close + 1, n_rows = 0, with_code = 0;
    for (int64_t e = element; e < table->n_elements && table->elements.open[e] < close; e++) {
        uint16_t role = role_of(given, e);
        with_code |= (role & IS_PRE) != 0;
        if (role & IS_ROW && n_rows++ == most_rows)
            end = table->elements.open[e];
        if (role & IS_CELL && table->elements.open[e] < end &&
            !append_number(&found->cell_tags, table->elements.open[e]))
            return false;
    }
    int64_t n_cells = (int64_t)(found->cell_tags.used / sizeof(int64_t));
    return append_number(&found->tables, element) && append_number(&found->ends, end) &&
           append_number(&found->cell_offsets, n_cells) &&
           append_number(&found->with_code, with_code);
}

static Outcome find_candidates(const Given *given, const uint8_t *kept, int64_t fewest,
                               int64_t most_rows, Candidates *found)
{
    const Table *table = &given->table;
    Around *around = calloc((size_t)table->n_elements + 1, sizeof *around);
    bool has_memory = around && append_number(&found->cell_offsets, 0);
    if (around)
        look_around(given, kept, fewest, around);
    for (int64_t e = 0; has_memory && e < table->n_elements; e++)
        if (role_of(given, e) & IS_TABLE && !around[e].has_table && around[e].is_wide &&
            around[e].has_kept && around[e].n_rows >= fewest)
            has_memory = note_table(given, e, most_rows, found);
    free(around);
    return has_memory ? DONE : MEMORY;
}

/* table_candidates(block_table, roles, kept, fewest, most_rows): tables without tables in them that
 * have rows and cells enough, and something kept; as int64 arrays: elements, one past the last tag
 * of their first rows, offsets of tables among cells, tags of the cells in these rows, and whether
 * a table holds code. */
static PyObject *table_candidates(PyObject *module, PyObject *arguments)
{
    PyObject *block_table, *roles, *kept_object, *result = NULL;
    long long fewest, most_rows;
    Given given;
    Array kept;
    Candidates found = {0};
    if (!PyArg_ParseTuple(arguments, "OOOLL", &block_table, &roles, &kept_object, &fewest,
                          &most_rows) ||
        borrow_given(&given, block_table, roles) < 0)
        return NULL;
    if (array_borrow(&kept, kept_object, 'b', 1) < 0) {
        return_given(&given);
        return NULL;
    }
    Outcome outcome = WRONG;
    if (kept.length == given.table.n_blocks) {
        Py_BEGIN_ALLOW_THREADS
        outcome = find_candidates(&given, kept.items, fewest, most_rows, &found);
        Py_END_ALLOW_THREADS
    }
    array_return(&kept);
    return_given(&given);
    if (outcome == DONE)
        result = Py_BuildValue("(NNNNN)", owned_growing(module, &found.tables),
                               owned_growing(module, &found.ends),
                               owned_growing(module, &found.cell_offsets),
                               owned_growing(module, &found.cell_tags),
                               owned_growing(module, &found.with_code));
    else
        raise_outcome(outcome, "table_candidates");
    Growing *lists[] = {&found.tables, &found.ends, &found.cell_offsets, &found.cell_tags,
                        &found.with_code};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        growing_free(lists[i]);
    return result;
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
 * tables, their ends and the offsets of their cells are those of `table_candidates`; columns and
 * rows are the spans of the cells, marks (tables, N_MARKS) uint8. */
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

/* The cells of tables, a row a cell, and offsets of the tables among them. */
typedef struct {
    Growing offsets, cells, rows;
} FoundCells;

/* Note the cells of a table with the innermost row around each, -1 for none. */
static Outcome note_cells(const Given *given, int64_t element, const int64_t *row_of,
                          FoundCells *found)
{
    const Table *table = &given->table;
    if (!is_element(table, element))
        return WRONG;
    int64_t close = table->elements.close[element];
    for (int64_t e = element; e < table->n_elements && table->elements.open[e] < close; e++)
        if (role_of(given, e) & IS_CELL &&
            (!append_number(&found->cells, e) || !append_number(&found->rows, row_of[e])))
            return MEMORY;
    int64_t n_cells = (int64_t)(found->cells.used / sizeof(int64_t));
    return append_number(&found->offsets, n_cells) ? DONE : MEMORY;
}

static Outcome find_cells(const Given *given, const Array *tables, FoundCells *found)
{
    const Table *table = &given->table;
    int64_t *row_of = malloc(((size_t)table->n_elements + 1) * sizeof *row_of);
    Outcome outcome = row_of && append_number(&found->offsets, 0) ? DONE : MEMORY;
    for (int64_t e = 0; outcome == DONE && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        row_of[e] = role_of(given, e) & IS_ROW ? e : parent < e ? row_of[parent] : -1;
    }
    for (int64_t i = 0; outcome == DONE && i < tables->length; i++)
        outcome = note_cells(given, ((const int64_t *)tables->items)[i], row_of, found);
    free(row_of);
    return outcome;
}

/* table_cells(block_table, roles, tables): the cells of tables, as int64 arrays: offsets of the
 * tables among them, their elements, and the innermost row around each, -1 for none. */
static PyObject *table_cells(PyObject *module, PyObject *arguments)
{
    PyObject *block_table, *roles, *object, *result = NULL;
    Given given;
    Array tables;
    FoundCells found = {0};
    if (!PyArg_ParseTuple(arguments, "OOO", &block_table, &roles, &object) ||
        borrow_given(&given, block_table, roles) < 0)
        return NULL;
    if (array_borrow(&tables, object, 'i', 8) == 0) {
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = find_cells(&given, &tables, &found);
        Py_END_ALLOW_THREADS
        result = outcome == DONE ? Py_BuildValue("(NNN)", owned_growing(module, &found.offsets),
                                                 owned_growing(module, &found.cells),
                                                 owned_growing(module, &found.rows))
                                 : raise_outcome(outcome, "table_cells");
        array_return(&tables);
    }
    growing_free(&found.offsets);
    growing_free(&found.cells);
    growing_free(&found.rows);
    return_given(&given);
    return result;
}

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

/* roles_of_tags(ids, roles): bits of all roles that some tag ids have. */
static PyObject *roles_of_tags(PyObject *module, PyObject *arguments)
{
    (void)module;
    PyObject *objects[2];
    Array arrays[2];
    const size_t sizes[] = {8, 2};
    if (!PyArg_ParseTuple(arguments, "OO", &objects[0], &objects[1]) ||
        borrow_arrays(arrays, objects, "iu", sizes) < 0)
        return NULL;
    const int64_t *ids = arrays[0].items;
    const uint16_t *roles = arrays[1].items;
    int64_t outside = arrays[1].length != N_TAG_IDS;
    uint16_t all = 0;
    for (int64_t i = 0; !outside && i < arrays[0].length; i++) {
        outside |= ids[i] < 0 || ids[i] >= N_TAG_IDS;
        all |= roles[ids[i] & (N_TAG_IDS - 1)];
    }
    return_arrays(arrays, 2);
    return outside ? raise_outcome(WRONG, "roles_of_tags") : PyLong_FromLong(all);
}

/* --- Names of spans ---------------------------------------------------------------------------- */

enum { N_SPAN_NAME = 7 }; /* letters of "colspan" and "rowspan" */

/* How far a name may at least be moved on if a letter stands where its last one should. */
static size_t step_of(char letter)
{
    switch (letter | 0x20) {
    case 'a':
        return 1;
    case 'p':
        return 2;
    case 's':
        return 3;
    case 'l':
    case 'w':
        return 4;
    case 'o':
        return 5;
    case 'c':
    case 'r':
        return 6;
    default:
        return N_SPAN_NAME;
    }
}

static bool is_span_name(const char *text)
{
    bool is_column = true, is_row = true;
    for (int i = 0; i < N_SPAN_NAME; i++) {
        is_column &= (text[i] | 0x20) == "colspan"[i];
        is_row &= (text[i] | 0x20) == "rowspan"[i];
    }
    return is_column || is_row;
}

/* Is an attribute for spans of cells named in a page, or seems to be. Horspool's search. */
static bool has_span_name(const char *text, size_t length)
{
    uint8_t steps[256];
    for (int letter = 0; letter < 256; letter++)
        steps[letter] = (uint8_t)step_of((char)letter);
    for (size_t end = N_SPAN_NAME; end <= length;) {
        char last = text[end - 1];
        if ((last | 0x20) == 'n' && is_span_name(text + end - N_SPAN_NAME))
            return true;
        end += steps[(uint8_t)last];
    }
    return false;
}

/* names_spans(markup): whether "colspan" or "rowspan" stands in a page, in any case. A page where
 * neither does has no cell that spans others. */
static PyObject *names_spans(PyObject *module, PyObject *markup)
{
    (void)module;
    Array bytes;
    if (array_borrow(&bytes, markup, 'b', 1) < 0)
        return NULL;
    bool has_name;
    Py_BEGIN_ALLOW_THREADS
    has_name = has_span_name(bytes.items, (size_t)bytes.length);
    Py_END_ALLOW_THREADS
    array_return(&bytes);
    return PyBool_FromLong(has_name);
}

PyMethodDef units_methods[] = {
    {"names_spans", names_spans, METH_O, NULL},
    {"roles_of_tags", roles_of_tags, METH_VARARGS, NULL},
    {"table_candidates", table_candidates, METH_VARARGS, NULL},
    {"measure_tables", measure_tables, METH_VARARGS, NULL},
    {"table_cells", table_cells, METH_VARARGS, NULL},
    {"cell_columns", cell_columns, METH_VARARGS, NULL},
    {"forest_shares", forest_shares, METH_VARARGS, NULL},
    {"embedded_events", embedded_events, METH_VARARGS, NULL},
    {"count_pages", count_pages, METH_VARARGS, NULL},
    {"label_units", label_units, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
