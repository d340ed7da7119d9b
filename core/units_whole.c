/* Labels of blocks in data tables and in preformatted text, which are kept or dropped whole.
 *
 * The Python path is `victor.kinds.whole`.
 */
#include "units.h"
#include <stdlib.h>

#define N_LABELS 3

enum { ROLES, IS_DATA, LABELS, MARGINALS, WORDS, N_WHOLE_ARRAYS };

/* What decides: codes of labels, and shares. */
typedef struct {
    int text, other;
    double least_kept;   /* share of words */
    double sure, unsure; /* probabilities of being kept */
    double mixed;        /* share of blocks */
} Rule;

/* What is in a unit. */
typedef struct {
    int64_t n_blocks, n_surely_kept, n_surely_dropped, words, kept_words;
} Unit;

typedef struct {
    const Table *table;
    const uint16_t *roles;
    const uint8_t *labels;
    const double *marginals;
    const int64_t *words;
    Rule rule;
    int64_t *nearest; /* (n_elements) innermost table or code, itself included; -1 for none */
    Unit *units;      /* (n_elements) */
    uint8_t *is_data; /* (n_elements) */
    uint8_t *result;  /* (n_blocks) labels */
} Whole;

static void find_nearest(const Whole *whole)
{
    const Table *table = whole->table;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        if (whole->is_data[e] || whole->roles[table->elements.tag[e]] & IS_PRE)
            whole->nearest[e] = e;
        else
            whole->nearest[e] = parent < e ? whole->nearest[parent] : -1;
    }
}

/* The unit of a block, -1 for none; code in a table goes with the table. */
static int64_t unit_of(const Whole *whole, int64_t block)
{
    const Table *table = whole->table;
    int64_t tag = table->segments.tag[table->segment_starts[block]];
    int64_t nearest = whole->nearest[table->tags.element[tag]];
    if (nearest < 0 || whole->is_data[nearest])
        return nearest;
    int64_t outer = whole->nearest[table->elements.parent[nearest]];
    return outer >= 0 ? outer : nearest;
}

static int64_t weight_of(const Whole *whole, int64_t block)
{
    return whole->words[block] > 1 ? whole->words[block] : 1;
}

static void count_block(const Whole *whole, int64_t block)
{
    int64_t number = unit_of(whole, block);
    if (number < 0)
        return;
    Unit *unit = &whole->units[number];
    double p_keep = 1 - whole->marginals[block * N_LABELS + whole->rule.other];
    unit->n_blocks++;
    unit->n_surely_kept += p_keep >= whole->rule.sure;
    unit->n_surely_dropped += p_keep <= whole->rule.unsure;
    unit->words += weight_of(whole, block);
    if (whole->labels[block] != whole->rule.other)
        unit->kept_words += weight_of(whole, block);
}

/* Does it hold text that is surely to be kept and text that surely is not. */
static bool is_mixed(const Whole *whole, const Unit *unit)
{
    double some = whole->rule.mixed * (double)unit->n_blocks;
    return (double)unit->n_surely_kept > some && (double)unit->n_surely_dropped > some;
}

static uint8_t label_of(const Whole *whole, int64_t block)
{
    uint8_t label = whole->labels[block];
    int64_t number = unit_of(whole, block);
    if (number < 0 || is_mixed(whole, &whole->units[number]))
        return label;
    const Unit *unit = &whole->units[number];
    if ((double)unit->kept_words / (double)unit->words < whole->rule.least_kept)
        return (uint8_t)whole->rule.other;
    return label == whole->rule.other ? (uint8_t)whole->rule.text : label;
}

static void label_all(const Whole *whole)
{
    const Table *table = whole->table;
    find_nearest(whole);
    for (int64_t block = 0; block < table->n_blocks; block++)
        count_block(whole, block);
    for (int64_t block = 0; block < table->n_blocks; block++)
        whole->result[block] = label_of(whole, block);
    for (int64_t e = 0; e < table->n_elements; e++)
        if (whole->is_data[e] && is_mixed(whole, &whole->units[e]))
            whole->is_data[e] = 0;
}

static bool arrays_fit(const Table *table, const Array *arrays, const Rule *rule)
{
    return arrays[ROLES].length == N_TAG_IDS && arrays[IS_DATA].length == table->n_elements &&
           arrays[LABELS].length == table->n_blocks && arrays[WORDS].length == table->n_blocks &&
           arrays[MARGINALS].length == table->n_blocks * N_LABELS && rule->text >= 0 &&
           rule->text < N_LABELS && rule->other >= 0 && rule->other < N_LABELS;
}

static PyObject *labelled(PyObject *module, const Table *table, const Array *arrays,
                          const Rule *rule)
{
    if (!arrays_fit(table, arrays, rule))
        return raise_outcome(WRONG, "label_units");
    size_t n_elements = (size_t)table->n_elements, n_blocks = (size_t)table->n_blocks;
    Arena arena = {0};
    Whole whole = {
        .table = table,
        .roles = arrays[ROLES].items,
        .labels = arrays[LABELS].items,
        .marginals = arrays[MARGINALS].items,
        .words = arrays[WORDS].items,
        .rule = *rule,
        .nearest = TAKE(&arena, int64_t, n_elements),
        .units = ZEROS(&arena, Unit, n_elements),
        .is_data = malloc(n_elements + 1),
        .result = malloc(n_blocks + 1),
    };
    bool has_memory = whole.nearest && whole.units && whole.is_data && whole.result;
    if (has_memory) {
        memcpy(whole.is_data, arrays[IS_DATA].items, n_elements);
        Py_BEGIN_ALLOW_THREADS
        label_all(&whole);
        Py_END_ALLOW_THREADS
    }
    arena_free(&arena);
    if (has_memory)
        return Py_BuildValue("(NN)", owned(module, whole.result, n_blocks),
                             owned(module, whole.is_data, n_elements));
    free(whole.result);
    free(whole.is_data);
    return PyErr_NoMemory();
}

PyObject *label_units(PyObject *module, PyObject *arguments)
{
    PyObject *block_table, *objects[N_WHOLE_ARRAYS], *result = NULL;
    Rule rule;
    Table table;
    Array arrays[N_WHOLE_ARRAYS];
    if (!PyArg_ParseTuple(arguments, "OOOOOOiidddd", &block_table, &objects[ROLES],
                          &objects[IS_DATA], &objects[LABELS], &objects[MARGINALS],
                          &objects[WORDS], &rule.text, &rule.other, &rule.least_kept, &rule.sure,
                          &rule.unsure, &rule.mixed) ||
        table_borrow(&table, block_table, false) < 0)
        return NULL;
    const char kinds[] = "ubufi";
    const size_t sizes[] = {2, 1, 1, 8, 8};
    int borrowed = 0;
    while (borrowed < N_WHOLE_ARRAYS &&
           array_borrow(&arrays[borrowed], objects[borrowed], kinds[borrowed], sizes[borrowed]) == 0)
        borrowed++;
    if (borrowed == N_WHOLE_ARRAYS)
        result = labelled(module, &table, arrays, &rule);
    for (int i = 0; i < borrowed; i++)
        array_return(&arrays[i]);
    table_return(&table);
    return result;
}
