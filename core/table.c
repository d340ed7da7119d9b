/* Borrow a block table from Python. */
#include "table.h"
#include <stdlib.h>

typedef struct {
    const char *name;
    char kind;
    size_t size;
    const void **items;
    int64_t *length; /* to be stored if negative, else to be met */
    int64_t more;    /* items beyond that length */
} Field;

/* Borrow the attributes of one object. */
static int borrow_fields(Table *table, PyObject *object, const Field *fields, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const Field *field = &fields[i];
        Array *array = &table->arrays[table->n_arrays];
        if (array_borrow_attribute(array, object, field->name, field->kind, field->size) < 0)
            return -1;
        table->n_arrays++;
        *field->items = array->items;
        if (*field->length < 0)
            *field->length = array->length - field->more;
        if (array->length != *field->length + field->more || *field->length < 0) {
            PyErr_Format(PyExc_ValueError, "%s of the block table has a wrong length", field->name);
            return -1;
        }
    }
    return 0;
}

static int borrow_part(Table *table, PyObject *object, const char *name, const Field *fields,
                       size_t count)
{
    PyObject *part = PyObject_GetAttrString(object, name);
    if (!part)
        return -1;
    int status = borrow_fields(table, part, fields, count);
    Py_DECREF(part); /* the table of Python holds it */
    return status;
}

#define COUNT(fields) (sizeof(fields) / sizeof *(fields))
#define INTS(pointer, name, length, more) \
    {name, 'i', 8, (const void **)&(pointer), &(length), (more)}
#define BYTES(pointer, name, kind, length) {name, kind, 1, (const void **)&(pointer), &(length), 0}

static int borrow_blocks(Table *t, PyObject *object)
{
    const Field own[] = {
        {"chars", 'u', 4, (const void **)&t->chars, &t->n_chars, 0},
        INTS(t->page_starts, "page_starts", t->n_pages, 1),
        INTS(t->segment_starts, "segment_starts", t->n_blocks, 1),
        INTS(t->page_roots, "page_roots", t->n_pages, 0),
    };
    const Field segments[] = {
        INTS(t->segments.tag, "tag", t->n_segments, 0),
        INTS(t->segments.start, "start", t->n_segments, 0),
        INTS(t->segments.end, "end", t->n_segments, 0),
    };
    const Field tags[] = {
        INTS(t->tags.id, "id", t->n_tags, 0),
        BYTES(t->tags.step, "step", 'i', t->n_tags),
        INTS(t->tags.element, "element", t->n_tags, 0),
        INTS(t->tags.text_start, "text_start", t->n_tags, 0),
        INTS(t->tags.text_length, "text_length", t->n_tags, 0),
        INTS(t->tags.text_space, "text_space", t->n_tags, 0),
        INTS(t->tags.bundle, "bundle", t->n_tags, 0),
    };
    const Field elements[] = {
        INTS(t->elements.tag, "tag", t->n_elements, 0),
        INTS(t->elements.parent, "parent", t->n_elements, 0),
        INTS(t->elements.depth, "depth", t->n_elements, 0),
        INTS(t->elements.open, "open", t->n_elements, 0),
        INTS(t->elements.close, "close", t->n_elements, 0),
        INTS(t->elements.bundle, "bundle", t->n_elements, 0),
    };
    if (borrow_fields(t, object, own, COUNT(own)) < 0 ||
        borrow_part(t, object, "segments", segments, COUNT(segments)) < 0 ||
        borrow_part(t, object, "tags", tags, COUNT(tags)) < 0)
        return -1;
    return borrow_part(t, object, "elements", elements, COUNT(elements));
}

static int borrow_tokens(Table *t, PyObject *object)
{
    const Field tokens[] = {
        INTS(t->tokens.start, "start", t->n_tokens, 0),
        INTS(t->tokens.end, "end", t->n_tokens, 0),
        BYTES(t->tokens.kind, "kind", 'u', t->n_tokens),
        BYTES(t->tokens.word, "word", 'b', t->n_tokens),
        BYTES(t->tokens.first_class, "first_class", 'u', t->n_tokens),
        BYTES(t->tokens.last_class, "last_class", 'u', t->n_tokens),
        INTS(t->tokens.block_offsets, "block_offsets", t->n_blocks, 1),
        INTS(t->tokens.segment_offsets, "segment_offsets", t->n_segments, 1),
    };
    return borrow_part(t, object, "tokens", tokens, COUNT(tokens));
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
                 are_below(t->tags.id, t->n_tags, 0, 128) &&
                 are_below(t->tags.element, t->n_tags, 0, t->n_elements) &&
                 are_below(t->elements.tag, t->n_elements, 0, 128) &&
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

/* What a table, or a stage before, has lent; a reference to what keeps it stays with `table`. */
static int take_lent(Table *table, PyObject *block_table, const char *name)
{
    memset(table, 0, sizeof *table);
    PyObject *capsule = PyObject_GetAttrString(block_table, name);
    const Table *lent = capsule ? PyCapsule_GetPointer(capsule, LENT) : NULL;
    if (!lent) {
        Py_XDECREF(capsule);
        return -1;
    }
    memcpy(table, lent, offsetof(Table, arrays));
    table->lender = capsule;
    return 0;
}

static int borrow_and_check(Table *table, PyObject *block_table, bool tokens)
{
    bool sound;
    if (tokens) {
        if (take_lent(table, block_table, "lent") < 0)
            return -1;
        table->n_tokens = -1;
        if (borrow_tokens(table, block_table) < 0)
            return -1;
        sound = are_tokens_sound(table);
    } else {
        table->n_pages = table->n_blocks = table->n_segments = table->n_tags = -1;
        table->n_elements = table->n_chars = -1;
        if (borrow_blocks(table, block_table) < 0)
            return -1;
        sound = are_blocks_sound(table);
    }
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "the columns of the block table do not fit together");
    return sound ? 0 : -1;
}

/* lend(table, tokens) -> what `BlockTable.lent` and, with tokens, `BlockTable.lent_tokens` keep */
static PyObject *lend(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *block_table;
    int tokens;
    if (!PyArg_ParseTuple(args, "Op", &block_table, &tokens))
        return NULL;
    Table *table = calloc(1, sizeof *table);
    if (!table)
        return PyErr_NoMemory();
    PyObject *capsule = NULL;
    if (borrow_and_check(table, block_table, tokens) == 0)
        capsule = PyCapsule_New(table, LENT, lent_free);
    if (!capsule) {
        table_return(table);
        free(table);
    }
    return capsule;
}

int table_borrow(Table *table, PyObject *block_table, bool with_tokens)
{
    return take_lent(table, block_table, with_tokens ? "lent_tokens" : "lent");
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
