/* Notes of what the elements of pages declare, as Python objects. */
#include "parsing/head_notes.h"
#include "base/code_points.h"

const char *const noted_names[N_NOTED] = {
    "property", "name",  "itemprop", "http-equiv", "content",  "rel",     "href",    "type",
    "hreflang", "title", "lang",     "xml:lang",   "datetime", "border",
    "width",    "role",  "colspan",  "rowspan",    "text",
};
static const char *const element_names[N_NOTED_ELEMENTS] = {
    "base", "html", "link", "meta", "script", "table", "td", "time", "title",
};

bool only_loads(Slice relation)
{
    static const char *const loading[] = {
        "stylesheet", "preload", "preconnect", "dns-prefetch", "prefetch", "modulepreload",
        "manifest", "prerender",
    };
    for (size_t at = 0; at < relation.length; at++) {
        size_t start = at;
        while (at < relation.length && !is_space(relation.text[at]))
            at++;
        for (size_t i = 0; i < sizeof loading / sizeof *loading; i++)
            if (is_name((Slice){relation.text + start, at - start}, loading[i], strlen(loading[i])))
                return true;
    }
    return false;
}

/* The notes of some pages. */
typedef struct {
    const Note *notes;
    const NotedValue *values;
    const uint8_t *bytes;
    int64_t n_notes, n_values, n_bytes;
} Notes;

/* Names as Python strings, made once a call. */
typedef struct {
    PyObject *elements[N_NOTED_ELEMENTS];
    PyObject *attributes[N_NOTED];
} Names;

static PyObject *name_of(PyObject **name, const char *text)
{
    if (!*name)
        *name = PyUnicode_InternFromString(text);
    return *name;
}

static void free_names(Names *names)
{
    for (int element = 0; element < N_NOTED_ELEMENTS; element++)
        Py_XDECREF(names->elements[element]);
    for (int row = 0; row < N_NOTED; row++)
        Py_XDECREF(names->attributes[row]);
}

static PyObject *text_string(const Notes *notes, const NotedValue *value)
{
    return PyUnicode_DecodeUTF8((const char *)notes->bytes + value->start,
                                (Py_ssize_t)(value->end - value->start), NULL);
}

static PyObject *attribute_dict(const Notes *notes, Names *names, int64_t first, int64_t end)
{
    PyObject *attributes = PyDict_New();
    for (int64_t i = first; attributes && i < end; i++) {
        const NotedValue *value = &notes->values[i];
        PyObject *name = name_of(&names->attributes[value->name], noted_names[value->name]);
        PyObject *text = text_string(notes, value);
        if (!name || !text || PyDict_SetItem(attributes, name, text) < 0)
            Py_CLEAR(attributes);
        Py_XDECREF(text);
    }
    return attributes;
}

/* A note as (name of its element, attributes, ordinal of its tag). */
static PyObject *note_tuple(const Notes *notes, Names *names, const Note *note, int64_t first)
{
    PyObject *name = name_of(&names->elements[note->element], element_names[note->element]);
    PyObject *attributes = attribute_dict(notes, names, first, note->end);
    PyObject *tag = PyLong_FromLongLong(note->tag);
    PyObject *tuple = name && attributes && tag ? PyTuple_Pack(3, name, attributes, tag) : NULL;
    Py_XDECREF(attributes);
    Py_XDECREF(tag);
    return tuple;
}

/* A string in lower case. */
static PyObject *lower_string(const Notes *notes, const NotedValue *value)
{
    PyObject *text = text_string(notes, value);
    bool is_lower = true; /* and ASCII, as nearly all names are */
    for (int64_t i = value->start; i < value->end; i++)
        is_lower &= notes->bytes[i] < 0x80 && !(notes->bytes[i] >= 'A' && notes->bytes[i] <= 'Z');
    if (!text || is_lower)
        return text;
    PyObject *lower = PyObject_CallMethod(text, "lower", NULL);
    Py_DECREF(text);
    return lower;
}

/* Add (rel, href, type, hreflang, title) of a link; "" for what it has not. */
static int add_link(PyObject *links, const Notes *notes, int64_t first, int64_t end)
{
    static const int64_t fields[] = {NOTED_REL, NOTED_HREF, NOTED_TYPE, NOTED_HREFLANG,
                                     NOTED_TITLE};
    enum { N_FIELDS = sizeof fields / sizeof *fields };
    PyObject *link = PyTuple_New(N_FIELDS);
    int status = link ? 0 : -1;
    for (int field = 0; status == 0 && field < N_FIELDS; field++) {
        NotedValue value = {0};
        for (int64_t i = first; i < end; i++)
            if (notes->values[i].name == fields[field])
                value = notes->values[i];
        PyObject *text = text_string(notes, &value);
        status = text ? PyTuple_SetItem(link, field, text) : -1;
    }
    if (status == 0)
        status = PyList_Append(links, link);
    Py_XDECREF(link);
    return status;
}

/* Add (name in lower case, content) of a meta element that has both. */
static int add_meta(PyObject *metas, const Notes *notes, int64_t first, int64_t end)
{
    const NotedValue *key = NULL, *content = NULL;
    for (int64_t i = first; i < end; i++) {
        const NotedValue *value = &notes->values[i];
        if (value->name == NOTED_CONTENT)
            content = value;
        else if (value->name < N_META_KEYS && value->start < value->end &&
                 (!key || value->name < key->name))
            key = value;
    }
    if (!key || !content)
        return 0;
    PyObject *name = lower_string(notes, key), *text = name ? text_string(notes, content) : NULL;
    PyObject *pair = text ? PyTuple_Pack(2, name, text) : NULL;
    int status = pair ? PyList_Append(metas, pair) : -1;
    Py_XDECREF(name);
    Py_XDECREF(text);
    Py_XDECREF(pair);
    return status;
}

static int add_note(PyObject *others, const Notes *notes, Names *names, const Note *note,
                    int64_t first)
{
    PyObject *tuple = note_tuple(notes, names, note, first);
    int status = tuple ? PyList_Append(others, tuple) : -1;
    Py_XDECREF(tuple);
    return status;
}

/* Are all numbers of some notes and of their values those of something. */
static bool are_sound(const Notes *notes, int64_t first, int64_t end)
{
    if (first < 0 || first > end || end > notes->n_notes)
        return false;
    int64_t at = first ? notes->notes[first - 1].end : 0;
    for (int64_t i = first; i < end; i++) {
        const Note *note = &notes->notes[i];
        if (note->element < 0 || note->element >= N_NOTED_ELEMENTS || at < 0 || note->end < at ||
            note->end > notes->n_values)
            return false;
        for (; at < note->end; at++) {
            const NotedValue *value = &notes->values[at];
            if (value->name < 0 || value->name >= N_NOTED || value->start < 0 ||
                value->end < value->start || value->end > notes->n_bytes)
                return false;
        }
    }
    return true;
}

static PyObject *note_lists(const Notes *notes, int64_t first, int64_t end)
{
    Names names = {{NULL}, {NULL}};
    PyObject *metas = PyList_New(0), *links = PyList_New(0), *others = PyList_New(0);
    int status = metas && links && others ? 0 : -1;
    for (int64_t i = first; status == 0 && i < end; i++) {
        const Note *note = &notes->notes[i];
        int64_t value = i ? notes->notes[i - 1].end : 0;
        if (note->element == NOTE_OF_META)
            status = add_meta(metas, notes, value, note->end);
        else if (note->element == NOTE_OF_LINK)
            status = add_link(links, notes, value, note->end);
        else
            status = add_note(others, notes, &names, note, value);
    }
    PyObject *all = status == 0 ? PyTuple_Pack(3, metas, links, others) : NULL;
    Py_XDECREF(metas);
    Py_XDECREF(links);
    Py_XDECREF(others);
    free_names(&names);
    return all;
}

PyObject *head_notes(PyObject *module, PyObject *args)
{
    enum { NOTES, VALUES, BYTES, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {
        [NOTES] = WANTED("i8"), [VALUES] = WANTED("i8"), [BYTES] = WANTED("u1"),
    };
    long long first, end;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O&O&LL", BORROW(NOTES), BORROW(VALUES), BORROW(BYTES), &first,
                          &end))
        return NULL;
    Notes notes = {
        .notes = arrays[NOTES].items,
        .values = arrays[VALUES].items,
        .bytes = arrays[BYTES].items,
        .n_notes = arrays[NOTES].length / 3, /* notes and values are rows of three numbers */
        .n_values = arrays[VALUES].length / 3,
        .n_bytes = arrays[BYTES].length,
    };
    PyObject *result = are_sound(&notes, first, end) ? note_lists(&notes, first, end)
                                                     : raise_outcome(WRONG, "head_notes");
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}
