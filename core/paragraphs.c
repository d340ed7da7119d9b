/* Stage: kept blocks to paragraphs, as `victor.page.paragraphs` defines their columns. */
#include "paragraphs.h"
#include "results.h"
#include "table.h"

/* Bits of what a tag is. */
enum {
    IS_BREAK = 1,
    PARTS = 2,
    IS_PRE = 4,
    IS_ITEM = 8,
    IS_LIST = 16,
    IS_CELL = 32,
    IS_ROW = 64,
    IS_TABLE = 128,
};
enum { N_TAG_IDS = 128, NONE = -1, BREAKS_THAT_SPLIT = 2, N_ARRAYS = 15 };

/* Elements around an element, itself included; the innermost, or the outermost where it says so. */
typedef struct {
    int64_t outer_pre, item, list, outer_list, list_depth, cell, row, table;
} Around;

/* Tags up to one, itself included. */
typedef struct {
    int64_t breaks, parting;
} Tags;

typedef struct {
    const Table *table;
    const uint8_t *kept;
    const uint8_t *roles;  /* (N_TAG_IDS) */
    const uint8_t *is_data; /* (n_elements), or NULL: then what is in a table says if it holds data */
    const int64_t *column;  /* (n_elements), with `is_data` */
    int64_t n_kept;
    /* What is made: a row a kept block, or a row a paragraph. */
    int64_t *blocks;
    uint8_t *spaced;
    int64_t *breaks, *starts, *page_starts;
    int64_t *pre, *item;
    uint8_t *opens_item;
    int64_t *inner_list, *outer_list, *list_depth, *cell_table, *row, *cell, *cell_column;
    int64_t n_paragraphs;
    /* On the way. */
    Arena arena;
    Around *around; /* (n_elements) */
    Tags *tags;     /* (n_tags) */
} Grouping;

static bool look_around(Grouping *grouping)
{
    const Table *table = grouping->table;
    const Around nothing = {NONE, NONE, NONE, NONE, 0, NONE, NONE, NONE};
    grouping->around = TAKE(&grouping->arena, Around, (size_t)table->n_elements);
    if (!grouping->around)
        return false;
    for (int64_t e = 0; e < table->n_elements; e++) {
        bool is_root = table->elements.parent[e] == e; /* else it is before e */
        Around around = is_root ? nothing : grouping->around[table->elements.parent[e]];
        uint8_t role = grouping->roles[table->elements.tag[e]];
        if ((role & IS_PRE) && around.outer_pre == NONE && !is_root)
            around.outer_pre = e;
        if (role & IS_LIST) {
            around.outer_list = around.outer_list == NONE ? e : around.outer_list;
            around.list = e;
            around.list_depth++;
        }
        around.item = role & IS_ITEM ? e : around.item;
        around.cell = role & IS_CELL ? e : around.cell;
        around.row = role & IS_ROW ? e : around.row;
        around.table = role & IS_TABLE ? e : around.table;
        grouping->around[e] = around;
    }
    return true;
}

static bool count_tags(Grouping *grouping)
{
    const Table *table = grouping->table;
    Tags tags = {0, 0};
    grouping->tags = TAKE(&grouping->arena, Tags, (size_t)table->n_tags);
    if (!grouping->tags)
        return false;
    for (int64_t t = 0; t < table->n_tags; t++) {
        uint8_t role = grouping->roles[table->tags.id[t]];
        tags.breaks += role & IS_BREAK;
        tags.parting += (role & PARTS) != 0;
        grouping->tags[t] = tags;
    }
    return true;
}

/* --- Blocks ----------------------------------------------------------------------------------- */

static int64_t first_segment(const Table *table, int64_t block)
{
    return table->segment_starts[block];
}

static int64_t last_segment(const Table *table, int64_t block)
{
    return table->segment_starts[block + 1] - 1; /* a block has a segment */
}

static int64_t first_tag(const Table *table, int64_t block)
{
    return table->segments.tag[first_segment(table, block)];
}

static int64_t last_tag(const Table *table, int64_t block)
{
    return table->segments.tag[last_segment(table, block)];
}

static const Around *around_block(const Grouping *grouping, int64_t block)
{
    return &grouping->around[grouping->table->tags.element[first_tag(grouping->table, block)]];
}

/* Does a block that is not the first one begin another paragraph, whether it is kept or not. */
static bool begins_paragraph(const Grouping *grouping, int64_t block)
{
    const Tags *here = &grouping->tags[first_tag(grouping->table, block)];
    const Tags *before = &grouping->tags[last_tag(grouping->table, block - 1)];
    if (here->parting <= before->parting && here->breaks - before->breaks < BREAKS_THAT_SPLIT)
        return false;
    int64_t pre = around_block(grouping, block)->outer_pre;
    return pre == NONE || pre != around_block(grouping, block - 1)->outer_pre;
}

static void add_paragraph(Grouping *grouping, int64_t row, int64_t block)
{
    const Around *around = around_block(grouping, block);
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

/* What stands between a kept block and the kept one before it, which is `NONE` for the first. */
static void note_gap(Grouping *grouping, int64_t row, int64_t block, int64_t before, int64_t page)
{
    const Table *table = grouping->table;
    int64_t since = table->elements.open[table->page_roots[page]];
    if (before != NONE && last_tag(table, before) > since)
        since = last_tag(table, before);
    grouping->blocks[row] = block;
    grouping->spaced[row] = before == NONE || table->segments.start[first_segment(table, block)] >
                                                  table->segments.end[last_segment(table, before)];
    grouping->breaks[row] =
        grouping->tags[first_tag(table, block)].breaks - grouping->tags[since].breaks;
}

static void group_blocks(Grouping *grouping)
{
    const Table *table = grouping->table;
    int64_t row = 0, before = NONE, page = 0;
    bool begins = true;
    for (int64_t block = 0; block < table->n_blocks; block++) {
        for (; page < table->n_pages && table->page_starts[page] <= block; page++)
            grouping->page_starts[page] = grouping->n_paragraphs;
        begins |= block > 0 && begins_paragraph(grouping, block);
        if (!grouping->kept[block])
            continue;
        note_gap(grouping, row, block, before, page - 1); /* the first page begins with block 0 */
        if (begins)
            add_paragraph(grouping, row, block);
        begins = false;
        before = block;
        row++;
    }
    for (; page <= table->n_pages; page++)
        grouping->page_starts[page] = grouping->n_paragraphs;
    grouping->starts[grouping->n_paragraphs] = row;
}

/* --- Items and cells -------------------------------------------------------------------------- */

static bool mark_items(Grouping *grouping)
{
    uint8_t *is_open = ZEROS(&grouping->arena, uint8_t, (size_t)grouping->table->n_elements);
    if (!is_open)
        return false;
    for (int64_t q = 0; q < grouping->n_paragraphs; q++) {
        int64_t item = grouping->item[q];
        grouping->opens_item[q] = item != NONE && !is_open[item];
        if (item != NONE)
            is_open[item] = true;
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
    for (int64_t q = 0; q < grouping->n_paragraphs; q++)
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

static void list_arrays(Grouping *g, Result results[N_ARRAYS])
{
    int64_t kept = g->n_kept;
    const Result all[N_ARRAYS] = {
        RESULT(g->blocks, kept),       RESULT(g->spaced, kept),
        RESULT(g->breaks, kept),       RESULT(g->starts, kept + 1),
        RESULT(g->page_starts, g->table->n_pages + 1),
        RESULT(g->pre, kept),          RESULT(g->item, kept),
        RESULT(g->opens_item, kept),   RESULT(g->inner_list, kept),
        RESULT(g->outer_list, kept),   RESULT(g->list_depth, kept),
        RESULT(g->cell_table, kept),   RESULT(g->row, kept),
        RESULT(g->cell, kept),         RESULT(g->cell_column, kept),
    };
    memcpy(results, all, sizeof all);
}

static Outcome group(Grouping *grouping, Result results[N_ARRAYS])
{
    for (int64_t block = 0; block < grouping->table->n_blocks; block++)
        grouping->n_kept += grouping->kept[block] != 0;
    list_arrays(grouping, results);
    if (!results_take(results, N_ARRAYS))
        return MEMORY;
    bool is_done = look_around(grouping) && count_tags(grouping);
    if (is_done) {
        group_blocks(grouping);
        is_done = mark_items(grouping) && place_cells(grouping);
    }
    arena_free(&grouping->arena);
    if (!is_done) {
        results_free(results, N_ARRAYS);
        return MEMORY;
    }
    for (int i = 0; i < N_ARRAYS; i++)
        results[i].used = i >= 5 ? grouping->n_paragraphs : results[i].room;
    results[3].used = grouping->n_paragraphs + 1;
    return DONE;
}

/* What is borrowed for a call besides the table; data tables may be None. */
typedef struct {
    Array kept, roles, is_data, column;
} Borrowed;

static int borrow(Borrowed *arrays, PyObject *const objects[5])
{
    if (array_borrow(&arrays->kept, objects[1], 'b', 1) < 0 ||
        array_borrow(&arrays->roles, objects[2], 'u', 1) < 0)
        return -1;
    if (objects[3] == Py_None)
        return 0;
    if (array_borrow(&arrays->is_data, objects[3], 'b', 1) < 0)
        return -1;
    return array_borrow(&arrays->column, objects[4], 'i', 8);
}

static bool do_fit(const Borrowed *arrays, const Table *table)
{
    if (arrays->kept.length != table->n_blocks || arrays->roles.length != N_TAG_IDS ||
        (table->n_blocks && table->n_pages == 0))
        return false;
    return !arrays->is_data.items || (arrays->is_data.length == table->n_elements &&
                                      arrays->column.length == table->n_elements);
}

/* paragraphs(table, kept, roles, is_data, column): the columns as memory. */
PyObject *group_paragraphs(PyObject *module, PyObject *arguments)
{
    PyObject *objects[5], *result = NULL;
    Borrowed arrays = {0};
    Table table;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &objects[0], &objects[1], &objects[2], &objects[3],
                          &objects[4]) ||
        table_borrow(&table, objects[0], false) < 0)
        return NULL;
    if (borrow(&arrays, objects) == 0) {
        Grouping grouping = {.table = &table,
                             .kept = arrays.kept.items,
                             .roles = arrays.roles.items,
                             .is_data = arrays.is_data.items,
                             .column = arrays.column.items};
        Result results[N_ARRAYS];
        Outcome outcome = WRONG;
        if (do_fit(&arrays, &table)) {
            Py_BEGIN_ALLOW_THREADS;
            outcome = group(&grouping, results);
            Py_END_ALLOW_THREADS;
        }
        result = outcome == DONE ? results_hand_over(module, results, N_ARRAYS)
                                 : raise_outcome(outcome, "paragraphs");
    }
    array_return(&arrays.kept);
    array_return(&arrays.roles);
    array_return(&arrays.is_data);
    array_return(&arrays.column);
    table_return(&table);
    return result;
}
