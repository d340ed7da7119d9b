/* Columns of `victor.features.regions`. */
#include "columns/columns.h"
#include "columns/elements.h"

/* Parameters: tag ids of lists; words of a long block; level and measure of every column, levels
 * ascending. */
enum { LISTS, LONG, LEVELS, MEASURES };
enum { SHARE, LINK_SHARE, BLOCKS, LONG_SHARE, DENSITY, N_MEASURES };
enum { MOST_LEVELS = 16 };

typedef struct {
    float values[N_MEASURES];
} Measures;

/* (n_tags + 1) long blocks before each tag. */
static int64_t *long_blocks_before(const Request *request, int64_t fewest_words)
{
    const Table *table = request->table;
    int64_t *before = ZEROS(request->arena, int64_t, (size_t)table->n_tags + 1);
    if (!before)
        return NULL;
    for (int64_t i = 0; i < table->n_blocks; i++)
        before[request->shared->tag[i] + 1] = request->shared->words[i] >= fewest_words;
    for (int64_t tag = 0; tag < table->n_tags; tag++)
        before[tag + 1] += before[tag];
    return before;
}

static Measures *measures_of_elements(const Request *request)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    const int64_t *open = table->elements.open, *close = table->elements.close;
    int64_t *before = long_blocks_before(request, *parameter(request, LONG));
    Measures *measures = TAKE(request->arena, Measures, (size_t)table->n_elements);
    if (!before || !measures)
        return NULL;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t words = shared->element_words[e], links = shared->element_link_words[e];
        int64_t blocks = at_least_1(shared->element_blocks[e]);
        float *values = measures[e].values;
        values[SHARE] = share(words, at_least_1(shared->page_words[shared->element_page[e]]));
        values[LINK_SHARE] = share(links, at_least_1(words));
        values[BLOCKS] = (float)blocks;
        values[LONG_SHARE] = share(before[close[e]] - before[open[e]], blocks);
        values[DENSITY] = share(words - links, blocks);
    }
    return measures;
}

/* Words per block of the nearest list. */
static Outcome fill_lists(const Request *request, float *row)
{
    const Shared *shared = request->shared;
    int64_t *nearest = nearest_of_tags(request->table, parameter(request, LISTS),
                                       request->parameters[LISTS].length, request->arena);
    if (!nearest)
        return MEMORY;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        int64_t list = nearest[shared->element[i]];
        row[i] = list < 0 ? 0 : share(shared->element_words[list],
                                      at_least_1(shared->element_blocks[list]));
    }
    return DONE;
}

Outcome regions_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t n = request->table->n_blocks, n_columns = request->n_rows - 1, level = 0;
    if (request->parameters[LONG].length != 1 || request->parameters[LEVELS].length != n_columns ||
        request->parameters[MEASURES].length != n_columns)
        return WRONG;
    Measures *measures = measures_of_elements(request);
    int64_t *around = TAKE(request->arena, int64_t, (size_t)n);
    if (!measures || !around)
        return MEMORY;
    memcpy(around, shared->container, (size_t)n * sizeof *around);
    for (int64_t column = 0; column < n_columns; column++) {
        int64_t wanted = parameter(request, LEVELS)[column];
        int64_t measure = parameter(request, MEASURES)[column];
        if (wanted < level || wanted > MOST_LEVELS || measure < 0 || measure >= N_MEASURES)
            return WRONG;
        for (; level < wanted; level++)
            for (int64_t i = 0; i < n; i++)
                around[i] = shared->outer[around[i]];
        for (int64_t i = 0; i < n; i++)
            rows[column][i] = measures[around[i]].values[measure];
    }
    return fill_lists(request, rows[n_columns]);
}
