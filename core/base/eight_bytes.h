/* Eight bytes looked at together, as one number: runs of text without a byte of interest are passed
 * over several times faster than byte by byte, on any machine. */
#ifndef VICTOR_EIGHT_BYTES_H
#define VICTOR_EIGHT_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint64_t eight_bytes(const uint8_t *from)
{
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/* The same byte eight times. */
static inline uint64_t all_eight(uint8_t byte)
{
    return UINT64_C(0x0101010101010101) * byte;
}

/* Not zero if one of the bytes is a value: a byte less that value is 0 there, and only taking 1 from
 * 0 sets a high bit that was not set before. */
static inline uint64_t any_is(uint64_t bytes, uint8_t value)
{
    uint64_t differences = bytes ^ all_eight(value);
    return (differences - all_eight(1)) & ~differences & all_eight(0x80);
}

#endif
