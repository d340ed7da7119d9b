/* Columns of `victor.features.sentences`: sentences of a block, and whether it begins and ends with
 * one. */
#include "columns/columns.h"

enum { COUNT, AVERAGE_LENGTH, BEGINS, ENDS, NOT_STARTED, NOT_FINISHED };

/* What the tokens of a block say. */
typedef struct {
    int64_t words, ends;
    int64_t first_word, last_word; /* -1 without words; they are tokens of letters */
    bool is_finished;              /* after the last word a token ends in a full stop */
    bool is_closed;                /* or begins with one */
} Sentences;

static Sentences sentences_of(const Table *table, int64_t block)
{
    Sentences sentences = {.first_word = -1, .last_word = -1};
    const int64_t *offsets = table->tokens.block_offsets;
    for (int64_t token = offsets[block]; token < offsets[block + 1]; token++) {
        bool ends = table->tokens.last_class[token] == SENTENCE_END;
        sentences.ends += ends;
        if (table->tokens.kind[token] == ALPHA_TOKEN) {
            sentences.words++;
            if (sentences.first_word < 0)
                sentences.first_word = token;
            sentences.last_word = token;
            sentences.is_finished = sentences.is_closed = false;
        } else {
            sentences.is_finished |= ends;
            sentences.is_closed |= ends || table->tokens.first_class[token] == SENTENCE_END;
        }
    }
    if (sentences.first_word < 0)
        sentences.is_finished = sentences.is_closed = false;
    return sentences;
}

/* Marks that end sentences, each for itself. */
static int64_t marks_of(const Request *request, int64_t from, int64_t to)
{
    int64_t marks = 0;
    for (int64_t at = from; at < to; at++)
        marks += request->shared->classes[request->table->chars[at]] == SENTENCE_END;
    return marks;
}

/* Parameter: (1) are marks counted instead of tokens. */
Outcome sentences_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    if (request->parameters[0].length != 1)
        return WRONG;
    bool by_marks = parameter(request, 0)[0] != 0;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        Sentences sentences = sentences_of(table, i);
        bool has_word = sentences.first_word >= 0, is_whole = sentences.is_finished;
        int64_t count = sentences.ends;
        if (by_marks) {
            count = marks_of(request, shared->start[i], shared->end[i]);
            is_whole = has_word && marks_of(request, table->tokens.end[sentences.last_word],
                                            shared->end[i]) > 0;
        }
        uint8_t class = has_word ? table->tokens.first_class[sentences.first_word] : SPACE;
        int64_t all = count + (has_word && !is_whole);
        rows[COUNT][i] = (float)count;
        rows[AVERAGE_LENGTH][i] = share(sentences.words, at_least_1(all));
        rows[BEGINS][i] = class == UPPER || class == CASELESS || class == IDEOGRAPH;
        rows[ENDS][i] = sentences.is_closed;
        rows[NOT_STARTED][i] = class != UPPER;
        rows[NOT_FINISHED][i] = !sentences.is_finished;
    }
    return DONE;
}
