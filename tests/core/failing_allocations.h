/* Lets one allocation of the core fail: `.ci/sanitize` includes this before every file of it.
 *
 * Where `vt_allocations_left` is n > 0, the n-th allocation from then on finds no memory, once.
 */
#include <stdlib.h>

__attribute__((weak, visibility("default"))) long vt_allocations_left;

static inline int vt_fails(void)
{
    return __atomic_fetch_sub(&vt_allocations_left, 1, __ATOMIC_RELAXED) == 1;
}

#define malloc(size) (vt_fails() ? NULL : malloc(size))
#define calloc(count, size) (vt_fails() ? NULL : calloc(count, size))
#define realloc(memory, size) (vt_fails() ? NULL : realloc(memory, size))
