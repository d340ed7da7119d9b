/* Stage: paragraphs of a page to its text, as `victor.page.verdict.paragraphs` and `victor.render.text`
 * define it. */
#include "base/code_points.h"
#include "kinds/kinds.h"
#include "parsing/page_signs.h"
#include "text/inlines.h"
#include "text/paragraphs.h"

enum { N_COLUMNS = 13 };

/* Columns of the block table, of kept blocks, and of paragraphs. */
typedef struct {
    Array arrays[N_COLUMNS];
    const uint32_t *chars;
    const int64_t *block_start, *block_end; /* in `chars` */
    const int64_t *blocks;                  /* from here on a row a kept block */
    const uint8_t *spaced;
    const int64_t *breaks;
    const int64_t *starts; /* of paragraphs, rows of kept blocks */
    const uint8_t *opens_item;
    const int64_t *outer_list, *table, *row, *cell, *column;
    int64_t n_chars, n_blocks, n_kept, n_paragraphs;
    int64_t first, last; /* the paragraphs of the page */
    PyObject *given;     /* a list, with the texts of those that are not simply those of blocks */
} Page;

/* --- Arguments -------------------------------------------------------------------------------- */

static bool have_lengths(const Page *page, int from, int to, int64_t length)
{
    bool same = true;
    for (int i = from; i < to; i++)
        same &= page->arrays[i].length == length;
    return same;
}

/* Do the rows of the page name characters and blocks that there are. */
static bool are_rows_sound(const Page *page)
{
    if (page->first < 0 || page->first > page->last || page->last > page->n_paragraphs ||
        page->starts[page->first] < 0 || page->starts[page->last] > page->n_kept)
        return false;
    for (int64_t q = page->first; q < page->last; q++)
        if (page->starts[q] > page->starts[q + 1])
            return false;
    for (int64_t row = page->starts[page->first]; row < page->starts[page->last]; row++) {
        int64_t block = page->blocks[row];
        if (block < 0 || block >= page->n_blocks || page->block_start[block] < 0 ||
            page->block_start[block] > page->block_end[block] ||
            page->block_end[block] > page->n_chars)
            return false;
    }
    return true;
}

static bool is_sound(const Page *page)
{
    return page->n_paragraphs >= 0 && have_lengths(page, 1, 3, page->n_blocks) &&
           have_lengths(page, 3, 6, page->n_kept) &&
           have_lengths(page, 7, N_COLUMNS, page->n_paragraphs) && are_rows_sound(page) &&
           (page->given == Py_None || PyList_Size(page->given) == page->last - page->first);
}

static void page_return(Page *page)
{
    for (int i = 0; i < N_COLUMNS; i++)
        array_return(&page->arrays[i]);
}

static void name_columns(Page *page)
{
    const Array *arrays = page->arrays;
    page->chars = arrays[0].items;
    page->block_start = arrays[1].items;
    page->block_end = arrays[2].items;
    page->blocks = arrays[3].items;
    page->spaced = arrays[4].items;
    page->breaks = arrays[5].items;
    page->starts = arrays[6].items;
    page->opens_item = arrays[7].items;
    page->outer_list = arrays[8].items;
    page->table = arrays[9].items;
    page->row = arrays[10].items;
    page->cell = arrays[11].items;
    page->column = arrays[12].items;
    page->n_chars = arrays[0].length;
    page->n_blocks = arrays[1].length;
    page->n_kept = arrays[3].length;
    page->n_paragraphs = arrays[6].length - 1;
}

/* Read the arguments (columns, first, last, given); -1 with an exception, and nothing borrowed. */
static int page_borrow(Page *page, PyObject *arguments)
{
    static const struct {
        char kind;
        size_t size;
    } types[N_COLUMNS] = {{'u', 4}, {'i', 8}, {'i', 8}, {'i', 8}, {'b', 1}, {'i', 8}, {'i', 8},
                          {'b', 1}, {'i', 8}, {'i', 8}, {'i', 8}, {'i', 8}, {'i', 8}};
    PyObject *columns;
    long long first, last;
    memset(page, 0, sizeof *page);
    if (!PyArg_ParseTuple(arguments, "O!LLO", &PyTuple_Type, &columns, &first, &last, &page->given))
        return -1;
    page->first = first;
    page->last = last;
    bool is_fit = PyTuple_Size(columns) == N_COLUMNS &&
                  (page->given == Py_None || PyList_Check(page->given));
    for (int i = 0; is_fit && i < N_COLUMNS; i++) {
        PyObject *column = PyTuple_GetItem(columns, i);
        if (array_borrow(&page->arrays[i], column, types[i].kind, types[i].size) < 0) {
            page_return(page);
            return -1;
        }
    }
    name_columns(page);
    if (is_fit && is_sound(page))
        return 0;
    page_return(page);
    raise_outcome(WRONG, "text");
    return -1;
}

/* --- Paragraphs ------------------------------------------------------------------------------- */

/* Add the text that is given for a paragraph; false if none is. */
static bool add_given(const Page *page, int64_t paragraph, Codes *text, Outcome *outcome)
{
    if (page->given == Py_None)
        return false;
    PyObject *string = PyList_GetItem(page->given, (Py_ssize_t)(paragraph - page->first));
    if (!string || !PyUnicode_Check(string))
        return false;
    Py_ssize_t length = PyUnicode_GetLength(string);
    *outcome = MEMORY;
    if (!growing_reserve(text, length))
        return true;
    /* An empty string still wants a buffer that is not NULL, which it does not touch. */
    uint32_t nothing;
    uint32_t *out = length ? text->items + text->used : &nothing;
    if (PyUnicode_AsUCS4(string, out, length, 0)) {
        text->used += (size_t)length;
        *outcome = DONE;
    }
    return true;
}

static Outcome add_paragraph(const Page *page, int64_t paragraph, Codes *text)
{
    Outcome outcome = DONE;
    if (add_given(page, paragraph, text, &outcome))
        return outcome;
    int64_t first = page->starts[paragraph];
    for (int64_t row = first; outcome == DONE && row < page->starts[paragraph + 1]; row++) {
        const uint32_t gap = page->breaks[row] > 0 ? '\n' : ' ';
        int64_t block = page->blocks[row], start = page->block_start[block];
        if (row > first && (page->breaks[row] > 0 || page->spaced[row]))
            outcome = add_codes(text, &gap, 1);
        if (outcome == DONE)
            outcome = add_codes(text, page->chars + start, page->block_end[block] - start);
    }
    return outcome;
}

/* Make all white space from a position on one space each, and none at the ends. */
static void squeeze(Codes *text, size_t from)
{
    uint32_t *out = text->items + from, *begin = out;
    bool is_pending = false;
    for (size_t at = from; at < text->used; at++) {
        uint32_t code = text->items[at];
        if (is_space(code)) {
            is_pending = out > begin;
            continue;
        }
        if (is_pending)
            *out++ = ' ';
        is_pending = false;
        *out++ = code;
    }
    text->used = from + (size_t)(out - begin);
}

/* --- The text of a page ----------------------------------------------------------------------- */

/* What separates a paragraph from the one before it. */
static Outcome add_separator(const Page *page, int64_t q, Codes *text)
{
    bool same_table = page->table[q] == page->table[q - 1] && page->table[q] >= 0;
    if (same_table && page->row[q] == page->row[q - 1]) {
        if (page->cell[q] == page->cell[q - 1])
            return add_times(text, ' ', 1);
        /* Cells without text leave a tab each, so that columns stay columns. */
        int64_t n_columns = page->column[q] - page->column[q - 1];
        return add_times(text, '\t', n_columns > 1 ? n_columns : 1);
    }
    bool next_item = page->opens_item[q] && page->opens_item[q - 1] &&
                     page->outer_list[q] == page->outer_list[q - 1];
    return add_times(text, '\n', same_table || next_item ? 1 : 2);
}

static Outcome add_cell(const Page *page, int64_t q, Codes *text)
{
    Outcome outcome = DONE;
    if (page->row[q] != (q > page->first ? page->row[q - 1] : -1))
        outcome = add_times(text, '\t', page->column[q]); /* cells without text before it */
    size_t from = text->used;
    if (outcome == DONE)
        outcome = add_paragraph(page, q, text);
    if (outcome == DONE)
        squeeze(text, from);
    return outcome;
}

static Outcome add_page(const Page *page, Codes *text)
{
    Outcome outcome = DONE;
    for (int64_t q = page->first; outcome == DONE && q < page->last; q++) {
        if (q > page->first)
            outcome = add_separator(page, q, text);
        if (outcome == DONE)
            outcome = page->table[q] >= 0 ? add_cell(page, q, text) : add_paragraph(page, q, text);
    }
    return outcome == DONE && page->first < page->last ? add_times(text, '\n', 1) : outcome;
}

/* page_text(columns, first, last, given): the text of a page. */
static PyObject *page_text(PyObject *module, PyObject *arguments)
{
    Page page;
    Codes text = {0};
    (void)module;
    if (page_borrow(&page, arguments) < 0)
        return NULL;
    /* Some room, so that there is an address even if nothing is kept. */
    PyObject *result = growing_reserve(&text, 1) && add_page(&page, &text) == DONE
                           ? string_of(text.items, text.used)
                           : PyErr_NoMemory();
    growing_free(&text);
    page_return(&page);
    return result;
}

/* --- Pages that are nothing but paragraphs ---------------------------------------------------- */

/* May everything of a page that is kept be plain: no table of data, and no numbers of lines. */
static Outcome find_plain(const Grouping *grouping, const Batch *batch, const uint8_t *is_data,
                          const uint8_t *code, bool *plain)
{
    const Table *table = grouping->table;
    int64_t page = grouping->first_page;
    int64_t end = page + 1 < table->n_pages ? table->page_roots[page + 1] : table->n_elements;
    *plain = true;
    for (int64_t e = table->page_roots[page]; is_data && e < end; e++)
        *plain &= !is_data[e];
    bool has_numbers = false;
    Outcome outcome = *plain ? find_numbers(table, batch->shared.characters->classes, code, page, &has_numbers)
                             : DONE;
    *plain &= !has_numbers;
    return outcome;
}

/* The text of a page as paragraphs alone, without the interpreter; not plain if one is code. */
static Outcome write_plain(Grouping *grouping, const Batch *batch, Codes *text, bool *plain)
{
    Result results[N_PARAGRAPH_COLUMNS];
    const Table *table = grouping->table;
    grouping->walk.next = table->elements.open[table->page_roots[grouping->first_page]];
    Outcome outcome = group_pages(grouping, results);
    if (outcome != DONE)
        return outcome;
    const Page page = {
        .chars = batch->table.chars,
        .block_start = batch->shared.start,
        .block_end = batch->shared.end,
        .blocks = grouping->blocks,
        .spaced = grouping->spaced,
        .breaks = grouping->breaks,
        .starts = grouping->starts,
        .opens_item = grouping->opens_item,
        .outer_list = grouping->outer_list,
        .table = grouping->cell_table,
        .last = grouping->n_paragraphs,
        .given = Py_None,
    };
    for (int64_t q = 0; q < grouping->n_paragraphs; q++)
        *plain &= grouping->pre[q] < 0;
    if (*plain)
        outcome = growing_reserve(text, 1) ? add_page(&page, text) : MEMORY;
    results_free(results, N_PARAGRAPH_COLUMNS);
    return outcome;
}

/* plain_text(batch, page, labels, roles, is_data, code): the text of a page of which only blocks are
 * kept; None if it has data tables or numbers of lines, keeps code, or may have formulas */
static PyObject *plain_text(PyObject *module, PyObject *arguments)
{
    enum { LABELS, ROLES, IS_DATA, CODE, N_ARRAYS };
    Array arrays[N_ARRAYS] = {
        [LABELS] = WANTED("u1"), [ROLES] = WANTED("u1"), [IS_DATA] = WANTED("b1?"),
        [CODE] = WANTED("u1"),
    };
    PyObject *object, *result = NULL;
    long long number;
    if (!PyArg_ParseTuple(arguments, "OLO&O&O&O&", &object, &number, BORROW(LABELS), BORROW(ROLES),
                          BORROW(IS_DATA), BORROW(CODE)))
        return NULL;
    const Batch *batch = batch_of(module, object);
    const Column *signs = batch ? &batch->columns[PAGE_SIGNS] : NULL;
    if (batch) {
        const Table *table = &batch->table;
        Grouping grouping = {.table = table, .first_page = number, .end_page = number + 1,
                             .labels = arrays[LABELS].items, .roles = arrays[ROLES].items,
                             .has_no_data = true};
        Codes text = {0};
        Outcome outcome = WRONG;
        bool plain = false;
        if (number >= 0 && number < table->n_pages && arrays[LABELS].length == table->n_blocks &&
            arrays[ROLES].length == N_TAG_IDS && arrays[CODE].length == N_TAG_IDS &&
            (!arrays[IS_DATA].items || arrays[IS_DATA].length == table->n_elements)) {
            Py_BEGIN_ALLOW_THREADS
            outcome = DONE;
            if (signs->count == table->n_pages && !(((const uint8_t *)signs->items)[number] & MAY_HAVE_FORMULAS))
                outcome = find_plain(&grouping, batch, arrays[IS_DATA].items, arrays[CODE].items,
                                     &plain);
            if (outcome == DONE && plain)
                outcome = write_plain(&grouping, batch, &text, &plain);
            Py_END_ALLOW_THREADS
        }
        result = outcome != DONE ? raise_outcome(outcome, "plain_text")
                 : plain         ? string_of(text.items, text.used)
                                 : Py_NewRef(Py_None);
        growing_free(&text);
    }
    arrays_return(arrays, N_ARRAYS);
    return result;
}

/* paragraph_texts(columns, first, last, given): a list with the text of every paragraph. */
static PyObject *paragraph_texts(PyObject *module, PyObject *arguments)
{
    Page page;
    Codes text = {0};
    (void)module;
    if (page_borrow(&page, arguments) < 0)
        return NULL;
    PyObject *list = PyList_New((Py_ssize_t)(page.last - page.first));
    for (int64_t q = page.first; list && q < page.last; q++) {
        text.used = 0;
        PyObject *string = growing_reserve(&text, 1) && add_paragraph(&page, q, &text) == DONE
                               ? string_of(text.items, text.used)
                               : PyErr_NoMemory();
        if (!string || PyList_SetItem(list, (Py_ssize_t)(q - page.first), string) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
    }
    growing_free(&text);
    page_return(&page);
    return list;
}

PyMethodDef text_methods[] = {
    {"paragraphs", group_paragraphs, METH_VARARGS, "Columns of the paragraphs of kept blocks."},
    {"paragraph_texts", paragraph_texts, METH_VARARGS, "Texts of the paragraphs of a page."},
    {"plain_text", plain_text, METH_VARARGS, "The text of a page that is nothing but paragraphs."},
    {"page_text", page_text, METH_VARARGS, "The text of a page."},
    {"inline_texts", inline_texts, METH_VARARGS, "Texts of paragraphs by how they are set."},
    {NULL, NULL, 0, NULL},
};
