/* What a page has besides its text: its headline, comments, headings that head nothing. */
#include "columns/elements.h"
#include "kinds/kinds.h"

/* --- The headline ----------------------------------------------------------------------------- */

enum { LONGEST = 50 };     /* words of a headline at most */
enum { MOST_BLOCKS = 20 }; /* away from the beginning of the text that count */
enum { AFTER = 3 };        /* so many blocks after the text begins, its headline may still come */
enum { PROSE = 10 };       /* words outside links that make running text */
#define PER_BLOCK 0.02     /* what each block away takes from the score */

/* What h1 to h6 add to the score; no heading adds nothing. */
static const double of_level[7] = {0.0, 1.4, 0.7, 0.3, 0.1, 0.1, 0.1};

enum { LABELS, NO_TEXT, BY_NAMES }; /* inputs */

/* Where the text of a page begins: with running text that is kept, else with what is kept; -1 if
 * nothing is. */
static int64_t first_text(const Request *request, int64_t page)
{
    const uint8_t *labels = input(request, LABELS);
    const int64_t *bounds = request->table->page_starts + page;
    int64_t first = -1;
    for (int64_t i = bounds[0]; i < bounds[1]; i++) {
        if (labels[i] == TEXT && request->shared->free_words[i] >= PROSE)
            return i;
        if (first < 0 && is_kept(request, i))
            first = i;
    }
    return first;
}

/* May a block be a headline, whatever it says. */
static bool may_be_headline(const Request *request, int64_t block)
{
    const uint8_t *labels = input(request, LABELS), *no_text = input(request, NO_TEXT);
    int level = request->shared->heading_level[block];
    return request->inputs[BY_NAMES].length ||
           ((level == 1 || level == 2 || labels[block] == HEADER) && !(no_text && no_text[block]));
}

static bool keeps_one(const Request *request, int64_t page)
{
    const int64_t *bounds = request->table->page_starts + page;
    bool keeps = request->inputs[BY_NAMES].length > 0;
    for (int64_t i = bounds[0]; !keeps && i < bounds[1]; i++)
        keeps = is_kept(request, i) && may_be_headline(request, i);
    return keeps;
}

/* Add a block to those found, unless it is too long or too far behind the beginning of the text. */
static Outcome weigh(const Request *request, int64_t block, int64_t first, Candidates *found)
{
    const double *by_names = input(request, BY_NAMES);
    int64_t distance = first >= 0 ? block - first : -MOST_BLOCKS;
    int64_t away = distance < 0 ? -distance : distance, words = request->shared->words[block];
    int level = request->shared->heading_level[block];
    if (words < 1 || words > LONGEST || (distance > AFTER && level != 1))
        return DONE;
    double score = of_level[level] + (by_names ? by_names[block] : 0.0);
    score -= PER_BLOCK * (double)(away < MOST_BLOCKS ? away : MOST_BLOCKS);
    return growing_append(found, (Candidate){block, score, distance <= AFTER}) ? DONE : MEMORY;
}

Outcome find_headlines(const Request *request, Candidates *found)
{
    const Table *table = request->table;
    Outcome outcome = has_length(request, LABELS, table->n_blocks) ? DONE : WRONG;
    for (int i = NO_TEXT; i <= BY_NAMES; i++)
        if (request->inputs[i].items && !has_length(request, i, table->n_blocks))
            outcome = WRONG;
    for (int64_t page = 0; page < table->n_pages && outcome == DONE; page++) {
        if (!keeps_one(request, page))
            continue;
        int64_t first = first_text(request, page), end = table->page_starts[page + 1];
        for (int64_t i = table->page_starts[page]; i < end && outcome == DONE; i++)
            if (may_be_headline(request, i))
                outcome = weigh(request, i, first, found);
    }
    return outcome;
}

/* --- Names ------------------------------------------------------------------------------------ */

Outcome judge_names(const Request *request, uint8_t *pages)
{
    enum { MASKS, BITS, ROLES, LABELS };
    const Table *table = request->table;
    const uint64_t *masks = input(request, MASKS), *bits = input(request, BITS);
    const uint8_t *roles = input(request, ROLES), *labels = input(request, LABELS);
    int64_t n_masks = request->inputs[MASKS].length;
    bool any = false; /* most tables have no such name */
    if (!has_length(request, BITS, 1) || !has_length(request, ROLES, N_TAG_IDS) ||
        (labels && !has_length(request, LABELS, table->n_blocks)))
        return WRONG;
    for (int64_t row = 0; row < n_masks; row++)
        any |= (masks[row] & *bits) != 0;
    if (!any)
        return DONE;
    uint8_t *is_inside = TAKE(request->arena, uint8_t, (size_t)table->n_elements);
    if (!is_inside || !are_bundle_rows(table, n_masks))
        return is_inside ? WRONG : MEMORY;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        bool is_named = (masks[bundle_row(table, e, n_masks)] & *bits) &&
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
    if (!has_length(request, LABELS, table->n_blocks))
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
