/* Stage: what the bytes of a page are, without making text of them. */
#include "base/core.h"
#include "parsing/characters.h"

/* As `victor.page.decoding.decode` has them. */
enum { IS_UTF8 = 1, IS_ASCII = 2, HAS_ZERO = 4, HAS_REPLACED = 8 };

/* facts_of_bytes(page): an integer of the bits above. */
static PyObject *facts_of_bytes(PyObject *module, PyObject *page)
{
    Array array;
    Encoding encoding;
    bool has_zero;
    (void)module;
    if (array_borrow(&array, page, 'u', 1) < 0)
        return NULL;
    Slice bytes = {array.items, (size_t)array.length};
    Py_BEGIN_ALLOW_THREADS;
    encoding = encoding_of(bytes);
    has_zero = bytes.length && memchr(bytes.text, 0, bytes.length);
    Py_END_ALLOW_THREADS;
    array_return(&array);
    return PyLong_FromLong((encoding != NO_UTF8 ? IS_UTF8 : 0) | (encoding == ASCII ? IS_ASCII : 0) |
                           (has_zero ? HAS_ZERO : 0) | (encoding == REPLACED ? HAS_REPLACED : 0));
}

PyMethodDef decode_methods[] = {
    {"facts_of_bytes", facts_of_bytes, METH_O, "What the bytes of a page are."},
    {NULL, NULL, 0, NULL},
};
