/* The batch: what is read of some pages, as one object of Python's that never changes.
 *
 * It owns all memory that it points to. Columns that Python asks for are views that hold the batch.
 */
#ifndef VICTOR_BATCH_H
#define VICTOR_BATCH_H

#include "columns/columns.h"
#include "parsing/attributes.h"

enum { N_BATCH_COLUMNS = N_BLOCK_COLUMNS + 4 + N_TOKEN_COLUMNS + 7 };
/* Of each page that was read: where attributes are, as of `Stream`, and bits of `PageSigns`. */
enum { PLACES = N_BATCH_COLUMNS - 3, PLACE_STARTS, PAGE_SIGNS };

typedef struct {
    PyObject_HEAD
    Table table;     /* the blocks, with their tokens once it is complete */
    Bundles bundles; /* attributes of the elements */
    int64_t known[N_NAMING + N_HIDING]; /* their columns there, -1 if they were not recorded */
    struct {
        const uint8_t *bytes;
        const int64_t *offsets; /* (n_texts + 1) where each begins; NULL where there are notes */
        int64_t n_bytes, n_texts;
    } heads; /* texts of heads that Python made */
    Shared shared;   /* columns that several stages read */
    Arena arena;     /* of the shared columns */
    Column columns[N_BATCH_COLUMNS]; /* all others */
    PyObject *vocabulary;            /* whose tables the shared columns are read with */
    PyObject *whole; /* the batch that its pages are of, whose bundles and heads it has; or NULL */
    bool is_complete;                /* are tokens and shared columns there */
} Batch;

extern PyType_Spec batch_spec;

/* The batch that a stage was given; NULL with an exception set if it is something else. */
const Batch *batch_of(PyObject *module, PyObject *object);
/* The same for stages that read the blocks alone: of a table that Python made, tokens and shared
 * columns are made when a stage asks for them. */
const Batch *blocks_of(PyObject *module, PyObject *object);
/* Note where the known attributes are among those that were recorded, a tuple of names; -1 with an
 * exception set. */
int find_attributes(Batch *batch, PyObject *names);
/* Compute the columns of attributes. */
Outcome share_attributes(Batch *batch);

#endif
