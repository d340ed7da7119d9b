/* Columns of `victor.features.document`: the size of the page, the position of a block on it. */
#include "columns/columns.h"

enum { POSITION, WORDS, SENTENCES, BLOCKS };

/* Parameter: (1) are marks that end sentences counted instead of tokens that end in them. */
Outcome document_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    if (request->parameters[0].length != 1)
        return WRONG;
    bool by_marks = parameter(request, 0)[0] != 0;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1];
        int64_t words = 0, sentences = 0;
        const int64_t *offsets = table->tokens.block_offsets;
        for (int64_t token = offsets[first]; token < offsets[end]; token++) {
            words += table->tokens.kind[token] == ALPHA_TOKEN;
            sentences += !by_marks && table->tokens.last_class[token] == SENTENCE_END;
        }
        for (int64_t i = first; by_marks && i < end; i++)
            for (int64_t at = shared->start[i]; at < shared->end[i]; at++)
                sentences += shared->classes[table->chars[at]] == SENTENCE_END;
        for (int64_t i = first; i < end; i++) {
            rows[POSITION][i] = share(i - first, end - first);
            rows[WORDS][i] = (float)words;
            rows[SENTENCES][i] = (float)sentences;
            rows[BLOCKS][i] = (float)(end - first);
        }
    }
    return DONE;
}
