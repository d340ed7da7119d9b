/* Paragraphs of kept blocks. */
#ifndef VICTOR_PARAGRAPHS_H
#define VICTOR_PARAGRAPHS_H

#include "columns/batch.h"
#include "model/model.h"

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
    IS_AROUND = IS_PRE | IS_ITEM | IS_LIST | IS_CELL | IS_ROW | IS_TABLE,
};
enum { NONE = -1, N_PARAGRAPH_COLUMNS = 15 };

/* Elements around a tag, the one that it opens included; the innermost, or the outermost where it
 * says so. */
typedef struct {
    int64_t outer_pre, item, list, outer_list, list_depth, cell, row, table;
} Around;

/* Where the pass over the tags is. */
typedef struct {
    int64_t next;     /* tag */
    int64_t depth;    /* elements that are open */
    Around around;    /* what is around the last tag */
    GROWING(Around) outside; /* what was around, for each open element that changed it */
    int64_t n_breaks, n_parting; /* tags so far */
    int64_t breaks_since; /* those before the page, or before the end of the last kept block */
} Walk;

typedef struct {
    const Table *table;
    int64_t first_page, end_page; /* whose blocks are grouped */
    const uint8_t *kept;          /* (n_blocks), or NULL: then labels say it */
    const uint8_t *labels;        /* (n_blocks) */
    const uint8_t *roles;   /* (N_TAG_IDS) */
    const uint8_t *is_data; /* (n_elements), or NULL: then what is in a table decides */
    const int64_t *column;  /* (n_elements), with `is_data` */
    bool has_no_data;       /* there is no such table, which needs no array */
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
    Walk walk;
} Grouping;

static inline bool is_kept_block(const Grouping *grouping, int64_t block)
{
    return grouping->kept ? grouping->kept[block] : grouping->labels[block] != OTHER;
}

/* Group the kept blocks of some pages; the columns are taken if it is done. Tags between pages are
 * walked from `walk.next` on. */
Outcome group_pages(Grouping *grouping, Result results[N_PARAGRAPH_COLUMNS]);
/* paragraphs(batch, kept, roles, is_data, column): the columns as memory */
PyObject *group_paragraphs(PyObject *module, PyObject *arguments);

#endif
