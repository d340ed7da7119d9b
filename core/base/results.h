/* The arrays that a stage makes, as one tuple of memory for Python. */
#ifndef VICTOR_RESULTS_H
#define VICTOR_RESULTS_H

#include "base/core.h"

/* One of them. The stage fills it through the pointer at `items`. */
typedef struct {
    void **items;
    size_t size;  /* bytes of an item */
    int64_t room; /* items that it may hold */
    int64_t used; /* items that it holds in the end */
} Result;

#define RESULT(pointer, room) {(void **)&(pointer), sizeof *(pointer), (room), 0}

/* An array that a batch owns. */
typedef struct {
    void *items;
    size_t size;   /* bytes of an item */
    int64_t count; /* items */
} Column;

/* Take memory for all of them; false if there is not enough, and then there is none. */
bool results_take(Result *results, size_t count);
void results_free(Result *results, size_t count);
/* Hand what is used of each to Python, in order; none is left here, whether that fails or not. */
PyObject *results_hand_over(PyObject *module, Result *results, size_t count);
/* Let what is used of each be a column; none is left here. */
void results_move(Result *results, size_t count, Column *columns);
/* Let a column be a copy of an array. */
Outcome copy_column(Column *column, const Array *array, size_t size);
void columns_free(Column *columns, size_t count);
/* What was appended to a growing array as a column; the array is empty afterwards. */
#define column_of_growing(array) \
    column_of_grown(&(array)->items, sizeof *(array)->items, &(array)->used, &(array)->capacity)
Column column_of_grown(void *items, size_t size, size_t *used, size_t *capacity);
/* A column as memory of Python's, and what was appended to a growing array likewise. */
PyObject *owned_column(PyObject *module, Column column);
#define owned_growing(module, array) owned_column((module), column_of_growing(array))

#endif
