/* What the module itself holds: the type of the memory that stages hand to Python. */
#ifndef VICTOR_ARRAYS_H
#define VICTOR_ARRAYS_H

#include "base/core.h"

typedef struct {
    PyTypeObject *memory_type, *batch_type;
} ModuleState;

extern PyType_Spec memory_spec;

/* Memory of an object as a read-only buffer that holds the object. */
PyObject *view_of(const ModuleState *state, PyObject *owner, void *memory, size_t bytes);

#endif
