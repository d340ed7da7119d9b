/* The measures of a table by which it is known to hold data.
 *
 * They are those of `victor.tables.data_tables`, in the same order; sums have a fixed order.
 */
#include "tables/leaf.h"
#include <math.h>

/* The measures in their order. */
enum {
    COLUMNS, COLUMNS_DEVIATION, ROWS, ROWS_DEVIATION, LENGTH, LENGTH_DEVIATION,
    LENGTH_CONSISTENCY_ROWS, LENGTH_CONSISTENCY_COLUMNS, SHARE_EMPTY, SHARE_IMAGE, SHARE_FORM,
    SHARE_LINK, SHARE_DIGIT, SHARE_LETTER, SHARE_OTHER, TYPE_CONSISTENCY_ROWS,
    TYPE_CONSISTENCY_COLUMNS, EMPTY_ROWS, EMPTY_COLUMNS, HAS_FORM, HAS_CAPTION, TAGS, IS_NESTED,
    CELLS, HEADERS, HAS_HEAD, TAGS_PER_CELL, LONGEST, LONGEST_SHARE, HEIGHT, TALLEST, BOLD,
    MERGED, BRIEF, FIRST_ROW_HEADERS, FIRST_COLUMN_HEADERS, FIRST_ROW_BOLD, HAS_BORDER,
    HAS_WIDTH, IS_PRESENTATION, IMAGES, CONTROLS, LINKED, OUTSIDE,
};

/* Main content of a cell: `victor.tables.cell_features.Content`. */
enum { EMPTY, IMAGE, FORM, LINK, DIGITS, LETTERS, OTHER, N_CONTENTS };

static double divide(int64_t part, int64_t whole)
{
    return (double)part / (double)whole;
}

static int64_t at_least_one(int64_t number)
{
    return number > 1 ? number : 1;
}

/* Share of the characters of a cell, 1 at most. */
static double share_of_text(int64_t part, const Cell *cell)
{
    double share = divide(part, at_least_one(cell->length));
    return share < 1.0 ? share : 1.0;
}

static int content_of(const Cell *cell)
{
    if (cell->controls)
        return FORM;
    if (!cell->length)
        return cell->images ? IMAGE : EMPTY;
    if (share_of_text(cell->linked, cell) > 0.5)
        return LINK;
    if (cell->digits > cell->letters)
        return DIGITS;
    return cell->letters ? LETTERS : OTHER;
}

/* --- Lines of the grid: its rows or its columns ----------------------------------------------- */

typedef struct {
    const Leaf *leaf;
    const Cell *cells;
    const Place *places;
    int64_t n_places;
    bool are_columns;
    int64_t count; /* lines */
    /* (count) each, scratch */
    int64_t *sizes; /* places */
    double *sums, *means;
    int64_t *contents; /* (count, N_CONTENTS) places of each content */
} Lines;

static int64_t line_of(const Lines *lines, const Place *place)
{
    return lines->are_columns ? place->column : place->row;
}

/* The lines with their sizes and contents; false if there is no memory. */
static bool lines_of(Lines *lines, Leaf *leaf, bool are_columns)
{
    int64_t count = are_columns ? leaf->n_columns : (int64_t)leaf->rows.used;
    size_t n_numbers = (size_t)count * (3 + N_CONTENTS);
    if (!growing_reserve(&leaf->numbers, n_numbers))
        return false;
    memset(leaf->numbers.items, 0, n_numbers * sizeof(int64_t));
    *lines = (Lines){
        .leaf = leaf,
        .cells = leaf->cells.items,
        .places = leaf->places.items,
        .n_places = (int64_t)leaf->places.used,
        .are_columns = are_columns,
        .count = count,
        .sizes = leaf->numbers.items,
    };
    lines->sums = (double *)(lines->sizes + count);
    lines->means = lines->sums + count;
    lines->contents = (int64_t *)(lines->means + count);
    for (int64_t i = 0; i < lines->n_places; i++) {
        int64_t line = line_of(lines, &lines->places[i]);
        const Cell *cell = &lines->cells[lines->places[i].cell];
        lines->sizes[line]++;
        lines->means[line] += (double)cell->length; /* exact: whole numbers */
        lines->contents[line * N_CONTENTS + content_of(cell)]++;
    }
    for (int64_t line = 0; line < count; line++)
        lines->means[line] /= (double)at_least_one(lines->sizes[line]);
    return true;
}

/* Deviation of some numbers from their mean; those of cells stand `stride` bytes apart. */
static double deviation(const int64_t *numbers, size_t stride, int64_t count, double mean)
{
    double total = 0.0;
    const uint8_t *next = (const uint8_t *)numbers;
    for (int64_t i = 0; i < count; i++, next += stride) {
        double distance = (double)*(const int64_t *)next - mean;
        total += distance * distance;
    }
    return sqrt(total / (double)count);
}

/* Mean over the lines of the summed 0.5 - |length - mean| / mean, which is 1 at most. */
static double length_consistency(Lines *lines)
{
    for (int64_t i = 0; i < lines->n_places; i++) {
        int64_t line = line_of(lines, &lines->places[i]);
        double usual = lines->means[line];
        double length = (double)lines->cells[lines->places[i].cell].length;
        double distance = fabs(length - usual) / (usual > 1e-9 ? usual : 1e-9);
        lines->sums[line] += 0.5 - (distance < 1.0 ? distance : 1.0);
    }
    double total = 0.0;
    for (int64_t line = 0; line < lines->count; line++)
        total += lines->sums[line];
    return total / (double)lines->count;
}

/* Mean over the lines of the number of cells of the commonest content less all others. */
static double type_consistency(const Lines *lines)
{
    int64_t total = 0;
    for (int64_t line = 0; line < lines->count; line++) {
        const int64_t *contents = lines->contents + line * N_CONTENTS;
        int64_t most = 0;
        for (int content = 0; content < N_CONTENTS; content++)
            most = contents[content] > most ? contents[content] : most;
        total += 2 * most - lines->sizes[line];
    }
    return divide(total, lines->count);
}

/* Share of the lines most of whose cells are empty. */
static double empty_lines(const Lines *lines)
{
    int64_t count = 0;
    for (int64_t line = 0; line < lines->count; line++) {
        int64_t empty = lines->contents[line * N_CONTENTS + EMPTY];
        count += divide(empty, at_least_one(lines->sizes[line])) > 0.5;
    }
    return divide(count, lines->count);
}

/* Measures of the rows or of the columns. The size of a row is a number of columns. */
static bool measure_lines(Leaf *leaf, bool are_columns, double *values)
{
    Lines lines;
    if (!lines_of(&lines, leaf, are_columns))
        return false;
    double size = divide(lines.n_places, lines.count);
    values[are_columns ? ROWS : COLUMNS] = size;
    values[are_columns ? ROWS_DEVIATION : COLUMNS_DEVIATION] =
        deviation(lines.sizes, sizeof(int64_t), lines.count, size);
    values[are_columns ? LENGTH_CONSISTENCY_COLUMNS : LENGTH_CONSISTENCY_ROWS] =
        length_consistency(&lines);
    values[are_columns ? TYPE_CONSISTENCY_COLUMNS : TYPE_CONSISTENCY_ROWS] =
        type_consistency(&lines);
    values[are_columns ? EMPTY_COLUMNS : EMPTY_ROWS] = empty_lines(&lines);
    return true;
}

/* --- Cells ------------------------------------------------------------------------------------ */

/* The extent of the cells in the grid. */
static void extend_cells(Leaf *leaf)
{
    Cell *cells = leaf->cells.items;
    const Place *places = leaf->places.items;
    for (size_t i = 0; i < leaf->cells.used; i++) {
        cells[i].first_row = cells[i].first_column = INT64_MAX;
        cells[i].last_row = cells[i].last_column = -1;
    }
    for (size_t i = 0; i < leaf->places.used; i++) {
        Cell *cell = &cells[places[i].cell];
        int64_t row = places[i].row, column = places[i].column;
        cell->first_row = row < cell->first_row ? row : cell->first_row;
        cell->last_row = row > cell->last_row ? row : cell->last_row;
        cell->first_column = column < cell->first_column ? column : cell->first_column;
        cell->last_column = column > cell->last_column ? column : cell->last_column;
    }
}

/* Sums over the cells. */
typedef struct {
    int64_t length, longest, lines, tallest, headers, merged, brief, images, controls;
    int64_t in_first_row, in_first_column, headers_in_first_row, headers_in_first_column;
    double bold, linked, bold_in_first_row;
    int64_t contents[N_CONTENTS];
} Sums;

static void add_cell(Sums *sums, const Cell *cell)
{
    int64_t height = cell->last_row - cell->first_row + 1;
    int64_t width = cell->last_column - cell->first_column + 1;
    double bold = share_of_text(cell->bold, cell);
    sums->contents[content_of(cell)]++;
    sums->length += cell->length;
    sums->longest = cell->length > sums->longest ? cell->length : sums->longest;
    sums->lines += cell->lines;
    sums->tallest = cell->lines > sums->tallest ? cell->lines : sums->tallest;
    sums->headers += cell->is_header;
    sums->merged += cell->last_row >= 0 && height * width > 1;
    sums->brief += cell->length > 0 && cell->length < 30;
    sums->images += cell->images;
    sums->controls += cell->controls;
    sums->bold += bold;
    sums->linked += share_of_text(cell->linked, cell);
    if (cell->first_row == 0) {
        sums->in_first_row++;
        sums->headers_in_first_row += cell->is_header;
        sums->bold_in_first_row += bold;
    }
    if (cell->first_column == 0) {
        sums->in_first_column++;
        sums->headers_in_first_column += cell->is_header;
    }
}

Outcome measure_leaf(Leaf *leaf, const uint8_t *marks, float *measures)
{
    double values[N_MEASURES] = {0};
    extend_cells(leaf);
    if (!measure_lines(leaf, false, values) || !measure_lines(leaf, true, values))
        return MEMORY;
    const Cell *cells = leaf->cells.items;
    int64_t n_cells = (int64_t)leaf->cells.used;
    Sums sums = {0};
    for (int64_t i = 0; i < n_cells; i++)
        add_cell(&sums, &cells[i]);
    values[LENGTH] = divide(sums.length, n_cells);
    values[LENGTH_DEVIATION] = deviation(&cells->length, sizeof(Cell), n_cells, values[LENGTH]);
    for (int content = 0; content < N_CONTENTS; content++)
        values[SHARE_EMPTY + content] = divide(sums.contents[content], n_cells);
    values[HAS_FORM] = leaf->has_form;
    values[HAS_CAPTION] = leaf->has_caption;
    values[TAGS] = (double)leaf->tags;
    values[IS_NESTED] = 0; /* is nested: the table is looked at by itself */
    values[CELLS] = (double)n_cells;
    values[HEADERS] = divide(sums.headers, n_cells);
    values[HAS_HEAD] = leaf->has_head;
    values[TAGS_PER_CELL] = divide(leaf->tags, n_cells);
    values[LONGEST] = (double)sums.longest;
    values[LONGEST_SHARE] = divide(sums.longest, at_least_one(sums.length));
    values[HEIGHT] = divide(sums.lines, n_cells);
    values[TALLEST] = (double)sums.tallest;
    values[BOLD] = sums.bold / (double)n_cells;
    values[MERGED] = divide(sums.merged, n_cells);
    values[BRIEF] = divide(sums.brief, n_cells);
    values[FIRST_ROW_HEADERS] = divide(sums.headers_in_first_row, at_least_one(sums.in_first_row));
    values[FIRST_COLUMN_HEADERS] = divide(sums.headers_in_first_column, at_least_one(sums.in_first_column));
    values[FIRST_ROW_BOLD] = sums.bold_in_first_row / (double)at_least_one(sums.in_first_row);
    for (int mark = 0; mark < N_MARKS; mark++)
        values[HAS_BORDER + mark] = marks[mark] != 0;
    values[IMAGES] = divide(sums.images, n_cells);
    values[CONTROLS] = (double)sums.controls;
    values[LINKED] = sums.linked / (double)n_cells;
    values[OUTSIDE] = (double)leaf->outside;
    for (int i = 0; i < N_MEASURES; i++)
        measures[i] = (float)values[i];
    return DONE;
}
