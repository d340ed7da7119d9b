/* Judgments on labelled blocks: what is kept that is no text of its page, and what may be. */
#ifndef VICTOR_KINDS_H
#define VICTOR_KINDS_H

#include "columns/batch.h"
#include "model/model.h"

/* All judgments on labels (n_blocks) of a model, given marginals (n_blocks, N_LABELS) and what `finish`
 * is given; NULL with an exception set (finish.c). */
PyObject *finish_labels(PyObject *module, const Batch *batch, PyObject *judgments,
                        const uint8_t *labels, const double *marginals);

/* A judgment fills a byte for each page, block, segment or element. Inputs are arrays of the types that its
 * entry in `methods.c` says; it returns WRONG where their lengths do not fit. Roles are bits by tag
 * id (`victor.page.parsing.tags.roles_of`), labels those of the blocks. */
typedef Outcome (*Judge)(const Request *request, uint8_t *found);

static inline bool has_length(const Request *request, int number, int64_t length)
{
    return request->inputs[number].length == length;
}

/* Is a block kept by the labels, which are the first input. */
static inline bool is_kept(const Request *request, int64_t block)
{
    return ((const uint8_t *)input(request, 0))[block] != OTHER;
}

/* Elements that nobody sees, or that stand in one. Input: roles (hides, is the whole page). */
Outcome judge_hidden(const Request *request, uint8_t *elements);

/* Blocks that may be no text of their own, as bits in the order of `_STEPS` in `victor.kinds.copies`:
 * what may stay though it is hidden, the longest kept one of a page that has its middle twice.
 * Inputs: labels, p(other), hidden elements. */
enum { MAY_BE_UNSEEN = 1, MAY_BE_TWICE = 2 };
Outcome judge_copies(const Request *request, uint8_t *blocks);

/* Segments that are hidden and also stand visible. Inputs: which blocks are partly hidden and may be
 * kept; hidden elements; ids of tags for code. */
Outcome judge_hidden_copies(const Request *request, uint8_t *segments);
PyObject *letters_also(PyObject *module, PyObject *args);

/* Segments that are links of a sign, or in brackets, around the text of headings; terms of a list are
 * headings, too, and what is raised may mark a note. Inputs: labels, the ids of dt, a and sup. */
Outcome judge_heading_links(const Request *request, uint8_t *segments);

/* Pages with elements that are named so; with labels, that keep a block inside one. Inputs: the
 * bits that are asked for, one number; roles (names do not count); labels or none. */
Outcome judge_names(const Request *request, uint8_t *pages);

/* Headings that are the last kept block of their page, right after kept text. Input: labels. */
Outcome judge_dangling(const Request *request, uint8_t *blocks);

/* May a page number the lines of its code, by the roles (N_TAG_IDS) of tags: <pre>, other code. */
Outcome find_numbers(const Table *table, const uint8_t *classes, const uint8_t *roles, int64_t page,
                     bool *found);
/* Pages that may. Input: the roles. */
Outcome judge_gutters(const Request *request, uint8_t *pages);

/* The headline of each page, -1 for none. Inputs: labels; for each block whether it cannot be one; what
 * names add to the score of each block. Without what names add the headline is h1, h2 or a header, of
 * pages that keep one of them; it and the second input may be none. */
Outcome find_headlines(const Request *request, int64_t *headlines);

#endif
