/* Measures of whole pages: sums over their blocks, tags, and headings with lists. */
#include "columns/elements.h"
#include "columns/heads.h"
#include "model/page_head.h"
#include <math.h>

#define COUNT(items) (int)(sizeof(items) / sizeof *(items))

/* Words outside links that make a block a long one. */
static const int64_t LONG[] = {10, 25, 50};
/* Probabilities of being kept. */
static const double LEVELS_KEPT[] = {0.3, 0.5, 0.7, 0.9};
/* Words of blocks whose highest probability is a measure. */
static const int64_t TELLING[] = {1, 5, 15};

enum { FEWEST_HEADINGS = 3 }; /* of an outline */

/* What the blocks of a page add up to; the highest at the end, 0 without a block. */
typedef struct {
    double words, blocks, long_blocks[COUNT(LONG)], long_words[COUNT(LONG)];
    double link_words, linked, heading_words, headings, linked_headings;
    double keep, kept, over[COUNT(LEVELS_KEPT)], kept_free, kept_headers, kept_twice;
    double longest, highest[COUNT(TELLING)];
} Sums;

static void add_lengths(Sums *sums, int64_t words, int64_t free, bool is_heading)
{
    sums->words += (double)words;
    sums->blocks += words > 0;
    sums->link_words += (double)(words - free);
    sums->linked += words > 0 && free == 0;
    sums->heading_words += is_heading ? (double)words : 0.0;
    sums->headings += is_heading && words > 0;
    sums->linked_headings += is_heading && words > free;
    sums->longest = fmax(sums->longest, (double)free);
    for (int i = 0; i < COUNT(LONG); i++) {
        sums->long_blocks[i] += free >= LONG[i];
        sums->long_words[i] += free >= LONG[i] ? (double)free : 0.0;
    }
}

static void add_kept(Sums *sums, int64_t words, int64_t free, const double *marginals)
{
    double keep = words > 0 ? 1 - marginals[OTHER] : 0.0, kept = keep * (double)words;
    sums->keep += keep;
    sums->kept += kept;
    sums->kept_free += keep * (double)free;
    sums->kept_headers += marginals[HEADER] * (double)words;
    sums->kept_twice += keep * kept;
    for (int i = 0; i < COUNT(LEVELS_KEPT); i++)
        sums->over[i] += keep >= LEVELS_KEPT[i] ? (double)words : 0.0;
    for (int i = 0; i < COUNT(TELLING); i++)
        sums->highest[i] = fmax(sums->highest[i], words >= TELLING[i] ? keep : 0.0);
}

static double part_of(double part, double whole)
{
    return part / fmax(whole, 1.0);
}

static double *tell_lengths(const Sums *sums, double *measures)
{
    *measures++ = log1p(sums->words);
    *measures++ = log1p(sums->blocks);
    *measures++ = part_of(sums->link_words, sums->words);
    *measures++ = part_of(sums->linked, sums->blocks);
    *measures++ = log1p(sums->longest);
    *measures++ = part_of(sums->heading_words, sums->words);
    *measures++ = part_of(sums->headings, sums->blocks);
    *measures++ = part_of(sums->linked_headings, sums->headings);
    for (int i = 0; i < COUNT(LONG); i++) {
        *measures++ = part_of(sums->long_words[i], sums->words);
        *measures++ = log1p(sums->long_blocks[i]);
    }
    return measures;
}

static void tell_kept(const Sums *sums, double *measures)
{
    *measures++ = log1p(sums->kept);
    *measures++ = part_of(sums->kept, sums->words);
    *measures++ = part_of(sums->kept_free, sums->kept);
    *measures++ = part_of(sums->kept_headers, sums->kept);
    *measures++ = log1p(sums->keep);
    *measures++ = part_of(sums->kept_twice, sums->kept);
    for (int i = 0; i < COUNT(LEVELS_KEPT); i++)
        *measures++ = log1p(sums->over[i]);
    memcpy(measures, sums->highest, sizeof sums->highest);
}

int64_t n_quick_measures(const PageWords *words)
{
    enum { OF_LENGTHS = 8 + 2 * COUNT(LONG), OF_KEPT = 6 + COUNT(LEVELS_KEPT) + COUNT(TELLING) };
    return OF_LENGTHS + words->n_tags + n_text_measures(words) + OF_KEPT;
}

/* One past the last element of a page. */
static int64_t end_of_elements(const Table *table, int64_t page)
{
    return page + 1 < table->n_pages ? table->page_roots[page + 1] : table->n_elements;
}

/* Start and end tags both count, for void elements have only one of them. */
static double *count_tags(const Judged *judged, double *measures)
{
    const Table *table = judged->table;
    int64_t page = judged->page, counts[N_TAG_IDS] = {0}, next = end_of_elements(table, page);
    int64_t end = next < table->n_elements ? table->elements.open[next] : table->n_tags;
    for (int64_t tag = table->elements.open[table->page_roots[page]]; tag < end; tag++)
        counts[table->tags.id[tag]]++;
    for (int64_t i = 0; i < judged->page_words->n_tags; i++)
        *measures++ = log1p((double)counts[judged->page_words->tags[i]]);
    return measures;
}

void measure_page(Judged *judged, double *measures)
{
    int64_t page = judged->page, end = judged->table->page_starts[page + 1];
    const Shared *shared = judged->shared;
    Sums sums = {0};
    for (int64_t i = judged->table->page_starts[page]; i < end; i++) {
        int64_t words = shared->words[i], free = shared->free_words[i];
        add_lengths(&sums, words, free, shared->heading_level[i] > 0);
        add_kept(&sums, words, free, judged->marginals + i * N_LABELS);
    }
    measures = count_tags(judged, tell_lengths(&sums, measures));
    measures = measure_texts(judged, shared->head_texts + page * N_HEAD_TEXTS, measures);
    tell_kept(&sums, measures);
}

static bool is_in_either(const Judged *judged, int64_t element, int first, int second)
{
    const int64_t *tags = judged->page_words->outline_tags;
    return is_in_tag(judged->shared, element, tags[first]) ||
           is_in_tag(judged->shared, element, tags[second]);
}

bool has_outline(const Judged *judged)
{
    const Shared *shared = judged->shared;
    const int64_t *blocks = &judged->table->page_starts[judged->page];
    int64_t n_headings = 0, n_items = 0;
    for (int64_t i = blocks[0]; i < blocks[1]; i++) {
        int64_t element = shared->element[i];
        if (shared->words[i] <= 0 || !is_in_either(judged, element, MAIN, ARTICLE))
            continue;
        n_headings += shared->heading_level[i] > 1;
        n_items += shared->words[i] == shared->free_words[i] &&
                   is_in_either(judged, element, LIST_ITEM, DETAILS);
    }
    return n_headings >= FEWEST_HEADINGS && n_items >= n_headings;
}
