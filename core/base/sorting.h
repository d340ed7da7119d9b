/* Sorting of whole numbers, in linear time whatever they are. */
#ifndef VICTOR_SORTING_H
#define VICTOR_SORTING_H

#include "base/core.h"

/* Sort keys; `spare` has room for as many. */
void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count);

/* Where the first of some sorted keys is that is not below a value. */
int64_t first_not_below(const uint64_t *keys, int64_t count, uint64_t value);

#endif
