/* Numbers for strings of bytes: each different one has a row, by first use. */
#ifndef VICTOR_KEYS_H
#define VICTOR_KEYS_H

#include "base/core.h"

typedef struct {
    uint64_t hash;
    size_t start; /* in the bytes of the table */
    size_t length;
} Key;

/* All zeros is an empty table. */
typedef struct {
    Growing bytes;
    GROWING(Key) keys; /* by row */
    uint32_t *slots;   /* a row and one; 0 for none */
    size_t n_slots;    /* a power of 2 */
    uint64_t seed;
} Keys;

/* The row of some bytes, which are added if they are new: then it is the number of keys before. */
Outcome keys_add(Keys *table, const uint8_t *bytes, size_t length, int64_t *row);
/* The row of some bytes; false if they are not there. */
bool keys_find(const Keys *table, const uint8_t *bytes, size_t length, int64_t *row);

void keys_free(Keys *table);

#endif
