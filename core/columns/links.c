/* Columns of `victor.features.links`: the share of words inside links, in windows around a block. */
#include "columns/columns.h"

enum { TEXT, LINK_SHARE, LONG, N_KINDS }; /* kinds of windows, the parameters */
enum { MINIMUM_REACH = 0, MAXIMUM_REACH = INT32_MAX };

/* Sums before each block, and of all of them. */
typedef struct {
    int64_t *words, *link_words, *long_blocks;
} Sums;

static bool sum_up(const Request *request, int64_t long_words, Sums *sums)
{
    const Shared *shared = request->shared;
    int64_t n = request->table->n_blocks;
    int64_t **columns[] = {&sums->words, &sums->link_words, &sums->long_blocks};
    for (int i = 0; i < N_KINDS; i++) {
        if (!(*columns[i] = TAKE(request->arena, int64_t, (size_t)n + 1)))
            return false;
        (*columns[i])[0] = 0;
    }
    for (int64_t i = 0; i < n; i++) {
        sums->words[i + 1] = sums->words[i] + shared->words[i];
        sums->link_words[i + 1] = sums->link_words[i] + shared->link_words[i];
        sums->long_blocks[i + 1] = sums->long_blocks[i] + (shared->words[i] >= long_words);
    }
    return true;
}

static float measure_window(const Sums *sums, int kind, int64_t first, int64_t beyond)
{
    int64_t words = sums->words[beyond] - sums->words[first];
    int64_t link_words = sums->link_words[beyond] - sums->link_words[first];
    switch (kind) {
    case TEXT:
        return share(words - link_words, beyond - first);
    case LINK_SHARE:
        return share(link_words, at_least_1(words));
    default:
        return share(sums->long_blocks[beyond] - sums->long_blocks[first], beyond - first);
    }
}

static void measure_windows(const Table *table, const Sums *sums, int kind, int64_t reach,
                            float *row)
{
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t start = table->page_starts[page], end = table->page_starts[page + 1];
        for (int64_t i = start; i < end; i++) {
            int64_t first = i - reach > start ? i - reach : start;
            int64_t beyond = i + reach + 1 < end ? i + reach + 1 : end;
            row[i] = measure_window(sums, kind, first, beyond);
        }
    }
}

static bool are_parameters_sound(const Request *request)
{
    int64_t n_rows = 2;
    for (int kind = 0; kind < N_KINDS; kind++) {
        n_rows += request->parameters[kind].length;
        for (int64_t i = 0; i < request->parameters[kind].length; i++) {
            int64_t reach = parameter(request, kind)[i];
            if (reach < MINIMUM_REACH || reach > MAXIMUM_REACH)
                return false;
        }
    }
    return request->parameters[N_KINDS].length == 1 && request->n_rows == n_rows;
}

/* Parameters: how far windows of each kind reach; (1) words of a long block. */
Outcome links_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    Sums sums;
    if (!are_parameters_sound(request))
        return WRONG;
    if (!sum_up(request, parameter(request, N_KINDS)[0], &sums))
        return MEMORY;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        rows[0][i] = share(shared->link_words[i], at_least_1(shared->words[i]));
        rows[1][i] = (float)shared->free_words[i];
    }
    rows += 2;
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int64_t i = 0; i < request->parameters[kind].length; i++)
            measure_windows(request->table, &sums, kind, parameter(request, kind)[i], *rows++);
    return DONE;
}
