/* Stage: a batch to the marginals and labels of a model of trees. */
#include "columns/plan.h"
#include "model/model.h"
#include <stdlib.h>

/* A model at work on a batch. */
typedef struct {
    Call call;
    TreeModel whole;
    Decision decision;
    double *marginals;  /* (n_blocks, N_LABELS) */
    uint8_t *labels;    /* (n_blocks) by marginals alone */
    uint8_t *is_in_doubt; /* (n_pages) a page head is to be asked */
} Labelling;

/* Do the trees and the chain fit the columns. */
static bool do_fit(const Labelling *labelling, const Array *factors)
{
    const TreeModel *whole = &labelling->whole;
    const Call *call = &labelling->call;
    return whole->trees.last_column < call->plan->n_columns && whole->kind_row >= -1 &&
           whole->kind_row < call->n_raw && (whole->strength == 0 || call->n_raw >= 2) &&
           whole->chain.n_kinds > 0 && factors->length == whole->chain.n_kinds * SQUARE;
}

static Outcome label_all(Labelling *labelling)
{
    Call *call = &labelling->call;
    const Table *table = &call->batch->table;
    const Pages pages = {table->page_starts, table->n_pages, table->n_blocks};
    size_t n = (size_t)table->n_blocks;
    labelling->marginals = malloc((n * N_LABELS + 1) * sizeof *labelling->marginals);
    labelling->labels = malloc(n + 1);
    labelling->is_in_doubt = malloc((size_t)table->n_pages + 1);
    if (!labelling->marginals || !labelling->labels || !labelling->is_in_doubt)
        return MEMORY;
    Outcome outcome = compute_columns(call);
    if (outcome != DONE)
        return outcome;
    TreeModel *whole = &labelling->whole;
    whole->trees.codes = call->codes;
    whole->trees.n_columns = call->plan->n_columns;
    whole->trees.n_blocks = table->n_blocks;
    whole->values = call->raw;
    outcome = whole_marginals(whole, &pages, labelling->marginals);
    if (outcome != DONE)
        return outcome;
    labelling->decision.marginals = labelling->marginals;
    labelling->decision.words = call->batch->shared.words;
    for (int64_t page = 0; page < table->n_pages; page++)
        labelling->is_in_doubt[page] = is_in_doubt(&labelling->decision, &pages, page);
    return decide_expected_f(&labelling->decision, &pages, labelling->labels);
}

static PyObject *results(PyObject *module, Labelling *labelling)
{
    const Table *table = &labelling->call.batch->table;
    size_t n = (size_t)table->n_blocks;
    bool any = false;
    for (int64_t page = 0; page < table->n_pages; page++)
        any |= labelling->is_in_doubt[page];
    PyObject *doubt = any ? owned(module, labelling->is_in_doubt, (size_t)table->n_pages)
                          : Py_NewRef(Py_None);
    PyObject *all = Py_BuildValue(
        "(NNN)", owned(module, labelling->marginals, n * N_LABELS * sizeof(double)),
        owned(module, labelling->labels, n), doubt);
    labelling->marginals = NULL;
    labelling->labels = NULL;
    if (any)
        labelling->is_in_doubt = NULL;
    return all;
}

/* label(batch, plan, inputs, layout, factors, strength, kind_row, chunk, period, no_content) ->
 * marginals, labels of the highest expected F on their word alone, and a byte for each page of which a
 * page head is to be asked, None for none */
static PyObject *label(PyObject *module, PyObject *args)
{
    PyObject *object, *plan, *inputs, *layout, *result = NULL;
    Array factors = WANTED("f8");
    double strength, no_content;
    long long kind_row, chunk, period;
    if (!PyArg_ParseTuple(args, "OOOOO&dLLLd", &object, &plan, &inputs, &layout, array_of, &factors,
                          &strength, &kind_row, &chunk, &period, &no_content))
        return NULL;
    Labelling labelling = {.decision = {.no_content = no_content}};
    const Trees *trees = trees_of(layout);
    if (trees && call_open(&labelling.call, module, object, plan, inputs) == 0) {
        labelling.whole = (TreeModel){
            .trees = *trees,
            .chain = {.edges = factors.items, .n_kinds = factors.length / SQUARE, .chunk = chunk,
                      .period = period},
            .strength = strength, .kind_row = kind_row,
        };
        Outcome outcome = WRONG;
        Py_BEGIN_ALLOW_THREADS
        if (do_fit(&labelling, &factors))
            outcome = label_all(&labelling);
        Py_END_ALLOW_THREADS
        result = outcome == DONE ? results(module, &labelling) : raise_outcome(outcome, "label");
    }
    free(labelling.marginals);
    free(labelling.labels);
    free(labelling.is_in_doubt);
    call_close(&labelling.call);
    array_return(&factors);
    return result;
}

PyMethodDef label_methods[] = {
    {"label", label, METH_VARARGS, "Marginals and labels of a batch, by a model of trees."},
    {NULL, NULL, 0, NULL},
};
