/* Decision forests: the share of each class at the leaves that rows reach, mean over the trees.
 *
 * `victor.tables.forest` reads and trains them.
 */
#include "tables/leaf.h"
#include <stdlib.h>

/* A test and where its answers lead; a leaf is its own child. The bits of the threshold, a float,
 * stand in an integer so that a node is one row of an array of Python's. */
typedef struct {
    int32_t threshold, feature, yes, no;
} Node;

enum { ROWS, ROOTS, NODES, SHARES, N_ARRAYS };

typedef struct {
    Array arrays[N_ARRAYS];
    int64_t n_rows, n_features, n_classes, n_nodes, depth;
} Forest;

/* The leaf that a row reaches, -1 if the forest is damaged. */
static int64_t reach_leaf(const Forest *forest, const float *row, int64_t number)
{
    const Node *nodes = forest->arrays[NODES].items;
    for (int64_t step = 0; number >= 0 && number < forest->n_nodes; step++) {
        const Node *node = &nodes[number];
        if (node->feature < 0 || node->feature >= forest->n_features)
            return -1;
        float threshold;
        memcpy(&threshold, &node->threshold, sizeof threshold);
        int64_t child = row[node->feature] <= threshold ? node->yes : node->no;
        if (child == number || step == forest->depth)
            return number;
        number = child;
    }
    return -1;
}

/* All rows go down one tree while it is in the cache; each adds up its trees in order. */
static Outcome vote(const Forest *forest, float *means)
{
    const int32_t *roots = forest->arrays[ROOTS].items;
    const float *rows = forest->arrays[ROWS].items, *shares = forest->arrays[SHARES].items;
    int64_t n_trees = forest->arrays[ROOTS].length, n_classes = forest->n_classes;
    for (int64_t tree = 0; tree < n_trees; tree++)
        for (int64_t i = 0; i < forest->n_rows; i++) {
            int64_t leaf = reach_leaf(forest, rows + i * forest->n_features, roots[tree]);
            if (leaf < 0)
                return WRONG;
            for (int64_t k = 0; k < n_classes; k++)
                means[i * n_classes + k] += shares[leaf * n_classes + k];
        }
    for (int64_t i = 0; i < forest->n_rows * n_classes; i++)
        means[i] /= (float)n_trees;
    return DONE;
}

static bool fits(const Forest *forest)
{
    int64_t n_nodes = forest->n_nodes;
    return forest->n_features > 0 && forest->n_classes > 0 && forest->depth >= 0 &&
           forest->arrays[ROOTS].length > 0 && forest->arrays[NODES].length % 4 == 0 &&
           forest->arrays[SHARES].length / forest->n_classes == n_nodes &&
           forest->arrays[SHARES].length % forest->n_classes == 0 &&
           forest->arrays[ROWS].length % forest->n_features == 0;
}

static PyObject *forest_borrowed(PyObject *module, Forest *forest)
{
    forest->n_nodes = forest->arrays[NODES].length / 4;
    if (!fits(forest))
        return raise_outcome(WRONG, "forest");
    forest->n_rows = forest->arrays[ROWS].length / forest->n_features;
    size_t count = (size_t)(forest->n_rows * forest->n_classes);
    float *means = calloc(count ? count : 1, sizeof(float));
    if (!means)
        return PyErr_NoMemory();
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = vote(forest, means);
    Py_END_ALLOW_THREADS
    if (outcome != DONE) {
        free(means);
        return raise_outcome(outcome, "forest");
    }
    return owned(module, means, count * sizeof(float));
}

PyObject *forest_shares(PyObject *module, PyObject *arguments)
{
    Forest forest = {.arrays = {[ROWS] = WANTED("f4"), [ROOTS] = WANTED("i4"),
                                [NODES] = WANTED("i4"), [SHARES] = WANTED("f4")}};
    Array *arrays = forest.arrays;
    long long n_features, n_classes, depth;
    if (!PyArg_ParseTuple(arguments, "O&O&O&O&LLL", BORROW(ROWS), BORROW(ROOTS), BORROW(NODES),
                          BORROW(SHARES), &n_features, &n_classes, &depth))
        return NULL;
    forest.n_features = n_features;
    forest.n_classes = n_classes;
    forest.depth = depth;
    PyObject *result = forest_borrowed(module, &forest);
    arrays_return(arrays, N_ARRAYS);
    return result;
}
