/* Columns of `victor.features.freetext`: where the long blocks outside links stand on a page. */
#include "columns/columns.h"

/* Words outside links of blocks that have so many of them. */
static int64_t long_text(int64_t free_words, int64_t cut)
{
    return free_words >= cut ? free_words : 0;
}

/* Shares of long text before a block and in it. */
static void measure_cut(const Shared *shared, int64_t start, int64_t end, int64_t cut,
                        float *const *rows)
{
    int64_t all = 0, before = 0;
    for (int64_t i = start; i < end; i++)
        all += long_text(shared->free_words[i], cut);
    for (int64_t i = start; i < end; i++) {
        int64_t text = long_text(shared->free_words[i], cut);
        rows[0][i] = share(before, at_least_1(all));
        rows[1][i] = share(text, at_least_1(all));
        before += text;
    }
}

/* Parameters: fewest words of long text; (1) those that the share of the page counts. Input: the
 * logarithm of one more than every number of words that a block can have. */
Outcome freetext_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    const Array *cuts = &request->parameters[0];
    const float *logarithms = input(request, 0);
    if (request->parameters[1].length != 1 || request->n_rows != 2 * cuts->length + 2)
        return WRONG;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t start = table->page_starts[page], end = table->page_starts[page + 1];
        int64_t all = 0, most = 0;
        for (int64_t i = start; i < end; i++) {
            all += long_text(shared->free_words[i], parameter(request, 1)[0]);
            most = shared->free_words[i] > most ? shared->free_words[i] : most;
        }
        if (most >= request->inputs[0].length)
            return WRONG;
        for (int64_t cut = 0; cut < cuts->length; cut++)
            measure_cut(shared, start, end, parameter(request, 0)[cut], rows + 2 * cut);
        float long_share = share(all, at_least_1(shared->page_words[page]));
        for (int64_t i = start; i < end; i++) {
            rows[2 * cuts->length][i] = long_share;
            rows[2 * cuts->length + 1][i] = logarithms[most];
        }
    }
    return DONE;
}
