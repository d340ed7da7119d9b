/* Columns of `victor.features.center`. */
#include "columns/columns.h"

enum { INSIDE, STEPS, SCORE, SHARE };
enum { LEVELS = 6, MAX_STEPS = 8 };
static const double DECAY = 0.6;

/* Free words of the blocks below each element, less by a constant factor with every level; sums
 * over the blocks of a level are made before they are added, as in Python. */
static double *scores_of_elements(const Request *request)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    size_t n = (size_t)table->n_blocks, n_elements = (size_t)table->n_elements;
    double *free = TAKE(request->arena, double, n);
    int64_t *element = TAKE(request->arena, int64_t, n);
    double *of_level = TAKE(request->arena, double, n_elements);
    double *scores = ZEROS(request->arena, double, n_elements);
    if (!free || !element || !of_level || !scores)
        return NULL;
    for (size_t i = 0; i < n; i++)
        free[i] = (double)shared->free_words[i];
    memcpy(element, shared->container, n * sizeof *element);
    for (int level = 0; level < LEVELS; level++) {
        memset(of_level, 0, n_elements * sizeof *of_level);
        for (size_t i = 0; i < n; i++) {
            of_level[element[i]] += free[i];
            /* What has reached the root does not count there again. */
            free[i] = table->elements.depth[element[i]] > 0 ? DECAY * free[i] : 0.0;
            element[i] = shared->outer[element[i]];
        }
        for (size_t e = 0; e < n_elements; e++)
            scores[e] += of_level[e];
    }
    for (size_t e = 0; e < n_elements; e++) {
        double words = (double)at_least_1(shared->element_words[e]);
        scores[e] *= 1 - (double)shared->element_link_words[e] / words;
    }
    return scores;
}

/* The first element of the highest score on each page; -1 on a page without an element. */
static int64_t *centers_of_pages(const Request *request, const double *scores)
{
    const Table *table = request->table;
    int64_t *centers = TAKE(request->arena, int64_t, (size_t)table->n_pages);
    for (int64_t page = 0; centers && page < table->n_pages; page++)
        centers[page] = -1;
    for (int64_t e = 0; centers && e < table->n_elements; e++) {
        int64_t *center = &centers[request->shared->element_page[e]];
        if (*center < 0 || scores[e] > scores[*center])
            *center = e;
    }
    return centers;
}

/* How far up from the centre a block is covered, at most `MAX_STEPS`. */
static int steps_up(const Request *request, int64_t center, int64_t tag)
{
    const Table *table = request->table;
    int64_t element = center;
    int steps = 0;
    while (steps < MAX_STEPS &&
           !(table->elements.open[element] <= tag && tag < table->elements.close[element])) {
        element = request->shared->outer[element];
        steps++;
    }
    return steps;
}

Outcome center_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    double *scores = scores_of_elements(request);
    int64_t *centers = scores ? centers_of_pages(request, scores) : NULL;
    if (!centers)
        return MEMORY;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        int64_t center = centers[shared->page[i]];
        if (center < 0)
            return WRONG;
        int64_t page_words = at_least_1(shared->page_words[shared->page[i]]);
        int steps = steps_up(request, center, shared->tag[i]);
        rows[INSIDE][i] = steps == 0;
        rows[STEPS][i] = (float)steps;
        rows[SCORE][i] = (float)(scores[center] / (double)page_words);
        rows[SHARE][i] = share(shared->element_words[center], page_words);
    }
    return DONE;
}
