/* Stage: all judgments on the labels of a model at once, for pages that need nothing rare.
 *
 * Copies, tables of data, declarations, notes, links of headings and comments are looked at in
 * Python (`victor.kinds.scope`), which asks for each judgment by itself. Which pages may have any of
 * them is told here. */
#include "base/sorting.h"
#include "kinds/kinds.h"
#include "kinds/units.h"
#include "parsing/page_signs.h"
#include "tables/find_leaves.h"

/* What is the same for all batches with the same attributes. */
typedef struct {
    const uint8_t *of_units, *of_hidden, *of_names, *of_all; /* (N_TAG_IDS) roles, for judgments */
    const uint8_t *rare;     /* (N_TAG_IDS) IS_RAISED, IS_LINKED, IS_OF_TABLES */
    Array of_links, code_tags; /* ids of tags, for links of headings and for copies */
    const uint64_t *bits;    /* (N_GROUPS) of names */
    const uint16_t *of_tables; /* (N_TAG_IDS) roles, for tables */
} Rules;

enum { IS_RAISED = 1, IS_LINKED = 2, IS_OF_TABLES = 4 };
enum { COMMENTS, FORUMS, INGREDIENTS, NOTES, N_GROUPS };
/* As `victor.kinds.units.Needs`. */
enum {
    NEEDS_COPIES = 1, NEEDS_DECLARED = 2, NEEDS_TABLES = 4, NEEDS_NOTES = 8, NEEDS_LINKS = 16,
    NEEDS_COMMENTS = 32,
};
/* As `victor.render.tree.notes` has them: characters of the mark of a note, and of a word in it. */
enum { LONGEST_MARK = 12, LONGEST_LABEL = 4 };

/* A batch, what is thought of it, and what becomes of it. */
typedef struct {
    const Batch *batch;
    const Rules *rules;
    Arena arena;
    Labelled labelled;
    bool is_forum; /* the user says so of all pages */
    Whole whole;
    uint8_t *scoped; /* (n_blocks) labels in the end */
    uint8_t *needs;  /* (n_pages) what a page needs that is rare */
} Finish;

static Array array_here(const void *items, int64_t length)
{
    return (Array){.items = items, .length = length};
}

/* Pages need something of which some segment was found. */
static void mark_segments(Finish *finish, const uint8_t *found, uint8_t need)
{
    const Shared *shared = &finish->batch->shared;
    for (int64_t i = 0; found && i < finish->batch->table.n_segments; i++)
        if (found[i])
            finish->needs[shared->element_page[shared->segment_element[i]]] |= need;
}

/* A judgment: a byte for each of `count`, in memory of the call; NULL with the outcome set. */
static uint8_t *judged(Finish *finish, Judge judge, const Array *inputs, int64_t count,
                       Outcome *outcome)
{
    const Batch *batch = finish->batch;
    const Request request = {.table = &batch->table, .shared = &batch->shared, .arena = &finish->arena,
                             .inputs = inputs, .vocabulary = vocabulary_of(batch->vocabulary)};
    uint8_t *found = ZEROS(&finish->arena, uint8_t, (size_t)count);
    *outcome = found ? judge(&request, found) : MEMORY;
    return *outcome == DONE ? found : NULL;
}

/* --- What is rare ----------------------------------------------------------------------------- */

static Outcome look_for_copies(Finish *finish)
{
    const Table *table = &finish->batch->table;
    const Array roles = array_here(finish->rules->of_hidden, N_TAG_IDS);
    Outcome outcome;
    uint8_t *hidden = judged(finish, judge_hidden, &roles, table->n_elements, &outcome);
    if (!hidden)
        return outcome;
    const Array inputs[] = {array_here(finish->labelled.labels, table->n_blocks),
                            array_here(finish->labelled.p_other, table->n_blocks),
                            array_here(hidden, table->n_elements)};
    uint8_t *found = judged(finish, judge_copies, inputs, table->n_blocks, &outcome);
    bool is_unseen = false;
    for (int64_t i = 0; found && i < table->n_blocks; i++) {
        if (found[i] & ~MAY_BE_UNSEEN)
            finish->needs[finish->batch->shared.page[i]] |= NEEDS_COPIES;
        is_unseen |= found[i];
    }
    if (!is_unseen)
        return outcome;
    const Array of_copies[] = {array_here(found, table->n_blocks), inputs[2],
                               finish->rules->code_tags};
    const uint8_t *copies =
        judged(finish, judge_hidden_copies, of_copies, table->n_segments, &outcome);
    mark_segments(finish, copies, NEEDS_COPIES);
    return outcome;
}

static Outcome look_for_heading_links(Finish *finish)
{
    const Table *table = &finish->batch->table;
    const Array inputs[] = {array_here(finish->whole.labels, table->n_blocks),
                            finish->rules->of_links};
    Outcome outcome;
    const uint8_t *found = judged(finish, judge_heading_links, inputs, table->n_segments, &outcome);
    mark_segments(finish, found, NEEDS_LINKS);
    return outcome;
}

static Outcome look_for_comments(Finish *finish)
{
    const Table *table = &finish->batch->table;
    const Rules *rules = finish->rules;
    const Array inputs[] = {array_here(rules->bits + COMMENTS, 1),
                            array_here(rules->of_names, N_TAG_IDS),
                            array_here(finish->whole.labels, table->n_blocks)};
    Outcome outcome;
    const uint8_t *found = judged(finish, judge_names, inputs, table->n_pages, &outcome);
    for (int64_t page = 0; found && page < table->n_pages; page++)
        finish->needs[page] |= found[page] ? NEEDS_COMMENTS : 0;
    return outcome;
}

/* Which pages have an element that is named as one of a group. */
static uint8_t *are_named(Finish *finish, int group, Outcome *outcome)
{
    const Rules *rules = finish->rules;
    const Array inputs[] = {array_here(rules->bits + group, 1),
                            array_here(rules->of_all, N_TAG_IDS), {0}};
    return judged(finish, judge_names, inputs, finish->batch->table.n_pages, outcome);
}

/* Does some element name ingredients, or some head declare texts. */
static Outcome look_for_declarations(Finish *finish)
{
    Outcome outcome;
    const uint8_t *named = are_named(finish, INGREDIENTS, &outcome);
    for (int64_t page = 0; named && page < finish->batch->table.n_pages; page++)
        if (named[page] || finish->batch->shared.head_bits[page] & DECLARES_TEXTS)
            finish->needs[page] |= NEEDS_DECLARED;
    return outcome;
}

/* Is a segment short, with the few word characters of a mark. */
static bool may_be_mark(const Finish *finish, int64_t segment)
{
    const Table *table = &finish->batch->table;
    const uint8_t *classes = finish->batch->shared.characters->classes;
    int64_t start = table->segments.start[segment], end = table->segments.end[segment], words = 0;
    if (end - start > LONGEST_MARK)
        return false;
    for (int64_t at = start; at < end; at++)
        words += classes[table->chars[at]] >= LOWER && classes[table->chars[at]] <= OTHER_WORD;
    return words <= LONGEST_LABEL;
}

/* Is a short segment of a kept block of a page raised or linked. */
static bool has_marks(const Finish *finish, int64_t page, const uint64_t marks[2])
{
    const Table *table = &finish->batch->table;
    const Shared *shared = &finish->batch->shared;
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
        for (int64_t s = table->segment_starts[i];
             finish->whole.labels[i] != OTHER && s < table->segment_starts[i + 1]; s++) {
            int64_t element = shared->segment_element[s];
            if (may_be_mark(finish, s) &&
                ((shared->around[0][element] & marks[0]) | (shared->around[1][element] & marks[1])))
                return true;
        }
    return false;
}

/* Notes: pages on which something is raised and links lead to notes, or named as these are, and that
 * have marks. */
static Outcome look_for_notes(Finish *finish)
{
    const Table *table = &finish->batch->table;
    const uint8_t *rare = finish->rules->rare;
    Outcome outcome;
    uint8_t *may_be = are_named(finish, NOTES, &outcome);
    if (!may_be)
        return outcome;
    uint64_t marks[2] = {0};
    for (int tag = 0; tag < N_TAG_IDS; tag++)
        if (rare[tag] & (IS_RAISED | IS_LINKED))
            marks[tag >> 6] |= (uint64_t)1 << (tag & 63);
    const Column *signs = &finish->batch->columns[PAGE_SIGNS];
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t page = finish->batch->shared.element_page[e];
        if ((rare[table->elements.tag[e]] & IS_RAISED) &&
            (page >= signs->count || ((const uint8_t *)signs->items)[page] & LINKS_TO_NOTES))
            may_be[page] = 1;
    }
    for (int64_t page = 0; page < table->n_pages; page++)
        if (may_be[page] && has_marks(finish, page, marks))
            finish->needs[page] |= NEEDS_NOTES;
    return outcome;
}

/* May a table hold data: one with enough rows and cells, or any with another in it. */
static Outcome look_for_tables(Finish *finish)
{
    const Table *table = &finish->batch->table;
    const uint8_t *rare = finish->rules->rare;
    int64_t last_close = -1;
    bool any = false;
    for (int64_t e = 0; e < table->n_elements; e++)
        if (rare[table->elements.tag[e]] & IS_OF_TABLES) {
            if (table->elements.open[e] < last_close)
                finish->needs[finish->batch->shared.element_page[e]] |= NEEDS_TABLES;
            last_close = table->elements.close[e];
            any = true;
        }
    uint8_t *may = ZEROS(&finish->arena, uint8_t, (size_t)table->n_pages);
    if (!any || !may)
        return any ? MEMORY : DONE;
    Outcome outcome =
        may_hold_data(table, finish->rules->of_tables, finish->whole.may_be_kept,
                      finish->batch->shared.element_page, &finish->arena, may);
    for (int64_t page = 0; page < table->n_pages; page++)
        finish->needs[page] |= may[page] ? NEEDS_TABLES : 0;
    return outcome;
}

/* --- What is left ----------------------------------------------------------------------------- */

/* Drop headlines, but those of threads, and headings that head nothing. */
static Outcome put_in_scope(Finish *finish)
{
    const Batch *batch = finish->batch;
    const Table *table = &batch->table;
    const Array labels = array_here(finish->scoped, table->n_blocks);
    const Array of_headlines[] = {labels, {0}, {0}};
    const Request request = {.table = &batch->table, .shared = &batch->shared, .arena = &finish->arena,
                             .inputs = of_headlines,
                             .vocabulary = vocabulary_of(batch->vocabulary)};
    int64_t *headlines = TAKE(&finish->arena, int64_t, (size_t)table->n_pages);
    Outcome outcome = headlines ? find_headlines(&request, headlines) : MEMORY;
    if (outcome != DONE)
        return outcome;
    const uint8_t *is_forum = are_named(finish, FORUMS, &outcome);
    for (int64_t page = 0; is_forum && page < table->n_pages; page++)
        if (headlines[page] >= 0 && !finish->is_forum && !is_forum[page] &&
            !batch->shared.head_signs[page])
            finish->scoped[headlines[page]] = OTHER;
    const uint8_t *dangling =
        is_forum ? judged(finish, judge_dangling, &labels, table->n_blocks, &outcome) : NULL;
    for (int64_t i = 0; dangling && i < table->n_blocks; i++)
        if (dangling[i])
            finish->scoped[i] = OTHER;
    return outcome;
}

static Outcome finish_all(Finish *finish)
{
    const Batch *batch = finish->batch;
    Outcome outcome = look_for_copies(finish);
    if (outcome == DONE)
        outcome = look_for_declarations(finish);
    if (outcome == DONE)
        outcome = make_whole(&batch->table, &batch->shared, &finish->labelled, &finish->arena,
                             &finish->whole);
    if (outcome == DONE)
        outcome = look_for_tables(finish);
    if (outcome == DONE)
        outcome = look_for_notes(finish);
    if (outcome == DONE)
        outcome = look_for_heading_links(finish);
    if (outcome == DONE)
        outcome = look_for_comments(finish);
    if (outcome != DONE)
        return outcome;
    memcpy(finish->scoped, finish->whole.labels, (size_t)batch->table.n_blocks);
    return put_in_scope(finish);
}

/* --- Calls from Python ------------------------------------------------------------------------ */

enum {
    OF_UNITS, OF_HIDDEN, OF_NAMES, OF_ALL, RARE, OF_LINKS, CODE_TAGS, BITS, OF_TABLES,
};

static bool read_rules(void *what, const Array *arrays)
{
    Rules *rules = what;
    *rules = (Rules){
        arrays[OF_UNITS].items,   arrays[OF_HIDDEN].items, arrays[OF_NAMES].items,
        arrays[OF_ALL].items,     arrays[RARE].items,      arrays[OF_LINKS],
        arrays[CODE_TAGS],        arrays[BITS].items,      arrays[OF_TABLES].items,
    };
    bool fit = arrays[BITS].length == N_GROUPS && arrays[OF_TABLES].length == N_TAG_IDS;
    for (int i = OF_UNITS; i <= RARE; i++)
        fit &= arrays[i].length == N_TAG_IDS;
    return fit;
}

static const Keeping rules_kept = {
    "victor._core.rules", "u1u1u1u1u1i8i8u8u2", sizeof(Rules), read_rules,
};

/* judgment_rules(arrays) -> what `finish` is given */
static PyObject *rules_method(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &rules_kept);
}

/* The last column of the marginals. */
static double *p_other_of(Finish *finish)
{
    int64_t n = finish->batch->table.n_blocks;
    double *p_other = TAKE(&finish->arena, double, (size_t)n);
    for (int64_t i = 0; p_other && i < n; i++)
        p_other[i] = finish->labelled.marginals[i * N_LABELS + OTHER];
    return p_other;
}

/* Which labels differ; without an item if none does. */
static void tell_changes(const uint8_t *before, const uint8_t *after, int64_t n, Result *changed)
{
    uint8_t *is_changed = *changed->items, any = 0;
    for (int64_t i = 0; i < n; i++)
        any |= is_changed[i] = before[i] != after[i];
    changed->used = any ? n : 0;
}

/* Of each page the blocks that are kept, and characters of visible text. */
static void count_pages(const Finish *finish, int64_t (*counts)[2])
{
    const Table *table = &finish->batch->table;
    const Shared *shared = &finish->batch->shared;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t kept = 0, characters = 0;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
            kept += finish->scoped[i] != OTHER;
            characters += shared->end[i] - shared->start[i];
        }
        counts[page][0] = kept;
        counts[page][1] = characters;
    }
}

/* Labels and p(other) of units, labels in the end, which of them differ from the labeler's and from
 * those of units, what each page needs that is rare, and its counts; of one that needs something the
 * others are not right. */
static PyObject *finished(PyObject *module, Finish *finish)
{
    const Table *table = &finish->batch->table;
    Whole *whole = &finish->whole;
    int64_t n = table->n_blocks, (*counts)[2];
    uint8_t *by_unit, *by_scope;
    Result results[] = {RESULT(whole->labels, n), RESULT(whole->p_other, n),
                        RESULT(finish->scoped, n), RESULT(by_unit, n), RESULT(by_scope, n),
                        RESULT(finish->needs, table->n_pages), RESULT(counts, table->n_pages)};
    enum { BY_UNIT = 3, BY_SCOPE = 4 };
    enum { N_RESULTS = sizeof results / sizeof *results };
    for (int i = 0; i < N_RESULTS; i++)
        results[i].used = results[i].room;
    if (!results_take(results, N_RESULTS))
        return PyErr_NoMemory();
    memset(finish->needs, 0, (size_t)table->n_pages);
    Outcome outcome = MEMORY;
    Py_BEGIN_ALLOW_THREADS
    whole->is_data = TAKE(&finish->arena, uint8_t, (size_t)table->n_elements);
    whole->may_be_kept = TAKE(&finish->arena, uint8_t, (size_t)n);
    finish->labelled.p_other = p_other_of(finish);
    if (whole->is_data && whole->may_be_kept && finish->labelled.p_other)
        outcome = finish_all(finish);
    if (outcome == DONE) {
        tell_changes(finish->labelled.labels, whole->labels, n, &results[BY_UNIT]);
        tell_changes(whole->labels, finish->scoped, n, &results[BY_SCOPE]);
        count_pages(finish, counts);
    }
    Py_END_ALLOW_THREADS
    if (outcome == DONE)
        return results_hand_over(module, results, N_RESULTS);
    results_free(results, N_RESULTS);
    return raise_outcome(outcome, "finish");
}

PyObject *finish_labels(PyObject *module, const Batch *batch, PyObject *judgments,
                        const uint8_t *labels, const double *marginals)
{
    PyObject *capsule;
    double largest_part;
    int is_forum;
    if (!PyArg_ParseTuple(judgments, "Odp", &capsule, &largest_part, &is_forum))
        return NULL;
    const Rules *rules = what_is_kept(capsule, &rules_kept);
    if (!rules)
        return NULL;
    Finish finish = {
        .batch = batch, .rules = rules, .is_forum = is_forum,
        .labelled = {rules->of_units, largest_part, true, labels, NULL, marginals, NULL},
    };
    PyObject *result = finished(module, &finish);
    arena_free(&finish.arena);
    return result;
}

/* finish(batch, judgments, labels, marginals); judgments are rules, the largest part of a page that is
 * a unit, and whether all pages are those of forums */
static PyObject *finish_method(PyObject *module, PyObject *args)
{
    Array labels = WANTED("u1"), marginals = WANTED("f8");
    PyObject *object, *judgments, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO!O&O&", &object, &PyTuple_Type, &judgments, array_of, &labels,
                          array_of, &marginals))
        return NULL;
    const Batch *batch = batch_of(module, object);
    if (batch) {
        int64_t n = batch->table.n_blocks;
        bool fit = labels.length == n && marginals.length == N_LABELS * n;
        result = fit ? finish_labels(module, batch, judgments, labels.items, marginals.items)
                     : raise_outcome(WRONG, "finish");
    }
    array_return(&marginals);
    array_return(&labels);
    return result;
}

PyMethodDef finish_methods[] = {
    {"judgment_rules", rules_method, METH_O, "What judgments look for, checked once for all."},
    {"finish", finish_method, METH_VARARGS, "Labels after all judgments of pages that need none that is rare."},
    {NULL, NULL, 0, NULL},
};
