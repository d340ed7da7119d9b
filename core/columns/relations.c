/* Columns of `victor.features.relations`. */
#include "columns/columns.h"

enum { ALIKE, CLOSE, NEAR, APART, HEADING }; /* the last is added where the block is a heading */

/* Block-level elements around a block, the container first. */
typedef struct {
    int64_t container, above, third;
} Around;

/* Is an element of a block also around the block before, at one of two levels. */
static bool holds_both(int64_t inner, int64_t outer, int64_t inner_before, int64_t outer_before)
{
    return outer == outer_before || inner == inner_before || inner == outer_before ||
           outer == inner_before;
}

static int relation(const Table *table, Around here, Around before)
{
    const int64_t *tag = table->elements.tag;
    if (here.container == before.container ||
        (here.above == before.above && tag[here.container] == tag[before.container]))
        return ALIKE;
    if (holds_both(here.container, here.above, before.container, before.above))
        return CLOSE;
    return holds_both(here.above, here.third, before.above, before.third) ? NEAR : APART;
}

Outcome relations_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    Around before = {-1, -1, -1};
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        int64_t container = shared->container[i], above = shared->outer[container];
        Around here = {container, above, shared->outer[above]};
        bool is_first = i == 0 || shared->page[i] != shared->page[i - 1];
        int number = is_first ? APART : relation(request->table, here, before);
        rows[0][i] = (float)(number + (shared->heading_level[i] ? HEADING : 0));
        before = here;
    }
    return DONE;
}
