/* Stage: columns to codes, potentials, marginals and labels. */
#include "model.h"
#include <stdlib.h>

/* Borrow arrays of Python's; `kinds` has a letter for each: 'u' uint8, 'i' int32, 'l' int64, 'f'
 * float32, 'd' float64. Returns -1 with an exception set; then nothing is borrowed. */
static int borrow_all(Array *arrays, PyObject *const *objects, const char *kinds)
{
    for (size_t i = 0; kinds[i]; i++) {
        char letter = kinds[i];
        char kind = letter == 'l' ? 'i' : letter == 'd' ? 'f' : letter;
        size_t size = letter == 'u' ? 1 : letter == 'i' || letter == 'f' ? 4 : 8;
        if (array_borrow(&arrays[i], objects[i], kind, size) < 0) {
            while (i--)
                array_return(&arrays[i]);
            return -1;
        }
    }
    return 0;
}

static void return_all(Array *arrays, size_t count)
{
    for (size_t i = 0; i < count; i++)
        array_return(&arrays[i]);
}

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

/* Room for what is said of every block; never of 0 bytes. */
static void *room_for(const Pages *pages, size_t bytes_of_block)
{
    return malloc((size_t)pages->n_blocks * bytes_of_block + 1);
}

/* What a stage wrote, as an object of Python; raises what went wrong. */
static PyObject *result_of(PyObject *module, Outcome outcome, void *memory, size_t bytes,
                           const char *stage)
{
    if (outcome == DONE)
        return owned(module, memory, bytes);
    free(memory);
    return raise_outcome(outcome, stage);
}

static const size_t ROW = N_LABELS * sizeof(double);

/* --- Trees ------------------------------------------------------------------------------------ */

enum { N_TREE_ARRAYS = 7 };

/* The trees, if the lengths of their arrays agree: codes, starts of pages, column and offset of the
 * inputs, asked, borders, leaves. */
static bool read_trees(Trees *trees, Pages *pages, const Array *arrays)
{
    const Array *codes = &arrays[0], *column = &arrays[2], *offset = &arrays[3];
    const Array *asked = &arrays[4], *border = &arrays[5], *leaves = &arrays[6];
    if (!read_pages(pages, &arrays[1]))
        return false;
    trees->codes = codes->items;
    trees->n_blocks = pages->n_blocks;
    trees->n_columns = pages->n_blocks ? codes->length / pages->n_blocks : INT64_MAX;
    trees->column = column->items;
    trees->offset = offset->items;
    trees->n_inputs = column->length;
    trees->asked = asked->items;
    trees->border = border->items;
    trees->n_trees = asked->length / LEVELS;
    trees->leaves = leaves->items;
    trees->leaves_of_tree = trees->n_trees ? leaves->length / trees->n_trees : 1;
    return (!pages->n_blocks || codes->length == trees->n_columns * pages->n_blocks) &&
           offset->length == column->length && border->length == asked->length &&
           asked->length == trees->n_trees * LEVELS &&
           leaves->length == trees->n_trees * trees->leaves_of_tree;
}

/* trees(codes, page_starts, (column, offset, asked, border, leaves, n_text, bias, bias)) */
static PyObject *trees_method(PyObject *module, PyObject *args)
{
    PyObject *objects[N_TREE_ARRAYS];
    long long n_text;
    double bias[2];
    if (!PyArg_ParseTuple(args, "OO(OOOOOLdd):trees", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &n_text, &bias[0],
                          &bias[1]))
        return NULL;
    Array arrays[N_TREE_ARRAYS];
    if (borrow_all(arrays, objects, "ullliuf") < 0)
        return NULL;
    Trees trees = {.n_text = n_text, .bias = {(float)bias[0], (float)bias[1]}};
    Pages pages = {0};
    void *potentials = NULL;
    Outcome outcome = WRONG;
    Py_BEGIN_ALLOW_THREADS
    if (read_trees(&trees, &pages, arrays)) {
        potentials = room_for(&pages, ROW);
        outcome = potentials ? trees_potentials(&trees, &pages, potentials) : MEMORY;
    }
    Py_END_ALLOW_THREADS
    return_all(arrays, N_TREE_ARRAYS);
    return result_of(module, outcome, potentials, (size_t)pages.n_blocks * ROW, "trees");
}

/* --- Chain ------------------------------------------------------------------------------------ */

enum { SQUARE = N_LABELS * N_LABELS, N_CHAIN_ARRAYS = 4 };

/* The chain, if the lengths of its arrays agree: scores, edges, kinds, starts of pages. */
static bool read_chain(Chain *chain, Pages *pages, const Array *arrays)
{
    const Array *scores = &arrays[0], *edges = &arrays[1], *kinds = &arrays[2];
    *chain = (Chain){scores->items, edges->items, kinds->items, edges->length / SQUARE};
    return read_pages(pages, &arrays[3]) && scores->length == pages->n_blocks * N_LABELS &&
           kinds->length == pages->n_blocks && edges->length == chain->n_kinds * SQUARE;
}

/* chain_marginals(scores, factors, kinds, page_starts, chunk, period) */
static PyObject *marginals_method(PyObject *module, PyObject *args)
{
    PyObject *objects[N_CHAIN_ARRAYS];
    long long chunk, period;
    if (!PyArg_ParseTuple(args, "OOOOLL:chain_marginals", &objects[0], &objects[1], &objects[2],
                          &objects[3], &chunk, &period))
        return NULL;
    Array arrays[N_CHAIN_ARRAYS];
    if (borrow_all(arrays, objects, "ddll") < 0)
        return NULL;
    Chain chain;
    Pages pages = {0};
    void *marginals = NULL;
    Outcome outcome = WRONG;
    Py_BEGIN_ALLOW_THREADS
    if (read_chain(&chain, &pages, arrays)) {
        marginals = room_for(&pages, ROW);
        outcome = marginals ? chain_marginals(&chain, &pages, chunk, period, marginals) : MEMORY;
    }
    Py_END_ALLOW_THREADS
    return_all(arrays, N_CHAIN_ARRAYS);
    return result_of(module, outcome, marginals, (size_t)pages.n_blocks * ROW,
                     "chain_marginals");
}

/* chain_viterbi(scores, edges, kinds, page_starts) */
static PyObject *viterbi_method(PyObject *module, PyObject *args)
{
    PyObject *objects[N_CHAIN_ARRAYS];
    if (!PyArg_ParseTuple(args, "OOOO:chain_viterbi", &objects[0], &objects[1], &objects[2],
                          &objects[3]))
        return NULL;
    Array arrays[N_CHAIN_ARRAYS];
    if (borrow_all(arrays, objects, "ddll") < 0)
        return NULL;
    Chain chain;
    Pages pages = {0};
    void *labels = NULL;
    Outcome outcome = WRONG;
    Py_BEGIN_ALLOW_THREADS
    if (read_chain(&chain, &pages, arrays)) {
        labels = room_for(&pages, 1);
        outcome = labels ? chain_viterbi(&chain, &pages, labels) : MEMORY;
    }
    Py_END_ALLOW_THREADS
    return_all(arrays, N_CHAIN_ARRAYS);
    return result_of(module, outcome, labels, (size_t)pages.n_blocks, "chain_viterbi");
}

/* --- Decision --------------------------------------------------------------------------------- */

enum { N_DECISION_ARRAYS = 5 };

/* What is decided on, if the lengths of its arrays agree: marginals, words, words outside links,
 * starts of pages, and the probability of being kept where it is not the sum of two marginals. */
static bool read_decision(Decision *decision, Pages *pages, const Array *arrays)
{
    const Array *marginals = &arrays[0], *words = &arrays[1], *free_words = &arrays[2];
    const Array *keep = &arrays[4];
    decision->marginals = marginals->items;
    decision->words = words->items;
    decision->free_words = free_words->items;
    decision->keep = keep->items;
    return read_pages(pages, &arrays[3]) && marginals->length == pages->n_blocks * N_LABELS &&
           words->length == pages->n_blocks && free_words->length == pages->n_blocks &&
           (!keep->items || keep->length == pages->n_blocks);
}

/* expected_f(marginals, words, free_words, page_starts, keep or None, nothing_below,
 * without_prose) */
static PyObject *expected_f_method(PyObject *module, PyObject *args)
{
    PyObject *objects[N_DECISION_ARRAYS];
    Decision decision = {0};
    if (!PyArg_ParseTuple(args, "OOOOOdd:expected_f", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &decision.nothing_below,
                          &decision.without_prose))
        return NULL;
    Array arrays[N_DECISION_ARRAYS] = {0};
    if (borrow_all(arrays, objects, objects[4] == Py_None ? "dlll" : "dllld") < 0)
        return NULL;
    Pages pages = {0};
    void *labels = NULL;
    Outcome outcome = WRONG;
    Py_BEGIN_ALLOW_THREADS
    if (read_decision(&decision, &pages, arrays)) {
        labels = room_for(&pages, 1);
        outcome = labels ? decide_expected_f(&decision, &pages, labels) : MEMORY;
    }
    Py_END_ALLOW_THREADS
    return_all(arrays, N_DECISION_ARRAYS);
    return result_of(module, outcome, labels, (size_t)pages.n_blocks, "expected_f");
}

PyMethodDef model_methods[] = {
    {"trees", trees_method, METH_VARARGS, "Log potentials of trees, float64 (n, 3)."},
    {"chain_marginals", marginals_method, METH_VARARGS, "Marginals of chains, float64 (n, 3)."},
    {"chain_viterbi", viterbi_method, METH_VARARGS, "Labels of the best sequences, uint8 (n)."},
    {"expected_f", expected_f_method, METH_VARARGS, "Labels by the expected F, uint8 (n)."},
    {NULL, NULL, 0, NULL},
};
