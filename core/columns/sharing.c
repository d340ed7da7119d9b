/* The shared columns of a table, made once for all stages that read them. */
#include "columns/sharing.h"

static const char SHARING[] = "victor._core.sharing";

static void sharing_free(Sharing *sharing)
{
    table_return(&sharing->table);
    array_return(&sharing->classes);
    arena_free(&sharing->arena);
    free(sharing);
}

static void release_sharing(PyObject *capsule)
{
    sharing_free(PyCapsule_GetPointer(capsule, SHARING));
}

const Sharing *sharing_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, SHARING);
}

static Outcome compute(Sharing *sharing, const Array *roles)
{
    if (roles->length != N_TAG_IDS || sharing->classes.length != N_CODE_POINTS)
        return WRONG;
    const Vocabulary vocabulary = {roles->items, sharing->classes.items};
    return share_columns(&sharing->shared, &sharing->table, &vocabulary, &sharing->arena);
}

/* share(lent_tokens, roles, classes) -> what `BlockTable.shared` keeps */
static PyObject *share_table(PyObject *module, PyObject *args)
{
    PyObject *lent, *classes;
    Array arrays[] = {WANTED("u1")};
    if (!PyArg_ParseTuple(args, "OO&O", &lent, BORROW(0), &classes))
        return NULL;
    PyObject *capsule = NULL;
    Sharing *sharing = calloc(1, sizeof *sharing);
    if (!sharing)
        PyErr_NoMemory();
    else if (table_borrow_lent(&sharing->table, lent) == 0 &&
             array_borrow_kept(module, &sharing->classes, classes, "u1") == 0) {
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = compute(sharing, arrays);
        Py_END_ALLOW_THREADS
        capsule = outcome == DONE ? PyCapsule_New(sharing, SHARING, release_sharing)
                                  : raise_outcome(outcome, "share");
    }
    if (sharing && !capsule)
        sharing_free(sharing);
    array_return(arrays);
    return capsule;
}

PyMethodDef sharing_methods[] = {
    {"share", share_table, METH_VARARGS, "The columns of a block table that several stages read."},
    {NULL, NULL, 0, NULL},
};
