/* Stage: attributes of a batch to numbers of classes, and to what hides an element. */
#include "columns/batch.h"
#include <stdlib.h>

/* class_numbers(batch, column) -> number of the first class by row, 0 for none; the last item is
 * for no row */
static PyObject *class_numbers(PyObject *module, PyObject *args)
{
    PyObject *object;
    long long number;
    if (!PyArg_ParseTuple(args, "OL", &object, &number))
        return NULL;
    const Batch *batch = blocks_of(module, object);
    const int64_t column = number;
    Bundles bundles;
    if (!batch || bundles_of(batch, &column, 1, &bundles) < 0)
        return NULL;
    size_t count = (size_t)bundles.n_rows + 1;
    int64_t *numbers = calloc(count, sizeof *numbers);
    Outcome outcome = MEMORY;
    if (numbers) {
        Py_BEGIN_ALLOW_THREADS
        outcome = number_words(numbers, &bundles);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE)
        return owned(module, numbers, count * sizeof *numbers);
    free(numbers);
    return raise_outcome(outcome, "class_numbers");
}

/* hiding(batch, style, hidden, aria_hidden) -> a byte by row of columns; the last is for no row */
static PyObject *hiding(PyObject *module, PyObject *args)
{
    PyObject *object;
    long long numbers[3];
    if (!PyArg_ParseTuple(args, "OLLL", &object, &numbers[0], &numbers[1], &numbers[2]))
        return NULL;
    const Batch *batch = blocks_of(module, object);
    const int64_t columns[3] = {numbers[0], numbers[1], numbers[2]};
    Bundles bundles;
    if (!batch || bundles_of(batch, columns, 3, &bundles) < 0)
        return NULL;
    size_t count = (size_t)bundles.n_rows + 1;
    uint8_t *hides = calloc(count, 1);
    if (!hides)
        return PyErr_NoMemory();
    Py_BEGIN_ALLOW_THREADS
    fill_hides(hides, &bundles);
    Py_END_ALLOW_THREADS
    return owned(module, hides, count);
}

PyMethodDef bundles_methods[] = {
    {"class_numbers", class_numbers, METH_VARARGS, "Numbers of the first classes by bundle row."},
    {"hiding", hiding, METH_VARARGS, "Which bundle rows hide their element."},
    {NULL, NULL, 0, NULL},
};
