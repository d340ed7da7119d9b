/* Stage: columns to codes, potentials, marginals and labels. */
#include "base/results.h"
#include "model/model.h"
#include <stdlib.h>

/* The pages, if their starts ascend from 0; their last one is the number of blocks. */
static bool read_pages(Pages *pages, const Array *starts)
{
    *pages = (Pages){starts->items, starts->length - 1, 0};
    if (pages->count < 0 || pages->starts[0] != 0)
        return false;
    bool falls = false;
    for (int64_t page = 0; page < pages->count; page++)
        falls |= pages->starts[page + 1] < pages->starts[page];
    pages->n_blocks = pages->starts[pages->count];
    return !falls;
}

/* A step of the model: what it is called, how much it says of a block, and how it reads and solves
 * its problem. */
typedef struct {
    const char *name;
    size_t bytes_of_block, bytes_of_page;
    /* Do the lengths of the arrays agree; then the pages and the rest of the problem are read. */
    bool (*read)(void *problem, Pages *pages, const Array *arrays);
    Solve *solve;
} Step;

static Outcome run(const Step *step, void *problem, const Array *arrays, void **result,
                   size_t *bytes)
{
    Pages pages;
    if (!step->read(problem, &pages, arrays))
        return WRONG;
    *bytes = (size_t)pages.n_blocks * step->bytes_of_block +
             (size_t)pages.count * step->bytes_of_page;
    *result = malloc(*bytes + 1); /* never of 0 bytes */
    return *result ? step->solve(problem, &pages, *result) : MEMORY;
}

/* What a step says of the blocks, as memory; the arrays are given back. */
static PyObject *result_of(PyObject *module, const Step *step, void *problem, Array *arrays,
                           size_t n_arrays)
{
    void *result = NULL;
    size_t bytes = 0;
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = run(step, problem, arrays, &result, &bytes);
    Py_END_ALLOW_THREADS
    arrays_return(arrays, n_arrays);
    if (outcome == DONE)
        return owned(module, result, bytes);
    free(result);
    return raise_outcome(outcome, step->name);
}

enum { ROW = N_LABELS * sizeof(double) }; /* bytes */

/* --- Trees ------------------------------------------------------------------------------------ */

enum { COLUMN, OFFSET, ASKED, BORDER, LEAVES, COUNTS, BIAS, GATE_COLUMN, GATE };

static bool read_layout(void *what, const Array *arrays)
{
    Trees *trees = what;
    trees->column = arrays[COLUMN].items;
    trees->offset = arrays[OFFSET].items;
    trees->n_inputs = arrays[COLUMN].length;
    trees->asked = arrays[ASKED].items;
    trees->border = arrays[BORDER].items;
    trees->n_trees = arrays[ASKED].length / LEVELS;
    trees->leaves = arrays[LEAVES].items;
    const int64_t *counts = arrays[COUNTS].items; /* trees that speak for text, experts */
    if (arrays[COUNTS].length != 2 || counts[1] < 1 || counts[1] > MOST_EXPERTS)
        return false;
    trees->n_text = counts[0];
    trees->n_experts = counts[1];
    int64_t rows = trees->n_trees * trees->n_experts;
    trees->leaves_of_tree = rows ? arrays[LEAVES].length / rows : 1;
    if (arrays[OFFSET].length != trees->n_inputs ||
        arrays[BORDER].length != arrays[ASKED].length || arrays[BIAS].length != 2 ||
        arrays[ASKED].length != trees->n_trees * LEVELS ||
        arrays[LEAVES].length != rows * trees->leaves_of_tree)
        return false;
    memcpy(trees->bias, arrays[BIAS].items, sizeof trees->bias);
    trees->gate_column = arrays[GATE_COLUMN].items;
    trees->n_gate_columns = arrays[GATE_COLUMN].length;
    trees->gate = arrays[GATE].items;
    int64_t gate_rows = trees->n_experts > 1 ? 2 * trees->n_gate_columns + 1 : 0;
    return arrays[GATE].length == gate_rows * trees->n_experts && trees_fit(trees);
}

static const Keeping layout_kept = {
    "victor._core.tree_layout", "i8i8i4u1f4i8f4i8f8", sizeof(Trees), read_layout,
};

const Trees *trees_of(PyObject *capsule)
{
    return what_is_kept(capsule, &layout_kept);
}

/* tree_layout(arrays) -> what `trees` is given */
static PyObject *layout_method(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &layout_kept);
}

enum { CODES, TREE_PAGES, N_TREE_ARRAYS };
#define TREE_ARRAYS [CODES] = WANTED("u1"), [TREE_PAGES] = WANTED("i8")

static bool read_trees(void *problem, Pages *pages, const Array *arrays)
{
    Trees *trees = problem;
    if (!read_pages(pages, &arrays[TREE_PAGES]))
        return false;
    trees->codes = arrays[CODES].items;
    trees->n_blocks = pages->n_blocks;
    trees->n_columns = pages->n_blocks ? arrays[CODES].length / pages->n_blocks : INT64_MAX;
    return !pages->n_blocks || arrays[CODES].length == trees->n_columns * pages->n_blocks;
}

/* What a step says by a layout. */
static PyObject *by_layout(PyObject *module, PyObject *args, const Step *step)
{
    Array arrays[N_TREE_ARRAYS] = {TREE_ARRAYS};
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O&O&O", BORROW(CODES), BORROW(TREE_PAGES), &capsule))
        return NULL;
    const Trees *layout = trees_of(capsule);
    if (!layout) {
        arrays_return(arrays, N_TREE_ARRAYS);
        return NULL;
    }
    Trees trees = *layout;
    Step own = *step;
    own.bytes_of_page *= (size_t)trees.n_experts;
    return result_of(module, &own, &trees, arrays, N_TREE_ARRAYS);
}

static PyObject *trees_method(PyObject *module, PyObject *args)
{
    static const Step step = {"trees", ROW, 0, read_trees, trees_potentials};
    return by_layout(module, args, &step);
}

static PyObject *weights_method(PyObject *module, PyObject *args)
{
    static const Step step = {"expert_weights", 0, sizeof(float), read_trees, weigh_experts};
    return by_layout(module, args, &step);
}

/* --- Chain ------------------------------------------------------------------------------------ */

enum { SCORES, EDGES, KINDS, CHAIN_PAGES, N_CHAIN_ARRAYS };
#define CHAIN_ARRAYS \
    {[SCORES] = WANTED("f8"), [EDGES] = WANTED("f8"), [KINDS] = WANTED("i8"), \
     [CHAIN_PAGES] = WANTED("i8")}

static bool read_chain(void *problem, Pages *pages, const Array *arrays)
{
    Chain *chain = problem;
    chain->scores = arrays[SCORES].items;
    chain->edges = arrays[EDGES].items;
    chain->kinds = arrays[KINDS].items;
    chain->n_kinds = arrays[EDGES].length / SQUARE;
    return read_pages(pages, &arrays[CHAIN_PAGES]) &&
           arrays[SCORES].length == pages->n_blocks * N_LABELS &&
           arrays[KINDS].length == pages->n_blocks &&
           arrays[EDGES].length == chain->n_kinds * SQUARE;
}

/* chain_marginals(scores, factors, kinds, page_starts, chunk, period) */
static PyObject *marginals_method(PyObject *module, PyObject *args)
{
    static const Step step = {"chain_marginals", ROW, 0, read_chain, chain_marginals};
    Array arrays[N_CHAIN_ARRAYS] = CHAIN_ARRAYS;
    long long chunk, period;
    if (!PyArg_ParseTuple(args, "O&O&O&O&LL", BORROW(SCORES), BORROW(EDGES), BORROW(KINDS),
                          BORROW(CHAIN_PAGES), &chunk, &period))
        return NULL;
    Chain chain = {.chunk = chunk, .period = period};
    return result_of(module, &step, &chain, arrays, N_CHAIN_ARRAYS);
}

/* --- From codes to marginals ------------------------------------------------------------------- */

/* As numpy makes integers of floats. */
static void make_integers(const float *values, int64_t count, int64_t *integers)
{
    for (int64_t i = 0; i < count; i++)
        integers[i] =
            values[i] >= -0x1p63f && values[i] < 0x1p63f ? (int64_t)values[i] : INT64_MIN;
}

static void make_kinds(const TreeModel *whole, int64_t n, int64_t *kinds)
{
    if (whole->kind_row >= 0)
        make_integers(whole->values + whole->kind_row * n, n, kinds);
    for (int64_t i = 0, last = whole->chain.n_kinds - 1; i < n; i++)
        kinds[i] = whole->kind_row < 0 || kinds[i] < 0 ? 0 : kinds[i] < last ? kinds[i] : last;
}

Outcome whole_marginals(const TreeModel *whole, const Pages *pages, double *result)
{
    Arena arena = {0};
    int64_t n = pages->n_blocks;
    double *scores = TAKE(&arena, double, (size_t)n * N_LABELS);
    double *pooled = TAKE(&arena, double, (size_t)n * N_LABELS);
    int64_t *kinds = TAKE(&arena, int64_t, (size_t)n), *paths = TAKE(&arena, int64_t, 2 * (size_t)n);
    Outcome outcome = MEMORY;
    if (scores && pooled && kinds && paths)
        outcome = trees_potentials(&whole->trees, pages, scores);
    if (outcome == DONE && whole->strength != 0) {
        make_integers(whole->values, 2 * n, paths);
        const Pooling pooling = {scores, paths, paths + n, whole->strength};
        outcome = pool_scores(&pooling, pages, pooled);
    }
    if (outcome == DONE) {
        make_kinds(whole, n, kinds);
        Chain chain = whole->chain;
        chain.scores = whole->strength != 0 ? pooled : scores;
        chain.kinds = kinds;
        outcome = chain_marginals(&chain, pages, result);
    }
    arena_free(&arena);
    return outcome;
}

/* chain_viterbi(scores, edges, kinds, page_starts) */
static PyObject *viterbi_method(PyObject *module, PyObject *args)
{
    static const Step step = {"chain_viterbi", 1, 0, read_chain, chain_viterbi};
    Array arrays[N_CHAIN_ARRAYS] = CHAIN_ARRAYS;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", BORROW(SCORES), BORROW(EDGES), BORROW(KINDS),
                          BORROW(CHAIN_PAGES)))
        return NULL;
    Chain chain = {0};
    return result_of(module, &step, &chain, arrays, N_CHAIN_ARRAYS);
}

/* --- Decision --------------------------------------------------------------------------------- */

enum { MARGINALS, WORDS, DECISION_PAGES, KEEP, NO_CONTENT, ERROR, N_DECISION_ARRAYS };
#define DECISION_ARRAYS \
    {[MARGINALS] = WANTED("f8"), [WORDS] = WANTED("i8"), [DECISION_PAGES] = WANTED("i8"), \
     [KEEP] = WANTED("f8?"), [NO_CONTENT] = WANTED("f8?"), [ERROR] = WANTED("f8?")}

static bool read_decision(void *problem, Pages *pages, const Array *arrays)
{
    Decision *decision = problem;
    decision->marginals = arrays[MARGINALS].items;
    decision->words = arrays[WORDS].items;
    decision->keep = arrays[KEEP].items;
    decision->p_no_content = arrays[NO_CONTENT].items;
    decision->p_error = arrays[ERROR].items;
    return read_pages(pages, &arrays[DECISION_PAGES]) &&
           arrays[MARGINALS].length == pages->n_blocks * N_LABELS &&
           arrays[WORDS].length == pages->n_blocks &&
           (!decision->keep || arrays[KEEP].length == pages->n_blocks) &&
           (!decision->p_no_content || arrays[NO_CONTENT].length == pages->count) &&
           (!decision->p_error || arrays[ERROR].length == pages->count);
}

/* expected_f(marginals, words, page_starts, keep, p_no_content, p_error, no_content) */
static PyObject *expected_f_method(PyObject *module, PyObject *args)
{
    static const Step step = {"expected_f", 1, 0, read_decision, decide_expected_f};
    Array arrays[N_DECISION_ARRAYS] = DECISION_ARRAYS;
    Decision decision;
    if (!PyArg_ParseTuple(args, "O&O&O&O&O&O&d", BORROW(MARGINALS), BORROW(WORDS),
                          BORROW(DECISION_PAGES), BORROW(KEEP), BORROW(NO_CONTENT), BORROW(ERROR),
                          &decision.no_content))
        return NULL;
    return result_of(module, &step, &decision, arrays, N_DECISION_ARRAYS);
}

static Outcome solve_doubt(const void *problem, const Pages *pages, void *result)
{
    bool *in_doubt = result;
    for (int64_t page = 0; page < pages->count; page++)
        in_doubt[page] = is_in_doubt(problem, pages, page);
    return DONE;
}

static PyObject *in_doubt_method(PyObject *module, PyObject *args)
{
    static const Step step = {"in_doubt", 0, 1, read_decision, solve_doubt};
    Array arrays[N_DECISION_ARRAYS] = DECISION_ARRAYS;
    Decision decision;
    if (!PyArg_ParseTuple(args, "O&O&O&:in_doubt", BORROW(MARGINALS), BORROW(WORDS),
                          BORROW(DECISION_PAGES)))
        return NULL;
    return result_of(module, &step, &decision, arrays, N_DECISION_ARRAYS);
}

PyMethodDef model_methods[] = {
    {"tree_layout", layout_method, METH_O, "Trees, checked once for all blocks."},
    {"trees", trees_method, METH_VARARGS, "Log potentials of trees, float64 (n, 3)."},
    {"expert_weights", weights_method, METH_VARARGS, "What experts weigh on pages, float32 (P, E)."},
    {"chain_marginals", marginals_method, METH_VARARGS, "Marginals of chains, float64 (n, 3)."},
    {"chain_viterbi", viterbi_method, METH_VARARGS, "Labels of the best sequences, uint8 (n)."},
    {"expected_f", expected_f_method, METH_VARARGS, "Labels by the expected F, uint8 (n)."},
    {"in_doubt", in_doubt_method, METH_VARARGS, "Which pages a page head is asked about, bool (P)."},
    {NULL, NULL, 0, NULL},
};
