/* Stage: bytes of a page to columns of all its markup. */
#include "base/results.h"
#include "markup/markup.h"
#include "markup/nesting.h"
#include "markup/outline.h"

/* --- Columns ---------------------------------------------------------------------------------- */

/* Columns as a tuple of memory with a number at its end; the arrays are empty afterwards. */
static PyObject *columns_of(PyObject *module, Growing *const *columns, size_t count, int64_t last)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count + 1);
    for (size_t at = 0; tuple && at <= count; at++) {
        PyObject *column =
            at < count ? owned_growing(module, columns[at]) : PyLong_FromLongLong(last);
        if (!column || PyTuple_SetItem(tuple, (Py_ssize_t)at, column) < 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

static Slice slice_of(const Array *bytes)
{
    return (Slice){bytes->items, (size_t)bytes->length};
}

static PyObject *columns_of_record(PyObject *module, Record *record, bool only_attributes)
{
    Growing *columns[] = {&record->kinds,        &record->tags,        &record->dropped,
                          &record->text,         &record->text_starts, &record->values,
                          &record->value_starts, &record->attribute_starts};
    size_t count = sizeof columns / sizeof *columns, first = only_attributes ? count - 3 : 0;
    return columns_of(module, columns + first, count - first, record->n_tags);
}

PyDoc_STRVAR(record_doc,
             "markup_record(markup, alt_text, only_attributes)\n--\n\n"
             "Kinds, tags, dropped, texts and their starts, values and their starts,\n"
             "starts of attributes, number of tags; None for what is no UTF-8. See\n"
             "`victor.page.markup.full_record`. Only attributes are the last four of these, of\n"
             "start tags that are not dropped and no line breaks; and then all columns of the tags\n"
             "of frames, videos and sounds.");

static PyObject *markup_record(PyObject *module, PyObject *args)
{
    Array markup = WANTED("u1");
    int alt_text, only_attributes;
    if (!PyArg_ParseTuple(args, "O&pp", array_of, &markup, &alt_text, &only_attributes))
        return NULL;
    Record record = {0}, players = {0};
    Slice page = slice_of(&markup);
    Outcome outcome = DONE;
    bool is_valid;
    Py_BEGIN_ALLOW_THREADS
    is_valid = is_utf8(page);
    if (is_valid)
        outcome = only_attributes ? record_attributes(&record, &players, page)
                                  : record_markup(&record, page, alt_text);
    Py_END_ALLOW_THREADS
    PyObject *columns = outcome != DONE ? raise_outcome(outcome, "markup_record")
                        : is_valid      ? columns_of_record(module, &record, only_attributes)
                                        : Py_NewRef(Py_None);
    if (columns && is_valid && only_attributes)
        columns = Py_BuildValue("(NN)", columns, columns_of_record(module, &players, false));
    record_free(&record);
    record_free(&players);
    array_return(&markup);
    return columns;
}

/* --- Outline ---------------------------------------------------------------------------------- */

/* The keys of a table as a list of str, by row. */
static PyObject *key_strings(const Keys *table)
{
    PyObject *list = PyList_New((Py_ssize_t)table->keys.used);
    for (size_t row = 0; list && row < table->keys.used; row++) {
        const Key *key = &table->keys.items[row];
        PyObject *text = PyUnicode_DecodeUTF8((const char *)table->bytes.items + key->start,
                                              (Py_ssize_t)key->length, NULL);
        if (!text || PyList_SetItem(list, (Py_ssize_t)row, text) < 0)
            Py_CLEAR(list);
    }
    return list;
}

PyDoc_STRVAR(outline_doc,
             "markup_outline(markup, alt_text)\n--\n\n"
             "Rows of elements and of texts, elements of a table, number of tags, names, ids; None\n"
             "for what is no UTF-8. See `victor.page.places.outline`.");

static PyObject *markup_outline(PyObject *module, PyObject *args)
{
    Array markup = WANTED("u1");
    int alt_text;
    if (!PyArg_ParseTuple(args, "O&p", array_of, &markup, &alt_text))
        return NULL;
    Outline outline = {.n_tags = 0};
    Slice page = slice_of(&markup);
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = is_utf8(page) ? outline_markup(&outline, page, alt_text) : NOT_UTF8;
    Py_END_ALLOW_THREADS
    PyObject *columns =
        outcome == NOT_UTF8 ? Py_NewRef(Py_None)
        : outcome != DONE   ? raise_outcome(outcome, "markup_outline")
                            : Py_BuildValue("(NNNLNN)", owned_growing(module, &outline.elements),
                                            owned_growing(module, &outline.texts),
                                            owned_growing(module, &outline.of_table),
                                            (long long)outline.n_tags, key_strings(&outline.names),
                                            key_strings(&outline.ids));
    outline_free(&outline);
    array_return(&markup);
    return columns;
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Do starts ascend from 0 or more to no more than `limit`. */
static bool are_starts(const Array *starts, int64_t limit)
{
    const int64_t *start = starts->items;
    if (starts->length < 1 || start[0] < 0 || start[starts->length - 1] > limit)
        return false;
    bool ascend = true;
    for (int64_t row = 1; row < starts->length; row++)
        ascend &= start[row - 1] <= start[row];
    return ascend;
}

/* Texts in UTF-8, one after the other, where each begins, and the first attribute of each item:
 * the texts of an attribute are its name and its value. */
enum { BYTES, STARTS, ITEMS, N_TEXT_ARRAYS };
#define TEXT_ARRAYS {[BYTES] = WANTED("u1"), [STARTS] = WANTED("i8"), [ITEMS] = WANTED("i8")}

static PyObject *text_at(const Array *arrays, int64_t row)
{
    const int64_t *start = (const int64_t *)arrays[STARTS].items + row;
    const char *bytes = (const char *)arrays[BYTES].items + start[0];
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)(start[1] - start[0]), NULL);
}

PyDoc_STRVAR(texts_doc, "markup_texts(bytes, starts)\n--\n\nAll texts as a list of str.");

static PyObject *markup_texts(PyObject *module, PyObject *args)
{
    (void)module;
    Array arrays[N_TEXT_ARRAYS] = TEXT_ARRAYS;
    if (!PyArg_ParseTuple(args, "O&O&", BORROW(BYTES), BORROW(STARTS)))
        return NULL;
    Py_ssize_t count = (Py_ssize_t)arrays[STARTS].length - 1;
    PyObject *list = are_starts(&arrays[STARTS], arrays[BYTES].length)
                         ? PyList_New(count)
                         : raise_outcome(WRONG, "markup_texts");
    for (Py_ssize_t row = 0; list && row < count; row++) {
        PyObject *text = text_at(arrays, row);
        if (!text || PyList_SetItem(list, row, text) < 0)
            Py_CLEAR(list);
    }
    arrays_return(arrays, N_TEXT_ARRAYS);
    return list;
}

/* Attributes `first` to `end` as a dict. */
static PyObject *mapping_of(const Array *arrays, int64_t first, int64_t end)
{
    PyObject *mapping = PyDict_New();
    for (int64_t row = first; mapping && row < end; row++) {
        PyObject *name = text_at(arrays, 2 * row), *value = text_at(arrays, 2 * row + 1);
        if (!name || !value || PyDict_SetItem(mapping, name, value) < 0)
            Py_CLEAR(mapping);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return mapping;
}

/* Are the items `first` to `end` there, their attributes among the starts, and the texts of these
 * inside the bytes. */
static bool are_items(const Array *arrays, int64_t first, int64_t end)
{
    if (first < 0 || end < first || end >= arrays[ITEMS].length || arrays[STARTS].length < 1)
        return false;
    const Array some = {.items = (const int64_t *)arrays[ITEMS].items + first,
                        .length = end - first + 1};
    if (!are_starts(&some, (arrays[STARTS].length - 1) / 2))
        return false;
    const int64_t *attributes = some.items;
    int64_t n_attributes = attributes[end - first] - attributes[0];
    const Array texts = {.items = (const int64_t *)arrays[STARTS].items + 2 * attributes[0],
                         .length = 2 * n_attributes + 1};
    return are_starts(&texts, arrays[BYTES].length);
}

PyDoc_STRVAR(mappings_doc,
             "markup_mappings(values, value_starts, attribute_starts, first, end, none)\n--\n\n"
             "The attributes of items from one to another as a list of mappings; `none` for those\n"
             "that have none.");

static PyObject *markup_mappings(PyObject *module, PyObject *args)
{
    (void)module;
    Array arrays[N_TEXT_ARRAYS] = TEXT_ARRAYS;
    long long first, end;
    PyObject *none;
    if (!PyArg_ParseTuple(args, "O&O&O&LLO", BORROW(BYTES), BORROW(STARTS), BORROW(ITEMS), &first,
                          &end, &none))
        return NULL;
    PyObject *list = are_items(arrays, first, end) ? PyList_New((Py_ssize_t)(end - first))
                                                   : raise_outcome(WRONG, "markup_mappings");
    const int64_t *row = arrays[ITEMS].items;
    for (int64_t item = first; list && item < end; item++) {
        bool has_any = row[item + 1] > row[item];
        PyObject *mapping =
            has_any ? mapping_of(arrays, row[item], row[item + 1]) : Py_NewRef(none);
        if (!mapping || PyList_SetItem(list, (Py_ssize_t)(item - first), mapping) < 0)
            Py_CLEAR(list);
    }
    arrays_return(arrays, N_TEXT_ARRAYS);
    return list;
}

/* Does a value hold some bytes; none at all are in every value. */
static bool holds_part(Slice value, Slice part)
{
    const uint8_t *at = value.text, *end = value.text + value.length;
    while ((size_t)(end - at) >= part.length) {
        if (!part.length || memcmp(at, part.text, part.length) == 0)
            return true;
        at = memchr(at + 1, part.text[0], (size_t)(end - at) - 1);
        if (!at)
            break;
    }
    return false;
}

/* The item of each attribute of that name whose value holds the part, and the value, as a dict. */
static PyObject *valued(const Array *arrays, Slice name, Slice part)
{
    const int64_t *start = arrays[STARTS].items, *first = arrays[ITEMS].items;
    const uint8_t *bytes = arrays[BYTES].items;
    PyObject *mapping = PyDict_New();
    for (int64_t item = 0; mapping && item < arrays[ITEMS].length - 1; item++)
        for (int64_t row = 2 * first[item]; mapping && row < 2 * first[item + 1]; row += 2) {
            const int64_t *text = start + row;
            Slice value = {bytes + text[1], (size_t)(text[2] - text[1])};
            if ((size_t)(text[1] - text[0]) != name.length ||
                memcmp(bytes + text[0], name.text, name.length) != 0 || !holds_part(value, part))
                continue;
            PyObject *key = PyLong_FromLongLong(item), *string = text_at(arrays, row + 1);
            if (!key || !string || PyDict_SetItem(mapping, key, string) < 0)
                Py_CLEAR(mapping);
            Py_XDECREF(key);
            Py_XDECREF(string);
        }
    return mapping;
}

PyDoc_STRVAR(valued_doc, "markup_valued(values, value_starts, attribute_starts, name, part)\n--\n\n"
                         "The items that have an attribute of that name whose value holds the part,\n"
                         "and the values, as a dict.");

static PyObject *markup_valued(PyObject *module, PyObject *args)
{
    (void)module;
    Array arrays[N_TEXT_ARRAYS] = TEXT_ARRAYS;
    const char *name, *part;
    Py_ssize_t name_length, part_length;
    if (!PyArg_ParseTuple(args, "O&O&O&y#y#", BORROW(BYTES), BORROW(STARTS), BORROW(ITEMS), &name,
                          &name_length, &part, &part_length))
        return NULL;
    PyObject *mapping = are_items(arrays, 0, arrays[ITEMS].length - 1)
                            ? valued(arrays, (Slice){(const uint8_t *)name, (size_t)name_length},
                                     (Slice){(const uint8_t *)part, (size_t)part_length})
                            : raise_outcome(WRONG, "markup_valued");
    arrays_return(arrays, N_TEXT_ARRAYS);
    return mapping;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The words of a tuple of bytes; false if there are too many of them, or with TypeError set if there
 * is anything else. */
static bool read_words(Slice *words, Py_ssize_t most, PyObject *tuple)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    for (Py_ssize_t at = 0; count <= most && at < count; at++)
        if (!bytes_slice(PyTuple_GetItem(tuple, at), &words[at]))
            return false;
    return count <= most;
}

PyDoc_STRVAR(mentions_doc, "markup_mentions(markup, words)\n--\n\n"
                           "Does a page hold one of a tuple of words, in lower case or not.");

static PyObject *markup_mentions(PyObject *module, PyObject *args)
{
    (void)module;
    Array markup = WANTED("u1");
    PyObject *tuple;
    Slice words[MOST_WORDS];
    bool answer = false;
    if (!PyArg_ParseTuple(args, "O&O!", array_of, &markup, &PyTuple_Type, &tuple))
        return NULL;
    Outcome outcome = WRONG;
    if (read_words(words, MOST_WORDS, tuple)) {
        Py_BEGIN_ALLOW_THREADS
        outcome = holds_word(slice_of(&markup), words, (size_t)PyTuple_Size(tuple), &answer);
        Py_END_ALLOW_THREADS
    }
    array_return(&markup);
    if (PyErr_Occurred())
        return NULL;
    return outcome == DONE ? PyBool_FromLong(answer) : raise_outcome(outcome, "markup_mentions");
}

/* --- Nesting ---------------------------------------------------------------------------------- */

/* Is everything in order, is there a stray end of a paragraph, and the shaky headings. */
static PyObject *nesting_as_tuple(const NestingOfTags *nesting, PyObject *names)
{
    PyObject *shaky = PyList_New(0), *tuple = NULL;
    bool is_made = shaky != NULL;
    for (Py_ssize_t name = 0; is_made && name < PyTuple_Size(names); name++)
        if (nesting->is_shaky[name])
            is_made = PyList_Append(shaky, PyTuple_GetItem(names, name)) == 0;
    if (is_made)
        tuple = Py_BuildValue("(iiO)", nesting->in_order, nesting->stray_end, shaky);
    Py_XDECREF(shaky);
    return tuple;
}

PyDoc_STRVAR(nesting_doc, "markup_nesting(markup, names, roles)\n--\n\n"
                          "Are the tags of some names in order, is there an end of no paragraph, and\n"
                          "the headings that hold a block. See `victor.page.places.xpaths`.");

static PyObject *markup_nesting(PyObject *module, PyObject *args)
{
    (void)module;
    enum { PAGE, NAME_ROLES, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {[PAGE] = WANTED("u1"), [NAME_ROLES] = WANTED("u1")};
    PyObject *tuple, *result = NULL;
    if (!PyArg_ParseTuple(args, "O&O!O&", BORROW(PAGE), &PyTuple_Type, &tuple, BORROW(NAME_ROLES)))
        return NULL;
    NestedNames names;
    NestingOfTags nesting;
    Outcome outcome = WRONG;
    names.roles = arrays[NAME_ROLES].items;
    names.count = (size_t)arrays[NAME_ROLES].length;
    if (PyTuple_Size(tuple) == (Py_ssize_t)names.count &&
        read_words(names.names, MOST_NESTED_NAMES, tuple)) {
        Py_BEGIN_ALLOW_THREADS
        outcome = nesting_of(&nesting, slice_of(&arrays[PAGE]), &names);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE)
        result = nesting_as_tuple(&nesting, tuple);
    else if (!PyErr_Occurred())
        raise_outcome(outcome, "markup_nesting");
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}

PyMethodDef markup_methods[] = {
    {"markup_record", markup_record, METH_VARARGS, record_doc},
    {"markup_outline", markup_outline, METH_VARARGS, outline_doc},
    {"markup_texts", markup_texts, METH_VARARGS, texts_doc},
    {"markup_mappings", markup_mappings, METH_VARARGS, mappings_doc},
    {"markup_valued", markup_valued, METH_VARARGS, valued_doc},
    {"markup_nesting", markup_nesting, METH_VARARGS, nesting_doc},
    {"markup_mentions", markup_mentions, METH_VARARGS, mentions_doc},
    {NULL, NULL, 0, NULL},
};
