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

static PyObject *columns_of_record(PyObject *module, Record *record)
{
    Growing *columns[] = {&record->kinds, &record->tags,        &record->dropped,
                          &record->text,  &record->text_starts, &record->places};
    return columns_of(module, columns, sizeof columns / sizeof *columns, record->n_tags);
}

PyDoc_STRVAR(record_doc,
             "markup_record(markup, alt_text, only_places)\n--\n\n"
             "Kinds, tags, dropped, texts and their starts, places of attributes, number of tags;\n"
             "None for what is no UTF-8. See `victor.page.markup.full_record`. Only places are\n"
             "those of start tags that are not dropped and no line breaks, with the length of the\n"
             "page after them; and then all columns of the tags of frames, videos and sounds.");

static PyObject *markup_record(PyObject *module, PyObject *args)
{
    Array markup = WANTED("u1");
    int alt_text, only_places;
    if (!PyArg_ParseTuple(args, "O&pp", array_of, &markup, &alt_text, &only_places))
        return NULL;
    Record record = {0}, players = {0};
    Slice page = slice_of(&markup);
    Outcome outcome = DONE;
    bool is_valid;
    Py_BEGIN_ALLOW_THREADS
    is_valid = is_utf8(page);
    if (is_valid)
        outcome = only_places ? record_places(&record, &players, page)
                              : record_markup(&record, page, alt_text);
    Py_END_ALLOW_THREADS
    PyObject *columns = outcome != DONE ? raise_outcome(outcome, "markup_record")
                        : !is_valid     ? Py_NewRef(Py_None)
                        : only_places   ? owned_growing(module, &record.places)
                                        : columns_of_record(module, &record);
    if (columns && is_valid && only_places)
        columns = Py_BuildValue("(NN)", columns, columns_of_record(module, &players));
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

/* Texts in UTF-8, one after the other, and where each begins. */
enum { BYTES, STARTS, N_TEXT_ARRAYS };
#define TEXT_ARRAYS {[BYTES] = WANTED("u1"), [STARTS] = WANTED("i8")}

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

/* --- Attributes, where they stand -------------------------------------------------------------- */

/* A page, and places of attributes in it. */
enum { MARKUP, PLACES, N_PLACE_ARRAYS };

typedef struct {
    Array arrays[N_PLACE_ARRAYS];
    Attributes attributes; /* of the last place that was read */
    Growing text;
} Reader;
#define READER {.arrays = {[MARKUP] = WANTED("u1"), [PLACES] = WANTED("i8")}}

/* Read the attributes at a place, 0 for none; false with an exception set. */
static bool read_place(Reader *reader, int64_t row)
{
    int64_t place = ((const int64_t *)reader->arrays[PLACES].items)[row];
    Slice page = slice_of(&reader->arrays[MARKUP]);
    Outcome outcome = DONE;
    reader->attributes.used = 0;
    if (place < 0 || (size_t)place > page.length)
        outcome = WRONG;
    else if (place)
        outcome = attributes_at(page, (size_t)place, &reader->attributes);
    return outcome == DONE || raise_outcome(outcome, "markup_attributes");
}

static PyObject *name_string(Slice name)
{
    uint8_t text[NAME_ROOM];
    size_t length = resolve_name(name, text);
    return PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)length, "replace");
}

static PyObject *value_string(Reader *reader, Slice value)
{
    reader->text.used = 0;
    if (!append_value(&reader->text, value))
        return PyErr_NoMemory();
    return PyUnicode_DecodeUTF8((const char *)reader->text.items, (Py_ssize_t)reader->text.used,
                                "replace");
}

static PyObject *mapping_at(Reader *reader, int64_t row, PyObject *none)
{
    if (!read_place(reader, row))
        return NULL;
    if (!reader->attributes.used)
        return Py_NewRef(none);
    PyObject *mapping = PyDict_New();
    for (size_t a = 0; mapping && a < reader->attributes.used; a++) {
        const Attribute *attribute = &reader->attributes.items[a];
        PyObject *name = name_string(attribute->name);
        PyObject *value = value_string(reader, attribute->value);
        int is_there = name && value ? PyDict_Contains(mapping, name) : -1;
        if (is_there < 0 || (!is_there && PyDict_SetItem(mapping, name, value) < 0))
            Py_CLEAR(mapping);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return mapping;
}

/* The value of the attribute of a name, None where there is none. */
static PyObject *value_at(Reader *reader, int64_t row, PyObject *wanted)
{
    Py_ssize_t length;
    const char *name = PyUnicode_AsUTF8AndSize(wanted, &length);
    if (!name || !read_place(reader, row))
        return NULL;
    for (size_t a = 0; a < reader->attributes.used; a++) {
        uint8_t own[NAME_ROOM];
        const Attribute *attribute = &reader->attributes.items[a];
        if (resolve_name(attribute->name, own) == (size_t)length && !memcmp(own, name, (size_t)length))
            return value_string(reader, attribute->value);
    }
    return Py_NewRef(Py_None);
}

/* What a function says of each place, as a list. */
static PyObject *list_of_places(PyObject *args, PyObject *(*at)(Reader *, int64_t, PyObject *))
{
    Reader reader = READER;
    PyObject *object;
    if (!PyArg_ParseTuple(args, "O&O&O", array_of, &reader.arrays[MARKUP], array_of,
                          &reader.arrays[PLACES], &object))
        return NULL;
    int64_t count = reader.arrays[PLACES].length;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t row = 0; list && row < count; row++) {
        PyObject *item = at(&reader, row, object);
        if (!item || PyList_SetItem(list, (Py_ssize_t)row, item) < 0)
            Py_CLEAR(list);
    }
    arrays_return(reader.arrays, N_PLACE_ARRAYS);
    growing_free(&reader.attributes);
    growing_free(&reader.text);
    return list;
}

PyDoc_STRVAR(attributes_doc, "markup_attributes(markup, places, none)\n--\n\n"
                             "The attributes at each place as a list of mappings; `none` for those\n"
                             "that have none.");

static PyObject *markup_attributes(PyObject *module, PyObject *args)
{
    (void)module;
    return list_of_places(args, mapping_at);
}

PyDoc_STRVAR(values_doc, "markup_values(markup, places, name)\n--\n\n"
                         "The value of the attribute of that name at each place, None where there\n"
                         "is none, as a list.");

static PyObject *markup_values(PyObject *module, PyObject *args)
{
    (void)module;
    return list_of_places(args, value_at);
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

PyDoc_STRVAR(nesting_doc, "markup_nesting(markup, roles)\n--\n\n"
                          "Are the tags of a page in order, is there an end of no paragraph, and bytes by\n"
                          "tag id, which are the headings that hold a block. See\n"
                          "`victor.page.places.xpaths`.");

static PyObject *markup_nesting(PyObject *module, PyObject *args)
{
    (void)module;
    enum { PAGE, ROLES, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {[PAGE] = WANTED("u1"), [ROLES] = WANTED("u1")};
    if (!PyArg_ParseTuple(args, "O&O&", BORROW(PAGE), BORROW(ROLES)))
        return NULL;
    NestingOfTags nesting;
    Outcome outcome = WRONG;
    if (arrays[ROLES].length == N_TAG_IDS) {
        Py_BEGIN_ALLOW_THREADS
        outcome = nesting_of(&nesting, slice_of(&arrays[PAGE]), arrays[ROLES].items);
        Py_END_ALLOW_THREADS
    }
    arrays_return(arrays, N_ARGUMENTS);
    if (outcome != DONE)
        return raise_outcome(outcome, "markup_nesting");
    return Py_BuildValue("(iiy#)", nesting.in_order, nesting.stray_end, nesting.is_shaky,
                         (Py_ssize_t)N_TAG_IDS);
}

PyMethodDef markup_methods[] = {
    {"markup_record", markup_record, METH_VARARGS, record_doc},
    {"markup_outline", markup_outline, METH_VARARGS, outline_doc},
    {"markup_texts", markup_texts, METH_VARARGS, texts_doc},
    {"markup_attributes", markup_attributes, METH_VARARGS, attributes_doc},
    {"markup_values", markup_values, METH_VARARGS, values_doc},
    {"markup_nesting", markup_nesting, METH_VARARGS, nesting_doc},
    {"markup_mentions", markup_mentions, METH_VARARGS, mentions_doc},
    {NULL, NULL, 0, NULL},
};
