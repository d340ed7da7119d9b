/* Stages: judgments on labelled blocks, from Python. */
#include "kinds/kinds.h"

enum { MOST_INPUTS = 3 };
enum { PAGES, BLOCKS, SEGMENTS, ELEMENTS };

/* The block of each page that is its headline, an int64. */
static Outcome judge_headlines(const Request *request, uint8_t *found)
{
    return find_headlines(request, (int64_t *)(void *)found);
}

static const struct Judgment {
    const char *name;
    Judge judge;
    int of;            /* what there is an item for each of */
    size_t size;       /* bytes of an item */
    const char *types; /* of the inputs, three letters each: as of `array_borrow`, '?' for None */
} judgments[] = {
    {"hidden", judge_hidden, ELEMENTS, 1, "u1 "},
    {"copies", judge_copies, BLOCKS, 1, "u1 f8 b1 "},
    {"hidden_copies", judge_hidden_copies, SEGMENTS, 1, "u1 b1 i8 "},
    {"heading_links", judge_heading_links, SEGMENTS, 1, "u1 i8 "},
    {"names", judge_names, PAGES, 1, "u8 u1 u1?"},
    {"dangling", judge_dangling, BLOCKS, 1, "u1 "},
    {"gutters", judge_gutters, PAGES, 1, "u1 "},
    {"headlines", judge_headlines, PAGES, sizeof(int64_t), "u1 b1?f8?"},
};

static const struct Judgment *judgment_of(const char *name)
{
    for (size_t i = 0; i < sizeof judgments / sizeof *judgments; i++)
        if (strcmp(judgments[i].name, name) == 0)
            return &judgments[i];
    PyErr_Format(PyExc_ValueError, "no judgment %s", name);
    return NULL;
}

/* Borrow a tuple of inputs; -1 with an exception set. What is borrowed is to be given back anyway. */
static int borrow_inputs(Array *arrays, PyObject *inputs, const struct Judgment *judgment)
{
    size_t count = strlen(judgment->types) / 3;
    if (PyTuple_Size(inputs) != (Py_ssize_t)count) {
        PyErr_Format(PyExc_ValueError, "%s wants %zu arrays", judgment->name, count);
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        arrays[i].type = judgment->types + 3 * i;
        if (!array_of(PyTuple_GetItem(inputs, (Py_ssize_t)i), &arrays[i]))
            return -1;
    }
    return 0;
}

static PyObject *judged(PyObject *module, const struct Judgment *judgment, const Request *request)
{
    const int64_t counts[] = {
        [PAGES] = request->table->n_pages,
        [BLOCKS] = request->table->n_blocks,
        [SEGMENTS] = request->table->n_segments,
        [ELEMENTS] = request->table->n_elements,
    };
    size_t count = (size_t)counts[judgment->of] * judgment->size;
    uint8_t *found = calloc(count + 1, 1);
    if (!found)
        return PyErr_NoMemory();
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = judgment->judge(request, found);
    Py_END_ALLOW_THREADS
    if (outcome == DONE)
        return owned(module, found, count);
    free(found);
    return raise_outcome(outcome, judgment->name);
}

/* judge(name, batch, inputs): a byte for each page, block, segment or element; of "headlines" the block of
 * each page */
static PyObject *judge(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *object, *inputs, *result = NULL;
    if (!PyArg_ParseTuple(args, "sOO!", &name, &object, &PyTuple_Type, &inputs))
        return NULL;
    const struct Judgment *judgment = judgment_of(name);
    const Batch *batch = !judgment ? NULL
                         : judgment->judge == judge_gutters ? blocks_of(module, object)
                                                            : batch_of(module, object);
    if (!batch)
        return NULL;
    Array arrays[MOST_INPUTS] = {0};
    Arena arena = {0};
    const Request request = {.table = &batch->table, .shared = &batch->shared, .arena = &arena,
                             .inputs = arrays, .vocabulary = vocabulary_of(batch->vocabulary)};
    if (borrow_inputs(arrays, inputs, judgment) == 0)
        result = judged(module, judgment, &request);
    arena_free(&arena);
    arrays_return(arrays, MOST_INPUTS);
    return result;
}

PyMethodDef kinds_methods[] = {
    {"judge", judge, METH_VARARGS, "What labelled blocks are, or where to look for it."},
    {"letters_also", letters_also, METH_VARARGS, "Letters of segments that stand in others, too."},
    {NULL, NULL, 0, NULL},
};
