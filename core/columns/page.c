/* Columns of `victor.features.page`: measures of the whole page, the position of a block on it. */
#include "columns/columns.h"

/* Rows after one for every kind of element. */
enum { LINK_DENSITY, LONG_BLOCKS, WORDS_PER_BLOCK, FROM_START, FROM_END, WORDS_BEFORE, FREE_BEFORE };
enum { N_MEASURES = FREE_BEFORE + 1 };

/* Elements of some names on every page, into (names, pages). */
static void count_elements(const Request *request, const Array *tags, int64_t *counts)
{
    const Table *table = request->table;
    const int64_t *ids = tags->items;
    int64_t row_of_tag[N_TAG_IDS];
    for (int tag = 0; tag < N_TAG_IDS; tag++)
        row_of_tag[tag] = -1;
    for (int64_t row = 0; row < tags->length; row++)
        row_of_tag[ids[row]] = row;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t row = row_of_tag[table->elements.tag[e]];
        if (row >= 0)
            counts[row * table->n_pages + request->shared->element_page[e]]++;
    }
}

static void fill(float *row, int64_t first, int64_t end, float value)
{
    for (int64_t i = first; i < end; i++)
        row[i] = value;
}

static void measure_page(const Request *request, int64_t page, int64_t long_words,
                         float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t first = request->table->page_starts[page], end = request->table->page_starts[page + 1];
    int64_t words = shared->page_words[page], free_words = 0, long_blocks = 0;
    for (int64_t i = first; i < end; i++) {
        free_words += shared->free_words[i];
        long_blocks += shared->words[i] >= long_words;
    }
    fill(rows[LINK_DENSITY], first, end, share(words - free_words, at_least_1(words)));
    fill(rows[LONG_BLOCKS], first, end, (float)long_blocks);
    fill(rows[WORDS_PER_BLOCK], first, end, share(words, at_least_1(end - first)));
    int64_t words_before = 0, free_before = 0;
    for (int64_t i = first; i < end; i++) {
        rows[FROM_START][i] = (float)(i - first);
        rows[FROM_END][i] = (float)(end - 1 - i);
        rows[WORDS_BEFORE][i] = share(words_before, at_least_1(words));
        rows[FREE_BEFORE][i] = share(free_before, at_least_1(free_words));
        words_before += shared->words[i];
        free_before += shared->free_words[i];
    }
}

/* Parameters: ids of the tags that are counted, each once; (1) words of a long block. */
Outcome page_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Array *tags = &request->parameters[0];
    if (request->parameters[1].length != 1 || request->n_rows != tags->length + N_MEASURES)
        return WRONG;
    for (int64_t row = 0; row < tags->length; row++)
        if (parameter(request, 0)[row] < 0 || parameter(request, 0)[row] >= N_TAG_IDS)
            return WRONG;
    int64_t *counts =
        arena_zeros(request->arena, (size_t)tags->length, (size_t)table->n_pages * sizeof *counts);
    if (!counts)
        return MEMORY;
    count_elements(request, tags, counts);
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1];
        for (int64_t row = 0; row < tags->length; row++)
            fill(rows[row], first, end, (float)counts[row * table->n_pages + page]);
        measure_page(request, page, parameter(request, 1)[0], rows + tags->length);
    }
    return DONE;
}
