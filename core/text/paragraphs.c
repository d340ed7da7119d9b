/* Stage: kept blocks to paragraphs, as `victor.page.verdict.paragraphs` defines their columns. */
#include "text/paragraphs.h"

enum { BREAKS_THAT_SPLIT = 2 };

static const Around nothing_around = {NONE, NONE, NONE, NONE, 0, NONE, NONE, NONE};

/* --- Tags ------------------------------------------------------------------------------------- */

/* Most elements change nothing; what was around one that does comes back when it is closed. */
static Outcome open_element(Walk *walk, int64_t element, uint8_t role)
{
    Around *around = &walk->around;
    bool is_root = walk->depth++ == 0;
    if (is_root) {
        *around = nothing_around;
        walk->breaks_since = walk->n_breaks;
    }
    if (!(role & IS_AROUND))
        return DONE;
    if (!growing_append(&walk->outside, *around))
        return MEMORY;
    if ((role & IS_PRE) && around->outer_pre == NONE && !is_root)
        around->outer_pre = element;
    if (role & IS_LIST) {
        around->outer_list = around->outer_list == NONE ? element : around->outer_list;
        around->list = element;
        around->list_depth++;
    }
    around->item = role & IS_ITEM ? element : around->item;
    around->cell = role & IS_CELL ? element : around->cell;
    around->row = role & IS_ROW ? element : around->row;
    around->table = role & IS_TABLE ? element : around->table;
    return DONE;
}

static Outcome close_element(Walk *walk, uint8_t role)
{
    if (walk->depth-- == 0)
        return WRONG;
    if (!(role & IS_AROUND))
        return DONE;
    if (!walk->outside.used)
        return WRONG;
    walk->around = walk->outside.items[--walk->outside.used];
    return DONE;
}

/* Go on to a tag, and read it. */
static Outcome walk_to(const Grouping *grouping, Walk *walk, int64_t tag)
{
    const Table *table = grouping->table;
    if (tag + 1 < walk->next)
        return WRONG; /* tags before blocks ascend */
    for (; walk->next <= tag; walk->next++) {
        uint8_t role = grouping->roles[table->tags.id[walk->next]];
        int8_t step = table->tags.step[walk->next];
        walk->n_breaks += role & IS_BREAK;
        walk->n_parting += (role & PARTS) != 0;
        Outcome outcome = DONE;
        if (step > 0)
            outcome = open_element(walk, table->tags.element[walk->next], role);
        else if (step < 0)
            outcome = close_element(walk, role);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static void add_paragraph(Grouping *grouping, int64_t row)
{
    const Around *around = &grouping->walk.around;
    int64_t q = grouping->n_paragraphs++;
    grouping->starts[q] = row;
    grouping->pre[q] = around->outer_pre;
    grouping->item[q] = around->item;
    grouping->inner_list[q] = around->list;
    grouping->outer_list[q] = around->outer_list;
    grouping->list_depth[q] = around->list_depth;
    grouping->cell_table[q] = around->table;
    grouping->row[q] = around->row;
    grouping->cell[q] = around->cell;
}

/* The pass as it was at the end of the block before, and what was of that. */
typedef struct {
    int64_t n_breaks, n_parting, outer_pre;
    int64_t n_rows;   /* kept blocks so far */
    int64_t kept_end; /* of the last of them, a character */
    bool begins;      /* has another paragraph begun since */
} Before;

/* Does a block begin another paragraph than the one before it, whether they are kept or not. */
static bool begins_paragraph(const Walk *walk, const Before *before)
{
    if (walk->n_parting <= before->n_parting &&
        walk->n_breaks - before->n_breaks < BREAKS_THAT_SPLIT)
        return false;
    return walk->around.outer_pre == NONE || walk->around.outer_pre != before->outer_pre;
}

static void keep_block(Grouping *grouping, int64_t block, int64_t start, Before *before)
{
    int64_t row = before->n_rows++;
    grouping->blocks[row] = block;
    grouping->spaced[row] = row == 0 || start > before->kept_end;
    grouping->breaks[row] = grouping->walk.n_breaks - grouping->walk.breaks_since;
    if (before->begins)
        add_paragraph(grouping, row);
    before->begins = false;
}

static Outcome group_block(Grouping *grouping, int64_t block, Before *before)
{
    const Table *table = grouping->table;
    int64_t first = table->segment_starts[block], last = table->segment_starts[block + 1] - 1;
    Walk *walk = &grouping->walk;
    Outcome outcome = walk_to(grouping, walk, table->segments.tag[first]);
    if (outcome != DONE)
        return outcome;
    before->begins |= block == table->page_starts[grouping->first_page] ||
                      begins_paragraph(walk, before);
    before->outer_pre = walk->around.outer_pre;
    bool is_kept = is_kept_block(grouping, block);
    if (is_kept)
        keep_block(grouping, block, table->segments.start[first], before);
    outcome = walk_to(grouping, walk, table->segments.tag[last]);
    before->n_breaks = walk->n_breaks;
    before->n_parting = walk->n_parting;
    if (is_kept) {
        before->kept_end = table->segments.end[last];
        walk->breaks_since = walk->n_breaks;
    }
    return outcome;
}

static Outcome group_blocks(Grouping *grouping)
{
    const Table *table = grouping->table;
    Before before = {0};
    int64_t page = grouping->first_page, end = grouping->end_page;
    int64_t *starts = grouping->page_starts - page;
    Outcome outcome = DONE;
    for (int64_t block = table->page_starts[page]; outcome == DONE && block < table->page_starts[end];
         block++) {
        for (; page < end && table->page_starts[page] <= block; page++)
            starts[page] = grouping->n_paragraphs;
        outcome = group_block(grouping, block, &before);
    }
    for (; page <= end; page++)
        starts[page] = grouping->n_paragraphs;
    grouping->starts[grouping->n_paragraphs] = before.n_rows;
    growing_free(&grouping->walk.outside);
    return outcome;
}

/* --- Items and cells -------------------------------------------------------------------------- */

static bool mark_items(Grouping *grouping)
{
    const Table *table = grouping->table;
    bool is_last = grouping->end_page == table->n_pages;
    int64_t root = grouping->first_page < table->n_pages ? table->page_roots[grouping->first_page] : 0;
    int64_t end = is_last ? table->n_elements : table->page_roots[grouping->end_page];
    uint8_t *is_open = ZEROS(&grouping->arena, uint8_t, (size_t)(end > root ? end - root : 0));
    if (!is_open)
        return false;
    for (int64_t q = 0; q < grouping->n_paragraphs; q++) {
        int64_t item = grouping->item[q];
        if (item != NONE && (item < root || item >= end))
            return false;
        grouping->opens_item[q] = item != NONE && !is_open[item - root];
        if (item != NONE)
            is_open[item - root] = true;
    }
    return true;
}

/* Is a paragraph in a cell of a row of a table. All three are around it, so what opened later is
 * inside. */
static bool is_placed(const Grouping *grouping, int64_t q)
{
    return grouping->cell[q] > grouping->row[q] && grouping->row[q] > grouping->cell_table[q] &&
           grouping->cell_table[q] != NONE;
}

/* Which tables look like data: those whose paragraphs are alone in their cells, some two a row. */
static const uint8_t *guess_data(Grouping *grouping)
{
    size_t n_elements = (size_t)grouping->table->n_elements;
    uint8_t *is_data = ZEROS(&grouping->arena, uint8_t, n_elements);
    int64_t *count = ZEROS(&grouping->arena, int64_t, n_elements); /* a cell is no row */
    if (!is_data || !count)
        return NULL;
    for (int64_t q = 0; q < grouping->n_paragraphs; q++)
        if (is_placed(grouping, q)) {
            count[grouping->cell[q]]++;
            count[grouping->row[q]]++;
        }
    for (int64_t q = 0; q < grouping->n_paragraphs; q++)
        if (is_placed(grouping, q) && count[grouping->row[q]] > 1)
            is_data[grouping->cell_table[q]] = true;
    for (int64_t q = 0; q < grouping->n_paragraphs; q++)
        if (is_placed(grouping, q) && count[grouping->cell[q]] > 1)
            is_data[grouping->cell_table[q]] = false;
    return is_data;
}

/* Position of every cell among the cells of its parent; other elements are not set. */
static const int64_t *rank_cells(Grouping *grouping)
{
    const Table *table = grouping->table;
    int64_t *rank = TAKE(&grouping->arena, int64_t, (size_t)table->n_elements);
    int64_t *n_cells = ZEROS(&grouping->arena, int64_t, (size_t)table->n_elements);
    if (!rank || !n_cells)
        return NULL;
    for (int64_t e = 0; e < table->n_elements; e++)
        if (grouping->roles[table->elements.tag[e]] & IS_CELL)
            rank[e] = n_cells[table->elements.parent[e]]++;
    return rank;
}

static bool place_cells(Grouping *grouping)
{
    const uint8_t *is_data = grouping->is_data;
    const int64_t *column = grouping->column;
    bool any = false;
    for (int64_t q = 0; !grouping->has_no_data && q < grouping->n_paragraphs; q++)
        any |= is_placed(grouping, q);
    if (any && !is_data) {
        is_data = guess_data(grouping);
        column = rank_cells(grouping);
        if (!is_data || !column)
            return false;
    }
    for (int64_t q = 0; q < grouping->n_paragraphs; q++) {
        bool is_shown = any && is_placed(grouping, q) && is_data[grouping->cell_table[q]];
        grouping->cell_column[q] = is_shown ? column[grouping->cell[q]] : NONE;
        if (!is_shown)
            grouping->cell_table[q] = grouping->row[q] = grouping->cell[q] = NONE;
    }
    return true;
}

/* --- The stage -------------------------------------------------------------------------------- */

static void list_arrays(Grouping *g, Result results[N_PARAGRAPH_COLUMNS])
{
    int64_t kept = g->n_kept;
    const Result all[N_PARAGRAPH_COLUMNS] = {
        RESULT(g->blocks, kept),       RESULT(g->spaced, kept),
        RESULT(g->breaks, kept),       RESULT(g->starts, kept + 1),
        RESULT(g->page_starts, g->end_page - g->first_page + 1),
        RESULT(g->pre, kept),          RESULT(g->item, kept),
        RESULT(g->opens_item, kept),   RESULT(g->inner_list, kept),
        RESULT(g->outer_list, kept),   RESULT(g->list_depth, kept),
        RESULT(g->cell_table, kept),   RESULT(g->row, kept),
        RESULT(g->cell, kept),         RESULT(g->cell_column, kept),
    };
    memcpy(results, all, sizeof all);
}

Outcome group_pages(Grouping *grouping, Result results[N_PARAGRAPH_COLUMNS])
{
    const int64_t *starts = grouping->table->page_starts;
    for (int64_t block = starts[grouping->first_page]; block < starts[grouping->end_page]; block++)
        grouping->n_kept += is_kept_block(grouping, block);
    list_arrays(grouping, results);
    if (!results_take(results, N_PARAGRAPH_COLUMNS))
        return MEMORY;
    Outcome outcome = group_blocks(grouping);
    if (outcome == DONE && !(mark_items(grouping) && place_cells(grouping)))
        outcome = MEMORY;
    arena_free(&grouping->arena);
    if (outcome != DONE) {
        results_free(results, N_PARAGRAPH_COLUMNS);
        return outcome;
    }
    for (int i = 0; i < N_PARAGRAPH_COLUMNS; i++)
        results[i].used = i >= 5 ? grouping->n_paragraphs : results[i].room;
    results[3].used = grouping->n_paragraphs + 1;
    return DONE;
}

enum { KEPT, ROLES, IS_DATA, COLUMN, N_ARGUMENTS }; /* beside the table; the last two may be None */

static bool do_fit(const Array *arrays, const Table *table)
{
    if (arrays[KEPT].length != table->n_blocks || arrays[ROLES].length != N_TAG_IDS ||
        (table->n_blocks && table->n_pages == 0))
        return false;
    return !arrays[IS_DATA].items || (arrays[IS_DATA].length == table->n_elements &&
                                      arrays[COLUMN].length == table->n_elements);
}

/* paragraphs(table, kept, roles, is_data, column): the columns as memory. */
PyObject *group_paragraphs(PyObject *module, PyObject *arguments)
{
    Array arrays[N_ARGUMENTS] = {
        [KEPT] = WANTED("b1"), [ROLES] = WANTED("u1"), [IS_DATA] = WANTED("b1?"),
        [COLUMN] = WANTED("i8?"),
    };
    PyObject *object;
    if (!PyArg_ParseTuple(arguments, "OO&O&O&O&", &object, BORROW(KEPT), BORROW(ROLES),
                          BORROW(IS_DATA), BORROW(COLUMN)))
        return NULL;
    PyObject *result = NULL;
    const Batch *batch = blocks_of(module, object);
    if (batch) {
        const Table *table = &batch->table;
        Grouping grouping = {.table = table,
                             .end_page = table->n_pages,
                             .kept = arrays[KEPT].items,
                             .roles = arrays[ROLES].items,
                             .is_data = arrays[IS_DATA].items,
                             .column = arrays[COLUMN].items};
        Result results[N_PARAGRAPH_COLUMNS];
        Outcome outcome = WRONG;
        if (do_fit(arrays, table)) {
            Py_BEGIN_ALLOW_THREADS;
            outcome = group_pages(&grouping, results);
            Py_END_ALLOW_THREADS;
        }
        result = outcome == DONE ? results_hand_over(module, results, N_PARAGRAPH_COLUMNS)
                                 : raise_outcome(outcome, "paragraphs");
    }
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}
