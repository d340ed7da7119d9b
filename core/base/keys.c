/* Numbers for strings of bytes, by a hash table with open addresses. */
#include "base/keys.h"

enum { FIRST_SLOTS = 64 };

/* The seed differs from run to run, so nobody can write a page whose names all meet in one slot. */
static uint64_t hash_of(const uint8_t *bytes, size_t length, uint64_t seed)
{
    uint64_t hash = seed ^ (length * UINT64_C(0x9E3779B97F4A7C15));
    uint64_t word;
    for (; length >= 8; bytes += 8, length -= 8) {
        memcpy(&word, bytes, 8);
        hash = (hash ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, bytes, length);
    hash = (hash ^ word) * UINT64_C(0xC4CEB9FE1A85EC53);
    hash ^= hash >> 29;
    hash *= UINT64_C(0xFF51AFD7ED558CCD);
    return hash ^ hash >> 32;
}

/* The slot of some bytes, or the free one where they belong. */
static size_t slot_of(const Keys *table, const uint8_t *bytes, size_t length, uint64_t hash)
{
    size_t slot = (size_t)hash & (table->n_slots - 1);
    for (; table->slots[slot]; slot = (slot + 1) & (table->n_slots - 1)) {
        const Key *key = &table->keys.items[table->slots[slot] - 1];
        if (key->hash == hash && key->length == length &&
            !memcmp(table->bytes.items + key->start, bytes, length))
            break;
    }
    return slot;
}

static bool enlarge(Keys *table)
{
    size_t n_slots = table->n_slots ? table->n_slots * 2 : FIRST_SLOTS;
    uint32_t *slots = n_slots <= UINT32_MAX ? calloc(n_slots, sizeof *slots) : NULL;
    if (!slots)
        return false;
    if (!table->n_slots)
        table->seed = (uint64_t)(uintptr_t)slots * UINT64_C(0x9E3779B97F4A7C15) ^
                      (uint64_t)(uintptr_t)table;
    for (size_t row = 0; row < table->keys.used; row++) {
        size_t slot = (size_t)table->keys.items[row].hash & (n_slots - 1);
        while (slots[slot])
            slot = (slot + 1) & (n_slots - 1);
        slots[slot] = (uint32_t)row + 1;
    }
    free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return true;
}

bool keys_find(const Keys *table, const uint8_t *bytes, size_t length, int64_t *row)
{
    if (!table->n_slots)
        return false;
    size_t slot = slot_of(table, bytes, length, hash_of(bytes, length, table->seed));
    *row = (int64_t)table->slots[slot] - 1;
    return table->slots[slot] != 0;
}

Outcome keys_add(Keys *table, const uint8_t *bytes, size_t length, int64_t *row)
{
    if (2 * table->keys.used >= table->n_slots && !enlarge(table))
        return MEMORY;
    uint64_t hash = hash_of(bytes, length, table->seed);
    size_t slot = slot_of(table, bytes, length, hash);
    if (!table->slots[slot]) {
        if (!growing_reserve(&table->bytes, length) ||
            !growing_append(&table->keys, (Key){hash, table->bytes.used, length}))
            return MEMORY;
        if (length)
            memcpy(table->bytes.items + table->bytes.used, bytes, length);
        table->bytes.used += length;
        table->slots[slot] = (uint32_t)table->keys.used;
    }
    *row = (int64_t)table->slots[slot] - 1;
    return DONE;
}

void keys_free(Keys *table)
{
    growing_free(&table->bytes);
    growing_free(&table->keys);
    free(table->slots);
    memset(table, 0, sizeof *table);
}
