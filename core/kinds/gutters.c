/* Which pages may number the lines of their code, as `victor.page.verdict.preformatted` asks. */
#include "kinds/kinds.h"

enum { IS_PRE = 1 }; /* role of tags; any other is code, too */

/* Segments before each tag: those of numbers, and how many these are, up to 2, and others. */
typedef struct {
    int64_t numbers, others;
} Before;

/* The tags of a page. */
typedef struct {
    int64_t first, count;
} Tags;

/* How many numbers a segment holds, 2 for more; 0 if it holds what cannot stand beside them. */
static int64_t count_numbers(const Table *table, const uint8_t *classes, int64_t segment)
{
    int64_t numbers = 1;
    for (int64_t at = table->segments.start[segment]; at < table->segments.end[segment]; at++) {
        uint32_t code = table->chars[at];
        uint8_t class = classes[code];
        if (class == SPACE)
            numbers = 2;
        else if (class != DIGIT && class != OTHER_WORD && code != '.' && code != ':' && code != '|')
            return 0;
    }
    return numbers;
}

/* Fill the sums before each of the tags of a page; false if the page has other segments. */
static bool count_before_tags(const Table *table, const uint8_t *classes, int64_t page,
                              const Tags *tags, Before *before)
{
    const int64_t *blocks = &table->page_starts[page];
    int64_t first = table->segment_starts[blocks[0]], end = table->segment_starts[blocks[1]];
    for (int64_t s = first; s < end; s++) {
        int64_t tag = table->segments.tag[s] - tags->first, numbers = count_numbers(table, classes, s);
        if (tag < 0 || tag >= tags->count)
            return false;
        before[tag + 1] = (Before){numbers, numbers == 0};
    }
    for (int64_t tag = 0; tag < tags->count; tag++) {
        before[tag + 1].numbers += before[tag].numbers;
        before[tag + 1].others += before[tag].others;
    }
    return true;
}

/* Does an element hold nothing but numbers: one in a <pre>, two where a name may say what they are. */
static bool may_number(const Table *table, const Tags *tags, const Before *before, int64_t element,
                       bool is_pre)
{
    int64_t start = table->elements.open[element] - tags->first;
    int64_t end = table->elements.close[element] - tags->first;
    if (start < 0 || start > end || end > tags->count)
        return false;
    return before[end].others == before[start].others &&
           before[end].numbers - before[start].numbers >= (is_pre ? 1 : 2) &&
           (is_pre || table->elements.bundle[element] >= 0);
}

Outcome find_numbers(const Table *table, const uint8_t *classes, const uint8_t *roles, int64_t page,
                     bool *found)
{
    int64_t root = table->page_roots[page];
    int64_t end = page + 1 < table->n_pages ? table->page_roots[page + 1] : table->n_elements;
    bool has_code = false;
    for (int64_t e = root; e < end; e++)
        has_code |= roles[table->elements.tag[e]] != 0;
    *found = false;
    if (!has_code)
        return DONE;
    int64_t first = table->elements.open[root], last = table->elements.close[root];
    const Tags tags = {first, last >= first ? last - first + 1 : 0};
    Arena arena = {0};
    Before *before = ZEROS(&arena, Before, (size_t)tags.count + 1);
    bool is_sound = before && count_before_tags(table, classes, page, &tags, before);
    for (int64_t e = root; is_sound && e < end; e++)
        *found |= may_number(table, &tags, before, e, roles[table->elements.tag[e]] & IS_PRE);
    arena_free(&arena);
    return is_sound ? DONE : before ? WRONG : MEMORY;
}

Outcome judge_gutters(const Request *request, uint8_t *pages)
{
    Outcome outcome = has_length(request, 0, N_TAG_IDS) ? DONE : WRONG;
    for (int64_t page = 0; outcome == DONE && page < request->table->n_pages; page++) {
        bool found;
        outcome = find_numbers(request->table, request->shared->characters->classes, input(request, 0), page,
                               &found);
        pages[page] = outcome == DONE && found;
    }
    return outcome;
}
