/* Stage: kept segments to the texts of paragraphs, by how they are set and where they lead, as
 * `victor.render.tree.inlines` shows them. */
#include "text/inlines.h"
#include "base/code_points.h"
#include "columns/batch.h"

enum { BLOCKS, STARTS, PRE, ROLES, LINKS, N_ARRAYS };
/* What a tag id is: bits of the marks that its element sets, or a line break. */
enum { ALL_MARKS = 63, IS_BR = 64 };

typedef struct {
    const Table *table;
    const int64_t *blocks, *starts, *pre; /* of paragraphs */
    const uint8_t *roles;                 /* (N_TAG_IDS) */
    const int64_t *links;                 /* (n_elements) number of a link, -1 for none */
    uint8_t *marks;                       /* (n_elements) that are set in each */
    PyObject *text_type, *line_break, *can_be_linked;
    /* The paragraph, and the run of text at its end. */
    PyObject *content;
    Codes run;
    uint8_t set;
    int64_t link;
    bool has_sign; /* is there a dollar or a backslash */
} Writer;

static bool is_blank(const Table *table, int64_t segment)
{
    for (int64_t at = table->segments.start[segment]; at < table->segments.end[segment]; at++)
        if (!is_space(table->chars[at]))
            return false;
    return true;
}

static bool hand_down_marks(Writer *writer)
{
    const Table *table = writer->table;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        if (parent > e || parent < 0)
            return false;
        uint8_t own = writer->roles[table->elements.tag[e]] & ALL_MARKS;
        writer->marks[e] = own | (parent < e ? writer->marks[parent] : 0);
    }
    return true;
}

/* --- Runs ------------------------------------------------------------------------------------- */

/* Add an object, of which the reference is taken. */
static bool add_object(Writer *writer, PyObject *object)
{
    bool is_added = object && PyList_Append(writer->content, object) == 0;
    Py_XDECREF(object);
    return is_added;
}

static bool end_run(Writer *writer)
{
    Codes *run = &writer->run;
    if (!run->used)
        return true;
    for (size_t at = 0; at < run->used; at++)
        writer->has_sign |= run->items[at] == '$' || run->items[at] == '\\';
    PyObject *text = string_of(run->items, run->used);
    run->used = 0;
    return text && add_object(writer, PyObject_CallFunction(writer->text_type, "NiL", text,
                                                            (int)writer->set,
                                                            (long long)writer->link));
}

static bool add_text(Writer *writer, const uint32_t *codes, int64_t count, uint8_t set, int64_t link)
{
    if ((set != writer->set || link != writer->link) && !end_run(writer))
        return false;
    writer->set = set;
    writer->link = link;
    if (add_codes(&writer->run, codes, count) == DONE)
        return true;
    PyErr_NoMemory();
    return false;
}

/* May a text be shown as a link: some of it is a letter or a digit. -1 with an exception set. */
static int may_be_linked(const Writer *writer, const uint32_t *codes, int64_t count)
{
    bool is_ascii = true;
    for (int64_t at = 0; at < count; at++) {
        uint32_t code = codes[at], lower = code | 32;
        if ((code >= '0' && code <= '9') || (lower >= 'a' && lower <= 'z'))
            return 1;
        is_ascii &= code < 0x80;
    }
    if (is_ascii)
        return 0;
    Codes copy = {0};
    if (add_codes(&copy, codes, count) != DONE) {
        PyErr_NoMemory();
        return -1;
    }
    PyObject *text = string_of(copy.items, copy.used), *answer = NULL;
    growing_free(&copy);
    if (text)
        answer = PyObject_CallFunction(writer->can_be_linked, "N", text);
    int is_so = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(answer);
    return is_so;
}

static bool add_segment(Writer *writer, int64_t segment)
{
    const Table *table = writer->table;
    const uint32_t *codes = table->chars + table->segments.start[segment];
    int64_t count = table->segments.end[segment] - table->segments.start[segment];
    int64_t element = table->tags.element[table->segments.tag[segment]];
    int64_t link = writer->links[element];
    int is_link = link < 0 ? 0 : may_be_linked(writer, codes, count);
    return is_link >= 0 &&
           add_text(writer, codes, count, writer->marks[element], is_link ? link : -1);
}

/* Add what stands between two segments: the end of a line, white space or nothing. */
static bool add_gap(Writer *writer, int64_t last, int64_t segment)
{
    static const uint32_t space = ' ';
    const Table *table = writer->table;
    int64_t begin = table->segments.tag[last], end = table->segments.tag[segment];
    for (int64_t tag = begin + 1; tag <= end; tag++)
        if (writer->roles[table->tags.id[tag]] & IS_BR)
            return end_run(writer) && add_object(writer, Py_NewRef(writer->line_break));
    bool is_apart = table->segments.start[segment] > table->segments.end[segment - 1];
    if (!is_apart && segment - 1 == last)
        return true;
    /* White space is set as the innermost element around both sides of it is. */
    int64_t element = table->tags.element[begin];
    while (table->elements.close[element] <= end && table->elements.parent[element] < element)
        element = table->elements.parent[element];
    return add_text(writer, &space, 1, writer->marks[element], writer->links[element]);
}

/* --- Paragraphs ------------------------------------------------------------------------------- */

/* Add the segments of a block, up to the last that is shown; `last` is the one before, or -1. */
static bool add_block(Writer *writer, int64_t block, int64_t end, int64_t *last)
{
    const int64_t *starts = writer->table->segment_starts;
    for (int64_t s = starts[block]; s < starts[block + 1] && s <= end; s++) {
        if (*last < 0 && is_blank(writer->table, s))
            continue;
        if ((*last >= 0 && !add_gap(writer, *last, s)) || !add_segment(writer, s))
            return false;
        *last = s;
    }
    return true;
}

/* The last segment of a paragraph that is no white space, -1 for none. */
static int64_t last_shown(const Writer *writer, int64_t paragraph)
{
    const int64_t *starts = writer->table->segment_starts;
    for (int64_t row = writer->starts[paragraph + 1]; row > writer->starts[paragraph]; row--) {
        int64_t block = writer->blocks[row - 1];
        for (int64_t s = starts[block + 1]; s > starts[block]; s--)
            if (!is_blank(writer->table, s - 1))
                return s - 1;
    }
    return -1;
}

/* The content of a paragraph as a list; NULL with an exception set. */
static PyObject *content_of(Writer *writer, int64_t paragraph)
{
    int64_t end = last_shown(writer, paragraph), last = -1;
    PyObject *content = writer->content = PyList_New(0);
    writer->has_sign = false;
    bool is_done = content;
    for (int64_t row = writer->starts[paragraph]; is_done && row < writer->starts[paragraph + 1]; row++)
        is_done = add_block(writer, writer->blocks[row], end, &last);
    if (!is_done || !end_run(writer))
        Py_CLEAR(content);
    return content;
}

static PyObject *contents(Writer *writer, int64_t count, char *has_sign)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t q = 0; list && q < count; q++) {
        PyObject *content = writer->pre[q] >= 0 ? Py_NewRef(Py_None) : content_of(writer, q);
        has_sign[q] = writer->pre[q] < 0 && writer->has_sign;
        if (!content || PyList_SetItem(list, (Py_ssize_t)q, content) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* --- The stage -------------------------------------------------------------------------------- */

static bool do_fit(const Array *arrays, const Table *table)
{
    const int64_t *blocks = arrays[BLOCKS].items, *starts = arrays[STARTS].items;
    int64_t n_blocks = arrays[BLOCKS].length, before = 0;
    bool fit = arrays[STARTS].length == arrays[PRE].length + 1 &&
               arrays[ROLES].length == N_TAG_IDS && arrays[LINKS].length == table->n_elements;
    for (int64_t q = 0; fit && q < arrays[STARTS].length; q++) {
        fit = starts[q] >= before && starts[q] <= n_blocks;
        before = starts[q];
    }
    for (int64_t row = 0; fit && row < n_blocks; row++)
        fit = blocks[row] >= (row ? blocks[row - 1] : 0) && blocks[row] < table->n_blocks;
    return fit;
}

static PyObject *all_contents(Writer *writer, const Array *arrays)
{
    Py_ssize_t count = (Py_ssize_t)arrays[PRE].length;
    PyObject *marks = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)writer->table->n_elements);
    PyObject *signs = PyBytes_FromStringAndSize(NULL, count), *result = NULL;
    writer->blocks = arrays[BLOCKS].items;
    writer->starts = arrays[STARTS].items;
    writer->pre = arrays[PRE].items;
    writer->roles = arrays[ROLES].items;
    writer->links = arrays[LINKS].items;
    if (marks && signs) {
        writer->marks = (uint8_t *)PyBytes_AsString(marks);
        PyObject *list = do_fit(arrays, writer->table) && hand_down_marks(writer)
                             ? contents(writer, count, PyBytes_AsString(signs))
                             : raise_outcome(WRONG, "inline_texts");
        if (list)
            result = Py_BuildValue("(NOO)", list, signs, marks);
    }
    growing_free(&writer->run);
    Py_XDECREF(marks);
    Py_XDECREF(signs);
    return result;
}

/* inline_texts(batch, blocks, starts, pre, roles, links, text_type, line_break, can_be_linked): for
 * every paragraph a list of texts and line breaks, None for one that is code; (Q) bytes, has its text
 * a dollar or a backslash; and (E) bytes, marks of the elements. */
PyObject *inline_texts(PyObject *module, PyObject *arguments)
{
    Array arrays[N_ARRAYS] = {
        [BLOCKS] = WANTED("i8"), [STARTS] = WANTED("i8"), [PRE] = WANTED("i8"),
        [ROLES] = WANTED("u1"), [LINKS] = WANTED("i8"),
    };
    Writer writer = {0};
    PyObject *object, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&O&O&OOO", &object, BORROW(BLOCKS), BORROW(STARTS),
                          BORROW(PRE), BORROW(ROLES), BORROW(LINKS), &writer.text_type,
                          &writer.line_break, &writer.can_be_linked))
        return NULL;
    const Batch *batch = blocks_of(module, object);
    if (batch) {
        writer.table = &batch->table;
        result = all_contents(&writer, arrays);
    }
    arrays_return(arrays, N_ARRAYS);
    return result;
}
