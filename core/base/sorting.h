/* Sorting of whole numbers, in linear time whatever they are, and search among sorted ones. */
#ifndef VICTOR_SORTING_H
#define VICTOR_SORTING_H

#include "base/core.h"

/* Sort keys; `spare` has room for as many. */
void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count);

/* How many of some ascending numbers are below one: where it stands, or would. */
static inline int64_t count_below(const int64_t *numbers, int64_t count, int64_t number)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
