/* What a page has besides its text: its headline, comments, headings that head nothing. */
#include "kinds/kinds.h"
#include "columns/elements.h"

/* --- The headline ----------------------------------------------------------------------------- */

enum { LONGEST = 50 };     /* words of a headline at most */
enum { MOST_BLOCKS = 20 }; /* away from the beginning of the text that count */
enum { AFTER = 3 };        /* so many blocks after the text begins, its headline may still come */
enum { PROSE = 10 };       /* words outside links that make running text */
#define PER_BLOCK 0.02     /* what each block away takes from the score */

/* What h1 to h6 add to the score; no heading adds nothing. */
static const double of_level[7] = {0.0, 1.4, 0.7, 0.3, 0.1, 0.1, 0.1};

/* Where the text of a page begins: with running text that is kept, else with what is kept; -1 if
 * nothing is. */
static int64_t first_text(const Table *table, const Shared *shared, const uint8_t *labels,
                          int64_t page)
{
    int64_t first = -1;
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
        if (labels[i] == TEXT && shared->free_words[i] >= PROSE)
            return i;
        if (first < 0 && labels[i] != OTHER)
            first = i;
    }
    return first;
}

/* May a block be a headline by its tag or label alone. */
static bool may_be_headline(const Shared *shared, const uint8_t *labels, const uint8_t *no_text,
                            int64_t block)
{
    int level = shared->heading_level[block];
    return (level == 1 || level == 2 || labels[block] == HEADER) && !(no_text && no_text[block]);
}

static bool keeps_one(const Table *table, const Shared *shared, const uint8_t *labels,
                      const uint8_t *no_text, int64_t page)
{
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
        if (labels[i] != OTHER && may_be_headline(shared, labels, no_text, i))
            return true;
    return false;
}

/* Add a block to those found, unless it is too long or too far behind the beginning of the text. */
static Outcome weigh(const Shared *shared, int64_t block, int64_t first, double by_name,
                     Candidates *found)
{
    int64_t distance = first >= 0 ? block - first : -MOST_BLOCKS;
    int64_t away = distance < 0 ? -distance : distance;
    bool is_before = distance <= AFTER;
    int level = shared->heading_level[block];
    if (shared->words[block] < 1 || shared->words[block] > LONGEST || (!is_before && level != 1))
        return DONE;
    double score = of_level[level] + by_name;
    score -= PER_BLOCK * (double)(away < MOST_BLOCKS ? away : MOST_BLOCKS);
    return growing_append(found, (Candidate){block, score, is_before}) ? DONE : MEMORY;
}

Outcome find_headlines(const Table *table, const Shared *shared, const uint8_t *labels,
                       const uint8_t *no_text, const double *by_names, Candidates *found)
{
    Outcome outcome = DONE;
    for (int64_t page = 0; page < table->n_pages && outcome == DONE; page++) {
        if (!by_names && !keeps_one(table, shared, labels, no_text, page))
            continue;
        int64_t first = first_text(table, shared, labels, page);
        int64_t end = table->page_starts[page + 1];
        for (int64_t i = table->page_starts[page]; i < end && outcome == DONE; i++)
            if (by_names || may_be_headline(shared, labels, no_text, i))
                outcome = weigh(shared, i, first, by_names ? by_names[i] : 0.0, found);
    }
    return outcome;
}

/* --- Names ------------------------------------------------------------------------------------ */

static bool is_named(const Table *table, const Named *named, int64_t element)
{
    bool counts = !named->roles || !(named->roles[table->elements.tag[element]] & IS_WHOLE_PAGE);
    return counts && (named->masks[bundle_row(table, element, named->n_masks)] & named->bits);
}

static Outcome find_kept_inside(const Table *table, const Shared *shared, const Named *named,
                                const uint8_t *labels, Arena *arena, uint8_t *pages)
{
    uint8_t *is_inside = TAKE(arena, uint8_t, (size_t)table->n_elements);
    if (!is_inside)
        return MEMORY;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        is_inside[e] = is_named(table, named, e) || (parent != e && is_inside[parent]);
    }
    for (int64_t i = 0; i < table->n_blocks; i++)
        if (labels[i] != OTHER && is_inside[shared->element[i]])
            pages[shared->page[i]] = true;
    return DONE;
}

Outcome find_named(const Table *table, const Shared *shared, const Named *named,
                   const uint8_t *labels, Arena *arena, uint8_t *pages)
{
    bool any = false; /* most tables have no such name */
    for (int64_t row = 0; row < named->n_masks; row++)
        any |= (named->masks[row] & named->bits) != 0;
    if (!any)
        return DONE;
    if (!are_bundle_rows(table, named->n_masks))
        return WRONG;
    if (labels)
        return find_kept_inside(table, shared, named, labels, arena, pages);
    for (int64_t e = 0; e < table->n_elements; e++)
        if (is_named(table, named, e))
            pages[shared->element_page[e]] = true;
    return DONE;
}

/* --- Headings that head nothing --------------------------------------------------------------- */

int64_t find_dangling(const Table *table, const Shared *shared, const uint8_t *labels,
                      int64_t *blocks)
{
    int64_t n_found = 0;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t last = -1, before = -1;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            if (labels[i] != OTHER) {
                before = last;
                last = i;
            }
        if (before >= 0 && shared->heading_level[last] > 0 && shared->heading_level[before] == 0)
            blocks[n_found++] = last;
    }
    return n_found;
}
