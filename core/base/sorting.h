/* Sorting of whole numbers, in linear time whatever they are. */
#ifndef VICTOR_SORTING_H
#define VICTOR_SORTING_H

#include "base/core.h"

/* Sort keys; `spare` has room for as many. */
void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count);

#endif
