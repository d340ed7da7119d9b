/* Columns of `victor.features.declared`: what a page declares in its head, as Python read it. */
#include "columns/columns.h"

/* Input: (pages, columns) values. */
Outcome declared_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const int64_t *values = input(request, 0);
    if (request->inputs[0].length != table->n_pages * request->n_rows)
        return WRONG;
    for (int64_t row = 0; row < request->n_rows; row++)
        for (int64_t i = 0; i < table->n_blocks; i++)
            rows[row][i] = (float)values[request->shared->page[i] * request->n_rows + row];
    return DONE;
}
