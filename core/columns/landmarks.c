/* Columns of `victor.features.landmarks`. */
#include "columns/columns.h"
#include "columns/elements.h"

enum { NAMES }; /* parameter: tag ids, two rows each */

Outcome landmarks_columns(const Request *request, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t n_names = request->parameters[NAMES].length;
    if (request->n_rows != 2 * n_names)
        return WRONG;
    for (int64_t name = 0; name < n_names; name++) {
        const int64_t *tag = parameter(request, NAMES) + name;
        int64_t *nearest = nearest_of_tags(request->table, tag, 1, request->arena);
        float *shares = rows[2 * name], *densities = rows[2 * name + 1];
        if (!nearest)
            return MEMORY;
        for (int64_t i = 0; i < request->table->n_blocks; i++) {
            int64_t element = nearest[shared->element[i]];
            shares[i] = densities[i] = -1;
            if (element < 0)
                continue;
            int64_t words = shared->element_words[element];
            shares[i] = share(words, at_least_1(shared->page_words[shared->page[i]]));
            densities[i] = share(shared->element_link_words[element], at_least_1(words));
        }
    }
    return DONE;
}
