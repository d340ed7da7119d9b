/* Groups of equal hashes: a radix sort, whose time no choice of hashes can make longer. */
#include "base/hash_groups.h"

enum { DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS };

/* Move keys to `sorted` by one digit; those with the same stay in order. */
static void sort_by_digit(const uint64_t *keys, uint64_t *sorted, int64_t count, int shift)
{
    int64_t next[N_DIGITS] = {0}, before = 0;
    for (int64_t i = 0; i < count; i++)
        next[keys[i] >> shift & (N_DIGITS - 1)]++;
    for (int digit = 0; digit < N_DIGITS; digit++) {
        int64_t with_digit = next[digit];
        next[digit] = before;
        before += with_digit;
    }
    for (int64_t i = 0; i < count; i++)
        sorted[next[keys[i] >> shift & (N_DIGITS - 1)]++] = keys[i];
}

Outcome equal_groups(HashGroups *groups, const uint64_t *hashes, int64_t count, Arena *arena)
{
    int bits = 0; /* of an index; they are below those of the hash, and ascend as they are */
    while (count >> bits)
        bits++;
    uint64_t *keys = TAKE(arena, uint64_t, (size_t)count);
    uint64_t *sorted = TAKE(arena, uint64_t, (size_t)count);
    groups->order = TAKE(arena, int64_t, (size_t)count);
    groups->starts = TAKE(arena, int64_t, (size_t)count + 1);
    if (!keys || !sorted || !groups->order || !groups->starts)
        return MEMORY;
    for (int64_t i = 0; i < count; i++)
        keys[i] = hashes[i] << bits | (uint64_t)i;
    for (int shift = bits; shift < 64; shift += DIGIT_BITS) {
        sort_by_digit(keys, sorted, count, shift);
        uint64_t *unsorted = keys;
        keys = sorted;
        sorted = unsorted;
    }
    int64_t n_groups = 0;
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || (keys[i] ^ keys[i - 1]) >> bits)
            groups->starts[n_groups++] = i;
        groups->order[i] = (int64_t)(keys[i] & (((uint64_t)1 << bits) - 1));
    }
    groups->starts[n_groups] = count;
    groups->n_groups = n_groups;
    return DONE;
}
