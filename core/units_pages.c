/* What the pages of a batch hold, in numbers. */
#include "units.h"
#include <stdlib.h>

enum { PAGE_STARTS, SEGMENT_STARTS, STARTS, ENDS, LABELS, N_PAGE_ARRAYS };

/* Numbers of one page. */
typedef struct {
    int64_t blocks, kept, characters;
} Page;

static Outcome count_page(const Array *arrays, int64_t first, int64_t last, int other, Page *page)
{
    const int64_t *segment_starts = arrays[SEGMENT_STARTS].items;
    const int64_t *starts = arrays[STARTS].items, *ends = arrays[ENDS].items;
    const uint8_t *labels = arrays[LABELS].items;
    int64_t n_segments = arrays[STARTS].length;
    page->blocks = last - first;
    for (int64_t block = first; block < last; block++) {
        int64_t segment = segment_starts[block], next = segment_starts[block + 1];
        if (segment < 0 || segment >= next || next > n_segments)
            return WRONG;
        page->kept += labels[block] != other;
        page->characters += ends[next - 1] - starts[segment];
    }
    return DONE;
}

static Outcome count_all(const Array *arrays, int other, Page *pages)
{
    const int64_t *page_starts = arrays[PAGE_STARTS].items;
    int64_t n_pages = arrays[PAGE_STARTS].length - 1, n_blocks = arrays[LABELS].length;
    for (int64_t i = 0; i < n_pages; i++) {
        int64_t first = page_starts[i], last = page_starts[i + 1];
        if (first < 0 || first > last || last > n_blocks)
            return WRONG;
        Outcome outcome = count_page(arrays, first, last, other, &pages[i]);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}

static PyObject *counted(PyObject *module, const Array *arrays, int other)
{
    int64_t n_pages = arrays[PAGE_STARTS].length - 1;
    if (n_pages < 0 || arrays[SEGMENT_STARTS].length != arrays[LABELS].length + 1 ||
        arrays[STARTS].length != arrays[ENDS].length)
        return raise_outcome(WRONG, "count_pages");
    Page *pages = calloc((size_t)n_pages + 1, sizeof *pages);
    if (!pages)
        return PyErr_NoMemory();
    Outcome outcome = count_all(arrays, other, pages);
    if (outcome == DONE)
        return owned(module, pages, (size_t)n_pages * sizeof *pages);
    free(pages);
    return raise_outcome(outcome, "count_pages");
}

PyObject *count_pages(PyObject *module, PyObject *arguments)
{
    PyObject *objects[N_PAGE_ARRAYS], *result = NULL;
    Array arrays[N_PAGE_ARRAYS];
    int other, borrowed = 0;
    if (!PyArg_ParseTuple(arguments, "OOOOOi", &objects[PAGE_STARTS], &objects[SEGMENT_STARTS],
                          &objects[STARTS], &objects[ENDS], &objects[LABELS], &other))
        return NULL;
    const char kinds[] = "iiiiu";
    const size_t sizes[] = {8, 8, 8, 8, 1};
    while (borrowed < N_PAGE_ARRAYS &&
           array_borrow(&arrays[borrowed], objects[borrowed], kinds[borrowed], sizes[borrowed]) == 0)
        borrowed++;
    if (borrowed == N_PAGE_ARRAYS)
        result = counted(module, arrays, other);
    for (int i = 0; i < borrowed; i++)
        array_return(&arrays[i]);
    return result;
}
