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

/* The value in a column of a row; NULL for no value (a row that is not true has none), or with an
 * exception set for what is no bundle. Borrowed. */
static PyObject *value_in(PyObject *row, Py_ssize_t column)
{
    if (row == Py_None || (PyTuple_Check(row) && PyTuple_Size(row) == 0))
        return NULL;
    PyObject *value = PyTuple_Check(row) ? PyTuple_GetItem(row, column) : NULL;
    if (!value || (value != Py_None && !PyUnicode_Check(value))) {
        PyErr_SetString(PyExc_TypeError, "a bundle is a tuple of strings and None");
        return NULL;
    }
    return value == Py_None ? NULL : value;
}

static Py_ssize_t length_of(PyObject *value, Py_ssize_t most)
{
    Py_ssize_t length = PyUnicode_GetLength(value);
    return length < most ? length : most;
}

static int copy_text(PyObject *value, uint32_t *chars, Py_ssize_t length)
{
    if (PyUnicode_GetLength(value) == length)
        return PyUnicode_AsUCS4(value, chars, length, 0) ? 0 : -1;
    PyObject *begin = PyUnicode_Substring(value, 0, length);
    int status = begin && PyUnicode_AsUCS4(begin, chars, length, 0) ? 0 : -1;
    Py_XDECREF(begin);
    return status;
}

/* Extents of the values one after the other; returns the end of the last, -1 for an exception. */
static int64_t lay_out(Values *values, PyObject *bundles, const Py_ssize_t *columns,
                       Py_ssize_t most)
{
    int64_t at = 0, total = 0;
    for (int64_t row = 0; row < values->n_rows; row++) {
        PyObject *bundle = PyTuple_GetItem(bundles, (Py_ssize_t)row);
        for (int64_t column = 0; column < values->n_columns; column++, at++) {
            PyObject *value = value_in(bundle, columns[column]);
            if (!value && PyErr_Occurred())
                return -1;
            values->start[at] = value ? total : -1;
            total += value ? length_of(value, most) : 0;
            values->end[at] = total;
        }
    }
    return total;
}

int values_copy(Values *values, PyObject *bundles, const Py_ssize_t *columns, int64_t n_columns,
                Py_ssize_t most, Arena *arena)
{
    if (!PyTuple_Check(bundles)) {
        PyErr_SetString(PyExc_TypeError, "bundles are a tuple");
        return -1;
    }
    values->n_rows = PyTuple_Size(bundles);
    values->n_columns = n_columns;
    size_t count = (size_t)(values->n_rows * n_columns);
    values->start = TAKE(arena, int64_t, count);
    values->end = TAKE(arena, int64_t, count);
    int64_t total = -1;
    if (values->start && values->end && (total = lay_out(values, bundles, columns, most)) < 0)
        return -1;
    values->chars = total < 0 ? NULL : TAKE(arena, uint32_t, (size_t)total);
    if (!values->chars) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t at = 0; at < count; at++) {
        int64_t start = values->start[at], row = (int64_t)at / n_columns;
        if (start < 0 || start == values->end[at])
            continue;
        PyObject *bundle = PyTuple_GetItem(bundles, (Py_ssize_t)row);
        PyObject *value = PyTuple_GetItem(bundle, columns[(int64_t)at % n_columns]);
        if (copy_text(value, values->chars + start, (Py_ssize_t)(values->end[at] - start)) < 0)
            return -1;
    }
    return 0;
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
    Arena arena = {0};
    Values values;
    if (values_copy(&values, bundles, &column, 1, PY_SSIZE_T_MAX, &arena) == 0) {
        size_t count = (size_t)values.n_rows + 1;
        int64_t *numbers = calloc(count, sizeof *numbers);
        if (!numbers)
            PyErr_NoMemory();
        else if (fill_numbers(numbers, &values, bundles, column) == 0)
            result = owned(module, numbers, count * sizeof *numbers);
        else
            free(numbers);
    }
    arena_free(&arena);
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
    Arena arena = {0};
    Values values;
    if (values_copy(&values, bundles, columns, 3, PY_SSIZE_T_MAX, &arena) == 0) {
        size_t count = (size_t)values.n_rows + 1;
        uint8_t *hides = calloc(count, 1);
        for (int64_t row = 0; hides && row < values.n_rows; row++) {
            const int64_t *start = values.start + 3 * row, *end = values.end + 3 * row;
            hides[row] = start[1] >= 0 || is_true(values.chars, start[2], end[2]) ||
                         (start[0] >= 0 && style_hides(values.chars, start[0], end[0]));
        }
        result = hides ? owned(module, hides, count) : PyErr_NoMemory();
    }
    arena_free(&arena);
    return result;
}

PyMethodDef bundles_methods[] = {
    {"class_numbers", class_numbers, METH_VARARGS, "Numbers of the first classes by bundle row."},
    {"hiding", hiding, METH_VARARGS, "Which bundle rows hide their element."},
    {NULL, NULL, 0, NULL},
};
