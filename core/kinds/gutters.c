/* Which pages may number the lines of their code, as `victor.page.verdict.preformatted` asks. */
#include "kinds/kinds.h"

enum { IS_PRE = 1 }; /* role of tags; any other is code, too */

/* Segments before each tag: those of numbers, and how many these are, up to 2, and others. */
typedef struct {
    int64_t numbers, others;
} Before;

/* How many numbers a segment holds, 2 for more; 0 if it holds what cannot stand beside them. */
static int64_t count_numbers(const Request *request, int64_t segment)
{
    const Table *table = request->table;
    int64_t numbers = 1;
    for (int64_t at = table->segments.start[segment]; at < table->segments.end[segment]; at++) {
        uint32_t code = table->chars[at];
        uint8_t class = request->shared->classes[code];
        if (class == SPACE)
            numbers = 2;
        else if (class != DIGIT && class != OTHER_WORD && code != '.' && code != ':' && code != '|')
            return 0;
    }
    return numbers;
}

static const Before *count_before_tags(const Request *request)
{
    const Table *table = request->table;
    Before *before = ZEROS(request->arena, Before, (size_t)table->n_tags + 1);
    for (int64_t s = 0; before && s < table->n_segments; s++) {
        int64_t numbers = count_numbers(request, s);
        before[table->segments.tag[s] + 1] = (Before){numbers, numbers == 0};
    }
    for (int64_t tag = 0; before && tag < table->n_tags; tag++) {
        before[tag + 1].numbers += before[tag].numbers;
        before[tag + 1].others += before[tag].others;
    }
    return before;
}

/* Does an element hold nothing but numbers: one in a <pre>, two where a name may say what they are. */
static bool may_number(const Table *table, const Before *before, int64_t element, bool is_pre)
{
    const Before *open = &before[table->elements.open[element]];
    const Before *close = &before[table->elements.close[element]];
    return close->others == open->others && close->numbers - open->numbers >= (is_pre ? 1 : 2) &&
           (is_pre || table->elements.bundle[element] >= 0);
}

/* (n_elements); of a batch that may not be complete. */
static const int64_t *pages_of_elements(const Request *request)
{
    const Table *table = request->table;
    int64_t *pages = TAKE(request->arena, int64_t, (size_t)table->n_elements);
    for (int64_t e = 0, page = -1; pages && e < table->n_elements; e++) {
        page += page + 1 < table->n_pages && table->page_roots[page + 1] == e;
        pages[e] = page < 0 ? 0 : page;
    }
    return pages;
}

Outcome judge_gutters(const Request *request, uint8_t *pages)
{
    const Table *table = request->table;
    const uint8_t *roles = input(request, 0);
    const int64_t *page = pages_of_elements(request);
    uint8_t *has_code = ZEROS(request->arena, uint8_t, (size_t)table->n_pages);
    bool any = false;
    if (!page || !has_code)
        return MEMORY;
    if (!has_length(request, 0, N_TAG_IDS))
        return WRONG;
    for (int64_t e = 0; e < table->n_elements; e++)
        if (roles[table->elements.tag[e]])
            has_code[page[e]] = any = true;
    const Before *before = any ? count_before_tags(request) : NULL;
    if (any && !before)
        return MEMORY;
    for (int64_t e = 0; any && e < table->n_elements; e++)
        if (has_code[page[e]] &&
            may_number(table, before, e, roles[table->elements.tag[e]] & IS_PRE))
            pages[page[e]] = true;
    return DONE;
}
