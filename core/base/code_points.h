/* Text that grows at its end, as code points, and strings of it. */
#ifndef VICTOR_CODE_POINTS_H
#define VICTOR_CODE_POINTS_H

#include "base/core.h"

typedef GROWING(uint32_t) Codes;

Outcome add_codes(Codes *text, const uint32_t *codes, int64_t count);
/* The same code point so many times; none if that is less than 1. */
Outcome add_times(Codes *text, uint32_t code, int64_t times);

/* White space as Python's `str.split`, `str.strip` and ``\s`` have it. */
bool is_space(uint32_t code);

/* Code points as a string; overwrites them. */
PyObject *string_of(uint32_t *codes, size_t count);

#endif
