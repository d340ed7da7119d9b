/* The columns of feature modules: how a module is asked, and what they share. */
#ifndef VICTOR_COLUMNS_H
#define VICTOR_COLUMNS_H

#include "parsing/attributes.h"
#include "table/blocks.h"

/* What a tag id stands for, bits of `Vocabulary.roles`. */
enum {
    HEADING_LEVEL = 7, /* 1 to 6 for h1 to h6, else 0 */
    BLOCK_LEVEL = 8,
    LINK = 16,
};

/* Columns that several modules read; those of `victor.page.table.blocks` by the same names. Each is
 * computed with the others before the first module is asked. Elements are there: none is -1. */
typedef struct {
    const Characters *characters; /* no character of the table is beyond */
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
    /* of attributes (bundles.c): (n_bundles + 1) by row, the last for no row; NULL if those that they
     * are made of were not recorded */
    int64_t n_bundles;
    const int64_t *class_numbers; /* of the first class, 0 for none */
    const uint64_t *names;        /* bits of the shipped groups of names */
    const uint8_t *hides;         /* does the element hide */
    /* of heads (heads.c) */
    const Value *head_texts;   /* (n_pages, N_HEAD_TEXTS) */
    const int64_t *declared;   /* (n_pages, N_DECLARED) columns of `victor.features.declared` */
    const int64_t *head_signs; /* (n_pages) how many sorts of sign say that it is a thread */
    const uint8_t *head_bits;  /* (n_pages) `HeadBits` */
    const uint32_t *titles;    /* characters of the titles of all pages */
    const int64_t *title_offsets; /* (n_pages * N_TITLES + 1): own, shared, site */
} Shared;

enum { N_DECLARED = 6, N_TITLES = 3 };
/* A system of forums made the page; its JSON-LD has posts, ingredients or answers. */
enum HeadBits { BY_FORUM = 1, HAS_POSTS = 2, DECLARES_TEXTS = 4 };

/* Compute all of them; memory is of the arena. */
Outcome share_columns(Shared *shared, const Table *table, const Vocabulary *vocabulary,
                      Arena *arena);

/* What a module is given. */
typedef struct {
    const Table *table;
    const Shared *shared;
    Arena *arena;            /* freed after the module */
    const Array *parameters; /* of its configuration, int64 arrays */
    const Array *inputs;     /* of this batch, as the module's Python side prepared them */
    int64_t n_rows;          /* columns that are asked for */
    const Vocabulary *vocabulary; /* of the batch, for judgments */
} Request;

/* Fill the rows of a module: rows[c][i] is column c of block i as float32. The numbers and types of
 * parameters and inputs are those that the module's entry in `columns.c` asks for; their lengths
 * and what is in them are checked by the module, which returns WRONG for what does not fit. */
typedef Outcome (*Columns)(const Request *request, float *const *rows);

typedef struct {
    const char *name;
    Columns compute;
    int n_columns; /* ANY_NUMBER if it depends on the parameters: the module checks `n_rows` */
    int n_parameters;
    const char *inputs; /* two letters an array: kind and size as of `array_borrow`, e.g. "u4i8" */
} Module;

enum { ANY_NUMBER = -1 };

/* The items of arrays of a request. */
static inline const int64_t *parameter(const Request *request, int number)
{
    return request->parameters[number].items;
}

static inline const void *input(const Request *request, int number)
{
    return request->inputs[number].items;
}

static inline int64_t at_least_1(int64_t number)
{
    return number > 1 ? number : 1;
}

/* A share of two integers: one division in double precision, rounded once, as numpy does it. */
static inline float share(int64_t part, int64_t whole)
{
    return (float)((double)part / (double)whole);
}

/* The code of a value is the number of thresholds that are not above it; at most 255 of them. */
void discretise(const float *values, int64_t count, const float *thresholds, int64_t n_thresholds,
                uint8_t *codes);

/* A file each in core/columns. */
Outcome words_columns(const Request *request, float *const *rows);
Outcome links_columns(const Request *request, float *const *rows);
Outcome headings_columns(const Request *request, float *const *rows);
Outcome declared_columns(const Request *request, float *const *rows);
Outcome ancestors_columns(const Request *request, float *const *rows);
Outcome groups_columns(const Request *request, float *const *rows);
Outcome regions_columns(const Request *request, float *const *rows);
Outcome paths_columns(const Request *request, float *const *rows);
Outcome center_columns(const Request *request, float *const *rows);
Outcome surroundings_columns(const Request *request, float *const *rows);
Outcome class_groups_columns(const Request *request, float *const *rows);
Outcome relations_columns(const Request *request, float *const *rows);

#endif
