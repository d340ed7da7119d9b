/* What a page says in its head and in its scripts, for the search of embedded content.
 *
 * The Python path is the parser target of `victor.page.markup.embedded`, which is sent the same tags and
 * texts but for those that it has no use for. Few pages are searched, so the interpreter lock is
 * held and Python objects are made while the page is read.
 */
#include "units.h"
#include "tokeniser.h"
#include <stdlib.h>

/* Kinds of events. */
enum { START, TEXT, END };

/* The elements whose tags are all told. */
static const char *const told[] = {"script", "title", "meta", "link", "html"};
enum { SCRIPT, TITLE, N_TOLD = 5 };

typedef struct {
    PyObject *events; /* list */
    int64_t least;    /* bytes of an attribute that may be data */
    bool is_inside;   /* a script or title */
    Growing text;     /* scratch */
} Telling;

/* Which of the told elements has a name, N_TOLD for none. */
static int told_number(Slice name)
{
    int number = 0;
    while (number < N_TOLD && !is_name(name, told[number], strlen(told[number])))
        number++;
    return number;
}

static PyObject *name_string(Slice name)
{
    uint8_t resolved[NAME_ROOM];
    size_t length = resolve_name(name, resolved);
    return PyUnicode_DecodeUTF8((const char *)resolved, (Py_ssize_t)length, "strict");
}

/* A text or value as the parser gives it. */
static PyObject *string_of(Telling *telling, Slice text, bool is_value, bool has_references)
{
    if (text.length > (SIZE_MAX - 8) / RESOLVED)
        return PyErr_NoMemory();
    telling->text.used = 0;
    if (!growing_reserve(&telling->text, text.length * RESOLVED + 8))
        return PyErr_NoMemory();
    size_t length = is_value ? resolve_value(text, telling->text.items)
                             : resolve_text(text, has_references, telling->text.items);
    return PyUnicode_DecodeUTF8((const char *)telling->text.items, (Py_ssize_t)length, "strict");
}

/* Append an event; takes the references to both objects, which may be NULL after an error. */
static Outcome tell(Telling *telling, int kind, PyObject *name, PyObject *value)
{
    PyObject *event = name && value ? Py_BuildValue("(iOO)", kind, name, value) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(value);
    int status = event ? PyList_Append(telling->events, event) : -1;
    Py_XDECREF(event);
    return status < 0 ? MEMORY : DONE;
}

/* May an attribute hold data: it is long, and begins with a bracket, or with a reference. */
static bool may_be_data(const Telling *telling, Slice value)
{
    return (int64_t)value.length >= telling->least &&
           (value.text[0] == '{' || value.text[0] == '[' || value.text[0] == '&');
}

static bool add_attribute(Telling *telling, PyObject *attributes, const Attribute *attribute)
{
    PyObject *name = name_string(attribute->name);
    PyObject *value = name ? string_of(telling, attribute->value, true, true) : NULL;
    bool is_added = value && PyDict_SetItem(attributes, name, value) == 0;
    Py_XDECREF(name);
    Py_XDECREF(value);
    return is_added;
}

static Outcome tell_start(void *state, const Name *name, const Attribute *attributes, size_t count)
{
    Telling *telling = state;
    int number = told_number(name->name);
    bool is_told = number < N_TOLD;
    for (size_t i = 0; !is_told && i < count; i++)
        is_told = may_be_data(telling, attributes[i].value);
    if (number == SCRIPT || number == TITLE)
        telling->is_inside = true;
    if (!is_told)
        return DONE;
    PyObject *chosen = PyDict_New();
    for (size_t i = 0; chosen && i < count; i++)
        if ((number < N_TOLD || may_be_data(telling, attributes[i].value)) &&
            !add_attribute(telling, chosen, &attributes[i]))
            Py_CLEAR(chosen);
    return tell(telling, START, chosen ? name_string(name->name) : NULL, chosen);
}

static Outcome tell_end(void *state, const Name *name)
{
    Telling *telling = state;
    int number = told_number(name->name);
    if (number != SCRIPT && number != TITLE)
        return DONE;
    telling->is_inside = false;
    return tell(telling, END, name_string(name->name), PyUnicode_FromString(""));
}

static Outcome tell_text(void *state, Slice text, bool has_references)
{
    Telling *telling = state;
    if (!telling->is_inside)
        return DONE;
    PyObject *value = string_of(telling, text, false, has_references);
    return tell(telling, TEXT, value ? PyUnicode_FromString("") : NULL, value);
}

PyObject *embedded_events(PyObject *module, PyObject *arguments)
{
    (void)module;
    const char *markup;
    Py_ssize_t length;
    long long least;
    if (!PyArg_ParseTuple(arguments, "y#L", &markup, &length, &least))
        return NULL;
    Slice page = {(const uint8_t *)markup, (size_t)length};
    if (least < 1)
        return raise_outcome(WRONG, "embedded_events");
    if (!is_utf8(page))
        return Py_NewRef(Py_None);
    Telling telling = {.events = PyList_New(0), .least = least};
    Sink sink = {.state = &telling, .start = tell_start, .end = tell_end, .text = tell_text};
    Outcome outcome = telling.events ? tokenise(page, &sink) : MEMORY;
    growing_free(&telling.text);
    if (outcome == DONE)
        return telling.events;
    Py_XDECREF(telling.events);
    return PyErr_Occurred() ? NULL : raise_outcome(outcome, "embedded_events");
}
