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

/* A result without the room that it did not need. */
static Column shrunk(Result *result)
{
    size_t bytes = (size_t)result->used * result->size;
    void *memory = result->used < result->room ? realloc(*result->items, bytes + 1) : NULL;
    if (!memory) /* it stays where and what it is */
        memory = *result->items;
    *result->items = NULL;
    return (Column){memory, result->size, result->used};
}

void results_move(Result *results, size_t count, Column *columns)
{
    for (size_t i = 0; i < count; i++)
        columns[i] = shrunk(&results[i]);
}

Outcome copy_column(Column *column, const Array *array, size_t size)
{
    size_t bytes = (size_t)array->length * size;
    *column = (Column){malloc(bytes + 1), size, array->length};
    if (column->items && bytes)
        memcpy(column->items, array->items, bytes);
    return column->items ? DONE : MEMORY;
}

void columns_free(Column *columns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(columns[i].items);
}

Column column_of_grown(void *items, size_t size, size_t *used, size_t *capacity)
{
    void *memory, *nothing = NULL;
    memcpy(&memory, items, sizeof memory);
    memcpy(items, &nothing, sizeof nothing);
    void *fitting = realloc(memory, *used * size + 1); /* never of 0 bytes */
    Column column = {fitting ? fitting : memory, size, (int64_t)*used};
    *used = *capacity = 0;
    return column;
}

PyObject *owned_column(PyObject *module, Column column)
{
    return owned(module, column.items, (size_t)column.count * column.size);
}

PyObject *results_hand_over(PyObject *module, Result *results, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *memory = owned_column(module, shrunk(&results[i]));
        if (!memory || PyTuple_SetItem(tuple, (Py_ssize_t)i, memory) < 0)
            Py_CLEAR(tuple);
    }
    results_free(results, count);
    return tuple;
}
