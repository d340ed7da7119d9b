/* Where links around the text of headings may be, as `victor.kinds.heading_links` asks. */
#include "columns/elements.h"
#include "kinds/kinds.h"

enum { MOST_PARTS = 40 }; /* segments of a block that is looked at */
enum { LABELS, TAGS };  /* inputs */
enum { DT, A, N_TAGS }; /* whose ids are asked for */
enum { IS_HEADING = 1, IS_ALONE = 2 }; /* what is found */

/* Does a block begin inside an element. */
static bool begins_in(const Request *request, int64_t block, int64_t element)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    return block >= 0 && block < table->n_blocks &&
           table->elements.open[element] <= shared->tag[block] &&
           shared->tag[block] < table->elements.close[element];
}

/* Mark the block that stands in one element with a heading, if it is all that does. */
static void mark_alone(const Request *request, int64_t heading, uint8_t *blocks)
{
    int64_t around = request->table->elements.parent[request->shared->container[heading]];
    bool has_before = begins_in(request, heading - 1, around);
    if (has_before != begins_in(request, heading + 1, around) &&
        !begins_in(request, heading - 2, around) && !begins_in(request, heading + 2, around))
        blocks[has_before ? heading - 1 : heading + 1] |= IS_ALONE;
}

static bool is_inside(const Request *request, int64_t element, int tag)
{
    return is_in_tag(request->shared, element, ((const int64_t *)input(request, TAGS))[tag]);
}

static bool is_word_character(const Request *request, int64_t at)
{
    uint8_t class = request->shared->classes[request->table->chars[at]];
    return class >= LOWER && class <= OTHER_WORD;
}

/* Is a block short, and begins or ends with what may be a sign or a bracket. */
static bool has_sign_at_end(const Request *request, int64_t block)
{
    const int64_t *parts = request->table->segment_starts + block;
    int64_t start = request->shared->start[block], end = request->shared->end[block];
    return end > start && parts[1] - parts[0] <= MOST_PARTS &&
           !(is_word_character(request, start) && is_word_character(request, end - 1));
}

/* The first segment at a tag or behind it. */
static int64_t segment_from(const Table *table, int64_t tag)
{
    int64_t first = 0, end = table->n_segments;
    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        if (table->segments.tag[middle] < tag)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Segments in links before each segment, and of all; NULL if there is no memory. */
static int64_t *count_linked(const Request *request)
{
    const Table *table = request->table;
    int64_t *before = ZEROS(request->arena, int64_t, (size_t)table->n_segments + 1);
    for (int64_t s = 0; before && s < table->n_segments; s++)
        before[s + 1] = before[s] + is_inside(request, request->shared->segment_element[s], A);
    return before;
}

/* Mark kept headings, the terms of lists among them, and what stands alone beside one. */
static bool mark_blocks(const Request *request, uint8_t *blocks)
{
    const uint8_t *levels = request->shared->heading_level;
    int64_t n = request->table->n_blocks;
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        if (is_kept(request, i) &&
            (levels[i] > 0 || is_inside(request, request->shared->element[i], DT))) {
            blocks[i] = IS_HEADING;
            any = true;
        }
    for (int64_t i = 0; any && i < n; i++)
        if (blocks[i] & IS_HEADING)
            mark_alone(request, i, blocks);
    return any;
}

Outcome judge_heading_links(const Request *request, uint8_t *blocks)
{
    const Table *table = request->table;
    if (!has_length(request, LABELS, table->n_blocks) || !has_length(request, TAGS, N_TAGS))
        return WRONG;
    if (!mark_blocks(request, blocks))
        return DONE;
    const int64_t *before = count_linked(request);
    if (!before)
        return MEMORY;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t box = request->shared->container[i];
        if (!blocks[i])
            continue;
        blocks[i] = blocks[i] & IS_HEADING ? IS_HEADING : IS_ALONE;
        if (!is_kept(request, i) || !has_sign_at_end(request, i) ||
            before[segment_from(table, table->elements.open[box])] ==
                before[segment_from(table, table->elements.close[box])])
            blocks[i] = 0; /* no link is around the block or in it */
    }
    return DONE;
}
