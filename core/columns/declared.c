/* Columns of `victor.features.declared`: what a page declares in its head. */
#include "columns/columns.h"

Outcome declared_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    for (int64_t row = 0; row < request->n_rows; row++)
        for (int64_t i = 0; i < table->n_blocks; i++)
            rows[row][i] = (float)shared->declared[shared->page[i] * N_DECLARED + row];
    return DONE;
}
