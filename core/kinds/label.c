/* Stage: a batch to the marginals and labels of a model of trees, and the judgments on these. */
#include "columns/plan.h"
#include "kinds/kinds.h"
#include "model/page_head.h"
#include <math.h>
#include <stdlib.h>

/* A model at work on a batch. */
typedef struct {
    Call call;
    TreeModel whole;
    Decision decision;
    double *marginals;  /* (n_blocks, N_LABELS) */
    uint8_t *labels;
    Array weights;      /* of the page head, none without one */
    const PageWords *page_words;
    double *judgements; /* (n_pages, N_JUDGEMENTS) of pages in doubt, NaN of the others */
    bool any_in_doubt;
} Labelling;

/* Do the trees and the chain fit the columns. */
static bool do_fit(const Labelling *labelling, const Array *factors)
{
    const TreeModel *whole = &labelling->whole;
    const Call *call = &labelling->call;
    return whole->trees.last_column < call->plan->n_columns && whole->kind_row >= -1 &&
           whole->kind_row < call->n_raw && (whole->strength == 0 || call->n_raw >= 2) &&
           (!labelling->page_words ||
            labelling->weights.length == n_head_weights(labelling->page_words)) &&
           whole->chain.n_kinds > 0 && factors->length == whole->chain.n_kinds * SQUARE;
}

/* Let the page head judge the pages in doubt. */
static Outcome ask_head(Labelling *labelling, const Pages *pages, Arena *arena)
{
    const Batch *batch = labelling->call.batch;
    Judged judged = {
        .table = &batch->table, .shared = &batch->shared, .marginals = labelling->marginals,
        .weights = labelling->weights.items, .page_words = labelling->page_words,
        .last_text = ZEROS(arena, int64_t, (size_t)labelling->page_words->n_phrases),
    };
    size_t n = (size_t)pages->count;
    int64_t width = n_page_numbers(judged.page_words);
    double *p_no_content = TAKE(arena, double, n), *p_error = TAKE(arena, double, n);
    double *numbers = TAKE(arena, double, (size_t)width);
    labelling->judgements = malloc((n * N_JUDGEMENTS + 1) * sizeof *labelling->judgements);
    if (!judged.last_text || !p_no_content || !p_error || !numbers || !labelling->judgements)
        return MEMORY;
    for (int64_t page = 0; page < pages->count; page++) {
        double *judgements = labelling->judgements + page * N_JUDGEMENTS;
        for (int i = 0; i < N_JUDGEMENTS; i++)
            judgements[i] = NAN;
        if (is_in_doubt(&labelling->decision, pages, page)) {
            judge_page(&judged, page, numbers);
            memcpy(judgements, numbers + width - N_JUDGEMENTS, N_JUDGEMENTS * sizeof *judgements);
            labelling->any_in_doubt = true;
        }
        p_no_content[page] = judgements[P_NOTHING];
        p_error[page] = judgements[P_ERROR];
    }
    if (labelling->any_in_doubt) {
        labelling->decision.p_no_content = p_no_content;
        labelling->decision.p_error = p_error;
    }
    return DONE;
}

static Outcome label_all(Labelling *labelling)
{
    Call *call = &labelling->call;
    const Table *table = &call->batch->table;
    const Pages pages = {table->page_starts, table->n_pages, table->n_blocks};
    size_t n = (size_t)table->n_blocks;
    labelling->marginals = malloc((n * N_LABELS + 1) * sizeof *labelling->marginals);
    labelling->labels = malloc(n + 1);
    if (!labelling->marginals || !labelling->labels)
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
    Arena arena = {0};
    if (labelling->page_words)
        outcome = ask_head(labelling, &pages, &arena);
    if (outcome == DONE)
        outcome = decide_expected_f(&labelling->decision, &pages, labelling->labels);
    arena_free(&arena);
    return outcome;
}

static PyObject *results(PyObject *module, Labelling *labelling, PyObject *judgments)
{
    PyObject *finished = judgments == Py_None
                             ? Py_NewRef(Py_None)
                             : finish_labels(module, labelling->call.batch, judgments,
                                             labelling->labels, labelling->marginals);
    if (!finished)
        return NULL;
    const Table *table = &labelling->call.batch->table;
    size_t n = (size_t)table->n_blocks;
    PyObject *judgements = Py_NewRef(Py_None);
    if (labelling->any_in_doubt) {
        Py_DECREF(judgements);
        judgements = owned(module, labelling->judgements,
                           (size_t)table->n_pages * N_JUDGEMENTS * sizeof(double));
        labelling->judgements = NULL;
    }
    PyObject *all = Py_BuildValue(
        "(NNNN)", owned(module, labelling->marginals, n * N_LABELS * sizeof(double)),
        owned(module, labelling->labels, n), judgements, finished);
    labelling->marginals = NULL;
    labelling->labels = NULL;
    return all;
}

/* Borrow a pair of words and weights, or None; -1 with an exception set. */
static int read_head(Labelling *labelling, PyObject *head)
{
    PyObject *words;
    if (head == Py_None)
        return 0;
    if (!PyArg_ParseTuple(head, "OO&", &words, array_of, &labelling->weights))
        return -1;
    labelling->page_words = page_words_of(words);
    return labelling->page_words ? 0 : -1;
}

/* label(batch, plan, inputs, layout, factors, strength, kind_row, chunk, period, no_content, head,
 * judgments) -> marginals, labels of the highest expected F, judgements of a page head on the pages that
 * are in doubt, None if there are none, and what `finish` gives of the judgments, None without them;
 * the head is None, or its page_words and weights */
static PyObject *label(PyObject *module, PyObject *args)
{
    PyObject *object, *plan, *inputs, *layout, *head, *judgments, *result = NULL;
    Array factors = WANTED("f8");
    double strength, no_content;
    long long kind_row, chunk, period;
    if (!PyArg_ParseTuple(args, "OOOOO&dLLLdOO", &object, &plan, &inputs, &layout, array_of,
                          &factors, &strength, &kind_row, &chunk, &period, &no_content, &head,
                          &judgments))
        return NULL;
    Labelling labelling = {.decision = {.no_content = no_content}, .weights = WANTED("f8")};
    const Trees *trees = trees_of(layout);
    if (trees && read_head(&labelling, head) == 0 &&
        call_open(&labelling.call, module, object, plan, inputs) == 0) {
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
        result = outcome == DONE ? results(module, &labelling, judgments)
                                 : raise_outcome(outcome, "label");
    }
    free(labelling.marginals);
    free(labelling.labels);
    free(labelling.judgements);
    call_close(&labelling.call);
    array_return(&labelling.weights);
    array_return(&factors);
    return result;
}

PyMethodDef label_methods[] = {
    {"label", label, METH_VARARGS, "Marginals and labels of a batch, by a model of trees."},
    {NULL, NULL, 0, NULL},
};
