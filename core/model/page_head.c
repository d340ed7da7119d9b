/* Stage: measures of pages, and what a page head thinks of them. */
#include "columns/batch.h"
#include "model/page_head.h"

/* --- What is kept ----------------------------------------------------------------------------- */

enum { TAGS, OUTLINE_TAGS, PHRASES, ENDS, GROUPS, LOWER_CASE, SAID, SAID_ENDS, SAID_BITS };

/* Do ends of words ascend, up to the last of their characters. */
static bool are_ends(const Array *ends, int64_t n_chars)
{
    const int64_t *items = ends->items;
    bool sound = ends->length > 0 && items[ends->length - 1] <= n_chars;
    for (int64_t i = 0; i < ends->length; i++)
        sound &= items[i] >= (i ? items[i - 1] : 0);
    return sound;
}

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
    words->said = arrays[SAID].items;
    words->said_ends = arrays[SAID_ENDS].items;
    words->said_bits = arrays[SAID_BITS].items;
    words->n_said = arrays[SAID_ENDS].length;
    uint64_t said = 0;
    for (int64_t i = 0; i < arrays[SAID_BITS].length; i++)
        said |= words->said_bits[i];
    for (; said; said >>= 1)
        words->n_said_groups++;
    bool sound = arrays[OUTLINE_TAGS].length == N_OUTLINE_TAGS &&
                 arrays[GROUPS].length == words->n_phrases &&
                 arrays[SAID_BITS].length == words->n_said &&
                 are_ends(&arrays[ENDS], arrays[PHRASES].length) &&
                 are_ends(&arrays[SAID_ENDS], arrays[SAID].length);
    for (int64_t i = 0; i < words->n_tags; i++)
        sound &= words->tags[i] >= 0 && words->tags[i] < N_TAG_IDS;
    return sound && phrases_fit(words);
}

static const Keeping words_kept = {
    "victor._core.page_words", "i8i8u4i8u1u4u4i8u8", sizeof(PageWords), read_words,
};

const PageWords *page_words_of(PyObject *capsule)
{
    return what_is_kept(capsule, &words_kept);
}

/* page_words(arrays) -> what `page_measures` is given */
static PyObject *words_method(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &words_kept);
}

/* --- Judgements ------------------------------------------------------------------------------- */

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

int64_t n_page_numbers(const PageWords *words)
{
    return n_quick_measures(words) + N_WALL_MEASURES + N_JUDGEMENTS;
}

int64_t n_head_weights(const PageWords *words)
{
    return 2 * (n_quick_measures(words) + N_WALL_MEASURES + 1);
}

void judge_page(Judged *judged, int64_t page, double *numbers)
{
    int64_t n_quick = n_quick_measures(judged->page_words), n_measures = n_quick + N_WALL_MEASURES;
    judged->page = page;
    measure_page(judged, numbers);
    measure_walls(judged, numbers + n_quick);
    memset(numbers + n_measures, 0, N_JUDGEMENTS * sizeof *numbers);
    if (judged->weights)
        judge(judged->weights, numbers, n_measures, has_outline(judged), numbers + n_measures);
}

/* --- A call from Python ----------------------------------------------------------------------- */

enum { MARGINALS, PAGES, WEIGHTS, N_ARGUMENTS };

static bool do_fit(const Judged *judged, const Array *arrays)
{
    const int64_t *pages = arrays[PAGES].items;
    bool fit = arrays[MARGINALS].length == judged->table->n_blocks * N_LABELS &&
               (!judged->weights ||
                arrays[WEIGHTS].length == n_head_weights(judged->page_words));
    for (int64_t i = 0; i < arrays[PAGES].length; i++)
        fit &= pages[i] >= 0 && pages[i] < judged->table->n_pages;
    return fit;
}

static Outcome solve(Judged *judged, const Array *arrays, Result *result)
{
    judged->marginals = arrays[MARGINALS].items;
    judged->weights = arrays[WEIGHTS].items;
    if (!do_fit(judged, arrays))
        return WRONG;
    Arena arena = {0};
    judged->last_text = ZEROS(&arena, int64_t, (size_t)judged->page_words->n_phrases);
    int64_t count = arrays[PAGES].length, width = n_page_numbers(judged->page_words);
    result->room = result->used = count * width;
    bool enough = judged->last_text && results_take(result, 1);
    double *numbers = enough ? *result->items : NULL;
    for (int64_t i = 0; enough && i < count; i++)
        judge_page(judged, ((const int64_t *)arrays[PAGES].items)[i], numbers + i * width);
    arena_free(&arena);
    return enough ? DONE : MEMORY;
}

/* page_measures(batch, marginals, pages, weights, page_words) -> a row of a page */
static PyObject *measures_method(PyObject *module, PyObject *args)
{
    Array arrays[N_ARGUMENTS] = {
        [MARGINALS] = WANTED("f8"), [PAGES] = WANTED("i8"), [WEIGHTS] = WANTED("f8?"),
    };
    PyObject *object, *words, *memory = NULL;
    if (!PyArg_ParseTuple(args, "OO&O&O&O:page_measures", &object, BORROW(MARGINALS),
                          BORROW(PAGES), BORROW(WEIGHTS), &words))
        return NULL;
    const Batch *batch = batch_of(module, object);
    Judged judged = {.page_words = batch ? page_words_of(words) : NULL};
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
