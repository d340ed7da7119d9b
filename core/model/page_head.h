/* What is thought of pages as wholes: their measures, and what a page head makes of them. */
#ifndef VICTOR_PAGE_HEAD_H
#define VICTOR_PAGE_HEAD_H

#include "columns/columns.h"
#include "model/model.h"

enum { N_SPEAKERS = 2, N_WALL_MEASURES = 4 * N_SPEAKERS + 2 };
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
    /* Hashes of the first four characters of phrases, and of the first two of shorter ones. */
    uint64_t starts[2][(1 << START_BITS) / 64];
} PageWords;

/* Some pages that are judged. */
typedef struct {
    const Table *table;
    const Shared *shared;
    const double *marginals; /* (n_blocks, N_LABELS) */
    const int64_t *pages;    /* (count) their numbers */
    int64_t count;
    const double *of_heads; /* (count, n_of_heads) measures of what they declare */
    int64_t n_of_heads;
    const uint32_t *titles; /* one after the other */
    const int64_t *title_ends; /* (count) */
    const PageWords *page_words;
    int64_t *last_text; /* (n_phrases) zeros: the text that a phrase was found in last */
    int64_t n_texts;    /* that were read */
} Judged;

/* Are there characters to look up every phrase by; notes them. */
bool phrases_fit(PageWords *words);
/* What a page says, all 0 if it says no phrase (walls.c). */
void measure_walls(Judged *judged, int64_t number, double measures[N_WALL_MEASURES]);
/* The quick measures of a page, in the order of `victor.model.page_head.measure_names`, and how
 * many they are (page_measures.c). */
void measure_page(const Judged *judged, int64_t number, double *measures);
int64_t n_quick_measures(const Judged *judged);
/* Have the main part or the article of a page headings with lists that lead nowhere: guidelines
 * and specifications are no menus, though none of their blocks is running text. */
bool has_outline(const Judged *judged, int64_t number);

#endif
