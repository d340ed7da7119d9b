/* Groups of equal hashes: a radix sort, whose time no choice of hashes can make longer. */
#include "base/hash_groups.h"
#include "base/sorting.h"

Outcome equal_groups(HashGroups *groups, const uint64_t *hashes, int64_t count, Arena *arena)
{
    int bits = 0; /* of an index; they are below those of the hash, and ascend as they are */
    while (count >> bits)
        bits++;
    uint64_t *keys = TAKE(arena, uint64_t, (size_t)count);
    uint64_t *spare = TAKE(arena, uint64_t, (size_t)count);
    groups->order = TAKE(arena, int64_t, (size_t)count);
    groups->starts = TAKE(arena, int64_t, (size_t)count + 1);
    if (!keys || !spare || !groups->order || !groups->starts)
        return MEMORY;
    for (int64_t i = 0; i < count; i++)
        keys[i] = hashes[i] << bits | (uint64_t)i;
    sort_keys(keys, spare, count);
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
