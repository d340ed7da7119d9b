/* Stage: units are kept or dropped whole. What a trained model says of a unit gives way to the
 * blocks around it. */
#include "base/results.h"
#include "base/sorting.h"
#include "columns/batch.h"
#include "kinds/units.h"

/* Share of the words of a table, or of code, that the labeler keeps if all of it is kept. */
static const double LEAST_KEPT = 0.5;
/* Likewise where the unit is more than a smaller part of its page: without it little is left. */
static const double LEAST_KEPT_OF_MOST = 0.125;

/* --- A vote ----------------------------------------------------------------------------------- */

/* Memory of a vote: room for all blocks. */
typedef struct {
    uint64_t *keys, *spare;
} Ranks;

/* A word of a blank block counts, too. */
static int64_t voices(const Shared *shared, int64_t block)
{
    return shared->words[block] > 1 ? shared->words[block] : 1;
}

/* A number that ascends with a probability. */
static uint64_t key_of(double p)
{
    uint64_t bits;
    memcpy(&bits, &p, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static double probability_of(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double p;
    memcpy(&p, &bits, sizeof p);
    return p;
}

/* Voices of the blocks of a unit up to a probability, by its key. */
static int64_t voices_until(const Shared *shared, const Labelled *labelled, const Unit *unit,
                            uint64_t key)
{
    int64_t sum = 0;
    for (int64_t i = unit->start; i < unit->stop; i++)
        sum += key_of(labelled->p_other[i]) <= key ? voices(shared, i) : 0;
    return sum;
}

/* The key of the p(other) up to which a unit has voices enough; it has enough in all. */
static uint64_t find_key(const Shared *shared, const Labelled *labelled, const Unit *unit,
                         double least, const Ranks *ranks)
{
    int64_t low = 0, high = unit->stop - unit->start - 1;
    for (int64_t i = 0; i <= high; i++)
        ranks->keys[i] = key_of(labelled->p_other[unit->start + i]);
    sort_keys(ranks->keys, ranks->spare, high + 1);
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((double)voices_until(shared, labelled, unit, ranks->keys[middle]) < least)
            low = middle + 1;
        else
            high = middle;
    }
    return ranks->keys[low];
}

/* Keep or drop a unit as most of its words are. A threshold above its p(other) keeps as many of
 * them, and hence the unit. */
static void vote(const Shared *shared, const Labelled *labelled, const Unit *unit,
                 const Ranks *ranks, const Whole *whole)
{
    int64_t all = 0, kept = 0;
    for (int64_t i = unit->start; i < unit->stop; i++) {
        all += voices(shared, i);
        kept += labelled->labels[i] != OTHER ? voices(shared, i) : 0;
    }
    double least = (unit->is_part ? LEAST_KEPT : LEAST_KEPT_OF_MOST) * (double)all;
    uint64_t key = find_key(shared, labelled, unit, least, ranks);
    bool is_kept = (double)kept >= least;
    for (int64_t i = unit->start; i < unit->stop; i++) {
        if (!is_kept)
            whole->labels[i] = OTHER;
        else if (whole->labels[i] == OTHER)
            whole->labels[i] = TEXT;
        whole->p_other[i] = probability_of(key);
    }
}

/* Code, tables of data, and the lists of a model that are parts of a text. */
static bool has_a_vote(const Labelled *labelled, const Unit *unit)
{
    return (labelled->is_data && labelled->is_data[unit->element]) || unit->role & IS_CODE ||
           (labelled->by_model && unit->role & IS_LIST && unit->is_part && !unit->is_mixed);
}

/* The outermost of them vote; tables that serve the layout hold no data. */
static Outcome hold_votes(const Table *table, const Shared *shared, const Labelled *labelled,
                          const Units *units, Arena *arena, const Whole *whole)
{
    size_t n = (size_t)table->n_blocks;
    Ranks ranks = {TAKE(arena, uint64_t, n), TAKE(arena, uint64_t, n)};
    if (!ranks.keys || !ranks.spare)
        return MEMORY;
    int64_t reach = 0;
    for (const Unit *unit = units->items; unit < units->items + units->count; unit++) {
        if (!has_a_vote(labelled, unit))
            continue;
        bool is_outermost = unit->start >= reach;
        reach = unit->stop > reach ? unit->stop : reach;
        if (is_outermost && unit->is_mixed)
            whole->is_data[unit->element] = false;
        else if (is_outermost)
            vote(shared, labelled, unit, &ranks, whole);
    }
    return DONE;
}

/* --- Blocks beside ---------------------------------------------------------------------------- */

/* Keep an island if the two blocks beside it are kept, and give it the higher p(other) of these. */
static void raise_unit(const Labelled *labelled, const Unit *unit, const Whole *whole)
{
    const uint8_t *labels = labelled->labels;
    bool is_kept = labels[unit->before] != OTHER && labels[unit->after] != OTHER;
    double p_before = labelled->p_other[unit->before], p_after = labelled->p_other[unit->after];
    double p = p_before > p_after ? p_before : p_after;
    for (int64_t i = unit->start; i < unit->stop; i++) {
        const double *marginals = &labelled->marginals[i * N_LABELS];
        bool is_header = marginals[HEADER] > marginals[TEXT];
        if (is_kept && whole->labels[i] == OTHER)
            whole->labels[i] = is_header ? HEADER : TEXT;
        whole->p_other[i] = whole->p_other[i] < p ? whole->p_other[i] : p;
        whole->may_be_kept[i] = true;
    }
}

/* --- The stage -------------------------------------------------------------------------------- */

static void start_with(const Table *table, const Labelled *labelled, const Whole *whole)
{
    for (int64_t i = 0; i < table->n_blocks; i++) {
        whole->labels[i] = labelled->labels[i];
        whole->p_other[i] = labelled->p_other[i];
        whole->may_be_kept[i] = labelled->labels[i] != OTHER;
    }
    for (int64_t e = 0; e < table->n_elements; e++)
        whole->is_data[e] = labelled->is_data && labelled->is_data[e];
}

Outcome make_whole(const Table *table, const Shared *shared, const Labelled *labelled,
                          Arena *arena, const Whole *whole)
{
    Units units = {0};
    Outcome outcome = find_units(table, shared, labelled, arena, &units);
    if (outcome != DONE)
        return outcome;
    start_with(table, labelled, whole);
    outcome = hold_votes(table, shared, labelled, &units, arena, whole);
    if (outcome != DONE || !labelled->by_model)
        return outcome;
    find_islands(table, shared, &units);
    for (const Unit *unit = units.items; unit < units.items + units.count; unit++)
        if (unit->is_island)
            raise_unit(labelled, unit, whole);
    return DONE;
}

/* --- What Python calls ------------------------------------------------------------------------ */

enum { ROLES, LABELS, P_OTHER, MARGINALS, IS_DATA, N_ARRAYS };

static bool do_fit(const Array *arrays, const Table *table)
{
    int64_t n = table->n_blocks;
    return arrays[ROLES].length == N_TAG_IDS && arrays[LABELS].length == n &&
           arrays[P_OTHER].length == n && arrays[MARGINALS].length == N_LABELS * n &&
           (!arrays[IS_DATA].items || arrays[IS_DATA].length == table->n_elements);
}

static PyObject *made_whole(PyObject *module, const Batch *batch, const Labelled *labelled)
{
    Whole whole;
    int64_t n = batch->table.n_blocks, n_elements = batch->table.n_elements;
    Result results[] = {
        RESULT(whole.labels, n), RESULT(whole.p_other, n), RESULT(whole.is_data, n_elements),
        RESULT(whole.may_be_kept, n),
    };
    enum { N_RESULTS = sizeof results / sizeof *results };
    for (int i = 0; i < N_RESULTS; i++)
        results[i].used = results[i].room;
    if (!results_take(results, N_RESULTS))
        return PyErr_NoMemory();
    Arena arena = {0};
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = make_whole(&batch->table, &batch->shared, labelled, &arena, &whole);
    arena_free(&arena);
    Py_END_ALLOW_THREADS
    if (outcome == DONE)
        return results_hand_over(module, results, N_RESULTS);
    results_free(results, N_RESULTS);
    return raise_outcome(outcome, "whole_units");
}

/* whole_units(batch, roles, largest_part, by_model, labels, p_other, marginals, is_data): labels,
 * p(other) and tables of data with units made whole; which blocks are kept, or are if those beside
 * them are. Of `is_data`, None stands for no tables of data. */
static PyObject *whole_units(PyObject *module, PyObject *arguments)
{
    Array arrays[] = {[ROLES] = WANTED("u1"), [LABELS] = WANTED("u1"), [P_OTHER] = WANTED("f8"),
                      [MARGINALS] = WANTED("f8"), [IS_DATA] = WANTED("b1?")};
    PyObject *object, *result = NULL;
    int by_model;
    double largest_part;
    if (!PyArg_ParseTuple(arguments, "OO&dpO&O&O&O&", &object, BORROW(ROLES), &largest_part,
                          &by_model, BORROW(LABELS), BORROW(P_OTHER), BORROW(MARGINALS),
                          BORROW(IS_DATA)))
        return NULL;
    const Labelled labelled = {arrays[ROLES].items,     largest_part,         by_model,
                               arrays[LABELS].items,    arrays[P_OTHER].items,
                               arrays[MARGINALS].items, arrays[IS_DATA].items};
    const Batch *batch = batch_of(module, object);
    if (batch)
        result = do_fit(arrays, &batch->table) ? made_whole(module, batch, &labelled)
                                                 : raise_outcome(WRONG, "whole_units");
    arrays_return(arrays, N_ARRAYS);
    return result;
}

PyMethodDef units_methods[] = {
    {"whole_units", whole_units, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
