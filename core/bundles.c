/* Stage: values of attributes to numbers of classes, and to what hides an element. */
#include "bundles.h"
#include "hash_groups.h"
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

/* A word in the copied values; without characters if there is none. */
typedef struct {
    int64_t start, end;
} Word;

static Word first_word(const Values *values, int64_t row)
{
    Word word = {values->start[row], values->start[row]};
    int64_t end = values->end[row];
    if (word.start < 0)
        return word;
    while (word.start < end && is_white(values->chars[word.start]))
        word.start++;
    for (word.end = word.start; word.end < end && !is_white(values->chars[word.end]);)
        word.end++;
    return word;
}

static uint64_t hash_of_word(const uint32_t *chars, Word word)
{
    uint64_t hash = 0;
    for (int64_t at = word.start; at < word.end; at++) {
        hash = (hash ^ chars[at]) * GOLDEN;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool is_same(const uint32_t *chars, Word word, Word other)
{
    int64_t length = word.end - word.start;
    return length == other.end - other.start &&
           memcmp(chars + word.start, chars + other.start, (size_t)length * sizeof *chars) == 0;
}

/* Number the words by a table of their hashes. False if they were chosen such that too many have
 * their places in the same part of it: then the table would take quadratic time. */
static bool number_by_hash(int64_t *numbers, const Values *values, const Word *words,
                           int64_t *slots, uint64_t n_slots)
{
    int64_t n_numbers = 0, steps_left = 64 + 4 * values->n_rows;
    for (int64_t row = 0; row < values->n_rows; row++) {
        numbers[row] = 0;
        if (words[row].start == words[row].end)
            continue;
        uint64_t slot = hash_of_word(values->chars, words[row]) & (n_slots - 1);
        while (slots[slot] && !is_same(values->chars, words[row], words[slots[slot] - 1])) {
            slot = (slot + 1) & (n_slots - 1);
            if (--steps_left < 0)
                return false;
        }
        if (!slots[slot]) {
            slots[slot] = row + 1;
            numbers[row] = ++n_numbers;
        }
        numbers[row] = numbers[slots[slot] - 1];
    }
    return true;
}

/* The same by a dictionary of Python's, whose hashes nobody can foresee. */
static int number_by_dictionary(int64_t *numbers, const Values *values, const Word *words)
{
    PyObject *known = PyDict_New();
    int status = known ? 0 : -1;
    for (int64_t row = 0; row < values->n_rows && status == 0; row++) {
        int64_t length = words[row].end - words[row].start;
        numbers[row] = 0;
        if (length == 0)
            continue;
        PyObject *name = PyBytes_FromStringAndSize((const char *)(values->chars + words[row].start),
                                                   length * (Py_ssize_t)sizeof(uint32_t));
        PyObject *number = name ? PyDict_GetItemWithError(known, name) : NULL;
        PyObject *next = number || PyErr_Occurred()
                             ? NULL
                             : PyLong_FromLongLong((long long)PyDict_Size(known) + 1);
        if (next)
            status = PyDict_SetItem(known, name, next);
        if (number || next)
            numbers[row] = PyLong_AsLongLong(number ? number : next);
        Py_XDECREF(next);
        Py_XDECREF(name);
        status = PyErr_Occurred() ? -1 : status;
    }
    Py_XDECREF(known);
    return status;
}

static int fill_numbers(int64_t *numbers, Values *values)
{
    uint64_t n_slots = 16;
    while (n_slots < 2 * (uint64_t)values->n_rows)
        n_slots *= 2;
    Word *words = TAKE(&values->arena, Word, (size_t)values->n_rows);
    int64_t *slots = ZEROS(&values->arena, int64_t, (size_t)n_slots);
    if (!words || !slots) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t row = 0; row < values->n_rows; row++)
        words[row] = first_word(values, row);
    if (number_by_hash(numbers, values, words, slots, n_slots))
        return 0;
    return number_by_dictionary(numbers, values, words);
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
        else if (fill_numbers(numbers, &values) == 0)
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
