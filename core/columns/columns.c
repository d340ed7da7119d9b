/* Stage: block table to the columns of feature modules, as codes or as values. */
#include "columns/columns.h"
#include <stdlib.h>

/* Columns that were computed in numpy: one matrix of a row each. */
static Outcome given_columns(const Request *request, float *const *rows)
{
    int64_t n = request->table->n_blocks;
    if (request->inputs[0].length != request->n_rows * n)
        return WRONG;
    const float *matrix = input(request, 0);
    for (int64_t row = 0; row < request->n_rows && n; row++)
        memcpy(rows[row], matrix + row * n, (size_t)n * sizeof *matrix);
    return DONE;
}

static const Module modules[] = {
    {"given", given_columns, ANY_NUMBER, 0, "f4"},
    /* Text. */
    {"characters", characters_columns, 10, 0, ""},
    {"sentences", sentences_columns, 6, 1, ""},
    {"duplicates", duplicates_columns, 2, 1, "u2"},
    {"words", words_columns, 8, 2, ""},
    {"document", document_columns, 4, 1, ""},
    {"page", page_columns, ANY_NUMBER, 2, ""},
    {"links", links_columns, ANY_NUMBER, 4, ""},
    {"headings", headings_columns, 6, 1, ""},
    {"sections", sections_columns, 9, 0, "i8"},
    {"freetext", freetext_columns, ANY_NUMBER, 2, "f4"},
    {"title", title_columns, 3, 0, "u4u4i8i8u4i8i8"},
    {"declared", declared_columns, 8, 0, "i8"},

    /* Structure: {name, function, number of columns, number of parameters, types of inputs}. */
    {"ancestors", ancestors_columns, ANY_NUMBER, 2, "b1"},
    {"groups", groups_columns, ANY_NUMBER, 2, ""},
    {"regions", regions_columns, ANY_NUMBER, 2, ""},
    {"paths", paths_columns, 7, 0, "i8"},
    {"center", center_columns, 4, 0, ""},
    {"records", records_columns, 22, 1, "i8"},
    {"landmarks", landmarks_columns, ANY_NUMBER, 1, ""},
    {"surroundings", surroundings_columns, 38, 3, "u8"},
    {"class_groups", class_groups_columns, ANY_NUMBER, 3, "u8i8i8"},
    {"relations", relations_columns, 1, 0, ""},
};

/* --- The plan: which modules, and what each is given ----------------------------------------- */

typedef struct {
    const Module *module;
    int64_t n_columns;
    Array *parameters, *inputs;
} Step;

typedef struct {
    Step *steps;
    int64_t n_steps, n_columns, most_columns; /* of all steps, and of the widest one */
    Array *arrays;                            /* all that is borrowed */
    int64_t n_arrays;
} Plan;

static void plan_return(Plan *plan)
{
    for (int64_t i = 0; i < plan->n_arrays; i++)
        array_return(&plan->arrays[i]);
    plan->n_arrays = 0;
}

static const Module *module_of(PyObject *name)
{
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(name, &length);
    if (!text)
        return NULL;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
        if (strcmp(modules[i].name, text) == 0)
            return &modules[i];
    PyErr_Format(PyExc_ValueError, "no compiled feature module %s", text);
    return NULL;
}

/* Borrow a tuple of arrays, whose types are two letters each, repeated if there are too few. */
static Array *borrow_arrays(Plan *plan, PyObject *objects, const char *types, int64_t wanted)
{
    int64_t n_types = (int64_t)strlen(types) / 2;
    if (!PyTuple_Check(objects) || PyTuple_Size(objects) != wanted) {
        PyErr_Format(PyExc_ValueError, "a feature module wants %lld arrays", (long long)wanted);
        return NULL;
    }
    Array *first = &plan->arrays[plan->n_arrays];
    for (int64_t i = 0; i < wanted; i++) {
        const char *type = types + 2 * (i % n_types);
        PyObject *object = PyTuple_GetItem(objects, (Py_ssize_t)i);
        if (array_borrow(&plan->arrays[plan->n_arrays], object, type[0], (size_t)(type[1] - '0')))
            return NULL;
        plan->n_arrays++;
    }
    return first;
}

static int read_step(Plan *plan, Step *step, PyObject *entry)
{
    PyObject *name, *parameters, *inputs;
    long long n_columns;
    if (!PyTuple_Check(entry)) {
        PyErr_SetString(PyExc_TypeError, "an entry of the plan is a tuple");
        return -1;
    }
    if (!PyArg_ParseTuple(entry, "ULOO", &name, &n_columns, &parameters, &inputs) ||
        !(step->module = module_of(name)))
        return -1;
    const Module *module = step->module;
    bool fits = module->n_columns == ANY_NUMBER || n_columns == module->n_columns;
    if (!fits || n_columns < 0 || n_columns > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s does not give %lld columns", module->name, n_columns);
        return -1;
    }
    step->n_columns = n_columns;
    plan->n_columns += n_columns;
    plan->most_columns = n_columns > plan->most_columns ? n_columns : plan->most_columns;
    step->parameters = borrow_arrays(plan, parameters, "i8", module->n_parameters);
    if (!step->parameters)
        return -1;
    step->inputs = borrow_arrays(plan, inputs, module->inputs, (int64_t)strlen(module->inputs) / 2);
    return step->inputs ? 0 : -1;
}

/* Borrow what a list of (name, number of columns, parameters, inputs) holds. On failure an
 * exception is set, and what was borrowed is still to be returned. */
static int plan_borrow(Plan *plan, PyObject *entries, Arena *arena)
{
    if (!PyList_Check(entries)) {
        PyErr_SetString(PyExc_TypeError, "the plan is a list");
        return -1;
    }
    size_t n_steps = (size_t)PyList_Size(entries), n_arrays = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t most = (size_t)modules[i].n_parameters + strlen(modules[i].inputs) / 2;
        n_arrays = most > n_arrays ? most : n_arrays;
    }
    plan->steps = ZEROS(arena, Step, n_steps);
    plan->arrays = n_steps > SIZE_MAX / n_arrays ? NULL : ZEROS(arena, Array, n_steps * n_arrays);
    if (!plan->steps || !plan->arrays) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < n_steps; i++, plan->n_steps++)
        if (read_step(plan, &plan->steps[i], PyList_GetItem(entries, (Py_ssize_t)i)) < 0)
            return -1;
    return 0;
}

/* --- Values to codes -------------------------------------------------------------------------- */

enum { MANY = 256, FEW = 32 }; /* values compared with all thresholds while they are at hand */

/* As many values as the caller says with a constant, so that they are compared several at once. */
static inline void compare(const float *values, int count, const float *thresholds,
                           int64_t n_thresholds, uint8_t *codes)
{
    int32_t above[MANY];
    for (int i = 0; i < count; i++)
        above[i] = 0;
    for (int64_t t = 0; t < n_thresholds; t++) {
        float threshold = thresholds[t];
        for (int i = 0; i < count; i++)
            above[i] += values[i] >= threshold;
    }
    for (int i = 0; i < count; i++)
        codes[i] = (uint8_t)above[i];
}

void discretise(const float *values, int64_t count, const float *thresholds, int64_t n_thresholds,
                uint8_t *codes)
{
    int64_t i = 0;
    for (; i + MANY <= count; i += MANY)
        compare(values + i, MANY, thresholds, n_thresholds, codes + i);
    for (; i + FEW <= count; i += FEW)
        compare(values + i, FEW, thresholds, n_thresholds, codes + i);
    if (i < count) {
        float rest[FEW] = {0};
        uint8_t rest_codes[FEW];
        memcpy(rest, values + i, (size_t)(count - i) * sizeof *values);
        compare(rest, FEW, thresholds, n_thresholds, rest_codes);
        memcpy(codes + i, rest_codes, (size_t)(count - i));
    }
}

/* --- What is to be made of the rows ----------------------------------------------------------- */

/* Codes by thresholds and some rows as they are, or all rows as they are. */
typedef struct {
    const float *thresholds;
    const int64_t *offsets; /* (columns + 1) thresholds; NULL without codes */
    uint8_t *codes;         /* (columns, n) */
    const int64_t *raw_rows;
    int64_t n_raw;
    float *raw;     /* (n_raw, n); without codes (columns, n) */
    int64_t *basic; /* (N_BASIC, n) columns that other stages read, too; NULL if not wanted */
} Product;

enum { N_BASIC = 7 };

/* The basic columns, in the order of `victor.features.kernels`. */
static void copy_basic(const Shared *shared, int64_t n, int64_t *basic)
{
    const int64_t *columns[N_BASIC - 1] = {
        shared->page,  shared->start,      shared->end,
        shared->words, shared->link_words, shared->free_words,
    };
    for (int column = 0; n && column < N_BASIC - 1; column++)
        memcpy(basic + column * n, columns[column], (size_t)n * sizeof *basic);
    for (int64_t i = 0; i < n; i++)
        basic[(N_BASIC - 1) * n + i] = shared->heading_level[i];
}

static bool is_read(const Product *product, int64_t first, int64_t end)
{
    if (!product->offsets || product->offsets[first] < product->offsets[end])
        return true;
    for (int64_t i = 0; i < product->n_raw; i++)
        if (product->raw_rows[i] >= first && product->raw_rows[i] < end)
            return true;
    return false;
}

/* Rows of one module, of which the first is column `first`. */
static void use_rows(const Product *product, float *const *rows, int64_t first, int64_t count,
                     int64_t n)
{
    for (int64_t row = 0; product->offsets && row < count; row++) {
        const int64_t *offset = &product->offsets[first + row];
        discretise(rows[row], n, product->thresholds + offset[0], offset[1] - offset[0],
                   product->codes + (first + row) * n);
    }
    for (int64_t i = 0; product->offsets && i < product->n_raw; i++) {
        int64_t row = product->raw_rows[i] - first;
        if (row >= 0 && row < count)
            memcpy(product->raw + i * n, rows[row], (size_t)n * sizeof(float));
    }
}

static Outcome run_step(const Step *step, const Table *table, const Shared *shared,
                        float *const *rows)
{
    Arena arena = {0};
    Request request = {table, shared, &arena, step->parameters, step->inputs, step->n_columns};
    Outcome outcome = step->module->compute(&request, rows);
    arena_free(&arena);
    return outcome;
}

/* Room for the rows of one module after the other; without codes they go to where they stay. */
static Outcome run(const Plan *plan, const Table *table, const Vocabulary *vocabulary,
                   const Product *product, Arena *arena)
{
    int64_t n = table->n_blocks;
    Shared shared;
    Outcome outcome = share_columns(&shared, table, vocabulary, arena);
    float **rows = TAKE(arena, float *, (size_t)plan->most_columns);
    bool fits = plan->most_columns == 0 || n <= INT64_MAX / plan->most_columns;
    float *room = !fits              ? NULL
                  : !product->offsets ? product->raw
                                      : TAKE(arena, float, (size_t)(plan->most_columns * n));
    if (!rows || !room)
        return MEMORY;
    if (outcome == DONE && product->basic)
        copy_basic(&shared, n, product->basic);
    int64_t first = 0;
    for (int64_t i = 0; i < plan->n_steps && outcome == DONE; i++) {
        const Step *step = &plan->steps[i];
        for (int64_t row = 0; row < step->n_columns; row++)
            rows[row] = room + (row + (product->offsets ? 0 : first)) * n;
        if (n && is_read(product, first, first + step->n_columns)) {
            outcome = run_step(step, table, &shared, rows);
            if (outcome == DONE)
                use_rows(product, rows, first, step->n_columns, n);
        }
        first += step->n_columns;
    }
    return outcome;
}

/* --- Calls from Python ------------------------------------------------------------------------ */

typedef struct {
    Table table;
    Plan plan;
    Array roles, classes, thresholds, offsets, raw_rows;
    Arena arena;
} Call;

static void call_return(Call *call)
{
    plan_return(&call->plan);
    table_return(&call->table);
    array_return(&call->roles);
    array_return(&call->classes);
    array_return(&call->thresholds);
    array_return(&call->offsets);
    array_return(&call->raw_rows);
    arena_free(&call->arena);
}

static int borrow_basics(Call *call, PyObject *table, PyObject *roles, PyObject *classes,
                         PyObject *plan)
{
    if (array_borrow(&call->roles, roles, 'u', 1) < 0 ||
        array_borrow(&call->classes, classes, 'u', 1) < 0)
        return -1;
    if (call->roles.length != N_TAG_IDS || call->classes.length != N_CODE_POINTS) {
        PyErr_SetString(PyExc_ValueError, "the tables of the vocabulary have wrong lengths");
        return -1;
    }
    if (table_borrow(&call->table, table, true) < 0)
        return -1;
    return plan_borrow(&call->plan, plan, &call->arena);
}

static bool are_thresholds_sound(const Call *call)
{
    const int64_t *offsets = call->offsets.items, *raw_rows = call->raw_rows.items;
    int64_t n_columns = call->plan.n_columns;
    if (call->offsets.length != n_columns + 1 || offsets[0] != 0 ||
        offsets[n_columns] != call->thresholds.length)
        return false;
    for (int64_t column = 0; column < n_columns; column++)
        if (offsets[column] > offsets[column + 1] || offsets[column + 1] - offsets[column] > 255)
            return false;
    for (int64_t i = 0; i < call->raw_rows.length; i++)
        if (raw_rows[i] < 0 || raw_rows[i] >= n_columns)
            return false;
    return true;
}

static int borrow_thresholds(Call *call, PyObject *thresholds, PyObject *offsets,
                             PyObject *raw_rows)
{
    if (array_borrow(&call->thresholds, thresholds, 'f', 4) < 0 ||
        array_borrow(&call->offsets, offsets, 'i', 8) < 0 ||
        array_borrow(&call->raw_rows, raw_rows, 'i', 8) < 0)
        return -1;
    if (are_thresholds_sound(call))
        return 0;
    PyErr_SetString(PyExc_ValueError, "thresholds and raw rows do not fit the plan");
    return -1;
}

/* Zeroed memory of (rows, n) items that Python is to own; NULL with an exception set. */
static void *matrix(int64_t rows, int64_t n, size_t item)
{
    size_t count = (size_t)rows;
    void *memory = NULL;
    if (n == 0 || count <= SIZE_MAX / item / (size_t)n)
        memory = calloc(count * (size_t)n + 1, item);
    if (!memory)
        PyErr_NoMemory();
    return memory;
}

static Outcome run_released(Call *call, const Product *product)
{
    Vocabulary vocabulary = {call->roles.items, call->classes.items};
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = run(&call->plan, &call->table, &vocabulary, product, &call->arena);
    Py_END_ALLOW_THREADS
    return outcome;
}

static PyObject *codes_and_raw(PyObject *module, Call *call)
{
    int64_t n = call->table.n_blocks;
    Product product = {
        .thresholds = call->thresholds.items,
        .offsets = call->offsets.items,
        .raw_rows = call->raw_rows.items,
        .n_raw = call->raw_rows.length,
        .codes = matrix(call->plan.n_columns, n, 1),
        .raw = matrix(call->raw_rows.length, n, sizeof(float)),
        .basic = matrix(N_BASIC, n, sizeof(int64_t)),
    };
    Outcome outcome = MEMORY;
    if (product.codes && product.raw && product.basic)
        outcome = run_released(call, &product);
    if (outcome != DONE) {
        free(product.codes);
        free(product.raw);
        free(product.basic);
        return raise_outcome(outcome, "columns");
    }
    PyObject *codes = owned(module, product.codes, (size_t)(call->plan.n_columns * n));
    PyObject *raw =
        owned(module, product.raw, (size_t)(call->raw_rows.length * n) * sizeof(float));
    PyObject *basic = owned(module, product.basic, (size_t)(N_BASIC * n) * sizeof(int64_t));
    PyObject *all = codes && raw && basic ? PyTuple_Pack(3, codes, raw, basic) : NULL;
    Py_XDECREF(codes);
    Py_XDECREF(raw);
    Py_XDECREF(basic);
    return all;
}

/* columns(table, roles, classes, plan, thresholds, offsets, raw_rows) -> (codes, raw, basic) */
static PyObject *columns(PyObject *module, PyObject *args)
{
    PyObject *table, *roles, *classes, *plan, *thresholds, *offsets, *raw_rows, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &table, &roles, &classes, &plan, &thresholds, &offsets,
                          &raw_rows))
        return NULL;
    Call call;
    memset(&call, 0, sizeof call);
    if (borrow_basics(&call, table, roles, classes, plan) == 0 &&
        borrow_thresholds(&call, thresholds, offsets, raw_rows) == 0)
        result = codes_and_raw(module, &call);
    call_return(&call);
    return result;
}

/* measure(table, roles, classes, plan) -> all rows */
static PyObject *measure(PyObject *module, PyObject *args)
{
    PyObject *table, *roles, *classes, *plan, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOOO", &table, &roles, &classes, &plan))
        return NULL;
    Call call;
    memset(&call, 0, sizeof call);
    Product product = {0};
    if (borrow_basics(&call, table, roles, classes, plan) == 0 &&
        (product.raw = matrix(call.plan.n_columns, call.table.n_blocks, sizeof(float)))) {
        Outcome outcome = run_released(&call, &product);
        size_t items = (size_t)(call.plan.n_columns * call.table.n_blocks);
        if (outcome == DONE) {
            result = owned(module, product.raw, items * sizeof(float));
        } else {
            free(product.raw);
            raise_outcome(outcome, "columns");
        }
    }
    call_return(&call);
    return result;
}

PyMethodDef columns_methods[] = {
    {"columns", columns, METH_VARARGS, "Codes of all columns of a block table, and some values."},
    {"measure", measure, METH_VARARGS, "Values of all columns of a block table."},
    {NULL, NULL, 0, NULL},
};
