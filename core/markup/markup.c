/* Stage: bytes of a page to columns of all its markup. */
#include "markup/nesting.h"
#include "markup/record.h"
#include "markup/tree.h"
#include "markup/word_search.h"

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

static PyObject *columns_of_record(PyObject *module, Record *record)
{
    Growing *columns[] = {&record->kinds,        &record->tags,        &record->dropped,
                          &record->text,         &record->text_starts, &record->values,
                          &record->value_starts, &record->attribute_starts};
    return columns_of(module, columns, sizeof columns / sizeof *columns, record->n_tags);
}

PyDoc_STRVAR(record_doc,
             "markup_record(markup, is_void, alt_text)\n--\n\n"
             "Kinds, tags, dropped, texts and their starts, values and their starts,\n"
             "starts of attributes, number of tags; None for what is no UTF-8. See\n"
             "`victor.page.markup.markup_columns`.");

static PyObject *markup_record(PyObject *module, PyObject *args)
{
    Py_buffer markup;
    PyObject *void_object;
    int alt_text;
    Array is_void;
    if (!PyArg_ParseTuple(args, "y*Op", &markup, &void_object, &alt_text))
        return NULL;
    if (array_borrow(&is_void, void_object, 'b', 1) < 0) {
        PyBuffer_Release(&markup);
        return NULL;
    }
    Record record = {0};
    Slice page = {markup.buf, (size_t)markup.len};
    Outcome outcome = DONE;
    bool is_valid;
    Py_BEGIN_ALLOW_THREADS
    is_valid = is_utf8(page);
    if (is_valid)
        outcome = record_markup(&record, page, is_void.items, is_void.length, alt_text);
    Py_END_ALLOW_THREADS
    PyObject *columns = outcome != DONE ? raise_outcome(outcome, "markup_record")
                        : is_valid      ? columns_of_record(module, &record)
                                        : Py_NewRef(Py_None);
    record_free(&record);
    array_return(&is_void);
    PyBuffer_Release(&markup);
    return columns;
}

PyDoc_STRVAR(attributes_doc,
             "markup_attributes(markup, is_void)\n--\n\n"
             "Values and their starts, starts of attributes: as of `markup_record`, of its start tags\n"
             "that are not dropped and no line breaks; and the number of those of dropped frames,\n"
             "videos and sounds; None for what is no UTF-8.");

static PyObject *markup_attributes(PyObject *module, PyObject *args)
{
    Py_buffer markup;
    PyObject *void_object;
    Array is_void;
    if (!PyArg_ParseTuple(args, "y*O", &markup, &void_object))
        return NULL;
    if (array_borrow(&is_void, void_object, 'b', 1) < 0) {
        PyBuffer_Release(&markup);
        return NULL;
    }
    Record record = {0};
    Growing *columns[] = {&record.values, &record.value_starts, &record.attribute_starts};
    Slice page = {markup.buf, (size_t)markup.len};
    Outcome outcome = DONE;
    bool is_valid;
    Py_BEGIN_ALLOW_THREADS
    is_valid = is_utf8(page);
    if (is_valid)
        outcome = record_attributes(&record, page, is_void.items, is_void.length);
    Py_END_ALLOW_THREADS
    PyObject *result = outcome != DONE ? raise_outcome(outcome, "markup_attributes")
                       : is_valid      ? columns_of(module, columns, 3, record.n_players)
                                       : Py_NewRef(Py_None);
    record_free(&record);
    array_return(&is_void);
    PyBuffer_Release(&markup);
    return result;
}

static PyObject *columns_of_tree(PyObject *module, Tree *tree)
{
    Growing *columns[] = {
        &tree->tags,           &tree->parent,      &tree->last,          &tree->dropped,
        &tree->first_text,     &tree->end_text,    &tree->text_parent,   &tree->text_tag,
        &tree->of_table,       &tree->names.elements, &tree->names.text, &tree->names.starts,
        &tree->ids.elements,   &tree->ids.text,    &tree->ids.starts,
        &tree->addresses.elements, &tree->addresses.text, &tree->addresses.starts,
    };
    return columns_of(module, columns, sizeof columns / sizeof *columns, tree->n_tags);
}

PyDoc_STRVAR(tree_doc,
             "markup_tree(markup, is_void, is_named, alt_text)\n--\n\n"
             "Tag ids, parents, last elements, dropped, first and last texts of elements, parents\n"
             "and tags of texts, elements of the table; elements, texts and their starts of names,\n"
             "ids and addresses; number of tags; None for what is no UTF-8. See `victor.page.markup.dom`.");

static PyObject *tree_columns(PyObject *module, Slice page, const Array *is_void,
                              const Array *is_named, bool alt_text)
{
    if (is_void->length != is_named->length)
        return raise_outcome(WRONG, "markup_tree");
    TagIds ids = {is_void->length, is_void->items, is_named->items};
    Tree tree = {0};
    Outcome outcome = DONE;
    bool is_valid;
    Py_BEGIN_ALLOW_THREADS
    is_valid = is_utf8(page);
    if (is_valid)
        outcome = tree_of(&tree, page, &ids, alt_text);
    Py_END_ALLOW_THREADS
    PyObject *columns = outcome != DONE ? raise_outcome(outcome, "markup_tree")
                        : is_valid      ? columns_of_tree(module, &tree)
                                        : Py_NewRef(Py_None);
    tree_free(&tree);
    return columns;
}

static PyObject *markup_tree(PyObject *module, PyObject *args)
{
    Py_buffer markup;
    PyObject *void_object, *named_object, *columns = NULL;
    int alt_text;
    Array is_void = {0}, is_named = {0};
    if (!PyArg_ParseTuple(args, "y*OOp", &markup, &void_object, &named_object, &alt_text))
        return NULL;
    if (array_borrow(&is_void, void_object, 'b', 1) == 0 &&
        array_borrow(&is_named, named_object, 'b', 1) == 0) {
        Slice page = {markup.buf, (size_t)markup.len};
        columns = tree_columns(module, page, &is_void, &is_named, alt_text);
    }
    array_return(&is_void);
    array_return(&is_named);
    PyBuffer_Release(&markup);
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
typedef struct {
    Array bytes, starts;
} Texts;

static void texts_return(Texts *texts)
{
    array_return(&texts->bytes);
    array_return(&texts->starts);
}

static int texts_borrow(Texts *texts, PyObject *bytes, PyObject *starts)
{
    memset(texts, 0, sizeof *texts);
    if (array_borrow(&texts->bytes, bytes, 'u', 1) < 0 ||
        array_borrow(&texts->starts, starts, 'i', 8) < 0) {
        texts_return(texts);
        return -1;
    }
    if (!are_starts(&texts->starts, texts->bytes.length)) {
        texts_return(texts);
        PyErr_SetString(PyExc_ValueError, "the starts of texts do not ascend inside their bytes");
        return -1;
    }
    return 0;
}

static PyObject *text_at(const Texts *texts, int64_t row)
{
    const int64_t *start = (const int64_t *)texts->starts.items + row;
    const char *bytes = (const char *)texts->bytes.items + start[0];
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)(start[1] - start[0]), NULL);
}

PyDoc_STRVAR(texts_doc, "markup_texts(bytes, starts)\n--\n\nAll texts as a list of str.");

static PyObject *markup_texts(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *bytes, *starts;
    Texts texts;
    if (!PyArg_ParseTuple(args, "OO", &bytes, &starts) || texts_borrow(&texts, bytes, starts) < 0)
        return NULL;
    Py_ssize_t count = (Py_ssize_t)texts.starts.length - 1;
    PyObject *list = PyList_New(count);
    for (Py_ssize_t row = 0; list && row < count; row++) {
        PyObject *text = text_at(&texts, row);
        if (!text || PyList_SetItem(list, row, text) < 0)
            Py_CLEAR(list);
    }
    texts_return(&texts);
    return list;
}

/* Attributes `first` to `end` as a dict. */
static PyObject *mapping_of(const Texts *values, int64_t first, int64_t end)
{
    PyObject *mapping = PyDict_New();
    for (int64_t row = first; mapping && row < end; row++) {
        PyObject *name = text_at(values, 2 * row), *value = text_at(values, 2 * row + 1);
        if (!name || !value || PyDict_SetItem(mapping, name, value) < 0)
            Py_CLEAR(mapping);
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return mapping;
}

/* Are the attributes `first` to `end` there, and their texts inside the bytes. */
static bool holds(const Array *bytes, const Array *starts, int64_t first, int64_t end)
{
    if (first < 0 || end < first || end > (starts->length - 1) / 2)
        return false;
    const int64_t *start = starts->items;
    bool ascend = start[2 * first] >= 0 && start[2 * end] <= bytes->length;
    for (int64_t row = 2 * first; row < 2 * end; row++)
        ascend &= start[row] <= start[row + 1];
    return ascend;
}

PyDoc_STRVAR(mapping_doc, "markup_mapping(values, value_starts, first, end)\n--\n\n"
                          "The attributes from one to another as a dict.");

static PyObject *markup_mapping(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *bytes, *starts, *mapping = NULL;
    long long first, end;
    Texts values = {0};
    if (!PyArg_ParseTuple(args, "OOLL", &bytes, &starts, &first, &end))
        return NULL;
    if (array_borrow(&values.bytes, bytes, 'u', 1) == 0 &&
        array_borrow(&values.starts, starts, 'i', 8) == 0) {
        if (holds(&values.bytes, &values.starts, first, end))
            mapping = mapping_of(&values, first, end);
        else
            raise_outcome(WRONG, "markup_mapping");
    }
    texts_return(&values);
    return mapping;
}

PyDoc_STRVAR(mappings_doc, "markup_mappings(values, value_starts, attribute_starts, none)\n--\n\n"
                          "The attributes of all items as a list of mappings; `none` for those\n"
                          "that have none.");

static PyObject *markup_mappings(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *bytes, *starts, *rows_object, *none;
    Texts values;
    Array rows;
    if (!PyArg_ParseTuple(args, "OOOO", &bytes, &starts, &rows_object, &none) ||
        texts_borrow(&values, bytes, starts) < 0)
        return NULL;
    PyObject *list = NULL;
    if (array_borrow(&rows, rows_object, 'i', 8) == 0) {
        if (are_starts(&rows, (values.starts.length - 1) / 2))
            list = PyList_New((Py_ssize_t)rows.length - 1);
        else
            raise_outcome(WRONG, "markup_mappings");
        const int64_t *row = rows.items;
        for (Py_ssize_t item = 0; list && item < (Py_ssize_t)rows.length - 1; item++) {
            bool has_any = row[item + 1] > row[item];
            PyObject *mapping =
                has_any ? mapping_of(&values, row[item], row[item + 1]) : Py_NewRef(none);
            if (!mapping || PyList_SetItem(list, item, mapping) < 0)
                Py_CLEAR(list);
        }
    }
    array_return(&rows);
    texts_return(&values);
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
static PyObject *valued(const Texts *texts, const Array *items, Slice name, Slice part)
{
    const int64_t *start = texts->starts.items, *first = items->items;
    const uint8_t *bytes = texts->bytes.items;
    PyObject *mapping = PyDict_New();
    for (int64_t item = 0; mapping && item < items->length - 1; item++)
        for (int64_t row = 2 * first[item]; mapping && row < 2 * first[item + 1]; row += 2) {
            const int64_t *text = start + row;
            Slice value = {bytes + text[1], (size_t)(text[2] - text[1])};
            if ((size_t)(text[1] - text[0]) != name.length ||
                memcmp(bytes + text[0], name.text, name.length) != 0 || !holds_part(value, part))
                continue;
            PyObject *key = PyLong_FromLongLong(item), *string = text_at(texts, row + 1);
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
    PyObject *bytes, *starts, *items_object, *mapping = NULL;
    const char *name, *part;
    Py_ssize_t name_length, part_length;
    Texts texts;
    Array items;
    if (!PyArg_ParseTuple(args, "OOOy#y#", &bytes, &starts, &items_object, &name, &name_length,
                          &part, &part_length) ||
        texts_borrow(&texts, bytes, starts) < 0)
        return NULL;
    if (array_borrow(&items, items_object, 'i', 8) == 0) {
        if (are_starts(&items, (texts.starts.length - 1) / 2))
            mapping = valued(&texts, &items, (Slice){(const uint8_t *)name, (size_t)name_length},
                             (Slice){(const uint8_t *)part, (size_t)part_length});
        else
            raise_outcome(WRONG, "markup_valued");
    }
    array_return(&items);
    texts_return(&texts);
    return mapping;
}

/* --- Words ------------------------------------------------------------------------------------ */

PyDoc_STRVAR(mentions_doc, "markup_mentions(markup, words)\n--\n\n"
                           "Does a page hold one of a tuple of words, in lower case or not.");

static PyObject *markup_mentions(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer markup;
    PyObject *tuple;
    Slice words[MOST_WORDS];
    if (!PyArg_ParseTuple(args, "y*O!", &markup, &PyTuple_Type, &tuple))
        return NULL;
    Py_ssize_t count = PyTuple_Size(tuple);
    bool answer = false, are_bytes = count <= MOST_WORDS;
    for (Py_ssize_t at = 0; are_bytes && at < count; at++) {
        char *text;
        Py_ssize_t length;
        are_bytes = PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, at), &text, &length) == 0;
        if (are_bytes)
            words[at] = (Slice){(const uint8_t *)text, (size_t)length};
    }
    Outcome outcome = WRONG;
    if (are_bytes) {
        Py_BEGIN_ALLOW_THREADS
        outcome = holds_word((Slice){markup.buf, (size_t)markup.len}, words, (size_t)count, &answer);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&markup);
    if (PyErr_Occurred())
        return NULL;
    return outcome == DONE ? PyBool_FromLong(answer) : raise_outcome(outcome, "markup_mentions");
}

/* --- Nesting ---------------------------------------------------------------------------------- */

/* The names of a tuple of bytes; false if there is anything else, too many of them, or their order
 * is another. */
static bool read_names(NestedNames *names, PyObject *tuple, const Array *roles)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > MOST_NESTED_NAMES || count != (Py_ssize_t)roles->length)
        return false;
    for (Py_ssize_t at = 0; at < count; at++) {
        char *text;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(tuple, at), &text, &length) < 0)
            return false;
        names->names[at] = (Slice){(const uint8_t *)text, (size_t)length};
    }
    names->roles = roles->items;
    names->count = (size_t)count;
    return true;
}

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
                          "the headings that hold a block. See `victor.page.markup.nesting`.");

static PyObject *markup_nesting(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer markup;
    PyObject *names_object, *roles_object, *result = NULL;
    Array roles;
    if (!PyArg_ParseTuple(args, "y*O!O", &markup, &PyTuple_Type, &names_object, &roles_object))
        return NULL;
    if (array_borrow(&roles, roles_object, 'u', 1) == 0) {
        NestedNames names;
        NestingOfTags nesting;
        Outcome outcome = WRONG;
        if (read_names(&names, names_object, &roles)) {
            Py_BEGIN_ALLOW_THREADS
            outcome = nesting_of(&nesting, (Slice){markup.buf, (size_t)markup.len}, &names);
            Py_END_ALLOW_THREADS
        }
        if (outcome == DONE)
            result = nesting_as_tuple(&nesting, names_object);
        else if (!PyErr_Occurred())
            raise_outcome(outcome, "markup_nesting");
        array_return(&roles);
    }
    PyBuffer_Release(&markup);
    return result;
}

PyMethodDef markup_methods[] = {
    {"markup_record", markup_record, METH_VARARGS, record_doc},
    {"markup_attributes", markup_attributes, METH_VARARGS, attributes_doc},
    {"markup_tree", markup_tree, METH_VARARGS, tree_doc},
    {"markup_texts", markup_texts, METH_VARARGS, texts_doc},
    {"markup_mappings", markup_mappings, METH_VARARGS, mappings_doc},
    {"markup_mapping", markup_mapping, METH_VARARGS, mapping_doc},
    {"markup_valued", markup_valued, METH_VARARGS, valued_doc},
    {"markup_nesting", markup_nesting, METH_VARARGS, nesting_doc},
    {"markup_mentions", markup_mentions, METH_VARARGS, mentions_doc},
    {NULL, NULL, 0, NULL},
};
