/* Numbers for strings of bytes: each different one has a row, by first use. */
#ifndef VICTOR_KEYS_H
#define VICTOR_KEYS_H

#include "core.h"

typedef struct {
    uint64_t hash;
    size_t start; /* in the bytes of the table */
    size_t length;
} Key;

/* All zeros is an empty table. */
typedef struct {
    Growing bytes;
    Growing keys; /* Key by row */
    uint32_t *slots; /* a row and one; 0 for none */
    size_t n_slots;  /* a power of 2 */
    size_t count;
    uint64_t seed;
} Keys;

/* The row of some bytes, which is `count` of before for those that are new; -1 if memory lacks. */
int64_t keys_row(Keys *table, const uint8_t *bytes, size_t length);
/* The same but that nothing is added: -2 for those that are not there. */
int64_t keys_find(const Keys *table, const uint8_t *bytes, size_t length);

static inline const Key *key_at(const Keys *table, size_t row)
{
    return (const Key *)table->keys.items + row;
}

void keys_free(Keys *table);

#endif
