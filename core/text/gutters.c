/* Which pages may number the lines of their code, as `victor.page.verdict.preformatted` asks. */
#include "table/table.h"
#include "text/preformatted.h"

/* Roles of tags. */
enum { IS_PRE = 1, IS_CODE = 2 };

typedef struct {
    const Table *table;
    const uint8_t *roles;   /* (N_TAG_IDS) */
    const uint8_t *classes; /* (N_CODE_POINTS) */
    uint8_t *pages;         /* (n_pages) */
} Gutters;

/* Segments before each tag. */
typedef struct {
    int64_t numbers, others;
} Before;

/* How many numbers a segment holds, 2 for more; 0 if it holds anything else. */
static int64_t count_numbers(const Gutters *gutters, int64_t segment)
{
    const Table *table = gutters->table;
    int64_t numbers = 1;
    for (int64_t at = table->segments.start[segment]; at < table->segments.end[segment]; at++) {
        uint32_t code = table->chars[at];
        uint8_t class = code < N_CODE_POINTS ? gutters->classes[code] : SYMBOL;
        if (class == SPACE)
            numbers = 2;
        else if (class != DIGIT && class != OTHER_WORD && code != '.' && code != ':' && code != '|')
            return 0;
    }
    return numbers;
}

static Before *count_before_tags(const Gutters *gutters)
{
    const Table *table = gutters->table;
    Before *before = calloc((size_t)table->n_tags + 1, sizeof *before);
    for (int64_t s = 0; before && s < table->n_segments; s++) {
        int64_t numbers = count_numbers(gutters, s);
        before[table->segments.tag[s] + 1] = (Before){numbers, numbers == 0};
    }
    for (int64_t tag = 0; before && tag < table->n_tags; tag++) {
        before[tag + 1].numbers += before[tag].numbers;
        before[tag + 1].others += before[tag].others;
    }
    return before;
}

/* Mark a page with an element of nothing but numbers: one in a <pre>, two where a name may say it. */
static void look_at_page(const Gutters *gutters, const Before *before, int64_t page)
{
    const Table *table = gutters->table;
    int64_t end = page + 1 < table->n_pages ? table->page_roots[page + 1] : table->n_elements;
    for (int64_t e = table->page_roots[page]; e < end; e++) {
        const Before *open = &before[table->elements.open[e]];
        const Before *close = &before[table->elements.close[e]];
        bool is_pre = gutters->roles[table->elements.tag[e]] & IS_PRE;
        if (close->others == open->others && close->numbers - open->numbers >= (is_pre ? 1 : 2) &&
            (is_pre || table->elements.bundle[e] >= 0))
            gutters->pages[page] = true;
    }
}

static bool has_code(const Gutters *gutters, int64_t page)
{
    const Table *table = gutters->table;
    int64_t end = page + 1 < table->n_pages ? table->page_roots[page + 1] : table->n_elements;
    for (int64_t e = table->page_roots[page]; e < end; e++)
        if (gutters->roles[table->elements.tag[e]])
            return true;
    return false;
}

static Outcome find_gutters(const Gutters *gutters)
{
    Before *before = NULL;
    for (int64_t page = 0; page < gutters->table->n_pages; page++) {
        if (!has_code(gutters, page))
            continue;
        if (!before && !(before = count_before_tags(gutters)))
            return MEMORY;
        look_at_page(gutters, before, page);
    }
    free(before);
    return DONE;
}

/* gutters(lent, roles, classes): a byte a page, whether it may number the lines of its code. */
PyObject *gutters(PyObject *module, PyObject *arguments)
{
    PyObject *lent, *result = NULL;
    Array arrays[] = {WANTED("u1"), WANTED("u1")};
    if (!PyArg_ParseTuple(arguments, "OO&O&", &lent, BORROW(0), BORROW(1)))
        return NULL;
    Table table;
    if (table_borrow_lent(&table, lent) == 0) {
        uint8_t *pages = calloc((size_t)table.n_pages + 1, 1);
        const Gutters of = {&table, arrays[0].items, arrays[1].items, pages};
        bool fits = arrays[0].length == N_TAG_IDS && arrays[1].length == N_CODE_POINTS;
        Outcome outcome = !pages ? MEMORY : fits ? DONE : WRONG;
        Py_BEGIN_ALLOW_THREADS
        if (outcome == DONE)
            outcome = find_gutters(&of);
        Py_END_ALLOW_THREADS
        if (outcome == DONE)
            result = owned(module, pages, (size_t)table.n_pages);
        else {
            free(pages);
            raise_outcome(outcome, "gutters");
        }
        table_return(&table);
    }
    arrays_return(arrays, 2);
    return result;
}
