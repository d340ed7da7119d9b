/* Links that serve a heading and say none of it: `[edit]` of wikis, a sign to its own place. */
#include "base/sorting.h"
#include "columns/elements.h"
#include "kinds/kinds.h"

enum { MOST_PARTS = 40 }; /* segments of a block that is looked at */
enum { LABELS, TAGS };  /* inputs */
enum { LONGEST = 80, LONGEST_SIGN = 3 }; /* characters of such a link, and of a sign */
enum { DT, A, SUP, N_TAGS }; /* whose ids are asked for */
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
    uint8_t class = request->shared->characters->classes[request->table->chars[at]];
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
    return count_below(table->segments.tag, table->n_segments, tag);
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

/* --- The links -------------------------------------------------------------------------------- */

/* Segments, from the first up to the second. */
typedef struct {
    int64_t first, end;
} Span;

static bool is_bracket_or_digit(const Request *request, int64_t at)
{
    uint32_t code = request->table->chars[at];
    return code == '[' || code == ']' || request->shared->characters->classes[code] == DIGIT;
}

static bool is_letter(const Request *request, int64_t at)
{
    uint8_t class = request->shared->characters->classes[request->table->chars[at]];
    return class >= LOWER && class <= IDEOGRAPH;
}

/* Is a text a sign, or words in brackets: two letters at least, for [a] and [1] may be marks of notes. */
static bool is_sign(const Request *request, int64_t start, int64_t end)
{
    const uint32_t *chars = request->table->chars;
    while (start < end && request->shared->characters->classes[chars[start]] == SPACE)
        start++;
    while (start < end && request->shared->characters->classes[chars[end - 1]] == SPACE)
        end--;
    if (end - start >= 4 && chars[start] == '[' && chars[end - 1] == ']') {
        bool is_plain = is_letter(request, start + 1) && is_letter(request, end - 2);
        for (int64_t at = start + 1; is_plain && at < end - 1; at++)
            is_plain = !is_bracket_or_digit(request, at);
        return is_plain;
    }
    for (int64_t at = start; at < end; at++)
        if (is_word_character(request, at))
            return false;
    return end > start && end - start <= LONGEST_SIGN;
}

/* What of the segments of a span is linked; what is raised may mark a note. */
typedef struct {
    bool any, all, all_words, has_words;
} Linked;

static Linked linked_of(const Request *request, Span span, const int64_t *links)
{
    Linked linked = {false, true, true, false};
    for (int64_t s = span.first; s < span.end; s++) {
        int64_t element = request->shared->segment_element[s];
        bool is_linked = links[element] >= 0 && !is_inside(request, element, SUP);
        bool is_word = request->shared->segment_words[s] > 0;
        linked.any |= is_linked;
        linked.all &= is_linked;
        linked.all_words &= is_linked || !is_word;
        linked.has_words |= is_word;
    }
    return linked;
}

/* The segments of the element around one that is such a link, or none. The link may be around the box
 * that the segment stands in. */
static Span link_at(const Request *request, int64_t segment, int64_t box, const int64_t *links)
{
    const Table *table = request->table;
    const Span none = {0, 0};
    int64_t element = request->shared->segment_element[segment];
    element = links[element] < 0 ? element : links[element];
    for (;; element = table->elements.parent[element]) {
        const Span span = {segment_from(table, table->elements.open[element]),
                           segment_from(table, table->elements.close[element])};
        int64_t start = table->segments.start[span.first], end = table->segments.end[span.end - 1];
        if (end - start > LONGEST)
            return none;
        Linked linked = linked_of(request, span, links);
        if (linked.any && linked.all_words && is_sign(request, start, end))
            return linked.has_words || linked.all ? span : none;
        if (element <= box)
            return none;
    }
}

/* Mark the segments of the links at the ends of a block; of what stands beside a heading only if that
 * is all of it, of a heading only if something is left. */
static void mark_links(const Request *request, int64_t block, bool is_beside, const int64_t *links,
                       uint8_t *segments)
{
    const int64_t *bounds = request->table->segment_starts + block;
    int64_t first = bounds[0], last = bounds[1], box = request->shared->container[block];
    while (first < last) {
        Span link = link_at(request, last - 1, box, links);
        if (link.first == link.end)
            break;
        last = link.first;
    }
    while (first < last) {
        Span link = link_at(request, first, box, links);
        if (link.first == link.end)
            break;
        first = link.end;
    }
    if (is_beside != (first >= last))
        return;
    for (int64_t s = bounds[0]; s < bounds[1]; s++)
        if (s < first || s >= last)
            segments[s] = true;
}

/* Could a block have such a link: no link is around it or in it otherwise. */
static bool may_have_link(const Request *request, int64_t block, const int64_t *before)
{
    const Table *table = request->table;
    int64_t box = request->shared->container[block];
    return is_kept(request, block) && has_sign_at_end(request, block) &&
           before[segment_from(table, table->elements.open[box])] <
               before[segment_from(table, table->elements.close[box])];
}

Outcome judge_heading_links(const Request *request, uint8_t *segments)
{
    const Table *table = request->table;
    if (!has_length(request, LABELS, table->n_blocks) || !has_length(request, TAGS, N_TAGS))
        return WRONG;
    uint8_t *blocks = ZEROS(request->arena, uint8_t, (size_t)table->n_blocks);
    if (!blocks)
        return MEMORY;
    if (!mark_blocks(request, blocks))
        return DONE;
    const int64_t *before = count_linked(request), *tags = input(request, TAGS), *links = NULL;
    for (int64_t i = 0; before && i < table->n_blocks; i++) {
        if (!blocks[i] || !may_have_link(request, i, before))
            continue;
        links = links ? links : nearest_of_tags(table, tags + A, 1, request->arena);
        if (!links)
            return MEMORY;
        mark_links(request, i, !(blocks[i] & IS_HEADING), links, segments);
    }
    return before ? DONE : MEMORY;
}
