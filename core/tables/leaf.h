/* Tables that hold no table: what the files of this stage share. */
#ifndef VICTOR_LEAF_H
#define VICTOR_LEAF_H

#include "table/table.h"

/* What a tag is to a table: bits by tag id, which `victor.page.verdict.paragraphs` gives. */
enum {
    IS_TABLE = 1 << 0,
    IS_ROW = 1 << 1,
    IS_CELL = 1 << 2,
    IS_HEADER = 1 << 3,  /* a cell that heads others */
    IS_SECTION = 1 << 4, /* rows of the head, a body or the foot */
    IS_HEAD = 1 << 5,
    IS_CAPTION = 1 << 6,
    IS_BOLD = 1 << 7,
    IS_LINK = 1 << 8,
    IS_BREAK = 1 << 9, /* ends a line */
    IS_IMAGE = 1 << 10,
    IS_CONTROL = 1 << 11,
};

/* What a character is: bits by code point. */
enum { IS_LETTER = 1, IS_DIGIT = 2 };

/* Spans of cells that Python read from attributes, in the order of the cells. */
typedef struct {
    const int64_t *columns, *rows; /* `columns` at least 1; 0 rows are all of the section */
    int64_t count;
} Spans;

typedef struct {
    const uint8_t *bits;
    int64_t count; /* code points from there on are not known */
} CharacterBits;

/* One cell of a table; numbers of characters are of its text with white space collapsed. */
typedef struct {
    int64_t length, letters, digits;
    int64_t bold, linked; /* white space inside included */
    int64_t lines, images, controls;
    int64_t columns, rows; /* declared spans */
    int64_t first_row, last_row, first_column, last_column; /* its places in the grid */
    bool is_header;
} Cell;

typedef struct {
    int64_t first_cell, n_cells;
    int64_t section;
} Row;

/* The cell at a place of the grid. */
typedef struct {
    int64_t row, column, cell;
} Place;

/* A cell from above and the number of rows that it still reaches into. */
typedef struct {
    int64_t column, cell, rows;
} Hanging;
typedef GROWING(Hanging) Hangings;

/* A table that holds no table, as read by `read_leaf`; memory is used again for the next. */
typedef struct {
    GROWING(Cell) cells;
    GROWING(Row) rows;
    GROWING(Place) places;       /* row by row */
    Hangings hanging, next_hanging; /* by column */
    GROWING(int64_t) numbers;    /* scratch of the measures */
    int64_t n_columns;
    int64_t tags;    /* start tags in it */
    int64_t outside; /* characters of the text in no cell and no caption */
    bool has_head, has_caption, has_form;
    int64_t beyond; /* a character of unknown bits; 0 for none */
} Leaf;

void leaf_free(Leaf *leaf);

/* Read a table from its start tag to before the tag `end`; `first_cell` is the row of its first
 * cell in `spans`. Texts are read if there are `bits` of characters. WRONG if there are not spans
 * for all cells. */
Outcome read_leaf(const Table *table, const uint16_t *roles, int64_t element, int64_t end,
                  const Spans *spans, int64_t first_cell, const CharacterBits *bits, Leaf *leaf);

/* Put the cells of a table to the places of its grid. */
Outcome place_cells(Leaf *leaf);

/* Measures of a table that has a cell; the names are `TABLE_FEATURES` of
 * `victor.tables.data_tables`. `marks`: has a border, has a width, serves the layout. */
#define N_MEASURES 44
#define N_MARKS 3
Outcome measure_leaf(Leaf *leaf, const uint8_t *marks, float *measures);

/* leaf_tables(block_table, roles, kept, among): the tables without tables in them that have a kept
 * block, two rows, two cells in one of these, and a cell in the first rows; of all, or of those that
 * `among` (n_elements) says. int64: their elements; one past the last tag of the first rows of each;
 * where the cells of each begin, and the end; the cells, and the row around each, -1 for none. */
PyObject *leaf_tables(PyObject *module, PyObject *arguments);

/* forest_shares(rows, roots, nodes, shares, n_features, n_classes, depth): (n_rows, n_classes)
 * float32, mean shares of the classes; the arrays are those of `victor.tables.forest.Forest`. */
PyObject *forest_shares(PyObject *module, PyObject *arguments);

#endif
