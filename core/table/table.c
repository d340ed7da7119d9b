/* Borrow a block table from Python. */
#include "table/table.h"
#include <stdlib.h>

/* An array of `BlockTable`, and where it goes in `Table`. */
typedef struct {
    const char *part; /* the attribute that holds it; NULL if it is of the block table itself */
    const char *name;
    char kind;
    size_t size;
    size_t items;  /* offset of the pointer */
    size_t length; /* offset of the count; to be stored if that is negative, else to be met */
    int64_t more;  /* items beyond that length */
} Field;

#define FIELD(part, name, member, kind, size, count, more) \
    {part, name, kind, size, offsetof(Table, member), offsetof(Table, count), more}
#define OWN(name, kind, size, count, more) FIELD(NULL, #name, name, kind, size, count, more)
#define PART(part, name, kind, size, count, more) \
    FIELD(#part, #name, part.name, kind, size, count, more)

static const Field block_fields[] = {
    OWN(chars, 'u', 4, n_chars, 0),
    OWN(page_starts, 'i', 8, n_pages, 1),
    OWN(segment_starts, 'i', 8, n_blocks, 1),
    OWN(page_roots, 'i', 8, n_pages, 0),
    PART(segments, tag, 'i', 8, n_segments, 0),
    PART(segments, start, 'i', 8, n_segments, 0),
    PART(segments, end, 'i', 8, n_segments, 0),
    PART(tags, id, 'i', 8, n_tags, 0),
    PART(tags, step, 'i', 1, n_tags, 0),
    PART(tags, element, 'i', 8, n_tags, 0),
    PART(tags, text_start, 'i', 8, n_tags, 0),
    PART(tags, text_length, 'i', 8, n_tags, 0),
    PART(tags, text_space, 'i', 8, n_tags, 0),
    PART(tags, bundle, 'i', 8, n_tags, 0),
    PART(elements, tag, 'i', 8, n_elements, 0),
    PART(elements, parent, 'i', 8, n_elements, 0),
    PART(elements, depth, 'i', 8, n_elements, 0),
    PART(elements, open, 'i', 8, n_elements, 0),
    PART(elements, close, 'i', 8, n_elements, 0),
    PART(elements, bundle, 'i', 8, n_elements, 0),
};

static const Field token_fields[] = {
    PART(tokens, start, 'i', 8, n_tokens, 0),
    PART(tokens, end, 'i', 8, n_tokens, 0),
    PART(tokens, kind, 'u', 1, n_tokens, 0),
    PART(tokens, word, 'b', 1, n_tokens, 0),
    PART(tokens, first_class, 'u', 1, n_tokens, 0),
    PART(tokens, last_class, 'u', 1, n_tokens, 0),
    PART(tokens, block_offsets, 'i', 8, n_blocks, 1),
    PART(tokens, segment_offsets, 'i', 8, n_segments, 1),
};

/* A field of a block table, as a new reference. */
static PyObject *value_of(PyObject *block_table, const Field *field)
{
    PyObject *part = field->part ? PyObject_GetAttrString(block_table, field->part) : block_table;
    PyObject *value = part ? PyObject_GetAttrString(part, field->name) : NULL;
    if (field->part)
        Py_XDECREF(part);
    return value;
}

/* Borrow the array of one field, in memory that never changes. */
static int borrow_kept(PyObject *module, Array *array, PyObject *block_table, const Field *field)
{
    PyObject *value = value_of(block_table, field);
    int status = value ? array_borrow(array, value, field->kind, field->size) : -1;
    if (status == 0)
        status = array_keep(module, array, value);
    if (status < 0)
        array_return(array);
    Py_XDECREF(value);
    return status;
}

/* The same of memory that a stage filled. */
static int borrow_memory(Array *array, PyObject *memory, const Field *field)
{
    if (PyObject_GetBuffer(memory, &array->buffer, PyBUF_SIMPLE) < 0)
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
        PyErr_Format(PyExc_ValueError, "%s of the block table has a wrong length", field->name);
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

/* What is lent; a reference to what keeps it stays with `table`. */
static int take_lent(Table *table, PyObject *capsule)
{
    const Table *lent = PyCapsule_GetPointer(capsule, LENT);
    if (!lent)
        return -1;
    memcpy(table, lent, offsetof(Table, arrays));
    table->lender = Py_NewRef(capsule);
    return 0;
}

static int take_lent_attribute(Table *table, PyObject *block_table, const char *name)
{
    PyObject *capsule = PyObject_GetAttrString(block_table, name);
    int status = capsule ? take_lent(table, capsule) : -1;
    Py_XDECREF(capsule);
    return status;
}

/* Borrow the arrays of the blocks, or those of the tokens beside what is borrowed of the blocks:
 * of a block table, or, of a stage that made them, from a tuple of memory. */
static int borrow_and_check(PyObject *module, Table *table, PyObject *source, bool tokens)
{
    const Field *fields = tokens ? token_fields : block_fields;
    size_t n_fields = (tokens ? sizeof token_fields : sizeof block_fields) / sizeof *fields;
    bool is_memory = PyTuple_Check(source);
    table->n_tokens = -1;
    if (!tokens) {
        table->n_pages = table->n_blocks = table->n_segments = table->n_tags = -1;
        table->n_elements = table->n_chars = -1;
    }
    for (size_t i = 0; i < n_fields; i++) {
        Array *array = &table->arrays[table->n_arrays];
        int status = is_memory ? borrow_memory(array, PyTuple_GetItem(source, (Py_ssize_t)i),
                                               &fields[i])
                               : borrow_kept(module, array, source, &fields[i]);
        if (status < 0 || store_field(table, &fields[i]) < 0)
            return -1;
    }
    if (tokens ? are_tokens_sound(table) : are_blocks_sound(table))
        return 0;
    PyErr_SetString(PyExc_ValueError, "the columns of the block table do not fit together");
    return -1;
}

PyObject *table_lend(PyObject *module, PyObject *source, PyObject *lent)
{
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return PyErr_NoMemory();
    PyObject *capsule = NULL;
    if ((!lent || take_lent(table, lent) == 0) &&
        borrow_and_check(module, table, source, lent != NULL) == 0)
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
    PyObject *lender = memories ? table_lend(module, memories, lent) : NULL;
    PyObject *both = lender ? PyTuple_Pack(2, memories, lender) : NULL;
    Py_XDECREF(memories);
    Py_XDECREF(lender);
    return both;
}

/* lend(table, lent) -> what `BlockTable.lent` and, given that, `BlockTable.lent_tokens` keep */
static PyObject *lend(PyObject *module, PyObject *args)
{
    PyObject *block_table, *lent;
    if (!PyArg_ParseTuple(args, "OO", &block_table, &lent))
        return NULL;
    if (PyTuple_Check(block_table)) { /* anyone's memory */
        PyErr_SetString(PyExc_AttributeError, "a tuple is no block table");
        return NULL;
    }
    return table_lend(module, block_table, lent == Py_None ? NULL : lent);
}

int table_borrow(Table *table, PyObject *block_table, bool with_tokens)
{
    memset(table, 0, sizeof *table);
    return take_lent_attribute(table, block_table, with_tokens ? "lent_tokens" : "lent");
}

int table_borrow_lent(Table *table, PyObject *lent)
{
    memset(table, 0, sizeof *table);
    return take_lent(table, lent);
}

void table_return(Table *table)
{
    for (int i = 0; i < table->n_arrays; i++)
        array_return(&table->arrays[i]);
    table->n_arrays = 0;
    Py_CLEAR(table->lender);
}

PyMethodDef table_methods[] = {
    {"lend", lend, METH_VARARGS, "The arrays of a block table, checked, for all stages."},
    {NULL, NULL, 0, NULL},
};
