/* Columns of `victor.features.paths`. */
#include "base/hash_groups.h"
#include "columns/columns.h"
#include "columns/elements.h"

enum { COUNT, CLASS_COUNT, CLASS_WORDS, CLASS_LINK, CLASS_SHARE, CLASS_FIRST };

typedef struct {
    uint64_t power;        /* of the base, to the depth */
    uint64_t tags, classes; /* hashes of the path of tags, and of that of tags with classes */
} Path;

/* Hashes of the paths to all elements: sums over the block-level elements around of a number for
 * the element times the power of its depth. */
static Path *paths_of_elements(const Request *request)
{
    const Table *table = request->table;
    const int64_t *numbers = request->shared->class_numbers;
    Path *paths = TAKE(request->arena, Path, (size_t)table->n_elements);
    for (int64_t e = 0; paths && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        Path path = {1, 0, 0};
        if (parent != e)
            path = (Path){paths[parent].power * GOLDEN, paths[parent].tags, paths[parent].classes};
        if (request->shared->block_level[e] == e) {
            uint64_t number = (uint64_t)numbers[bundle_row(table, request->shared, e)];
            uint64_t tag = mixed((uint64_t)table->elements.tag[e]) | 1;
            path.tags += tag * path.power;
            path.classes += tag * (mixed(number + GOLDEN) | 1) * path.power;
        }
        paths[e] = path;
    }
    return paths;
}

static void fill_counts(const HashGroups *groups, float *counts)
{
    for (int64_t g = 0; g < groups->n_groups; g++)
        for (int64_t k = groups->starts[g]; k < groups->starts[g + 1]; k++)
            counts[groups->order[k]] = (float)(groups->starts[g + 1] - groups->starts[g]);
}

static void fill_class_paths(const HashGroups *groups, const Shared *shared, float *const *rows)
{
    for (int64_t g = 0; g < groups->n_groups; g++) {
        int64_t first = groups->starts[g], end = groups->starts[g + 1], words = 0, links = 0;
        for (int64_t k = first; k < end; k++) {
            words += shared->words[groups->order[k]];
            links += shared->link_words[groups->order[k]];
        }
        for (int64_t k = first; k < end; k++) {
            int64_t i = groups->order[k], page_words = shared->page_words[shared->page[i]];
            rows[CLASS_WORDS][i] = share(words, end - first);
            rows[CLASS_LINK][i] = share(links, at_least_1(words));
            rows[CLASS_SHARE][i] = share(words, at_least_1(page_words));
        }
    }
}

/* Elements of one path are equally deep, so those of one parent follow each other in a group. */
static void fill_first(const HashGroups *groups, const Request *request, float *numbers)
{
    const Shared *shared = request->shared;
    const int64_t *page_starts = request->table->page_starts;
    for (int64_t g = 0; g < groups->n_groups; g++) {
        int64_t start = groups->starts[g], end = groups->starts[g + 1];
        int64_t first = groups->order[start], last = groups->order[end - 1];
        bool several =
            shared->outer[shared->container[first]] != shared->outer[shared->container[last]];
        for (int64_t k = start; k < end; k++) {
            int64_t i = groups->order[k];
            numbers[i] = (float)((several ? first : i) - page_starts[shared->page[i]]);
        }
    }
}

Outcome paths_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t n = request->table->n_blocks;
    if (!shared->class_numbers)
        return WRONG;
    Path *paths = paths_of_elements(request);
    uint64_t *hashes = TAKE(request->arena, uint64_t, (size_t)n);
    if (!paths || !hashes)
        return MEMORY;
    HashGroups groups;
    for (int64_t i = 0; i < n; i++)
        hashes[i] = paths[shared->element[i]].tags + mixed((uint64_t)shared->page[i]);
    if (equal_groups(&groups, hashes, n, request->arena) != DONE)
        return MEMORY;
    fill_counts(&groups, rows[COUNT]);
    for (int64_t i = 0; i < n; i++)
        hashes[i] = paths[shared->element[i]].classes + mixed((uint64_t)shared->page[i]);
    if (equal_groups(&groups, hashes, n, request->arena) != DONE)
        return MEMORY;
    fill_counts(&groups, rows[CLASS_COUNT]);
    fill_class_paths(&groups, shared, rows);
    fill_first(&groups, request, rows[CLASS_FIRST]);
    return DONE;
}
