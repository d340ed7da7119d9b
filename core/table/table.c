/* Borrow a block table from Python. */
#include "table/table.h"
#include "base/arrays.h"
#include <stdlib.h>

/* A column of `BlockTable`, and where it goes in `Table`. */
typedef struct {
    char kind;
    size_t size;
    size_t items;  /* offset of the pointer */
    size_t length; /* offset of the count; to be stored if that is negative, else to be met */
    int64_t more;  /* items beyond that length */
} Field;

#define FIELD(member, kind, size, count, more) \
    {kind, size, offsetof(Table, member), offsetof(Table, count), more}

static const Field block_fields[] = {
    FIELD(chars, 'u', 4, n_chars, 0),
    FIELD(page_starts, 'i', 8, n_pages, 1),
    FIELD(segment_starts, 'i', 8, n_blocks, 1),
    FIELD(page_roots, 'i', 8, n_pages, 0),
    FIELD(segments.tag, 'i', 8, n_segments, 0),
    FIELD(segments.start, 'i', 8, n_segments, 0),
    FIELD(segments.end, 'i', 8, n_segments, 0),
    FIELD(tags.id, 'i', 8, n_tags, 0),
    FIELD(tags.step, 'i', 1, n_tags, 0),
    FIELD(tags.element, 'i', 8, n_tags, 0),
    FIELD(tags.text_start, 'i', 8, n_tags, 0),
    FIELD(tags.text_length, 'i', 8, n_tags, 0),
    FIELD(tags.text_space, 'i', 8, n_tags, 0),
    FIELD(tags.bundle, 'i', 8, n_tags, 0),
    FIELD(elements.tag, 'i', 8, n_elements, 0),
    FIELD(elements.parent, 'i', 8, n_elements, 0),
    FIELD(elements.depth, 'i', 8, n_elements, 0),
    FIELD(elements.open, 'i', 8, n_elements, 0),
    FIELD(elements.close, 'i', 8, n_elements, 0),
    FIELD(elements.bundle, 'i', 8, n_elements, 0),
};

static const Field token_fields[] = {
    FIELD(tokens.start, 'i', 8, n_tokens, 0),
    FIELD(tokens.end, 'i', 8, n_tokens, 0),
    FIELD(tokens.kind, 'u', 1, n_tokens, 0),
    FIELD(tokens.word, 'b', 1, n_tokens, 0),
    FIELD(tokens.first_class, 'u', 1, n_tokens, 0),
    FIELD(tokens.last_class, 'u', 1, n_tokens, 0),
    FIELD(tokens.block_offsets, 'i', 8, n_blocks, 1),
    FIELD(tokens.segment_offsets, 'i', 8, n_segments, 1),
};

/* Borrow a column, in memory that never changes: that of a stage is whatever it filled it with. */
static int borrow_column(PyObject *module, Array *array, PyObject *column, const Field *field)
{
    const ModuleState *state = PyModule_GetState(module);
    if (Py_TYPE(column) != state->memory_type) {
        if (array_borrow(array, column, field->kind, field->size) == 0 &&
            array_keep(module, array, column) == 0)
            return 0;
        array_return(array);
        return -1;
    }
    if (PyObject_GetBuffer(column, &array->buffer, PyBUF_SIMPLE) < 0)
        return -1;
    array->items = array->buffer.buf;
    array->length = array->buffer.len / (Py_ssize_t)field->size;
    return 0;
}

/* Let a field be what was borrowed for it. */
static int store_field(Table *table, const Field *field)
{
    const Array *array = &table->arrays[table->n_arrays++];
    int64_t *count = (int64_t *)((char *)table + field->length);
    if (*count < 0)
        *count = array->length - field->more;
    if (array->length != *count + field->more || *count < 0) {
        PyErr_SetString(PyExc_ValueError, "a column of the block table has a wrong length");
        return -1;
    }
    memcpy((char *)table + field->items, &array->items, sizeof array->items);
    return 0;
}

/* Is the highest bit set, that is the sign of a difference. The loops below gather signs, which
 * compilers turn into code for several numbers at once, unlike comparisons. */
static bool is_negative(uint64_t difference)
{
    return difference >> 63;
}

/* Are all numbers at least a lowest one, -1 to 1, and below a bound, which is not negative. A
 * difference that goes round makes the other one negative. */
static bool are_below(const int64_t *numbers, int64_t count, int64_t lowest, int64_t bound)
{
    uint64_t signs = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = (uint64_t)numbers[i];
        signs |= (number - (uint64_t)lowest) | ((uint64_t)bound - 1 - number);
    }
    return !is_negative(signs);
}

/* Do offsets ascend from 0 to a last one. */
static bool are_offsets(const int64_t *offsets, int64_t count, int64_t last)
{
    uint64_t signs = 0;
    for (int64_t i = 0; i < count; i++)
        signs |= (uint64_t)offsets[i + 1] - (uint64_t)offsets[i];
    return !is_negative(signs) && offsets[0] == 0 && offsets[count] == last &&
           are_below(offsets, count, 0, last + 1);
}

static bool are_blocks_sound(const Table *t)
{
    bool sound = are_offsets(t->page_starts, t->n_pages, t->n_blocks) &&
                 are_offsets(t->segment_starts, t->n_blocks, t->n_segments) &&
                 are_below(t->page_roots, t->n_pages, 0, t->n_elements) &&
                 are_below(t->segments.tag, t->n_segments, 0, t->n_tags) &&
                 are_below(t->segments.start, t->n_segments, 0, t->n_chars) &&
                 are_below(t->segments.end, t->n_segments, 1, t->n_chars + 1) &&
                 are_below(t->tags.id, t->n_tags, 0, N_TAG_IDS) &&
                 are_below(t->tags.element, t->n_tags, 0, t->n_elements) &&
                 are_below(t->elements.tag, t->n_elements, 0, N_TAG_IDS) &&
                 are_below(t->elements.parent, t->n_elements, 0, t->n_elements) &&
                 are_below(t->elements.open, t->n_elements, 0, t->n_tags) &&
                 are_below(t->elements.close, t->n_elements, 0, t->n_tags);
    /* A block has a segment, a parent comes before its children. */
    for (int64_t i = 0; sound && i < t->n_blocks; i++)
        sound = t->segment_starts[i] < t->segment_starts[i + 1];
    for (int64_t e = 0; sound && e < t->n_elements; e++)
        sound = t->elements.parent[e] <= e;
    return sound;
}

static bool are_tokens_sound(const Table *t)
{
    return are_offsets(t->tokens.block_offsets, t->n_blocks, t->n_tokens) &&
           are_offsets(t->tokens.segment_offsets, t->n_segments, t->n_tokens) &&
           are_below(t->tokens.start, t->n_tokens, 0, t->n_chars) &&
           are_below(t->tokens.end, t->n_tokens, 1, t->n_chars + 1);
}

/* --- Tables that were borrowed once for all stages -------------------------------------------- */

static const char LENT[] = "victor._core.lent";

static void lent_free(PyObject *capsule)
{
    Table *table = PyCapsule_GetPointer(capsule, LENT);
    if (table)
        table_return(table);
    free(table);
}

int table_borrow_lent(Table *table, PyObject *capsule)
{
    memset(table, 0, sizeof *table);
    const Table *lent = PyCapsule_GetPointer(capsule, LENT);
    if (!lent)
        return -1;
    memcpy(table, lent, offsetof(Table, arrays));
    table->lender = Py_NewRef(capsule);
    return 0;
}

/* Borrow the columns of the blocks, or those of the tokens beside what is borrowed of the blocks. */
static int borrow_and_check(PyObject *module, Table *table, PyObject *columns, bool tokens)
{
    const Field *fields = tokens ? token_fields : block_fields;
    size_t n_fields = (tokens ? sizeof token_fields : sizeof block_fields) / sizeof *fields;
    if (!PyTuple_Check(columns) || PyTuple_Size(columns) != (Py_ssize_t)n_fields) {
        PyErr_SetString(PyExc_TypeError, "want the columns of a block table as a tuple");
        return -1;
    }
    table->n_tokens = -1;
    if (!tokens) {
        table->n_pages = table->n_blocks = table->n_segments = table->n_tags = -1;
        table->n_elements = table->n_chars = -1;
    }
    for (size_t i = 0; i < n_fields; i++) {
        PyObject *column = PyTuple_GetItem(columns, (Py_ssize_t)i);
        if (borrow_column(module, &table->arrays[table->n_arrays], column, &fields[i]) < 0 ||
            store_field(table, &fields[i]) < 0)
            return -1;
    }
    if (tokens ? are_tokens_sound(table) : are_blocks_sound(table))
        return 0;
    PyErr_SetString(PyExc_ValueError, "the columns of the block table do not fit together");
    return -1;
}

/* What a table lends, made of its columns; with the tokens if it is given what it lends without. */
static PyObject *lend_columns(PyObject *module, PyObject *columns, PyObject *lent)
{
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return PyErr_NoMemory();
    PyObject *capsule = NULL;
    if ((!lent || table_borrow_lent(table, lent) == 0) &&
        borrow_and_check(module, table, columns, lent != NULL) == 0)
        capsule = PyCapsule_New(table, LENT, lent_free);
    if (!capsule) {
        table_return(table);
        free(table);
    }
    return capsule;
}

PyObject *table_of_results(PyObject *module, Result *results, size_t count, PyObject *lent)
{
    PyObject *memories = results_hand_over(module, results, count);
    PyObject *lender = memories ? lend_columns(module, memories, lent) : NULL;
    PyObject *both = lender ? PyTuple_Pack(2, memories, lender) : NULL;
    Py_XDECREF(memories);
    Py_XDECREF(lender);
    return both;
}

/* lend(columns, lent) -> what `BlockTable.lent` and, given that, `BlockTable.lent_tokens` keep */
static PyObject *lend(PyObject *module, PyObject *args)
{
    PyObject *columns, *lent;
    if (!PyArg_ParseTuple(args, "OO", &columns, &lent))
        return NULL;
    return lend_columns(module, columns, lent == Py_None ? NULL : lent);
}

int table_borrow(Table *table, PyObject *block_table, bool with_tokens)
{
    PyObject *lent = PyObject_GetAttrString(block_table, with_tokens ? "lent_tokens" : "lent");
    int status = lent ? table_borrow_lent(table, lent) : -1;
    Py_XDECREF(lent);
    return status;
}

void table_return(Table *table)
{
    for (int i = 0; i < table->n_arrays; i++)
        array_return(&table->arrays[i]);
    table->n_arrays = 0;
    Py_CLEAR(table->lender);
}

/* What the elements around each element hand down; false if a parent is none before it. */
static bool hand_down(const int64_t *parents, int64_t n, const int64_t *own, bool joined,
                      int64_t *values)
{
    for (int64_t e = 0; e < n; e++) {
        if (parents[e] < 0 || parents[e] > e)
            return false;
        int64_t above = parents[e] == e ? own[e] : values[parents[e]];
        values[e] = joined ? own[e] | above : own[e] < 0 ? above : own[e];
    }
    return true;
}

/* handed_down(parents, values, joined) -> for every element its bits and those of all around it,
 * or, if not joined, its number, or where that is negative that of the nearest one which has one.
 * There may be several rows of values. */
static PyObject *handed_down(PyObject *module, PyObject *args)
{
    enum { PARENTS, VALUES, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {[PARENTS] = WANTED("i8"), [VALUES] = WANTED("i8")};
    int joined;
    if (!PyArg_ParseTuple(args, "O&O&p", BORROW(PARENTS), BORROW(VALUES), &joined))
        return NULL;
    const int64_t *own = arrays[VALUES].items;
    int64_t n = arrays[PARENTS].length, count = arrays[VALUES].length;
    int64_t *values = malloc(((size_t)count + 1) * sizeof *values);
    Outcome outcome = !values ? MEMORY : count == 0 || (n && count % n == 0) ? DONE : WRONG;
    Py_BEGIN_ALLOW_THREADS
    for (int64_t at = 0; outcome == DONE && at < count; at += n)
        if (!hand_down(arrays[PARENTS].items, n, own + at, joined, values + at))
            outcome = WRONG;
    Py_END_ALLOW_THREADS
    arrays_return(arrays, N_ARGUMENTS);
    if (outcome == DONE)
        return owned(module, values, (size_t)count * sizeof *values);
    free(values);
    return raise_outcome(outcome, "handed_down");
}

PyMethodDef table_methods[] = {
    {"handed_down", handed_down, METH_VARARGS, "Values of elements with those of elements around."},
    {"lend", lend, METH_VARARGS, "The arrays of a block table, checked, for all stages."},
    {NULL, NULL, 0, NULL},
};
