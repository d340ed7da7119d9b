/* The grid of a table with all spans expanded.
 *
 * Source: HTML standard, "Forming a table". `expand` of `victor.tables.leaf_tables` does it for tables in tables.
 */
#include "tables/leaf.h"

#define MOST_COLUMNS 1000
#define SPARE_PLACES 10000
#define PLACES_PER_CELL 4

typedef struct {
    Leaf *leaf;
    int64_t spare; /* places that spans may still add */
    int64_t row;
    size_t passed; /* of `leaf->hanging`, whose places in this row are taken */
} Placing;

/* Take a place for a cell, which then reaches into so many rows below. */
static bool take_place(Placing *placing, int64_t column, int64_t cell, int64_t rows_below)
{
    Leaf *leaf = placing->leaf;
    Place place = {placing->row, column, cell};
    Hanging hanging = {column, cell, rows_below};
    if (column >= leaf->n_columns)
        leaf->n_columns = column + 1;
    return growing_append(&leaf->places, place) &&
           (rows_below == 0 || growing_append(&leaf->next_hanging, hanging));
}

/* The next cell from above, if its column is at most the given one; NULL if it is not. */
static const Hanging *next_hanging(const Placing *placing, int64_t column)
{
    const Hangings *hanging = &placing->leaf->hanging;
    if (placing->passed >= hanging->used)
        return NULL;
    const Hanging *next = &hanging->items[placing->passed];
    return next->column <= column ? next : NULL;
}

static bool take_hanging(Placing *placing, const Hanging *hanging)
{
    placing->passed++;
    return take_place(placing, hanging->column, hanging->cell, hanging->rows - 1);
}

/* Columns and rows of a cell; 1 and 1 when there is no room for more. */
static void read_spans(Placing *placing, const Cell *cell, int64_t rows_left, int64_t *columns,
                       int64_t *rows)
{
    *columns = cell->columns < MOST_COLUMNS ? cell->columns : MOST_COLUMNS;
    *columns = *columns > 1 ? *columns : 1;
    *rows = cell->rows > 0 && cell->rows < rows_left ? cell->rows : rows_left;
    int64_t added = *columns * *rows - 1;
    if (added > placing->spare)
        *columns = *rows = 1;
    else
        placing->spare -= added;
}

/* Put the cells of a row, from left to right; `rows_left` counts to the end of the section. */
static bool place_row(Placing *placing, const Row *row, int64_t rows_left)
{
    Leaf *leaf = placing->leaf;
    const Hanging *hanging;
    int64_t column = 0;
    for (int64_t i = row->first_cell; i < row->first_cell + row->n_cells; i++) {
        Cell *cell = &leaf->cells.items[i];
        while ((hanging = next_hanging(placing, column))) {
            column += hanging->column == column;
            if (!take_hanging(placing, hanging))
                return false;
        }
        int64_t columns, rows;
        read_spans(placing, cell, rows_left, &columns, &rows);
        cell->first_column = column;
        for (int64_t end = column + columns; column < end; column++) {
            /* A place that two cells claim belongs to the first. */
            hanging = next_hanging(placing, column);
            if (!(hanging ? take_hanging(placing, hanging)
                          : take_place(placing, column, i, rows - 1)))
                return false;
        }
    }
    while ((hanging = next_hanging(placing, INT64_MAX)))
        if (!take_hanging(placing, hanging))
            return false;
    return true;
}

Outcome place_cells(Leaf *leaf)
{
    int64_t n_cells = (int64_t)leaf->cells.used, n_rows = (int64_t)leaf->rows.used, section_end = 0;
    Placing placing = {.leaf = leaf, .spare = SPARE_PLACES + PLACES_PER_CELL * n_cells};
    const Row *rows = leaf->rows.items;
    leaf->places.used = leaf->hanging.used = 0;
    leaf->n_columns = 0;
    for (int64_t row = 0; row < n_rows; row++) {
        if (row >= section_end)
            for (section_end = row + 1; section_end < n_rows; section_end++)
                if (rows[section_end].section != rows[row].section)
                    break;
        placing.row = row;
        placing.passed = 0;
        leaf->next_hanging.used = 0;
        if (!place_row(&placing, &rows[row], section_end - row))
            return MEMORY;
        Hangings swapped = leaf->hanging;
        leaf->hanging = leaf->next_hanging;
        leaf->next_hanging = swapped;
    }
    return DONE;
}
