/* Decision forests: the share of each class at the leaves that rows reach, mean over the trees.
 *
 * The Python path is `victor.kitten.forest`.
 */
#include "units.h"
#include <stdlib.h>

typedef struct {
    Array rows, roots, feature, threshold, yes, no, shares;
    int64_t n_rows, n_features, n_classes, n_nodes, depth;
} Forest;

/* The leaf that a row reaches, -1 if the forest is damaged. A leaf is its own child. */
static int64_t reach_leaf(const Forest *forest, const float *row, int64_t node)
{
    const int16_t *feature = forest->feature.items;
    const float *threshold = forest->threshold.items;
    const int32_t *yes = forest->yes.items, *no = forest->no.items;
    for (int64_t step = 0; step <= forest->depth; step++) {
        if (node < 0 || node >= forest->n_nodes || feature[node] < 0 ||
            feature[node] >= forest->n_features)
            return -1;
        if (step == forest->depth)
            break;
        int64_t child = row[feature[node]] <= threshold[node] ? yes[node] : no[node];
        if (child == node)
            break;
        node = child;
    }
    return node;
}

static Outcome vote(const Forest *forest, float *means)
{
    const int32_t *roots = forest->roots.items;
    const float *shares = forest->shares.items;
    int64_t n_trees = forest->roots.length, n_classes = forest->n_classes;
    for (int64_t i = 0; i < forest->n_rows; i++) {
        const float *row = (const float *)forest->rows.items + i * forest->n_features;
        float *mean = means + i * n_classes;
        for (int64_t tree = 0; tree < n_trees; tree++) {
            int64_t leaf = reach_leaf(forest, row, roots[tree]);
            if (leaf < 0)
                return WRONG;
            for (int64_t k = 0; k < n_classes; k++)
                mean[k] += shares[leaf * n_classes + k];
        }
        for (int64_t k = 0; k < n_classes; k++)
            mean[k] /= (float)n_trees;
    }
    return DONE;
}

static bool fits(const Forest *forest)
{
    int64_t n_nodes = forest->n_nodes;
    return forest->n_features > 0 && forest->n_classes > 0 && forest->depth >= 0 &&
           forest->roots.length > 0 && forest->threshold.length == n_nodes &&
           forest->yes.length == n_nodes && forest->no.length == n_nodes &&
           forest->shares.length / forest->n_classes == n_nodes &&
           forest->shares.length % forest->n_classes == 0 &&
           forest->rows.length % forest->n_features == 0;
}

static PyObject *forest_borrowed(PyObject *module, Forest *forest)
{
    forest->n_nodes = forest->feature.length;
    if (!fits(forest))
        return raise_outcome(WRONG, "forest");
    forest->n_rows = forest->rows.length / forest->n_features;
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
    PyObject *objects[7], *result = NULL;
    Forest forest = {0};
    long long n_features, n_classes, depth;
    if (!PyArg_ParseTuple(arguments, "OOOOOOOLLL", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &n_features,
                          &n_classes, &depth))
        return NULL;
    forest.n_features = n_features;
    forest.n_classes = n_classes;
    forest.depth = depth;
    Array *arrays[7] = {&forest.rows, &forest.roots, &forest.feature, &forest.threshold,
                        &forest.yes,  &forest.no,    &forest.shares};
    const char kinds[] = "fiifiif";
    const size_t sizes[] = {4, 4, 2, 4, 4, 4, 4};
    int borrowed = 0;
    while (borrowed < 7 && array_borrow(arrays[borrowed], objects[borrowed], kinds[borrowed],
                                        sizes[borrowed]) == 0)
        borrowed++;
    if (borrowed == 7)
        result = forest_borrowed(module, &forest);
    for (int i = 0; i < borrowed; i++)
        array_return(arrays[i]);
    return result;
}
