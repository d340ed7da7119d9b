/* Stage: measures of pages, and what a page head thinks of them. */
#include "columns/batch.h"
#include "model/page_head.h"

/* --- What is kept ----------------------------------------------------------------------------- */

enum { TAGS, OUTLINE_TAGS, PHRASES, ENDS, GROUPS, LOWER_CASE };

static bool read_words(void *what, const Array *arrays)
{
    PageWords *words = what;
    words->tags = arrays[TAGS].items;
    words->n_tags = arrays[TAGS].length;
    words->outline_tags = arrays[OUTLINE_TAGS].items;
    words->phrases = arrays[PHRASES].items;
    words->ends = arrays[ENDS].items;
    words->n_phrases = arrays[ENDS].length;
    words->groups = arrays[GROUPS].items;
    words->lower = arrays[LOWER_CASE].items;
    words->n_lower = arrays[LOWER_CASE].length;
    bool sound = arrays[OUTLINE_TAGS].length == N_OUTLINE_TAGS &&
                 arrays[GROUPS].length == words->n_phrases;
    for (int64_t i = 0; i < words->n_tags; i++)
        sound &= words->tags[i] >= 0 && words->tags[i] < N_TAG_IDS;
    for (int64_t i = 0; i < words->n_phrases; i++)
        sound &= words->ends[i] >= (i ? words->ends[i - 1] : 0) &&
                 words->ends[i] <= arrays[PHRASES].length;
    return sound && phrases_fit(words);
}

static const Keeping words_kept = {
    "victor._core.page_words", "i8i8u4i8u1u4", sizeof(PageWords), read_words,
};

/* page_words(arrays) -> what `page_measures` is given */
static PyObject *words_method(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &words_kept);
}

/* --- Judgements ------------------------------------------------------------------------------- */

enum { P_NOTHING, P_ERROR, IS_ERROR, N_JUDGEMENTS };

/* Given the weight of every measure, and the intercept behind them. */
static double probability(const double *weights, const double *measures, int64_t n_measures)
{
    double score = 0.0;
    for (int64_t i = 0; i < n_measures; i++)
        score += measures[i] * weights[i];
    score += weights[n_measures];
    double odds = exponential(score > 0 ? -score : score);
    return (score > 0 ? 1.0 : odds) / (1.0 + odds);
}

/* The probabilities that a page has no content and that a server or a wall speaks, and is it that
 * why it gives nothing; 0 of a page with an outline, and where no phrase of walls is. */
static void judge(const double *head, const double *measures, int64_t n_measures, bool has_outline,
                  double judgements[N_JUDGEMENTS])
{
    const double *walls = measures + n_measures - N_WALL_MEASURES;
    bool says = false, says_nothing_found = walls[4 + 1] > walls[0]; /* groups, is a wall named */
    for (int i = 0; i < N_WALL_MEASURES; i++)
        says |= walls[i] != 0;
    double nothing = has_outline ? 0.0 : probability(head, measures, n_measures), error = 0.0;
    if (says && !has_outline)
        error = probability(head + n_measures + 1, measures, n_measures);
    judgements[P_NOTHING] = nothing;
    judgements[P_ERROR] = error;
    judgements[IS_ERROR] = !says_nothing_found && error > nothing;
}

/* Measures of pages, those of walls behind the quick ones, and judgements, if there is a head. */
static void judge_pages(Judged *judged, const double *head, double *rows)
{
    int64_t n_quick = n_quick_measures(judged), n_measures = n_quick + N_WALL_MEASURES;
    for (int64_t number = 0; number < judged->count; number++, rows += n_measures + N_JUDGEMENTS) {
        measure_page(judged, number, rows);
        measure_walls(judged, number, rows + n_quick);
        memset(rows + n_measures, 0, N_JUDGEMENTS * sizeof *rows);
        if (head)
            judge(head, rows, n_measures, has_outline(judged, number), rows + n_measures);
    }
}

/* --- A call from Python ----------------------------------------------------------------------- */

enum { MARGINALS, PAGES, OF_HEADS, TITLES, TITLE_ENDS, HEAD, N_ARGUMENTS };

static void read_arrays(Judged *judged, const Array *arrays)
{
    judged->marginals = arrays[MARGINALS].items;
    judged->pages = arrays[PAGES].items;
    judged->count = arrays[PAGES].length;
    judged->of_heads = arrays[OF_HEADS].items;
    judged->n_of_heads = judged->count ? arrays[OF_HEADS].length / judged->count : 0;
    judged->titles = arrays[TITLES].items;
    judged->title_ends = arrays[TITLE_ENDS].items;
}

static bool do_fit(const Judged *judged, const Array *arrays)
{
    const Table *table = judged->table;
    int64_t count = judged->count, n_weights = n_quick_measures(judged) + N_WALL_MEASURES + 1;
    bool fit = arrays[MARGINALS].length == table->n_blocks * N_LABELS &&
               arrays[TITLE_ENDS].length == count &&
               arrays[OF_HEADS].length == count * judged->n_of_heads &&
               (!count || !arrays[HEAD].items || arrays[HEAD].length == 2 * n_weights);
    for (int64_t i = 0; i < count && fit; i++)
        fit = judged->pages[i] >= 0 && judged->pages[i] < table->n_pages &&
              judged->title_ends[i] >= (i ? judged->title_ends[i - 1] : 0) &&
              judged->title_ends[i] <= arrays[TITLES].length;
    return fit;
}

static Outcome solve(Judged *judged, const Array *arrays, Result *result)
{
    read_arrays(judged, arrays);
    if (!do_fit(judged, arrays))
        return WRONG;
    Arena arena = {0};
    judged->last_text = ZEROS(&arena, int64_t, (size_t)judged->page_words->n_phrases);
    int64_t width = n_quick_measures(judged) + N_WALL_MEASURES + N_JUDGEMENTS;
    result->room = result->used = judged->count * width;
    bool enough = judged->last_text && results_take(result, 1);
    if (enough)
        judge_pages(judged, arrays[HEAD].items, *result->items);
    arena_free(&arena);
    return enough ? DONE : MEMORY;
}

/* page_measures(batch, the arrays, page_words) -> a row of a page */
static PyObject *measures_method(PyObject *module, PyObject *args)
{
    Array arrays[N_ARGUMENTS] = {
        [MARGINALS] = WANTED("f8"), [PAGES] = WANTED("i8"), [OF_HEADS] = WANTED("f8"),
        [TITLES] = WANTED("u4"), [TITLE_ENDS] = WANTED("i8"), [HEAD] = WANTED("f8?"),
    };
    PyObject *object, *words, *memory = NULL;
    if (!PyArg_ParseTuple(args, "OO&O&O&O&O&O&O:page_measures", &object, BORROW(MARGINALS),
                          BORROW(PAGES), BORROW(OF_HEADS), BORROW(TITLES), BORROW(TITLE_ENDS),
                          BORROW(HEAD), &words))
        return NULL;
    const Batch *batch = batch_of(module, object);
    Judged judged = {.page_words = batch ? what_is_kept(words, &words_kept) : NULL};
    if (judged.page_words) {
        judged.table = &batch->table;
        judged.shared = &batch->shared;
        double *rows = NULL;
        Result result = RESULT(rows, 0);
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = solve(&judged, arrays, &result);
        Py_END_ALLOW_THREADS
        memory = outcome == DONE ? owned(module, rows, (size_t)result.used * sizeof *rows)
                                 : raise_outcome(outcome, "page_measures");
    }
    arrays_return(arrays, N_ARGUMENTS);
    return memory;
}

PyMethodDef page_head_methods[] = {
    {"page_words", words_method, METH_O, "What is counted on pages, checked once for all."},
    {"page_measures", measures_method, METH_VARARGS, "Measures of pages, and what is thought of them."},
    {NULL, NULL, 0, NULL},
};
