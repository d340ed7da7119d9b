/* Arrays from and to Python. */
#include "base/arrays.h"
#include <stdlib.h>

PyObject *raise_outcome(Outcome outcome, const char *stage)
{
    if (outcome == MEMORY)
        return PyErr_NoMemory();
    return PyErr_Format(PyExc_ValueError, "%s: the arrays do not fit together", stage);
}

static bool is_of_kind(char format, char kind)
{
    switch (kind) {
    case 'i':
        return format && strchr("bhilqn", format);
    case 'u':
        return format && strchr("BHILQNc", format);
    case 'f':
        return format == 'f' || format == 'd';
    case 'b':
        return format == '?' || format == 'B';
    default:
        return false;
    }
}

int array_borrow(Array *array, PyObject *object, char kind, size_t size)
{
    array->items = NULL;
    array->length = 0;
    memset(&array->buffer, 0, sizeof array->buffer);
    if (PyObject_GetBuffer(object, &array->buffer, PyBUF_ND | PyBUF_FORMAT) < 0)
        return -1;
    const char *format = array->buffer.format ? array->buffer.format : "B";
    if ((size_t)array->buffer.itemsize != size || !is_of_kind(format[0], kind)) {
        PyErr_Format(PyExc_TypeError, "want items of kind %c and %zu bytes, got %s of %zd", kind,
                     size, format, array->buffer.itemsize);
        array_return(array);
        return -1;
    }
    array->items = array->buffer.buf;
    array->length = array->buffer.len / (Py_ssize_t)size;
    return 0;
}

int array_of(PyObject *object, void *array)
{
    const char *type = ((Array *)array)->type;
    if (!object) { /* a later argument is wrong */
        array_return(array);
        return true;
    }
    bool is_left_out = object == Py_None && type[2] == '?';
    if (!is_left_out && array_borrow(array, object, type[0], (size_t)(type[1] - '0')) < 0)
        return false;
    return Py_CLEANUP_SUPPORTED;
}

/* The object whose memory an array is a view of, as numpy tells it; NULL with no exception set if
 * nothing that never changes is found. */
static PyObject *unchanging_base(const ModuleState *state, PyObject *object)
{
    enum { MOST_VIEWS = 8 };
    Py_INCREF(object);
    for (int view = 0; object && view < MOST_VIEWS; view++) {
        if (PyBytes_CheckExact(object) || Py_TYPE(object) == state->memory_type)
            return object;
        PyObject *base = PyObject_GetAttrString(object, "base");
        Py_DECREF(object);
        object = base;
    }
    Py_XDECREF(object);
    PyErr_Clear();
    return NULL;
}

int array_keep(PyObject *module, Array *array, PyObject *object)
{
    Py_buffer kept = {0};
    PyObject *base = unchanging_base(PyModule_GetState(module), object);
    int status = base ? PyObject_GetBuffer(base, &kept, PyBUF_SIMPLE) : 0;
    Py_XDECREF(base);
    size_t start = (size_t)((uintptr_t)array->items - (uintptr_t)kept.buf);
    size_t bytes = (size_t)array->buffer.len;
    bool is_inside = kept.obj && start <= (size_t)kept.len && bytes <= (size_t)kept.len - start;
    if (status == 0 && !is_inside) {
        if (kept.obj)
            PyBuffer_Release(&kept);
        PyObject *copy = PyBytes_FromStringAndSize(array->items, array->buffer.len);
        status = copy ? PyObject_GetBuffer(copy, &kept, PyBUF_SIMPLE) : -1;
        Py_XDECREF(copy);
        array->items = kept.buf;
    }
    if (status == 0) {
        PyBuffer_Release(&array->buffer);
        array->buffer = kept;
    }
    return status;
}

void array_return(Array *array)
{
    if (array->buffer.obj)
        PyBuffer_Release(&array->buffer);
    array->items = NULL;
    array->length = 0;
}

void arrays_return(Array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        array_return(&arrays[i]);
}

/* --- What is kept for many calls -------------------------------------------------------------- */

enum { MOST_KEPT = 24 };

typedef struct {
    Array arrays[MOST_KEPT];
    void *what; /* that was read from them */
} Kept;

static void kept_free(Kept *kept)
{
    arrays_return(kept->arrays, MOST_KEPT);
    free(kept->what);
    free(kept);
}

static void release_kept(PyObject *capsule)
{
    kept_free(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
}

int array_borrow_kept(PyObject *module, Array *array, PyObject *object, const char *type)
{
    if (array_borrow(array, object, type[0], (size_t)(type[1] - '0')) < 0)
        return -1;
    return module ? array_keep(module, array, object) : 0;
}

/* Borrow the arrays and read them; -1 with an exception set. */
static int fill_kept(PyObject *module, Kept *kept, PyObject *objects, const Keeping *keeping)
{
    Py_ssize_t count = (Py_ssize_t)strlen(keeping->types) / 2;
    if (!PyTuple_Check(objects) || PyTuple_Size(objects) != count || count > MOST_KEPT) {
        PyErr_Format(PyExc_ValueError, "%s: want another number of arrays", keeping->name);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (array_borrow_kept(module, &kept->arrays[i], PyTuple_GetItem(objects, i),
                              keeping->types + 2 * i) < 0)
            return -1;
    kept->what = calloc(1, keeping->size);
    if (!kept->what)
        PyErr_NoMemory();
    else if (keeping->read(kept->what, kept->arrays))
        return 0;
    else
        raise_outcome(WRONG, keeping->name);
    return -1;
}

PyObject *keep_arrays(PyObject *module, PyObject *objects, const Keeping *keeping)
{
    Kept *kept = calloc(1, sizeof *kept);
    if (!kept)
        return PyErr_NoMemory();
    PyObject *capsule = NULL;
    if (fill_kept(module, kept, objects, keeping) == 0)
        capsule = PyCapsule_New(kept, keeping->name, release_kept);
    if (!capsule)
        kept_free(kept);
    return capsule;
}

const void *what_is_kept(PyObject *capsule, const Keeping *keeping)
{
    const Kept *kept = PyCapsule_GetPointer(capsule, keeping->name);
    return kept ? kept->what : NULL;
}

/* --- Memory that Python owns ------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    void *memory;
    Py_ssize_t bytes;
    PyObject *owner; /* of the memory; NULL if that is this object */
} Memory;

static int memory_buffer(PyObject *self, Py_buffer *view, int flags)
{
    Memory *memory = (Memory *)self;
    return PyBuffer_FillInfo(view, self, memory->memory, memory->bytes, 1, flags);
}

static void memory_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    if (((Memory *)self)->owner)
        Py_DECREF(((Memory *)self)->owner);
    else
        free(((Memory *)self)->memory);
    release(self);
    Py_DECREF(type);
}

/* A copy, in another process too, is bytes: it is a buffer as well. */
static PyObject *memory_reduce(PyObject *self, PyObject *nothing)
{
    Memory *memory = (Memory *)self;
    (void)nothing;
    PyObject *bytes = PyBytes_FromStringAndSize(memory->memory, memory->bytes);
    return bytes ? Py_BuildValue("(O(N))", (PyObject *)&PyBytes_Type, bytes) : NULL;
}

static PyMethodDef memory_methods[] = {
    {"__reduce__", memory_reduce, METH_NOARGS, "How it is copied: as bytes."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot memory_slots[] = {
    {Py_tp_methods, memory_methods},
    {Py_bf_getbuffer, memory_buffer},
    {Py_tp_dealloc, memory_free},
    {Py_tp_doc, "Memory that a stage filled, as a read-only buffer of bytes."},
    {0, NULL},
};

PyType_Spec memory_spec = {
    .name = "victor._core.Memory",
    .basicsize = sizeof(Memory),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = memory_slots,
};

PyObject *view_of(const ModuleState *state, PyObject *owner, void *memory, size_t bytes)
{
    Memory *object = PyObject_New(Memory, state->memory_type);
    if (!object)
        return NULL;
    object->memory = memory;
    object->bytes = (Py_ssize_t)bytes;
    object->owner = owner ? Py_NewRef(owner) : NULL;
    return (PyObject *)object;
}

PyObject *owned(PyObject *module, void *memory, size_t bytes)
{
    PyObject *object = view_of(PyModule_GetState(module), NULL, memory, bytes);
    if (!object)
        free(memory);
    return object;
}
