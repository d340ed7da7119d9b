/* Stages: judgments on labelled blocks, from Python. */
#include "kinds/kinds.h"
#include "parsing/attributes.h"

static bool is_of_blocks(const Array *array, const Table *table)
{
    return array->length == table->n_blocks;
}

/* One byte an item, as memory, or an exception. */
static PyObject *bytes_of(PyObject *module, Outcome outcome, uint8_t *bytes, int64_t count,
                          const char *stage)
{
    if (outcome == DONE)
        return owned(module, bytes, (size_t)count);
    free(bytes);
    return raise_outcome(outcome, stage);
}

/* --- Hidden elements and copies --------------------------------------------------------------- */

static Outcome hide(const Table *table, const Array *roles, const Bundles *bundles, uint8_t *hidden)
{
    uint8_t *rows = bundles ? malloc((size_t)bundles->n_rows + 1) : NULL;
    if (!hidden || (bundles && !rows))
        return MEMORY;
    bool is_sound = roles->length == N_TAG_IDS;
    for (int64_t e = 0; bundles && e < table->n_elements; e++)
        is_sound &= table->elements.bundle[e] < bundles->n_rows;
    if (is_sound && bundles)
        fill_hides(rows, bundles);
    if (is_sound)
        find_hidden(table, roles->items, rows, hidden);
    free(rows);
    return is_sound ? DONE : WRONG;
}

/* hidden_elements(lent, roles, bundles, columns) -> a byte an element; the bundles may be None, the
 * columns are those of style, hidden and aria-hidden */
static PyObject *hidden_elements(PyObject *module, PyObject *args)
{
    PyObject *lent, *object, *result = NULL;
    long long numbers[3];
    Array arrays[] = {WANTED("u1")};
    if (!PyArg_ParseTuple(args, "OO&O(LLL)", &lent, BORROW(0), &object, &numbers[0], &numbers[1],
                          &numbers[2]))
        return NULL;
    Table table;
    Bundles bundles;
    const int64_t columns[] = {numbers[0], numbers[1], numbers[2]};
    const Bundles *given = object == Py_None ? NULL : &bundles;
    if (table_borrow_lent(&table, lent) == 0) {
        if (!given || bundles_borrow(&bundles, object, columns, 3) == 0) {
            Outcome outcome;
            uint8_t *hidden = malloc((size_t)table.n_elements + 1);
            Py_BEGIN_ALLOW_THREADS
            outcome = hide(&table, arrays, given, hidden);
            Py_END_ALLOW_THREADS
            result = bytes_of(module, outcome, hidden, table.n_elements, "hidden_elements");
            if (given)
                bundles_return(&bundles);
        }
        table_return(&table);
    }
    array_return(arrays);
    return result;
}

/* doubts(shared, labels, p_other, hidden) -> what may be no text of its own, as bits */
static PyObject *doubts(PyObject *module, PyObject *args)
{
    enum { LABELS, P_OTHER, HIDDEN, N_ARGUMENTS };
    PyObject *shared;
    Array arrays[N_ARGUMENTS] = {WANTED("u1"), WANTED("f8"), WANTED("b1")};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&O&", &shared, BORROW(LABELS), BORROW(P_OTHER),
                          BORROW(HIDDEN)))
        return NULL;
    PyObject *result = NULL;
    const Sharing *sharing = sharing_of(shared);
    if (sharing) {
        const Table *table = &sharing->table;
        const Thought thought = {arrays[LABELS].items, arrays[P_OTHER].items,
                                 arrays[HIDDEN].items};
        Arena arena = {0};
        Outcome outcome = WRONG;
        int found = 0;
        Py_BEGIN_ALLOW_THREADS
        if (is_of_blocks(&arrays[LABELS], table) && is_of_blocks(&arrays[P_OTHER], table) &&
            arrays[HIDDEN].length == table->n_elements)
            outcome = find_doubts(table, &sharing->shared, &thought, &arena, &found);
        Py_END_ALLOW_THREADS
        arena_free(&arena);
        result = outcome == DONE ? PyLong_FromLong(found) : raise_outcome(outcome, "doubts");
    }
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}

/* --- Links of headings ------------------------------------------------------------------------ */

static PyObject *links_of(PyObject *module, const Sharing *sharing, const Array *labels,
                          const Array *roles)
{
    const Table *table = &sharing->table;
    HeadingLinks found = {0};
    Result results[] = {
        RESULT(found.blocks, table->n_blocks),
        RESULT(found.is_alone, table->n_blocks),
        RESULT(found.links, table->n_elements),
        RESULT(found.linked, table->n_segments),
    };
    enum { N_RESULTS = sizeof results / sizeof *results };
    if (!is_of_blocks(labels, table) || roles->length != N_TAG_IDS)
        return raise_outcome(WRONG, "heading_links");
    if (!results_take(results, N_RESULTS))
        return PyErr_NoMemory();
    Arena arena = {0};
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = find_heading_links(table, &sharing->shared, labels->items, roles->items, &arena,
                                 &found);
    Py_END_ALLOW_THREADS
    arena_free(&arena);
    for (int i = 0; i < N_RESULTS; i++)
        results[i].used = i < 2 ? found.n_found : results[i].room;
    if (outcome == DONE && found.n_found)
        return results_hand_over(module, results, N_RESULTS);
    results_free(results, N_RESULTS);
    return outcome == DONE ? Py_NewRef(Py_None) : raise_outcome(outcome, "heading_links");
}

/* heading_links(shared, labels, roles) -> the arrays of `HeadingLinks`; None if there is nothing */
static PyObject *heading_links(PyObject *module, PyObject *args)
{
    PyObject *shared;
    Array arrays[] = {WANTED("u1"), WANTED("u1")};
    if (!PyArg_ParseTuple(args, "OO&O&", &shared, BORROW(0), BORROW(1)))
        return NULL;
    const Sharing *sharing = sharing_of(shared);
    PyObject *result = sharing ? links_of(module, sharing, &arrays[0], &arrays[1]) : NULL;
    arrays_return(arrays, 2);
    return result;
}

/* --- The parts of a page ---------------------------------------------------------------------- */

static PyObject *list_of(const Candidates *found, const Shared *shared)
{
    PyObject *list = PyList_New((Py_ssize_t)found->used);
    for (size_t i = 0; list && i < found->used; i++) {
        const Candidate *candidate = &found->items[i];
        int64_t block = candidate->block;
        PyObject *row = Py_BuildValue("(LLLLidN)", (long long)shared->page[block], (long long)block,
                                      (long long)shared->start[block],
                                      (long long)shared->end[block], shared->heading_level[block],
                                      candidate->score, PyBool_FromLong(candidate->is_before));
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
    }
    return list;
}

/* headlines(shared, labels, no_text, by_names) -> a list of (page, block, start, end, level, score,
 * is_before) of blocks that may be headlines; the last two may be None */
static PyObject *headlines(PyObject *module, PyObject *args)
{
    enum { LABELS, NO_TEXT, BY_NAMES, N_ARGUMENTS };
    PyObject *shared, *result = NULL;
    Array arrays[N_ARGUMENTS] = {WANTED("u1"), WANTED("b1?"), WANTED("f8?")};
    (void)module;
    if (!PyArg_ParseTuple(args, "OO&O&O&", &shared, BORROW(LABELS), BORROW(NO_TEXT),
                          BORROW(BY_NAMES)))
        return NULL;
    const Sharing *sharing = sharing_of(shared);
    if (sharing) {
        bool fits = true;
        for (int i = 0; i < N_ARGUMENTS; i++)
            fits &= (i > 0 && !arrays[i].buffer.obj) || is_of_blocks(&arrays[i], &sharing->table);
        Candidates found = {0};
        Outcome outcome = WRONG;
        Py_BEGIN_ALLOW_THREADS
        if (fits)
            outcome = find_headlines(&sharing->table, &sharing->shared, arrays[LABELS].items,
                                     arrays[NO_TEXT].items, arrays[BY_NAMES].items, &found);
        Py_END_ALLOW_THREADS
        result = outcome == DONE ? list_of(&found, &sharing->shared)
                                 : raise_outcome(outcome, "headlines");
        growing_free(&found);
    }
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}

/* pages_named(shared, masks, bits, roles, labels) -> a byte a page, as `find_named` has it; the last
 * two may be None */
static PyObject *pages_named(PyObject *module, PyObject *args)
{
    enum { MASKS, ROLES, LABELS, N_ARGUMENTS };
    PyObject *shared, *result = NULL;
    unsigned long long bits;
    Array arrays[N_ARGUMENTS] = {WANTED("u8"), WANTED("u1?"), WANTED("u1?")};
    if (!PyArg_ParseTuple(args, "OO&KO&O&", &shared, BORROW(MASKS), &bits, BORROW(ROLES),
                          BORROW(LABELS)))
        return NULL;
    const Sharing *sharing = sharing_of(shared);
    if (sharing) {
        const Table *table = &sharing->table;
        const Named named = {arrays[MASKS].items, arrays[MASKS].length, bits, arrays[ROLES].items};
        uint8_t *pages = calloc((size_t)table->n_pages + 1, 1);
        bool fits = (!arrays[ROLES].buffer.obj || arrays[ROLES].length == N_TAG_IDS) &&
                    (!arrays[LABELS].buffer.obj || is_of_blocks(&arrays[LABELS], table));
        Outcome outcome = !pages ? MEMORY : fits ? DONE : WRONG;
        Arena arena = {0};
        Py_BEGIN_ALLOW_THREADS
        if (outcome == DONE)
            outcome = find_named(table, &sharing->shared, &named, arrays[LABELS].items, &arena,
                                 pages);
        Py_END_ALLOW_THREADS
        arena_free(&arena);
        result = bytes_of(module, outcome, pages, table->n_pages, "pages_named");
    }
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}

/* dangling(shared, labels) -> numbers of blocks */
static PyObject *dangling(PyObject *module, PyObject *args)
{
    PyObject *shared, *result = NULL;
    Array arrays[] = {WANTED("u1")};
    if (!PyArg_ParseTuple(args, "OO&", &shared, BORROW(0)))
        return NULL;
    const Sharing *sharing = sharing_of(shared);
    if (sharing && !is_of_blocks(arrays, &sharing->table))
        raise_outcome(WRONG, "dangling");
    else if (sharing) {
        int64_t *blocks = malloc(((size_t)sharing->table.n_pages + 1) * sizeof *blocks);
        int64_t count = 0;
        if (blocks)
            count = find_dangling(&sharing->table, &sharing->shared, arrays[0].items, blocks);
        result = blocks ? owned(module, blocks, (size_t)count * sizeof *blocks) : PyErr_NoMemory();
    }
    array_return(arrays);
    return result;
}

PyMethodDef kinds_methods[] = {
    {"hidden_elements", hidden_elements, METH_VARARGS, "Which elements nobody sees."},
    {"doubts", doubts, METH_VARARGS, "Do pages keep what may be a copy, or data."},
    {"heading_links", heading_links, METH_VARARGS, "Where links around headings may be."},
    {"headlines", headlines, METH_VARARGS, "Which blocks may be headlines, with their scores."},
    {"pages_named", pages_named, METH_VARARGS, "Which pages have elements that are named so."},
    {"dangling", dangling, METH_VARARGS, "Headings at the end of pages that head nothing."},
    {NULL, NULL, 0, NULL},
};
