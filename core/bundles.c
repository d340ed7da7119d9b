/* Stage: values of attributes to numbers of classes, and to what hides an element. */
#include "bundles.h"
#include <stdlib.h>

bool is_white(uint32_t code)
{
    if (code < 0x80)
        return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20);
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

static int refuse_bundle(void)
{
    PyErr_SetString(PyExc_TypeError, "a bundle is a tuple of strings and None");
    return -1;
}

/* Add at most `most` characters of a value and a space. */
static int copy_value(Growing *chars, PyObject *value, Py_ssize_t most, int64_t *end)
{
    Py_ssize_t length = PyUnicode_GetLength(value);
    PyObject *begin = length > most ? PyUnicode_Substring(value, 0, most) : Py_NewRef(value);
    if (!begin)
        return -1;
    length = length > most ? most : length;
    int status = -1;
    if (!growing_reserve(chars, ((size_t)length + 1) * sizeof(uint32_t)))
        PyErr_NoMemory();
    else {
        uint32_t *copy = (uint32_t *)(chars->items + chars->used);
        status = length == 0 || PyUnicode_AsUCS4(begin, copy, length, 0) ? 0 : -1;
        copy[length] = ' ';
        *end = (int64_t)(chars->used / sizeof(uint32_t)) + length;
        chars->used += ((size_t)length + 1) * sizeof(uint32_t);
    }
    Py_DECREF(begin);
    return status;
}

/* Add the values of one row; one that is not true has none. */
static int copy_row(Values *values, int64_t row, PyObject *bundle, const Py_ssize_t *columns,
                    Py_ssize_t most)
{
    int64_t *start = values->start + row * values->n_columns;
    int64_t *end = values->end + row * values->n_columns;
    bool is_tuple = PyTuple_Check(bundle);
    if (!is_tuple && bundle != Py_None)
        return refuse_bundle();
    Py_ssize_t size = is_tuple ? PyTuple_Size(bundle) : 0;
    for (int64_t k = 0; k < values->n_columns; k++) {
        start[k] = end[k] = -1;
        if (size == 0)
            continue;
        if (columns[k] < 0 || columns[k] >= size)
            return refuse_bundle();
        PyObject *value = PyTuple_GetItem(bundle, columns[k]);
        if (value == Py_None)
            continue;
        if (!PyUnicode_Check(value))
            return refuse_bundle();
        start[k] = (int64_t)(values->text.used / sizeof(uint32_t));
        if (copy_value(&values->text, value, most, &end[k]) < 0)
            return -1;
    }
    return 0;
}

int values_copy(Values *values, PyObject *bundles, const Py_ssize_t *columns, int64_t n_columns,
                Py_ssize_t most)
{
    memset(values, 0, sizeof *values);
    if (!PyTuple_Check(bundles)) {
        PyErr_SetString(PyExc_TypeError, "bundles are a tuple");
        return -1;
    }
    values->n_rows = PyTuple_Size(bundles);
    values->n_columns = n_columns;
    size_t count = (size_t)(values->n_rows * n_columns);
    values->start = TAKE(&values->arena, int64_t, count);
    values->end = TAKE(&values->arena, int64_t, count);
    int status = 0;
    if (!values->start || !values->end || !growing_reserve(&values->text, sizeof(uint32_t))) {
        PyErr_NoMemory();
        status = -1;
    }
    for (int64_t row = 0; status == 0 && row < values->n_rows; row++) {
        PyObject *bundle = PyTuple_GetItem(bundles, (Py_ssize_t)row);
        status = copy_row(values, row, bundle, columns, most);
    }
    values->chars = (const uint32_t *)values->text.items;
    if (status < 0)
        values_free(values);
    return status;
}

void values_free(Values *values)
{
    growing_free(&values->text);
    arena_free(&values->arena);
}

/* --- Numbers of first classes ----------------------------------------------------------------- */

/* The first word of a value as a new reference; NULL without an exception if there is none. */
static PyObject *first_word(PyObject *value, const uint32_t *chars, int64_t length)
{
    int64_t start = 0, end;
    while (start < length && is_white(chars[start]))
        start++;
    for (end = start; end < length && !is_white(chars[end]);)
        end++;
    if (start == end)
        return NULL;
    if (end - start == length)
        return Py_NewRef(value);
    return PyUnicode_Substring(value, (Py_ssize_t)start, (Py_ssize_t)end);
}

/* The number of a class: that in a dictionary of Python's, which no choice of names makes slow. */
static int64_t number_of(PyObject *numbers, PyObject *name)
{
    PyObject *number = PyDict_GetItemWithError(numbers, name);
    if (number)
        return PyLong_AsLongLong(number);
    int64_t next = PyDict_Size(numbers) + 1;
    number = PyErr_Occurred() ? NULL : PyLong_FromLongLong(next);
    int status = number ? PyDict_SetItem(numbers, name, number) : -1;
    Py_XDECREF(number);
    return status < 0 ? -1 : next;
}

static int fill_numbers(int64_t *numbers, const Values *values, PyObject *bundles,
                        Py_ssize_t column)
{
    PyObject *known = PyDict_New();
    int status = known ? 0 : -1;
    for (int64_t row = 0; row < values->n_rows && status == 0; row++) {
        if (values->start[row] < 0)
            continue;
        PyObject *bundle = PyTuple_GetItem(bundles, (Py_ssize_t)row);
        PyObject *name = first_word(PyTuple_GetItem(bundle, column),
                                    values->chars + values->start[row],
                                    values->end[row] - values->start[row]);
        numbers[row] = name ? number_of(known, name) : 0;
        Py_XDECREF(name);
        status = numbers[row] < 0 || PyErr_Occurred() ? -1 : 0;
    }
    Py_XDECREF(known);
    return status;
}

/* class_numbers(bundles, column) -> number of the first class by row, 0 for none; the last item is
 * for no row */
static PyObject *class_numbers(PyObject *module, PyObject *args)
{
    PyObject *bundles, *result = NULL;
    Py_ssize_t column;
    if (!PyArg_ParseTuple(args, "On", &bundles, &column))
        return NULL;
    Values values;
    if (values_copy(&values, bundles, &column, 1, PY_SSIZE_T_MAX) == 0) {
        size_t count = (size_t)values.n_rows + 1;
        int64_t *numbers = calloc(count, sizeof *numbers);
        if (!numbers)
            PyErr_NoMemory();
        else if (fill_numbers(numbers, &values, bundles, column) == 0)
            result = owned(module, numbers, count * sizeof *numbers);
        else
            free(numbers);
        values_free(&values);
    }
    return result;
}

/* --- What hides an element -------------------------------------------------------------------- */

/* Lower case as regular expressions without case have it, of the letters that are asked for. */
static uint32_t lower_of(uint32_t code)
{
    if (code >= 'A' && code <= 'Z')
        return code + 32;
    if (code == 0x130 || code == 0x131) /* I with a dot, i without one */
        return 'i';
    return code == 0x17F ? 's' : code; /* long s */
}

/* The end of a word at a place, or -1. */
static int64_t after_word(const uint32_t *chars, int64_t at, int64_t end, const char *word)
{
    for (; *word; word++, at++)
        if (at >= end || lower_of(chars[at]) != (uint32_t)*word)
            return -1;
    return at;
}

static int64_t after_white(const uint32_t *chars, int64_t at, int64_t end)
{
    while (at < end && is_white(chars[at]))
        at++;
    return at;
}

/* Does a style say `name: value` at a place, with white space around the colon or not. */
static bool is_declared(const uint32_t *chars, int64_t at, int64_t end, const char *name,
                        const char *value)
{
    at = after_word(chars, at, end, name);
    if (at < 0)
        return false;
    at = after_white(chars, at, end);
    if (at >= end || chars[at] != ':')
        return false;
    return after_word(chars, after_white(chars, at + 1, end), end, value) >= 0;
}

static bool style_hides(const uint32_t *chars, int64_t start, int64_t end)
{
    for (int64_t at = start; at < end; at++) {
        uint32_t first = lower_of(chars[at]);
        if ((first == 'd' && is_declared(chars, at, end, "display", "none")) ||
            (first == 'v' && is_declared(chars, at, end, "visibility", "hidden")))
            return true;
    }
    return false;
}

static bool is_true(const uint32_t *chars, int64_t start, int64_t end)
{
    return start >= 0 && end - start == 4 && chars[start] == 't' && chars[start + 1] == 'r' &&
           chars[start + 2] == 'u' && chars[start + 3] == 'e';
}

/* hiding(bundles, style, hidden, aria_hidden) -> does each row hide its element; the last item is
 * for no row. The numbers are columns of the bundles. */
static PyObject *hiding(PyObject *module, PyObject *args)
{
    PyObject *bundles, *result = NULL;
    Py_ssize_t columns[3];
    if (!PyArg_ParseTuple(args, "Onnn", &bundles, &columns[0], &columns[1], &columns[2]))
        return NULL;
    Values values;
    if (values_copy(&values, bundles, columns, 3, PY_SSIZE_T_MAX) == 0) {
        size_t count = (size_t)values.n_rows + 1;
        uint8_t *hides = calloc(count, 1);
        for (int64_t row = 0; hides && row < values.n_rows; row++) {
            const int64_t *start = values.start + 3 * row, *end = values.end + 3 * row;
            hides[row] = start[1] >= 0 || is_true(values.chars, start[2], end[2]) ||
                         (start[0] >= 0 && style_hides(values.chars, start[0], end[0]));
        }
        result = hides ? owned(module, hides, count) : PyErr_NoMemory();
        values_free(&values);
    }
    return result;
}

PyMethodDef bundles_methods[] = {
    {"class_numbers", class_numbers, METH_VARARGS, "Numbers of the first classes by bundle row."},
    {"hiding", hiding, METH_VARARGS, "Which bundle rows hide their element."},
    {NULL, NULL, 0, NULL},
};
