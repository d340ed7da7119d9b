/* Which attributes of an element have a name that another had before. */
#include "repeated_names.h"
#include "markup_text.h"

typedef struct {
    uint8_t bytes[NAME_BYTES];
    uint8_t length;
} PlainName;

static PlainName plain_name(Slice name)
{
    PlainName plain;
    plain.length = (uint8_t)put_name(name, plain.bytes);
    return plain;
}

static int compare(const PlainName *left, const PlainName *right)
{
    if (left->length != right->length)
        return left->length < right->length ? -1 : 1;
    return memcmp(left->bytes, right->bytes, left->length);
}

/* Merge two sorted runs of `from`; of equal names the earlier comes first. */
static void merge(const PlainName *names, const size_t *from, size_t start, size_t middle,
                  size_t end, size_t *to)
{
    size_t left = start, right = middle;
    for (size_t at = start; at < end; at++) {
        bool takes_left =
            left < middle &&
            (right >= end || compare(&names[from[left]], &names[from[right]]) <= 0);
        to[at] = takes_left ? from[left++] : from[right++];
    }
}

/* The numbers of names in their order; `order` and `spare` have room for `count`. */
static const size_t *sorted(const PlainName *names, size_t count, size_t *order, size_t *spare)
{
    for (size_t a = 0; a < count; a++)
        order[a] = a;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            size_t middle = start + run < count ? start + run : count;
            size_t end = middle + run < count ? middle + run : count;
            merge(names, order, start, middle, end, spare);
        }
        size_t *merged = spare;
        spare = order;
        order = merged;
    }
    return order;
}

Outcome find_repeated(const Attribute *attributes, size_t count, uint8_t *repeated)
{
    Arena arena = {0};
    PlainName *names = TAKE(&arena, PlainName, count);
    size_t *order = TAKE(&arena, size_t, count), *spare = TAKE(&arena, size_t, count);
    if (!names || !order || !spare) {
        arena_free(&arena);
        return MEMORY;
    }
    for (size_t a = 0; a < count; a++) {
        names[a] = plain_name(attributes[a].name);
        repeated[a] = 0;
    }
    const size_t *by_name = sorted(names, count, order, spare);
    for (size_t at = 1; at < count; at++)
        repeated[by_name[at]] = compare(&names[by_name[at - 1]], &names[by_name[at]]) == 0;
    arena_free(&arena);
    return DONE;
}
