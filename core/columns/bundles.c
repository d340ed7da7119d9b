/* What attributes say, once for all stages: numbers of classes, groups of names, and what hides. */
#include "columns/batch.h"
#include <stdlib.h>

int find_attributes(Batch *batch, PyObject *names)
{
    static const char *const known[N_NAMING + N_HIDING] = {
        "class", "id", "role", "itemprop", "itemtype", "style", "hidden", "aria-hidden",
    };
    for (int k = 0; k < N_NAMING + N_HIDING; k++)
        batch->known[k] = -1;
    batch->bundles.width = PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < batch->bundles.width; i++) {
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), NULL);
        if (!name)
            return -1;
        for (int k = 0; k < N_NAMING + N_HIDING; k++)
            if (!strcmp(known[k], name))
                batch->known[k] = i;
    }
    return 0;
}

/* The bundles with some of the known attributes as the columns asked for; without any if one of them
 * was not recorded. */
static Bundles bundles_with(const Batch *batch, int first, int count)
{
    Bundles bundles = batch->bundles;
    bundles.columns = batch->known + first;
    bundles.n_columns = count;
    for (int k = first; k < first + count; k++)
        if (batch->known[k] < 0)
            bundles.n_columns = 0;
    return bundles;
}

/* Does every element have one of the rows, or none. */
static bool are_rows_there(const Table *table, int64_t n_rows)
{
    int64_t outside = 0;
    for (int64_t e = 0; e < table->n_elements; e++)
        outside |= (table->elements.bundle[e] < -1) | (table->elements.bundle[e] >= n_rows);
    return !outside;
}

Outcome share_attributes(Batch *batch)
{
    Shared *shared = &batch->shared;
    const Bundles of_class = bundles_with(batch, 0, 1), naming = bundles_with(batch, 0, N_NAMING);
    const Bundles hiding = bundles_with(batch, N_NAMING, N_HIDING);
    size_t n = (size_t)batch->bundles.n_rows + 1;
    int64_t *classes = ZEROS(&batch->arena, int64_t, of_class.n_columns ? n : 0);
    uint64_t *names = ZEROS(&batch->arena, uint64_t, naming.n_columns ? n : 0);
    uint8_t *hides = ZEROS(&batch->arena, uint8_t, hiding.n_columns ? n : 0);
    if (!classes || !names || !hides)
        return MEMORY;
    bool any = of_class.n_columns || naming.n_columns || hiding.n_columns;
    if (any && !are_rows_there(&batch->table, batch->bundles.n_rows))
        return WRONG;
    shared->n_bundles = batch->bundles.n_rows;
    Outcome outcome = DONE;
    if (of_class.n_columns) {
        shared->class_numbers = classes;
        outcome = number_words(classes, &of_class);
    }
    if (hiding.n_columns) {
        shared->hides = hides;
        fill_hides(hides, &hiding);
    }
    if (naming.n_columns && outcome == DONE) {
        shared->names = names;
        const Vocabulary *vocabulary = vocabulary_of(batch->vocabulary);
        outcome = find_names(names, &naming, &vocabulary->names, &vocabulary->characters);
    }
    return outcome;
}

/* --- Other patterns ---------------------------------------------------------------------------- */

static const Keeping patterns_kept = {
    "victor._core.name_patterns", PATTERN_TYPES, sizeof(Patterns), read_patterns,
};

/* name_patterns(arrays) -> what `name_groups` is given */
static PyObject *name_patterns(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &patterns_kept);
}

/* name_groups(batch, patterns) -> bits of the groups by row; the last item is for no row */
static PyObject *name_groups(PyObject *module, PyObject *args)
{
    PyObject *object, *capsule;
    if (!PyArg_ParseTuple(args, "OO", &object, &capsule))
        return NULL;
    const Patterns *patterns = what_is_kept(capsule, &patterns_kept);
    const Batch *batch = patterns ? blocks_of(module, object) : NULL;
    if (!batch)
        return NULL;
    const Bundles names = bundles_with(batch, 0, N_NAMING);
    if (!names.n_columns)
        return PyErr_Format(PyExc_ValueError, "the attributes that hold names were not recorded");
    size_t count = (size_t)names.n_rows + 1;
    uint64_t *masks = calloc(count, sizeof *masks);
    const Characters *characters = &vocabulary_of(batch->vocabulary)->characters;
    Outcome outcome = MEMORY;
    if (masks) {
        Py_BEGIN_ALLOW_THREADS
        outcome = find_names(masks, &names, patterns, characters);
        Py_END_ALLOW_THREADS
    }
    if (outcome == DONE)
        return owned(module, masks, count * sizeof *masks);
    free(masks);
    return raise_outcome(outcome, "name_groups");
}

PyMethodDef name_groups_methods[] = {
    {"name_patterns", name_patterns, METH_O, "Patterns of names, checked once for all tables."},
    {"name_groups", name_groups, METH_VARARGS, "Bits of the groups that attributes name."},
    {NULL, NULL, 0, NULL},
};
