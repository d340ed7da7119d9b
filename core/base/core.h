/* The compiled core of Victor: what all stages share.
 *
 * A stage is a pure function from arrays to arrays. Arrays come from Python as buffers (numpy) and
 * go back as memory that Python then owns. No stage keeps anything between two calls but what
 * was checked once, a block table (table.h) or what a model wants, all of it memory that nobody can
 * write to. A stage defines what it computes: the same bits on every machine, alone or in a batch.
 *
 * Rules of this code:
 *   - every index has a bound that is checked or stands in a comment;
 *   - nothing recurses: depth of markup is depth of an explicit stack on the heap;
 *   - every allocation may fail, and then the stage returns MEMORY and frees what it has;
 *   - floating point only as single IEEE operations in a fixed order (built with
 *     -ffp-contract=off);
 *   - no Python object is touched while the interpreter lock is released.
 */
#ifndef VICTOR_CORE_H
#define VICTOR_CORE_H

#define PY_SSIZE_T_CLEAN
#include <pyconfig.h>
#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED) /* free-threaded Python has none */
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What became of a stage. */
typedef enum {
    DONE = 0,
    MEMORY = -1, /* an allocation failed */
    WRONG = -2,  /* an argument breaks its contract: a defect of the caller */
    NOT_UTF8 = -3, /* a page is something else */
} Outcome;

/* Raises MemoryError or ValueError; returns NULL for the convenience of callers. */
PyObject *raise_outcome(Outcome outcome, const char *stage);

/* --- Memory of one call --------------------------------------------------------------------- */

/* Blocks of memory that live as long as a call and are freed together. */
typedef struct Arena {
    struct ArenaPiece *pieces;
    uint8_t *room; /* what is left of a piece that small requests share */
    size_t left;   /* bytes of it */
} Arena;

/* Room for `count` items of `size` bytes, aligned to 16 bytes; NULL if there is none. */
void *arena_take(Arena *arena, size_t count, size_t size);
/* The same, filled with zeros. */
void *arena_zeros(Arena *arena, size_t count, size_t size);
void arena_free(Arena *arena);

#define TAKE(arena, type, count) ((type *)arena_take((arena), (count), sizeof(type)))
#define ZEROS(arena, type, count) ((type *)arena_zeros((arena), (count), sizeof(type)))

/* An array of items of one type that grows at its end. All zeros is an empty one. */
#define GROWING(type) struct {type *items; size_t used, capacity;} /* counts of items */
typedef GROWING(uint8_t) Growing;

/* Room for `more` items after those used; false if there is none. The items may move. */
#define growing_reserve(array, more) \
    ((array)->capacity - (array)->used >= (size_t)(more) || \
     growing_enlarge(&(array)->items, sizeof *(array)->items, (array)->used, \
                     &(array)->capacity, (more)))
/* Append an item; false if there is no room. */
#define growing_append(array, ...) \
    (growing_reserve(array, 1) && ((array)->items[(array)->used++] = (__VA_ARGS__), true))
#define growing_free(array) \
    (free((array)->items), (array)->items = NULL, (array)->used = (array)->capacity = 0)

/* What `growing_reserve` calls where there is not enough; `items` is the address of the pointer. */
bool growing_enlarge(void *items, size_t size, size_t used, size_t *capacity, size_t more);

/* --- Arrays from and to Python -------------------------------------------------------------- */

/* An array of Python's that is read; 1 dimension, contiguous. */
typedef struct {
    const char *type; /* what it has to hold, two letters: the kind and the size of `array_borrow`;
                       * with a third one, '?', None is allowed and has no items */
    Py_buffer buffer;
    const void *items;
    int64_t length; /* items */
} Array;

/* An array that is to be borrowed. */
#define WANTED(type) {(type), {0}, NULL, 0}
/* Borrow an argument of a method into the array of that row of `arrays`, for the format "O&" of
 * PyArg_Parse...; if a later argument fails it is given back. */
#define BORROW(row) array_of, &arrays[row]
int array_of(PyObject *object, void *array);

/* Borrow the array `object`, whose items have to be of a kind: 'i' signed, 'u' unsigned, 'f' float,
 * 'b' bool or bytes of `size` bytes. Returns -1 with TypeError set. */
int array_borrow(Array *array, PyObject *object, char kind, size_t size);
/* Let the items of a borrowed array be memory that nobody can write to, whatever becomes of the
 * object that they were borrowed from: that of `bytes` or of a stage, where they lie in one, else
 * a copy. Returns -1 with an exception set; the array is still to be returned. */
int array_keep(PyObject *module, Array *array, PyObject *object);
/* Borrow an array of a type of two letters, e.g. "i8", and keep it, unless the module is NULL. */
int array_borrow_kept(PyObject *module, Array *array, PyObject *object, const char *type);
/* Give it back; does nothing for an array that is all zeros. */
void array_return(Array *array);
void arrays_return(Array *arrays, size_t count);

/* Arrays that belong to a model and not to a page: kept in a capsule, with what a stage read from
 * them and checked once. */
typedef struct {
    const char *name;  /* of the capsule */
    const char *types; /* two letters an array, as of `array_borrow` */
    size_t size;       /* bytes of what is read */
    bool (*read)(void *what, const Array *arrays); /* do the arrays fit together */
} Keeping;

/* A capsule that keeps a tuple of such arrays; NULL with an exception set. */
PyObject *keep_arrays(PyObject *module, PyObject *objects, const Keeping *keeping);
/* What was read from the arrays of a capsule; NULL with an exception set if it is another one. */
const void *what_is_kept(PyObject *capsule, const Keeping *keeping);

/* Memory from malloc as a Python object that owns it and offers it as a read-only buffer of bytes
 * (`numpy.frombuffer` gives it a type); frees the memory and returns NULL if that fails. */
PyObject *owned(PyObject *module, void *memory, size_t bytes);

#endif
