/* Columns of `victor.features.links`: the share of words inside links, in windows around a block. */
#include "columns/columns.h"

enum { TEXT, LINK_SHARE, N_KINDS }; /* kinds of windows, the parameters */
enum { MAXIMUM_REACH = INT32_MAX };

/* Words before each block, and of all of them. */
typedef struct {
    int64_t all, linked;
} Words;

static Words *words_before(const Request *request)
{
    const Shared *shared = request->shared;
    int64_t n = request->table->n_blocks;
    Words *before = ZEROS(request->arena, Words, (size_t)n + 1);
    for (int64_t i = 0; before && i < n; i++)
        before[i + 1] = (Words){before[i].all + shared->words[i],
                                before[i].linked + shared->link_words[i]};
    return before;
}

static void measure_windows(const Table *table, const Words *before, int kind, int64_t reach,
                            float *row)
{
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t start = table->page_starts[page], end = table->page_starts[page + 1];
        for (int64_t i = start; i < end; i++) {
            int64_t first = i - reach > start ? i - reach : start;
            int64_t beyond = i + reach + 1 < end ? i + reach + 1 : end;
            int64_t words = before[beyond].all - before[first].all;
            int64_t linked = before[beyond].linked - before[first].linked;
            row[i] = kind == TEXT ? share(words - linked, beyond - first)
                                  : share(linked, at_least_1(words));
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
            if (reach < 0 || reach > MAXIMUM_REACH)
                return false;
        }
    }
    return request->n_rows == n_rows;
}

/* Parameters: how far windows of each kind reach. */
Outcome links_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    if (!are_parameters_sound(request))
        return WRONG;
    Words *before = words_before(request);
    if (!before)
        return MEMORY;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        rows[0][i] = share(shared->link_words[i], at_least_1(shared->words[i]));
        rows[1][i] = (float)shared->free_words[i];
    }
    rows += 2;
    for (int kind = 0; kind < N_KINDS; kind++)
        for (int64_t i = 0; i < request->parameters[kind].length; i++)
            measure_windows(request->table, before, kind, parameter(request, kind)[i], *rows++);
    return DONE;
}
