/* Text that grows at its end, as code points, and strings of it. */
#include "base/code_points.h"

Outcome add_codes(Codes *text, const uint32_t *codes, int64_t count)
{
    if (!growing_reserve(text, count))
        return MEMORY;
    if (count)
        memcpy(text->items + text->used, codes, (size_t)count * sizeof *codes);
    text->used += (size_t)count;
    return DONE;
}

Outcome add_times(Codes *text, uint32_t code, int64_t times)
{
    for (int64_t i = 0; i < times; i++)
        if (!growing_append(text, code))
            return MEMORY;
    return DONE;
}

bool is_space(uint32_t code)
{
    if (code < 0x80)
        return (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x20);
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

/* Code points that fit units of 8 or 16 bits are made into these in place: Python reads them much
 * faster. */
PyObject *string_of(uint32_t *codes, size_t count)
{
    const uint16_t probe = 1;
    int order = *(const uint8_t *)&probe ? -1 : 1; /* of bytes; a mark of it would be text */
    uint32_t bits = 0;
    for (size_t i = 0; i < count; i++)
        bits |= codes[i];
    char *bytes = (char *)codes;
    if (bits < 0x100) {
        for (size_t i = 0; i < count; i++)
            bytes[i] = (char)codes[i];
        return PyUnicode_DecodeLatin1(bytes, (Py_ssize_t)count, "strict");
    }
    if (bits < 0x10000) {
        for (size_t i = 0; i < count; i++) {
            uint16_t unit = (uint16_t)codes[i];
            memcpy(bytes + i * sizeof unit, &unit, sizeof unit);
        }
        return PyUnicode_DecodeUTF16(bytes, (Py_ssize_t)(count * 2), "strict", &order);
    }
    return PyUnicode_DecodeUTF32(bytes, (Py_ssize_t)(count * 4), "strict", &order);
}
