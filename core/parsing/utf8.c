/* Stage: what the bytes of a page are, without making text of them. */
#include "base/core.h"
#include "base/eight_bytes.h"
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

/* Is a byte a control character: no white space, and none of the three of ISO 2022. */
static bool is_control(uint8_t byte)
{
    return byte == 0x7F || (byte < 0x20 && byte != 0x1B && !(byte >= '\t' && byte <= '\n') &&
                            !(byte >= '\f' && byte <= 0x0F));
}

/* May one of eight bytes be a control character. */
static bool may_be_control(uint64_t bytes)
{
    uint64_t is_low = (bytes - all_eight(0x20)) & ~bytes & all_eight(0x80);
    return is_low | any_is(bytes, 0x7F);
}

static int64_t count_controls(const uint8_t *bytes, size_t count)
{
    int64_t n_controls = 0;
    size_t at = 0;
    for (; count - at >= 8; at += 8)
        if (may_be_control(eight_bytes(bytes + at)))
            for (size_t i = at; i < at + 8; i++)
                n_controls += is_control(bytes[i]);
    for (; at < count; at++)
        n_controls += is_control(bytes[at]);
    return n_controls;
}

/* control_bytes(bytes): how many of them are control characters. */
static PyObject *control_bytes(PyObject *module, PyObject *object)
{
    Array array;
    int64_t n_controls;
    (void)module;
    if (array_borrow(&array, object, 'u', 1) < 0)
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    n_controls = count_controls(array.items, (size_t)array.length);
    Py_END_ALLOW_THREADS;
    array_return(&array);
    return PyLong_FromLongLong(n_controls);
}

PyMethodDef decode_methods[] = {
    {"control_bytes", control_bytes, METH_O, "How many bytes are control characters."},
    {"facts_of_bytes", facts_of_bytes, METH_O, "What the bytes of a page are."},
    {NULL, NULL, 0, NULL},
};
