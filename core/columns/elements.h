/* What feature modules ask of elements. */
#ifndef VICTOR_ELEMENTS_H
#define VICTOR_ELEMENTS_H

#include "columns/columns.h"

/* Is an element of a tag id, or inside one that is; false for ids that there are not. */
static inline bool is_in_tag(const Shared *shared, int64_t element, int64_t tag)
{
    if (tag < 0 || tag >= N_TAG_IDS)
        return false;
    return shared->around[tag >> 6][element] >> (tag & 63) & 1;
}

/* The row of attributes of an element; the one behind all others if it has none. */
static inline int64_t bundle_row(const Table *table, const Shared *shared, int64_t element)
{
    int64_t bundle = table->elements.bundle[element];
    return bundle < 0 ? shared->n_bundles : bundle;
}

/* (n_elements) each element if it is of one of some tag ids, else the nearest around it, or -1;
 * NULL if there is no memory. */
static inline int64_t *nearest_of_tags(const Table *table, const int64_t *tags, int64_t n_tags,
                                       Arena *arena)
{
    bool chosen[N_TAG_IDS] = {false};
    for (int64_t i = 0; i < n_tags; i++)
        if (tags[i] >= 0 && tags[i] < N_TAG_IDS)
            chosen[tags[i]] = true;
    int64_t *nearest = TAKE(arena, int64_t, (size_t)table->n_elements);
    for (int64_t e = 0; nearest && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        nearest[e] = chosen[table->elements.tag[e]] ? e : parent == e ? -1 : nearest[parent];
    }
    return nearest;
}

#endif
