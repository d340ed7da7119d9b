/* Columns of `victor.features.ancestors`. */
#include "columns/columns.h"
#include "columns/elements.h"

enum { NAMES, CODES }; /* parameters: tag ids, -1 for a name that is none; code of every tag id */
enum { CONTAINER_CODE, LEVEL, DEPTH, N_OTHERS };

Outcome ancestors_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t n = table->n_blocks, n_names = request->parameters[NAMES].length;
    const int64_t *names = parameter(request, NAMES), *codes = parameter(request, CODES);
    if (request->n_rows != n_names + N_OTHERS || request->parameters[CODES].length != N_TAG_IDS)
        return WRONG;
    for (int64_t name = 0; name < n_names; name++)
        for (int64_t i = 0; i < n; i++)
            rows[name][i] = is_in_tag(shared, shared->element[i], names[name]);
    float *const *others = rows + n_names;
    for (int64_t i = 0; i < n; i++) {
        int64_t container = shared->container[i];
        others[CONTAINER_CODE][i] = (float)codes[table->elements.tag[container]];
        others[LEVEL][i] = shared->heading_level[i];
        others[DEPTH][i] = (float)table->elements.depth[container];
    }
    return DONE;
}
