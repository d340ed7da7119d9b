/* Columns of `victor.features.groups`. */
#include "columns/columns.h"
#include "columns/elements.h"

enum { NAMES, LINK_TAG }; /* parameters: tag ids of the groups, two rows each; that of links */

/* Words of letters of every block outside links; of every page with links. */
static void count_words(const Request *request, int64_t link, int64_t *free, int64_t *of_page)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        free[i] = 0;
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++) {
            int64_t words = 0, end = table->tokens.segment_offsets[s + 1];
            for (int64_t token = table->tokens.segment_offsets[s]; token < end; token++)
                words += table->tokens.kind[token] == ALPHA_TOKEN;
            of_page[shared->page[i]] += words;
            free[i] += is_in_tag(shared, shared->segment_element[s], link) ? 0 : words;
        }
    }
}

/* Shares of the groups of one tag and the highest of each page. */
static Outcome fill(const Request *request, int64_t tag, const int64_t *free,
                    const int64_t *page_words, float *ratios, float *highest)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t *nearest = nearest_of_tags(table, &tag, 1, request->arena);
    /* Blocks outside any such element are one group of their page. */
    int64_t *sums = ZEROS(request->arena, int64_t, (size_t)(table->n_elements + table->n_pages));
    int64_t *group = TAKE(request->arena, int64_t, (size_t)table->n_blocks);
    if (!nearest || !sums || !group)
        return MEMORY;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t element = nearest[shared->element[i]];
        group[i] = element >= 0 ? element : table->n_elements + shared->page[i];
        sums[group[i]] += free[i];
    }
    for (int64_t page = 0; page < table->n_pages; page++) {
        float most = 0;
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1];
        for (int64_t i = first; i < end; i++) {
            ratios[i] = share(sums[group[i]], at_least_1(page_words[page]));
            most = ratios[i] > most ? ratios[i] : most;
        }
        for (int64_t i = first; i < end; i++)
            highest[i] = most;
    }
    return DONE;
}

Outcome groups_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    int64_t n_names = request->parameters[NAMES].length;
    if (request->n_rows != 2 * n_names || request->parameters[LINK_TAG].length != 1)
        return WRONG;
    int64_t *free = TAKE(request->arena, int64_t, (size_t)table->n_blocks);
    int64_t *page_words = ZEROS(request->arena, int64_t, (size_t)table->n_pages);
    if (!free || !page_words)
        return MEMORY;
    count_words(request, *parameter(request, LINK_TAG), free, page_words);
    for (int64_t name = 0; name < n_names; name++) {
        int64_t tag = parameter(request, NAMES)[name];
        Outcome outcome =
            fill(request, tag, free, page_words, rows[name], rows[n_names + name]);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}
