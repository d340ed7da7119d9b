/* Values of attributes by bundle row, as `victor.page.blocks.BlockTable.bundles` has them. */
#ifndef VICTOR_BUNDLES_H
#define VICTOR_BUNDLES_H

#include "core.h"

/* Code points of the values of some attributes, row by row, a space after each. */
typedef struct {
    int64_t n_rows, n_columns;
    const uint32_t *chars;
    int64_t *start, *end; /* (n_rows * n_columns) extents in `chars`; start is -1 for no value */
    Growing text;         /* owns `chars` */
    Arena arena;          /* owns the others */
} Values;

/* Copy the values of the attributes in some columns, `most` characters of each at most. Returns -1
 * with an exception set; then there is nothing to free. */
int values_copy(Values *values, PyObject *bundles, const Py_ssize_t *columns, int64_t n_columns,
                Py_ssize_t most);
void values_free(Values *values);

/* Is a code point white space for `str.split` and the \s of regular expressions. */
bool is_white(uint32_t code);

#endif
