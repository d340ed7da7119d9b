/* What is thought of pages as wholes: their measures, and what a page head makes of them. */
#ifndef VICTOR_PAGE_HEAD_H
#define VICTOR_PAGE_HEAD_H

#include "columns/batch.h"
#include "model/model.h"

enum { N_SPEAKERS = 2, N_WALL_MEASURES = 4 * N_SPEAKERS + 2 };
enum { LONGEST_TEXT = 500 }; /* characters of a title or an address that are read */
enum { START_BITS = 14 }; /* of the hash of the first characters of a phrase */
enum { MAIN, ARTICLE, LIST_ITEM, DETAILS, N_OUTLINE_TAGS };

/* What is counted and looked for, checked once (`victor.model.page_head`). */
typedef struct {
    const int64_t *tags; /* (n_tags) ids that are counted */
    int64_t n_tags;
    const int64_t *outline_tags; /* (N_OUTLINE_TAGS) ids */
    const uint32_t *phrases;     /* sorted, one after the other */
    const int64_t *ends;         /* (n_phrases) of each of them */
    const uint8_t *groups; /* (n_phrases) below 64; more by 64 if the second speaker says it */
    int64_t n_phrases;
    const uint32_t *lower; /* (n_lower) as the characters of phrases are read; others stay */
    int64_t n_lower;
    const uint32_t *said;      /* words of titles and addresses, sorted, one after the other */
    const int64_t *said_ends;  /* (n_said) of each of them */
    const uint64_t *said_bits; /* (n_said) the groups that each is of */
    int64_t n_said, n_said_groups;
    /* Hashes of the first four characters of phrases, and of the first two of shorter ones. */
    uint64_t starts[2][(1 << START_BITS) / 64];
} PageWords;

/* The page that is judged, and what it is judged by. */
typedef struct {
    const Table *table;
    const Shared *shared;
    const double *marginals; /* (n_blocks, N_LABELS) */
    const double *weights;   /* of a page head; NULL for measures alone */
    const PageWords *page_words;
    int64_t page;
    uint32_t title[LONGEST_TEXT]; /* with single blanks */
    int64_t title_length;
    int64_t *last_text; /* (n_phrases) zeros: the text that a phrase was found in last */
    int64_t n_texts;    /* that were read */
} Judged;

enum { P_NOTHING, P_ERROR, IS_ERROR, N_JUDGEMENTS };
/* Measures of a page (page_measures.c), of walls (walls.c), and judgements; how many numbers. */
int64_t n_page_numbers(const PageWords *words);
/* Fill them for a page; the page head has weights, or judgements are 0. */
void judge_page(Judged *judged, int64_t page, double *numbers);
/* What a capsule of `page_words` holds; NULL with an exception set if it is another one. */
const PageWords *page_words_of(PyObject *capsule);
/* How many weights a page head has. */
int64_t n_head_weights(const PageWords *words);

/* Are there characters to look up every phrase by; notes them. */
bool phrases_fit(PageWords *words);
/* What a page says, all 0 if it says no phrase (walls.c). */
void measure_walls(Judged *judged, double measures[N_WALL_MEASURES]);
/* The quick measures of a page, in the order of `victor.model.page_head.measure_names`, and how
 * many they are (page_measures.c); those of the title and the address among them (page_texts.c). */
void measure_page(Judged *judged, double *measures);
int64_t n_quick_measures(const PageWords *words);
double *measure_texts(Judged *judged, const Value *texts, double *measures);
int64_t n_text_measures(const PageWords *words);
/* Have the main part or the article of a page headings with lists that lead nowhere: guidelines
 * and specifications are no menus, though none of their blocks is running text. */
bool has_outline(const Judged *judged);

#endif
