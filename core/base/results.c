/* The arrays that a stage makes, as one tuple of memory for Python. */
#include "base/results.h"
#include <stdlib.h>

bool results_take(Result *results, size_t count)
{
    bool complete = true;
    for (size_t i = 0; i < count; i++) {
        size_t room = (size_t)results[i].room + 1; /* never nothing: malloc may give NULL for it */
        bool fits = room <= SIZE_MAX / results[i].size;
        *results[i].items = fits ? malloc(room * results[i].size) : NULL;
        complete &= *results[i].items != NULL;
    }
    if (!complete)
        results_free(results, count);
    return complete;
}

void results_free(Result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(*results[i].items);
        *results[i].items = NULL;
    }
}

/* The memory of a result, without the room that it did not need. */
static PyObject *shrunk(PyObject *module, Result *result)
{
    size_t bytes = (size_t)result->used * result->size;
    void *memory = result->used < result->room ? realloc(*result->items, bytes + 1) : NULL;
    if (!memory) /* it stays where and what it is */
        memory = *result->items;
    *result->items = NULL;
    return owned(module, memory, bytes);
}

PyObject *results_hand_over(PyObject *module, Result *results, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *memory = shrunk(module, &results[i]);
        if (!memory || PyTuple_SetItem(tuple, (Py_ssize_t)i, memory) < 0) {
            Py_DECREF(tuple);
            tuple = NULL;
        }
    }
    results_free(results, count);
    return tuple;
}
