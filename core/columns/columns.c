/* Stage: block table to the columns of feature modules, as codes or as values. */
#include "columns/plan.h"
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
    {"words", words_columns, 6, 1, ""},
    {"links", links_columns, ANY_NUMBER, 2, ""},
    {"headings", headings_columns, 6, 1, ""},
    {"declared", declared_columns, N_DECLARED, 0, ""},

    /* Structure: {name, function, number of columns, number of parameters, types of inputs}. */
    {"ancestors", ancestors_columns, ANY_NUMBER, 2, ""},
    {"groups", groups_columns, ANY_NUMBER, 2, ""},
    {"regions", regions_columns, ANY_NUMBER, 4, ""},
    {"paths", paths_columns, 6, 0, ""},
    {"center", center_columns, 4, 0, ""},
    {"surroundings", surroundings_columns, ANY_NUMBER, 4, ""},
    {"class_groups", class_groups_columns, ANY_NUMBER, 3, "u8"},
    {"relations", relations_columns, 1, 0, ""},
};

/* --- The plan: which modules, and what each is given ----------------------------------------- */

/* What is to be made of the columns: numbers of `Plan.basics`. */
enum { THRESHOLDS, OFFSETS, RAW_ROWS, N_BASICS };

static void borrowed_return(Borrowed *borrowed)
{
    arrays_return(borrowed->arrays, (size_t)borrowed->count);
    borrowed->count = 0;
}

static void plan_free(Plan *plan)
{
    borrowed_return(&plan->borrowed);
    arena_free(&plan->arena);
    free(plan);
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

/* Borrow a tuple of arrays, whose types are two letters each, repeated if there are too few; those
 * that a plan keeps lie in memory that nobody can write to. */
static const Array *borrow_arrays(PyObject *keeper, Borrowed *borrowed, PyObject *objects,
                                  const char *types, int64_t wanted)
{
    int64_t n_types = (int64_t)strlen(types) / 2;
    if (!PyTuple_Check(objects) || PyTuple_Size(objects) != wanted ||
        wanted > borrowed->room - borrowed->count) {
        PyErr_Format(PyExc_ValueError, "a feature module wants %lld arrays", (long long)wanted);
        return NULL;
    }
    const Array *first = &borrowed->arrays[borrowed->count];
    for (int64_t i = 0; i < wanted; i++) {
        Array *array = &borrowed->arrays[borrowed->count++];
        PyObject *object = PyTuple_GetItem(objects, (Py_ssize_t)i);
        if (array_borrow_kept(keeper, array, object, types + 2 * (i % n_types)) < 0)
            return NULL;
    }
    return first;
}

static int64_t n_inputs(const Module *module)
{
    return (int64_t)strlen(module->inputs) / 2;
}

static int read_step(PyObject *keeper, Plan *plan, Step *step, PyObject *entry)
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
    step->parameters =
        borrow_arrays(keeper, &plan->borrowed, parameters, "i8", module->n_parameters);
    if (!step->parameters)
        return -1;
    if (inputs != Py_None)
        step->inputs = borrow_arrays(keeper, &plan->borrowed, inputs, module->inputs,
                                     n_inputs(module));
    return inputs == Py_None || step->inputs ? 0 : -1;
}

/* Room for the basics and the arrays of so many steps, one more than that; false if there is none. */
static bool make_room(Borrowed *borrowed, Arena *arena, size_t n_steps)
{
    size_t most = 0;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t arrays = (size_t)(modules[i].n_parameters + n_inputs(&modules[i]));
        most = arrays > most ? arrays : most;
    }
    if (n_steps > (SIZE_MAX - N_BASICS - 1) / most)
        return false;
    borrowed->room = (int64_t)(n_steps * most + N_BASICS + 1);
    borrowed->arrays = ZEROS(arena, Array, (size_t)borrowed->room);
    return borrowed->arrays != NULL;
}

/* Borrow the ladders, and read a list of (name, number of columns,
 * parameters, inputs or None). */
static int read_plan(PyObject *keeper, Plan *plan, PyObject *basics, PyObject *entries)
{
    if (!PyList_Check(entries)) {
        PyErr_SetString(PyExc_TypeError, "the plan is a list");
        return -1;
    }
    size_t n_steps = (size_t)PyList_Size(entries);
    plan->steps = ZEROS(&plan->arena, Step, n_steps);
    if (!plan->steps || !make_room(&plan->borrowed, &plan->arena, n_steps)) {
        PyErr_NoMemory();
        return -1;
    }
    plan->basics = borrow_arrays(keeper, &plan->borrowed, basics, "f4i8i8", N_BASICS);
    if (!plan->basics)
        return -1;
    for (size_t i = 0; i < n_steps; i++, plan->n_steps++)
        if (read_step(keeper, plan, &plan->steps[i], PyList_GetItem(entries, (Py_ssize_t)i)) < 0)
            return -1;
    return 0;
}

static bool are_thresholds_sound(const Plan *plan)
{
    const Array *thresholds = &plan->basics[THRESHOLDS], *raw = &plan->basics[RAW_ROWS];
    const int64_t *offsets = plan->basics[OFFSETS].items, *raw_rows = raw->items;
    int64_t n_columns = plan->n_columns;
    if (plan->basics[OFFSETS].length != n_columns + 1 || offsets[0] != 0 ||
        offsets[n_columns] != thresholds->length)
        return false;
    for (int64_t column = 0; column < n_columns; column++)
        if (offsets[column] > offsets[column + 1] || offsets[column + 1] - offsets[column] > 255)
            return false;
    for (int64_t i = 0; i < raw->length; i++)
        if (raw_rows[i] < 0 || raw_rows[i] >= n_columns)
            return false;
    return true;
}

static const char PLAN[] = "victor._core.plan";

static void plan_release(PyObject *capsule)
{
    plan_free(PyCapsule_GetPointer(capsule, PLAN));
}

/* plan((thresholds, offsets, raw_rows), entries) -> what `columns` is given */
static PyObject *make_plan(PyObject *module, PyObject *args)
{
    PyObject *basics, *entries, *capsule = NULL;
    if (!PyArg_ParseTuple(args, "OO", &basics, &entries))
        return NULL;
    Plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return PyErr_NoMemory();
    if (read_plan(module, plan, basics, entries) == 0)
        capsule = are_thresholds_sound(plan) ? PyCapsule_New(plan, PLAN, plan_release)
                                             : raise_outcome(WRONG, "plan");
    if (!capsule)
        plan_free(plan);
    return capsule;
}

/* --- Values to codes -------------------------------------------------------------------------- */

enum { MANY = 256, FEW = 32, FEWEST = 8 }; /* values compared with all thresholds while they are at hand */

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
    for (; i + FEWEST <= count; i += FEWEST)
        compare(values + i, FEWEST, thresholds, n_thresholds, codes + i);
    if (i < count) {
        float rest[FEWEST] = {0};
        uint8_t rest_codes[FEWEST];
        memcpy(rest, values + i, (size_t)(count - i) * sizeof *values);
        compare(rest, FEWEST, thresholds, n_thresholds, rest_codes);
        memcpy(codes + i, rest_codes, (size_t)(count - i));
    }
}

/* --- What is to be made of the rows ----------------------------------------------------------- */

static bool is_read(const Call *call, int64_t first, int64_t end)
{
    const int64_t *offsets = call->plan->basics[OFFSETS].items;
    const int64_t *raw_rows = call->plan->basics[RAW_ROWS].items;
    if (offsets[first] < offsets[end])
        return true;
    for (int64_t i = 0; i < call->n_raw; i++)
        if (raw_rows[i] >= first && raw_rows[i] < end)
            return true;
    return false;
}

/* Make codes of the rows of one module, of which the first is column `first`; some stay as they are. */
static void use_rows(Call *call, float *const *rows, int64_t first, int64_t count, int64_t n)
{
    const float *thresholds = call->plan->basics[THRESHOLDS].items;
    const int64_t *raw_rows = call->plan->basics[RAW_ROWS].items;
    for (int64_t row = 0; row < count; row++) {
        const int64_t *offset = (const int64_t *)call->plan->basics[OFFSETS].items + first + row;
        discretise(rows[row], n, thresholds + offset[0], offset[1] - offset[0],
                   call->codes + (first + row) * n);
    }
    for (int64_t i = 0; i < call->n_raw; i++) {
        int64_t row = raw_rows[i] - first;
        if (row >= 0 && row < count)
            memcpy(call->raw + i * n, rows[row], (size_t)n * sizeof(float));
    }
}

static Outcome run_step(const Step *step, const Array *inputs, const Table *table,
                        const Shared *shared, float *const *rows)
{
    Arena arena = {0};
    Request request = {table, shared, &arena, step->parameters, inputs, step->n_columns};
    Outcome outcome = step->module->compute(&request, rows);
    arena_free(&arena);
    return outcome;
}

/* Room for the rows of one module after the other. */
static Outcome run(Call *call)
{
    const Plan *plan = call->plan;
    const Shared *shared = &call->batch->shared;
    int64_t n = call->batch->table.n_blocks;
    float **rows = TAKE(&call->arena, float *, (size_t)plan->most_columns);
    bool fits = plan->most_columns == 0 || n <= INT64_MAX / plan->most_columns;
    float *room = fits ? TAKE(&call->arena, float, (size_t)(plan->most_columns * n)) : NULL;
    if (!rows || !room)
        return MEMORY;
    Outcome outcome = DONE;
    int64_t first = 0;
    for (int64_t i = 0; i < plan->n_steps && outcome == DONE; i++) {
        const Step *step = &plan->steps[i];
        for (int64_t row = 0; row < step->n_columns; row++)
            rows[row] = room + row * n;
        if (n && is_read(call, first, first + step->n_columns)) {
            outcome = run_step(step, call->inputs[i], &call->batch->table, shared, rows);
            if (outcome == DONE)
                use_rows(call, rows, first, step->n_columns, n);
        }
        first += step->n_columns;
    }
    return outcome;
}

/* --- Calls from Python ------------------------------------------------------------------------ */

/* Borrow the tuples of a list, one for each step that has no inputs of its own. */
static int borrow_inputs(Call *call, PyObject *inputs)
{
    Py_ssize_t next = 0, count = PyList_Check(inputs) ? PyList_Size(inputs) : -1;
    size_t n_steps = (size_t)call->plan->n_steps;
    call->inputs = ZEROS(&call->arena, const Array *, n_steps);
    if (!call->inputs || !make_room(&call->borrowed, &call->arena, n_steps)) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < n_steps; i++) {
        const Step *step = &call->plan->steps[i];
        call->inputs[i] = step->inputs;
        if (!step->inputs && next < count)
            call->inputs[i] = borrow_arrays(NULL, &call->borrowed, PyList_GetItem(inputs, next),
                                            step->module->inputs, n_inputs(step->module));
        next += !step->inputs;
        if (!call->inputs[i] && next <= count)
            return -1;
    }
    if (next == count)
        return 0;
    PyErr_SetString(PyExc_ValueError, "the plan wants inputs of another number of modules");
    return -1;
}

/* Zeroed memory of (rows, n) items that Python is to own; NULL if there is none. */
static void *matrix(int64_t rows, int64_t n, size_t item)
{
    size_t count = (size_t)rows;
    return n == 0 || count <= SIZE_MAX / item / (size_t)n ? calloc(count * (size_t)n + 1, item)
                                                          : NULL;
}

int call_open(Call *call, PyObject *module, PyObject *object, PyObject *capsule, PyObject *inputs)
{
    memset(call, 0, sizeof *call);
    call->plan = PyCapsule_GetPointer(capsule, PLAN);
    call->batch = call->plan ? batch_of(module, object) : NULL;
    if (!call->batch)
        return -1;
    call->n_raw = call->plan->basics[RAW_ROWS].length;
    return borrow_inputs(call, inputs);
}

void call_close(Call *call)
{
    free(call->codes);
    free(call->raw);
    borrowed_return(&call->borrowed);
    arena_free(&call->arena);
}

Outcome compute_columns(Call *call)
{
    const Plan *plan = call->plan;
    int64_t n = call->batch->table.n_blocks;
    call->codes = matrix(plan->n_columns, n, 1);
    call->raw = matrix(call->n_raw, n, sizeof(float));
    return call->codes && call->raw ? run(call) : MEMORY;
}

/* columns(batch, plan, inputs) -> (codes, values) */
static PyObject *columns(PyObject *module, PyObject *args)
{
    PyObject *object, *capsule, *inputs, *result = NULL;
    if (!PyArg_ParseTuple(args, "OOO", &object, &capsule, &inputs))
        return NULL;
    Call call;
    if (call_open(&call, module, object, capsule, inputs) == 0) {
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = compute_columns(&call);
        Py_END_ALLOW_THREADS
        size_t n = (size_t)call.batch->table.n_blocks;
        if (outcome == DONE) {
            result = Py_BuildValue(
                "(NN)", owned(module, call.codes, (size_t)call.plan->n_columns * n),
                owned(module, call.raw, (size_t)call.n_raw * n * sizeof(float)));
            call.codes = NULL;
            call.raw = NULL;
        } else {
            raise_outcome(outcome, "columns");
        }
    }
    call_close(&call);
    return result;
}

PyMethodDef columns_methods[] = {
    {"plan", make_plan, METH_VARARGS, "Which columns are wanted, and what the same for all tables."},
    {"columns", columns, METH_VARARGS, "Codes of all columns of a block table, and some values."},
    {NULL, NULL, 0, NULL},
};
