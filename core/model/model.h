/* From codes to labels: what the steps of the model share.
 *
 * n blocks on P pages; page p has the blocks page_starts[p] to page_starts[p + 1]. Callers have
 * checked that starts ascend from 0 to n.
 */
#ifndef VICTOR_MODEL_H
#define VICTOR_MODEL_H

#include "base/codes.h"
#include "base/core.h"

enum { HEADER = 0, TEXT = 1, OTHER = 2, N_LABELS = 3 }; /* victor.base.labels.Label */

typedef struct {
    const int64_t *starts; /* (count + 1) */
    int64_t count;
    int64_t n_blocks;
} Pages;

/* What a step says of the blocks, given its problem, one of those below. */
typedef Outcome Solve(const void *problem, const Pages *pages, void *result);

/* --- Trees (trees.c) -------------------------------------------------------------------------- */

enum { LEVELS = 8, MOST_LEAVES = 1 << LEVELS, MOST_EXPERTS = 16 };

/* Trees of 8 levels each; shallower ones begin with questions that are never answered yes. */
typedef struct {
    const uint8_t *codes; /* (n_columns, n_blocks) */
    int64_t n_columns, n_blocks;
    int64_t last_column;    /* that is read; -1 for none */
    const int64_t *column;  /* (n_inputs) the column of an input */
    const int64_t *offset;  /* (n_inputs) the block that it is read from */
    int64_t n_inputs;
    const int32_t *asked;   /* (n_trees, LEVELS) the input that is asked about */
    const uint8_t *border;  /* (n_trees, LEVELS) the answer is whether its code is above */
    const float *leaves;    /* (n_experts, n_trees, leaves_of_tree), the first answer the highest bit */
    int64_t n_experts;
    const int64_t *gate_column; /* (n_gate_columns) that the gate reads; none for one expert */
    const double *gate;         /* (2 n_gate_columns + 1, n_experts) weights of the means of codes,
                                 * of their squares, and the intercepts */
    int64_t n_gate_columns;
    int64_t leaves_of_tree; /* a power of 2, MOST_LEAVES at most */
    int64_t n_trees;
    int64_t n_text;         /* the trees that speak for text, the first ones */
    float bias[2];
} Trees;

/* Do the parts of trees without codes fit each other; notes the last column. */
bool trees_fit(Trees *trees);
/* What each expert weighs on a page (count of pages, n_experts), adding up to 1 (gate.c). */
Solve weigh_experts;
/* Log potentials (n_blocks, N_LABELS), of trees that fit. */
Solve trees_potentials;

/* --- Pooling (pooling.c) ---------------------------------------------------------------------- */

typedef struct {
    const double *scores;        /* (n_blocks, N_LABELS) */
    const int64_t *first, *words; /* (n_blocks) of its path the first block of the page; words */
    double strength;
} Pooling;

/* Log potentials (n_blocks, N_LABELS) that went towards those of the blocks of their paths. */
Solve pool_scores;

/* --- The chain (chain.c) ---------------------------------------------------------------------- */

typedef struct {
    const double *scores; /* (n_blocks, N_LABELS) */
    const double *edges;  /* (n_kinds, N_LABELS, N_LABELS) from a label (row) to the next */
    const int64_t *kinds; /* (n_blocks) */
    int64_t n_kinds;
    int64_t chunk, period; /* of marginals: running products are scaled back after `period` blocks
                            * of a chunk; a period of 0 means that edges say nothing */
} Chain;

/* The exponential of a number up to 0, right but for the last bits and the same everywhere. */
double exponential(double value);

/* Marginals (n_blocks, N_LABELS), given edges as factors. */
Solve chain_marginals;

/* The labels (n_blocks) of the best sequence of each page, given edges as log potentials. */
Solve chain_viterbi;

/* --- From codes to marginals (model.c) --------------------------------------------------------- */

enum { SQUARE = N_LABELS * N_LABELS };

/* All steps of a model of trees. */
typedef struct {
    Trees trees;
    Chain chain;
    const float *values; /* (n_rows, n_blocks) first blocks and words of paths, if they are pooled */
    double strength;     /* of pooling, 0 for none */
    int64_t kind_row;    /* of the values, kinds of edges; -1 if all edges are alike */
} TreeModel;

/* Marginals (n_blocks, N_LABELS) of codes, by trees, pooling and chain. */
Outcome whole_marginals(const TreeModel *whole, const Pages *pages, double *result);
/* What a capsule of `tree_layout` holds; NULL with an exception set if it is another one. */
const Trees *trees_of(PyObject *capsule);

/* --- The decision (decision.c) ---------------------------------------------------------------- */

typedef struct {
    const double *marginals; /* (n_blocks, N_LABELS) */
    const double *keep;      /* (n_blocks) probability of being kept; NULL: of not being OTHER */
    const int64_t *words;    /* (n_blocks) */
    const double *p_no_content; /* (pages) NaN or NULL where nobody knows */
    const double *p_error;      /* (pages) that a server or a wall speaks; NULL for none */
    double no_content;          /* what either has to be above for a page to give nothing */
} Decision;

/* Probabilities are summed as integers of 1 / SCALE, as `victor.kinds.units`. */
#define SCALE 4294967296.0 /* 2**32 */
/* A page that is expected to keep so many words has content, whatever a page head says. */
#define SURELY_CONTENT 100

/* Is a page with blocks expected to keep fewer words, so that a page head is asked. */
bool is_in_doubt(const Decision *decision, const Pages *pages, int64_t page);
/* Labels (n_blocks) that maximise the expected F-measure of words on each page, OTHER on those that
 * give nothing. */
Solve decide_expected_f;

#endif
