/* Columns of `victor.features.sections`: blocks between two headings, the heading above a block. */
#include "base/sorting.h"
#include "columns/columns.h"

enum { SHARE, LINK_DENSITY, DENSITY, BLOCKS, WORDS, HEADING_LINK, DEPTH, ALIKE, AFTER_H1 };
enum { COMPARED = 3 }; /* block-level elements by which headings look alike */

static void measure_section(const Shared *shared, int64_t first, int64_t end, int64_t page_words,
                            float *const *rows)
{
    int64_t words = 0, link_words = 0;
    for (int64_t i = first; i < end; i++) {
        words += shared->words[i];
        link_words += shared->link_words[i];
    }
    for (int64_t i = first; i < end; i++) {
        rows[SHARE][i] = share(words, at_least_1(page_words));
        rows[LINK_DENSITY][i] = share(link_words, at_least_1(words));
        rows[DENSITY][i] = share(words - link_words, end - first);
        rows[BLOCKS][i] = (float)(end - first);
    }
}

/* Sections of a page: each begins with the first block or with a heading. */
static void measure_sections(const Request *request, int64_t page, float *const *rows)
{
    int64_t start = request->table->page_starts[page], end = request->table->page_starts[page + 1];
    for (int64_t first = start, next = start; first < end; first = next) {
        for (next = first + 1; next < end && !request->shared->heading_level[next];)
            next++;
        measure_section(request->shared, first, next, request->shared->page_words[page], rows);
    }
}

/* Hash of the page, the level, and the tags and classes of the elements around a heading. */
static uint64_t looks_of(const Request *request, const int64_t *class_numbers, int64_t block)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t element = shared->container[block];
    uint64_t hash = (uint64_t)shared->page[block] << 3 | shared->heading_level[block];
    for (int level = 0; level < COMPARED; level++) {
        int64_t bundle = table->elements.bundle[element];
        int64_t last = request->inputs[0].length - 1;
        uint64_t class = (uint64_t)class_numbers[bundle >= 0 && bundle < last ? bundle : last];
        hash = (hash ^ (class << 8 | (uint64_t)table->elements.tag[element])) * GOLDEN;
        hash ^= hash >> 32;
        element = shared->outer[element];
    }
    return hash;
}

/* What is known of a heading, for the blocks below it. */
typedef struct {
    int64_t block; /* -1 for none */
    int64_t n_alike;
} Heading;

static void tell_heading(const Request *request, const Heading *heading, bool is_after_h1,
                         int64_t block, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t above = heading->block;
    rows[AFTER_H1][block] = is_after_h1;
    if (above < 0) {
        rows[WORDS][block] = rows[HEADING_LINK][block] = -1;
        rows[DEPTH][block] = rows[ALIKE][block] = -1;
        return;
    }
    rows[WORDS][block] = (float)shared->words[above];
    rows[HEADING_LINK][block] = share(shared->link_words[above], at_least_1(shared->words[above]));
    rows[DEPTH][block] = (float)request->table->elements.depth[shared->container[above]];
    rows[ALIKE][block] = (float)heading->n_alike;
}

/* How many of some sorted hashes are equal to one. */
static int64_t count_equal(const uint64_t *sorted, int64_t count, uint64_t hash)
{
    int64_t first = first_not_below(sorted, count, hash);
    int64_t beyond =
        hash == UINT64_MAX ? count : first_not_below(sorted, count, hash + 1);
    return beyond - first;
}

/* Input: number of the first class of every bundle, and 0 for none at the end. */
Outcome sections_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    size_t n = (size_t)table->n_blocks;
    uint64_t *looks = TAKE(request->arena, uint64_t, n), *sorted = TAKE(request->arena, uint64_t, n);
    uint64_t *spare = TAKE(request->arena, uint64_t, n);
    if (!looks || !sorted || !spare)
        return MEMORY;
    if (request->inputs[0].length < 1)
        return WRONG;
    int64_t n_headings = 0;
    for (int64_t i = 0; i < table->n_blocks; i++)
        if (shared->heading_level[i])
            looks[n_headings++] = looks_of(request, input(request, 0), i);
    memcpy(sorted, looks, (size_t)n_headings * sizeof *looks);
    sort_keys(sorted, spare, n_headings);
    int64_t number = 0;
    for (int64_t page = 0; page < table->n_pages; page++) {
        Heading heading = {.block = -1};
        bool is_after_h1 = false;
        measure_sections(request, page, rows);
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
            if (shared->heading_level[i])
                heading = (Heading){i, count_equal(sorted, n_headings, looks[number++])};
            is_after_h1 |= shared->heading_level[i] == 1;
            tell_heading(request, &heading, is_after_h1, i, rows);
        }
    }
    return DONE;
}
