/* Mixed numbers, and groups of equal hashes, as `victor.page.table.hashes` has them. */
#ifndef VICTOR_HASH_GROUPS_H
#define VICTOR_HASH_GROUPS_H

#include "base/codes.h"
#include "base/core.h"

/* A number that looks random, one for each number: the last two rounds of SplitMix64. */
static inline uint64_t mixed(uint64_t value)
{
    uint64_t bits = value + 1;
    bits *= UINT64_C(0xBF58476D1CE4E5B9);
    bits ^= bits >> 27;
    bits *= UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

/* Groups of equal hashes among `count`. */
typedef struct {
    int64_t *order;  /* (count) indices that put equal hashes together, those of a group ascend */
    int64_t *starts; /* (n_groups + 1) where in `order` each group begins */
    int64_t n_groups;
} HashGroups;

/* Group equal hashes; memory is of the arena. Hashes that differ are taken for equal where they
 * agree in all but as many of the highest bits as their number has, as in Python. */
Outcome equal_groups(HashGroups *groups, const uint64_t *hashes, int64_t count, Arena *arena);

#endif
