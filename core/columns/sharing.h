/* The shared columns of a table, made once for all stages that read them. */
#ifndef VICTOR_SHARING_H
#define VICTOR_SHARING_H

#include "columns/columns.h"

/* A block table with its tokens, and its shared columns. */
typedef struct {
    Table table;
    Shared shared;
    Arena arena;   /* of the shared columns */
    Array classes; /* of all code points */
} Sharing;

/* What a capsule of `share` holds; NULL with an exception set if it is another one. */
const Sharing *sharing_of(PyObject *capsule);

#endif
