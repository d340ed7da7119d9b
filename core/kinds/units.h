/* Units: lists, tables, listings, quotations and disclosures, which are kept or dropped whole. */
#ifndef VICTOR_UNITS_H
#define VICTOR_UNITS_H

#include "columns/columns.h"
#include "model/model.h"

/* What an element is, bits by tag id, which `victor.kinds.whole_units` gives. */
enum { IS_UNIT = 1, IS_LIST = 2, IS_CODE = 4, IS_TABLE = 8 };

/* What a labeler thinks of the blocks of a batch, and what is known of the elements. */
typedef struct {
    const uint8_t *roles;    /* (N_TAG_IDS) */
    double largest_part;     /* share of the words that a page is expected to keep; a unit of more
                              * holds the page */
    bool by_model;           /* is the labeler a trained model, and no published system */
    const uint8_t *labels;   /* (n_blocks) */
    const double *p_other;   /* (n_blocks) */
    const double *marginals; /* (n_blocks, N_LABELS) */
    const uint8_t *is_data;  /* (n_elements) which are tables of data; NULL for none */
} Labelled;

/* An element with words, and what the labeler thinks of it. */
typedef struct {
    int64_t element, start, stop; /* its blocks */
    int64_t words;
    uint8_t role;
    bool may_be_raised; /* it is not surely to be dropped, by the mean p(keep) of its words */
    bool is_part;       /* it is a smaller part of what its page is expected to keep */
    bool is_mixed;      /* it holds text that is surely to be kept, and text that surely is not */
    bool is_island;     /* it is kept if these two blocks are, and in no other that is */
    int64_t before, after;
} Unit;

typedef struct {
    Unit *items; /* by element, ascending */
    int64_t count;
} Units;

/* What becomes of blocks and elements. */
typedef struct {
    uint8_t *labels;       /* (n_blocks) */
    double *p_other;       /* (n_blocks) one for all blocks of a unit */
    uint8_t *is_data;      /* (n_elements) without the tables that serve the layout */
    uint8_t *may_be_kept;  /* (n_blocks) they are kept, or are if those beside them are */
} Whole;

/* Keep or drop units whole (whole_units.c). */
Outcome make_whole(const Table *table, const Shared *shared, const Labelled *labelled,
                   Arena *arena, const Whole *whole);
/* All units of a batch. */
Outcome find_units(const Table *table, const Shared *shared, const Labelled *labelled,
                   Arena *arena, Units *units);
/* Tell which of them stand between two blocks of the same container. */
void find_islands(const Table *table, const Shared *shared, const Units *units);

#endif
