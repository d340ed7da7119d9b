/* Columns of `victor.features.headings`: distances of a block to headings and to long blocks. */
#include "columns/columns.h"

enum { SINCE, UNTIL, LAST_LEVEL, FROM_H1, FROM_FIRST_LONG, FROM_LAST_LONG };
enum { FAR = 255, NOWHERE = 999 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Blocks since the last heading and its level; blocks until the next one. */
static void measure_headings(const Shared *shared, int64_t start, int64_t end, float *const *rows)
{
    int64_t last = -1, next = -1;
    for (int64_t i = start; i < end; i++) {
        if (shared->heading_level[i])
            last = i;
        rows[SINCE][i] = (float)(last < 0 ? FAR : least(i - last, FAR));
        rows[LAST_LEVEL][i] = last < 0 ? 0 : shared->heading_level[last];
    }
    for (int64_t i = end - 1; i >= start; i--) {
        if (shared->heading_level[i])
            next = i;
        rows[UNTIL][i] = (float)(next < 0 ? FAR : least(next - i, FAR));
    }
}

/* Blocks from a marked one of a page to each of its blocks, at most `FAR` either way. */
static void measure_distances(float *row, int64_t start, int64_t end, int64_t mark)
{
    for (int64_t i = start; i < end; i++) {
        int64_t steps = i - mark < -FAR ? -FAR : least(i - mark, FAR);
        row[i] = (float)(mark < 0 ? NOWHERE : steps);
    }
}

/* Parameter: (1) words of a long block. */
Outcome headings_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    if (request->parameters[0].length != 1)
        return WRONG;
    int64_t long_words = parameter(request, 0)[0];
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t start = table->page_starts[page], end = table->page_starts[page + 1];
        int64_t h1 = -1, first_long = -1, last_long = -1;
        for (int64_t i = start; i < end; i++) {
            if (h1 < 0 && shared->heading_level[i] == 1)
                h1 = i;
            if (shared->words[i] >= long_words) {
                first_long = first_long < 0 ? i : first_long;
                last_long = i;
            }
        }
        measure_headings(shared, start, end, rows);
        measure_distances(rows[FROM_H1], start, end, h1);
        measure_distances(rows[FROM_FIRST_LONG], start, end, first_long);
        measure_distances(rows[FROM_LAST_LONG], start, end, last_long);
    }
    return DONE;
}
