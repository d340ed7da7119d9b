/* What a page has besides its text: comments, headings that head nothing. */
#include "columns/elements.h"
#include "kinds/kinds.h"

/* --- Names ------------------------------------------------------------------------------------ */

Outcome judge_names(const Request *request, uint8_t *pages)
{
    enum { BITS, ROLES, LABELS };
    const Table *table = request->table;
    const uint64_t *names = request->shared->names, *bits = input(request, BITS);
    const uint8_t *roles = input(request, ROLES), *labels = input(request, LABELS);
    bool any = false; /* most tables have no such name */
    if (!names || !has_length(request, BITS, 1) || !has_length(request, ROLES, N_TAG_IDS) ||
        (labels && !has_length(request, LABELS, table->n_blocks)))
        return WRONG;
    for (int64_t row = 0; row < request->shared->n_bundles; row++)
        any |= (names[row] & *bits) != 0;
    if (!any)
        return DONE;
    uint8_t *is_inside = TAKE(request->arena, uint8_t, (size_t)table->n_elements);
    if (!is_inside)
        return MEMORY;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        bool is_named = (names[bundle_row(table, request->shared, e)] & *bits) &&
                        !roles[table->elements.tag[e]];
        is_inside[e] = is_named || (parent != e && is_inside[parent]);
        pages[request->shared->element_page[e]] |= is_named && !labels;
    }
    for (int64_t i = 0; labels && i < table->n_blocks; i++)
        pages[request->shared->page[i]] |=
            labels[i] != OTHER && is_inside[request->shared->element[i]];
    return DONE;
}

/* --- Headings that head nothing --------------------------------------------------------------- */

Outcome judge_dangling(const Request *request, uint8_t *blocks)
{
    const Table *table = request->table;
    const uint8_t *levels = request->shared->heading_level;
    if (!has_length(request, 0, table->n_blocks))
        return WRONG;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t last = -1, before = -1;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            if (is_kept(request, i)) {
                before = last;
                last = i;
            }
        if (before >= 0 && levels[last] > 0 && levels[before] == 0)
            blocks[last] = true;
    }
    return DONE;
}
