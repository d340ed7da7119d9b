/* Text that grows at its end, as code points, and strings of it. */
#ifndef VICTOR_CODE_POINTS_H
#define VICTOR_CODE_POINTS_H

#include "core.h"

/* The items of a growing array of code points from one on. There has to be some room. */
static inline uint32_t *codes_at(Growing *text, size_t position)
{
    return (uint32_t *)(void *)text->items + position;
}

static inline size_t length_of(const Growing *text)
{
    return text->used / sizeof(uint32_t);
}

Outcome add_codes(Growing *text, const uint32_t *codes, int64_t count);
/* The same code point so many times; none if that is less than 1. */
Outcome add_times(Growing *text, uint32_t code, int64_t times);

/* White space as Python's `str.split`, `str.strip` and ``\s`` have it. */
bool is_space(uint32_t code);

/* Code points as a string; overwrites them. */
PyObject *string_of(uint32_t *codes, size_t count);

#endif
