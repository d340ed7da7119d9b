/* Where links around the text of headings may be, as `victor.kinds.heading_links` asks. */
#include "kinds/kinds.h"
#include "columns/elements.h"

enum { MOST_PARTS = 40 }; /* segments of a block that is looked at */
enum { IS_HEADING = 1, IS_ALONE = 2 };

/* Does a block begin inside an element. */
static bool begins_in(const Table *table, const Shared *shared, int64_t block, int64_t element)
{
    return block >= 0 && block < table->n_blocks &&
           table->elements.open[element] <= shared->tag[block] &&
           shared->tag[block] < table->elements.close[element];
}

/* Mark the block that stands in one element with a heading, if it is all that does. */
static void mark_alone(const Table *table, const Shared *shared, int64_t heading, uint8_t *marks)
{
    int64_t around = table->elements.parent[shared->container[heading]];
    int64_t before = heading - 1, after = heading + 1;
    bool has_before = begins_in(table, shared, before, around);
    bool has_after = begins_in(table, shared, after, around);
    if (has_before == has_after || begins_in(table, shared, heading - 2, around) ||
        begins_in(table, shared, heading + 2, around))
        return;
    marks[has_before ? before : after] |= IS_ALONE;
}

/* Mark kept headings and what stands alone beside them; false if there is no heading. */
static bool mark_blocks(const Table *table, const Shared *shared, const uint8_t *labels,
                        const uint8_t *roles, uint8_t *marks)
{
    bool any = false;
    uint64_t terms[2] = {0, 0};
    for (int tag = 0; tag < N_TAG_IDS; tag++)
        if (roles[tag] & IS_TERM)
            terms[tag >> 6] |= (uint64_t)1 << (tag & 63);
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t element = shared->element[i];
        bool is_term = (shared->around[0][element] & terms[0]) ||
                       (shared->around[1][element] & terms[1]);
        if (labels[i] != OTHER && (shared->heading_level[i] > 0 || is_term))
            any = marks[i] = IS_HEADING;
    }
    for (int64_t i = 0; i < table->n_blocks; i++)
        if (marks[i] & IS_HEADING)
            mark_alone(table, shared, i, marks);
    return any;
}

static bool is_word_character(const Table *table, const Shared *shared, int64_t at)
{
    uint8_t class = shared->classes[table->chars[at]];
    return class >= LOWER && class <= OTHER_WORD;
}

/* Is a block short, and begins or ends with what may be a sign or a bracket. */
static bool has_sign_at_end(const Table *table, const Shared *shared, int64_t block)
{
    int64_t n_parts = table->segment_starts[block + 1] - table->segment_starts[block];
    int64_t start = shared->start[block], end = shared->end[block];
    return end > start && n_parts <= MOST_PARTS &&
           !(is_word_character(table, shared, start) && is_word_character(table, shared, end - 1));
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

/* Find links, and count the segments in them before each segment; NULL if there is no memory. */
static int64_t *count_links(const Table *table, const Shared *shared, const uint8_t *roles,
                            HeadingLinks *found, Arena *arena)
{
    int64_t *raised = TAKE(arena, int64_t, (size_t)table->n_elements);
    int64_t *before = TAKE(arena, int64_t, (size_t)table->n_segments + 1);
    if (!raised || !before)
        return NULL;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        uint8_t role = roles[table->elements.tag[e]];
        found->links[e] = role & IS_LINK ? e : parent == e ? -1 : found->links[parent];
        raised[e] = (role & IS_RAISED) || (parent != e && raised[parent]);
    }
    before[0] = 0;
    for (int64_t s = 0; s < table->n_segments; s++) {
        int64_t element = shared->segment_element[s];
        bool is_linked = found->links[element] >= 0;
        found->linked[s] = is_linked && !raised[element];
        before[s + 1] = before[s] + is_linked;
    }
    return before;
}

Outcome find_heading_links(const Table *table, const Shared *shared, const uint8_t *labels,
                           const uint8_t roles[N_TAG_IDS], Arena *arena, HeadingLinks *found)
{
    found->n_found = 0;
    uint8_t *marks = ZEROS(arena, uint8_t, (size_t)table->n_blocks);
    if (!marks)
        return MEMORY;
    if (!mark_blocks(table, shared, labels, roles, marks))
        return DONE;
    int64_t *before = NULL;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        if (!marks[i] || labels[i] == OTHER || !has_sign_at_end(table, shared, i))
            continue;
        if (!before && !(before = count_links(table, shared, roles, found, arena)))
            return MEMORY;
        int64_t box = shared->container[i];
        int64_t first = segment_from(table, table->elements.open[box]);
        if (before[first] == before[segment_from(table, table->elements.close[box])])
            continue; /* no link is around the block or in it */
        found->blocks[found->n_found] = i;
        found->is_alone[found->n_found++] = !(marks[i] & IS_HEADING);
    }
    return DONE;
}
