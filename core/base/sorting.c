/* Sorting of whole numbers: by digits, from the lowest one up. */
#include "base/sorting.h"

enum { FEW = 48, DIGITS = 8, VALUES = 256 };

static void sort_few(uint64_t *keys, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        int64_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

void sort_keys(uint64_t *keys, uint64_t *spare, int64_t count)
{
    if (count <= FEW) {
        sort_few(keys, count);
        return;
    }
    int64_t begins[DIGITS][VALUES] = {{0}};
    for (int64_t i = 0; i < count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            begins[digit][keys[i] >> 8 * digit & 0xFF]++;
    uint64_t *from = keys, *to = spare;
    for (int digit = 0; digit < DIGITS; digit++) {
        int64_t *begin = begins[digit], before = 0;
        if (begin[from[0] >> 8 * digit & 0xFF] == count)
            continue; /* all have the same one */
        for (int value = 0; value < VALUES; value++) {
            int64_t with_it = begin[value];
            begin[value] = before;
            before += with_it;
        }
        for (int64_t i = 0; i < count; i++)
            to[begin[from[i] >> 8 * digit & 0xFF]++] = from[i];
        uint64_t *last = from;
        from = to;
        to = last;
    }
    if (from != keys)
        memcpy(keys, from, (size_t)count * sizeof *keys);
}
