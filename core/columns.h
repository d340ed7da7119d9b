/* The columns of feature modules: how a module is asked, and what they share. */
#ifndef VICTOR_COLUMNS_H
#define VICTOR_COLUMNS_H

#include "table.h"

/* Columns that several modules read; those of `victor.page.blocks` by the same names. Each is
 * computed with the others before the first module is asked. */
typedef struct {
    /* (n_blocks) */
    int64_t *page, *element, *container, *start, *end, *tag, *last_tag;
    int64_t *words, *link_words, *free_words;
    uint8_t *heading_level;
    /* (n_segments) */
    int64_t *segment_words, *segment_element;
    /* (n_elements) */
    int64_t *element_page, *block_level, *outer;
    int64_t *element_words, *element_link_words;
    int64_t *element_blocks; /* blocks that begin inside */
    uint64_t *around[2];     /* bits of the tag ids of an element and of all around it */
    /* (n_pages) */
    int64_t *page_words;
} Shared;

/* What a module is given. */
typedef struct {
    const Table *table;
    const Shared *shared;
    Arena *arena;            /* freed after the module */
    const Array *parameters; /* of its configuration, int64 arrays */
    int n_parameters;
    const Array *inputs; /* of this batch, as the module's Python side prepared them */
    int n_inputs;
} Request;

/* Fill the rows of a module: rows[c][i] is column c of block i as float32. The numbers of
 * parameters, inputs and rows are those that the module's entry in `columns.c` asks for; what is in
 * them is checked by the module. */
typedef Outcome (*Columns)(const Request *request, float *const *rows);

typedef struct {
    const char *name;
    Columns compute;
    int n_parameters, n_inputs;
} Module;

/* A share of two integers: one division in double precision, rounded once, as numpy does it. */
static inline float share(int64_t part, int64_t whole)
{
    return (float)((double)part / (double)whole);
}

/* Number of codes that are not above: thresholds ascend. Adds nothing else to `codes`. */
void discretise(const float *values, int64_t count, const float *thresholds, int64_t n_thresholds,
                uint8_t *codes);

/* Text modules (columns_text.c). */
Outcome characters_columns(const Request *request, float *const *rows);
Outcome sentences_columns(const Request *request, float *const *rows);
Outcome duplicates_columns(const Request *request, float *const *rows);
Outcome words_columns(const Request *request, float *const *rows);
Outcome document_columns(const Request *request, float *const *rows);
Outcome page_columns(const Request *request, float *const *rows);
Outcome links_columns(const Request *request, float *const *rows);
Outcome headings_columns(const Request *request, float *const *rows);
Outcome sections_columns(const Request *request, float *const *rows);
Outcome freetext_columns(const Request *request, float *const *rows);
Outcome title_columns(const Request *request, float *const *rows);
Outcome declared_columns(const Request *request, float *const *rows);

/* Modules of structure (columns_structure.c and others). */
Outcome ancestors_columns(const Request *request, float *const *rows);
Outcome groups_columns(const Request *request, float *const *rows);
Outcome regions_columns(const Request *request, float *const *rows);
Outcome paths_columns(const Request *request, float *const *rows);
Outcome center_columns(const Request *request, float *const *rows);
Outcome records_columns(const Request *request, float *const *rows);
Outcome landmarks_columns(const Request *request, float *const *rows);
Outcome surroundings_columns(const Request *request, float *const *rows);
Outcome class_groups_columns(const Request *request, float *const *rows);
Outcome relations_columns(const Request *request, float *const *rows);

#endif
