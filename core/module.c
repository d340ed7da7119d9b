/* The module `victor._core`: the methods of all stages. */
#include "base/arrays.h"
#include "columns/batch.h"

extern PyMethodDef decode_methods[];
extern PyMethodDef events_methods[];
extern PyMethodDef markup_methods[];
extern PyMethodDef tokens_methods[];
extern PyMethodDef columns_methods[];
extern PyMethodDef kinds_methods[];
extern PyMethodDef batch_methods[];
extern PyMethodDef vocabulary_methods[];
extern PyMethodDef model_methods[];
extern PyMethodDef page_head_methods[];
extern PyMethodDef leaf_tables_methods[];
extern PyMethodDef text_methods[];
extern PyMethodDef name_groups_methods[];
extern PyMethodDef units_methods[];
extern PyMethodDef finish_methods[];
extern PyMethodDef label_methods[];

static int execute(PyObject *module)
{
    ModuleState *state = PyModule_GetState(module);
    state->memory_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &memory_spec, NULL);
    state->batch_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &batch_spec, NULL);
    if (!state->memory_type || !state->batch_type)
        return -1;
    PyMethodDef *stages[] = {
        decode_methods, events_methods, markup_methods, tokens_methods,   columns_methods,
        model_methods,  leaf_tables_methods, text_methods, name_groups_methods,
        batch_methods,  vocabulary_methods,  kinds_methods, units_methods,  page_head_methods,
        finish_methods, label_methods,
    };
    for (size_t stage = 0; stage < sizeof stages / sizeof *stages; stage++)
        if (PyModule_AddFunctions(module, stages[stage]) < 0)
            return -1;
    return 0;
}

static int traverse(PyObject *module, visitproc visit, void *arg)
{
    ModuleState *state = PyModule_GetState(module);
    if (state) {
        Py_VISIT(state->memory_type);
        Py_VISIT(state->batch_type);
    }
    return 0;
}

static int clear(PyObject *module)
{
    ModuleState *state = PyModule_GetState(module);
    if (state) {
        Py_CLEAR(state->memory_type);
        Py_CLEAR(state->batch_type);
    }
    return 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, execute},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED}, /* no state but what `execute` made */
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "victor._core",
    .m_doc = "Compiled stages; `victor.base.core` says whether they are there.",
    .m_size = sizeof(ModuleState),
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
