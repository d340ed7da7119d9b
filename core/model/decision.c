/* Which blocks of a page are kept (`victor.model.decide`). */
#include "model/model.h"
#include <math.h>

/* Words that a page has to be expected to keep, unless a block is probable enough. */
#define FEWEST_WORDS 25
/* Probability of being kept of such a block. */
static const double PROBABLE = 0.3;
/* Blocks of a snippet that are other with such a probability are dropped: what somebody cut out of a
 * page is text but for a button or two. */
static const double SURELY_OTHER = 0.8;
/* Blocks with words from which something is a page; heads are fitted on whole pages, and take
 * snippets, which have nothing around their text, for pages of which only the frame is left. */
enum { SNIPPET = 10 };

static const double NEAREST = 6755399441055744.0;  /* 1.5 * 2**52 */
static const double ABOVE_HALF = 0.5000000000000001; /* the next number above 0.5 */

static double keep_of(const Decision *decision, int64_t block)
{
    const double *marginals = decision->marginals + block * N_LABELS;
    return decision->keep ? decision->keep[block] : marginals[HEADER] + marginals[TEXT];
}

/* A block with words. */
typedef struct {
    double keep;
    int64_t block;
} Ranked;

/* Whether two blocks stand in their order: the more probable first. */
static bool is_before(const Ranked *a, const Ranked *b)
{
    return !(b->keep > a->keep);
}

/* Merge two sorted runs; equals keep their order. */
static void merge(const Ranked *from, int64_t first, int64_t middle, int64_t end, Ranked *to)
{
    int64_t left = first, right = middle;
    for (int64_t i = first; i < end; i++) {
        bool takes_left = right >= end || (left < middle && is_before(&from[left], &from[right]));
        to[i] = takes_left ? from[left++] : from[right++];
    }
}

/* Sort by falling probability; returns which of the two arrays holds the result. */
static Ranked *sort(Ranked *blocks, Ranked *work, int64_t count)
{
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t first = 0; first < count; first += 2 * run) {
            int64_t middle = first + run < count ? first + run : count;
            int64_t end = middle + run < count ? middle + run : count;
            merge(blocks, first, middle, end, work);
        }
        Ranked *sorted = work;
        work = blocks;
        blocks = sorted;
    }
    return blocks;
}

/* Probability times words, in units of 1 / SCALE; sums of them are exact. */
static int64_t words_expected(double keep, int64_t words)
{
    double bounded = keep > 0.0 ? keep : 0.0;
    bounded = bounded < 1.0 ? bounded : 1.0;
    int64_t units = (int64_t)((bounded * SCALE + NEAREST) - NEAREST);
    return (int64_t)((uint64_t)units * (uint64_t)words);
}

/* How many of the ranked blocks the best prefix has, at least one. */
static int64_t best_prefix(const Ranked *ranked, int64_t count, const int64_t *words)
{
    uint64_t total = 0, size = 0, gain = 0; /* unsigned: what is too much wraps */
    for (int64_t i = 0; i < count; i++)
        total += (uint64_t)words_expected(ranked[i].keep, words[ranked[i].block]);
    double highest = -1.0;
    int64_t best = 1;
    for (int64_t i = 0; i < count; i++) {
        size += (uint64_t)words[ranked[i].block];
        gain += (uint64_t)words_expected(ranked[i].keep, words[ranked[i].block]);
        double value = 2.0 * (double)(int64_t)gain /
                       ((double)(int64_t)size * SCALE + (double)(int64_t)total);
        if (value > highest) {
            highest = value;
            best = i + 1;
        }
    }
    return best;
}

/* Mark the blocks of a page that maximise the expected F-measure. */
static void keep_best(const Decision *decision, int64_t first, int64_t end, Ranked *room,
                      uint8_t *kept)
{
    int64_t count = 0;
    for (int64_t block = first; block < end; block++)
        if (decision->words[block] > 0)
            room[count++] = (Ranked){keep_of(decision, block), block};
    double cut = ABOVE_HALF;
    if (count) {
        const Ranked *ranked = sort(room, room + (end - first), count);
        int64_t best = best_prefix(ranked, count, decision->words);
        for (int64_t i = 0; i < best; i++)
            kept[ranked[i].block] = true;
        cut = ranked[best - 1].keep;
    }
    for (int64_t block = first; block < end; block++)
        if (decision->words[block] <= 0 && keep_of(decision, block) >= cut)
            kept[block] = true;
}

static uint8_t kept_label(const Decision *decision, int64_t block)
{
    const double *marginals = decision->marginals + block * N_LABELS;
    return marginals[HEADER] > marginals[TEXT] ? HEADER : TEXT;
}

static void label_page(const Decision *decision, int64_t first, int64_t end, Ranked *room,
                       uint8_t *labels)
{
    memset(labels + first, false, (size_t)(end - first));
    keep_best(decision, first, end, room, labels);
    for (int64_t block = first; block < end; block++)
        labels[block] = labels[block] ? kept_label(decision, block) : OTHER;
}

/* --- Pages in doubt --------------------------------------------------------------------------- */

/* What the marginals of a page add up to: words that are expected to be kept, in units of 1 / SCALE,
 * and blocks with words: that are probably kept, that are not surely other, and all. */
typedef struct {
    int64_t words, n_probable, n_possible, n_filled;
} Sums;

static Sums sum_page(const Decision *decision, int64_t first, int64_t end)
{
    Sums sums = {0};
    uint64_t expected = 0; /* unsigned: what is too much wraps */
    for (int64_t block = first; block < end; block++) {
        double other = decision->marginals[block * N_LABELS + OTHER];
        bool is_filled = decision->words[block] > 0;
        expected += (uint64_t)words_expected(1.0 - other, decision->words[block]);
        sums.n_probable += is_filled && 1.0 - other >= PROBABLE;
        sums.n_possible += is_filled && other < SURELY_OTHER;
        sums.n_filled += is_filled;
    }
    sums.words = (int64_t)expected;
    return sums;
}

static bool is_doubtful(const Sums *sums)
{
    return (double)sums->words < SURELY_CONTENT * SCALE;
}

bool is_in_doubt(const Decision *decision, const Pages *pages, int64_t page)
{
    int64_t first = pages->starts[page], end = pages->starts[page + 1];
    Sums sums = sum_page(decision, first, end);
    return first < end && is_doubtful(&sums);
}

/* Does a page in doubt seem to have no content. On the word of marginals alone it is expected to keep
 * too few words, and no block is probable enough. */
static bool is_empty(const Decision *decision, const Sums *sums, int64_t page)
{
    double p = decision->p_no_content ? decision->p_no_content[page] : NAN;
    if (isnan(p))
        p = (double)sums->words < FEWEST_WORDS * SCALE && !sums->n_probable;
    return p > decision->no_content;
}

/* A page on the word of a head, with few blocks, one of them not surely other. */
static bool is_snippet(const Decision *decision, const Sums *sums, int64_t page)
{
    return decision->p_no_content && !isnan(decision->p_no_content[page]) &&
           sums->n_filled < SNIPPET && sums->n_possible;
}

/* Drop all of a page in doubt that seems to have no content, and little of a snippet. */
static void doubt(const Decision *decision, const Pages *pages, int64_t page, uint8_t *labels)
{
    int64_t first = pages->starts[page], end = pages->starts[page + 1];
    Sums sums = sum_page(decision, first, end);
    if (!is_doubtful(&sums))
        return;
    bool is_whole = is_snippet(decision, &sums, page);
    bool is_error = decision->p_error && decision->p_error[page] > decision->no_content;
    bool drops_all = is_error || (!is_whole && is_empty(decision, &sums, page));
    for (int64_t block = first; block < end; block++)
        if (drops_all)
            labels[block] = OTHER;
        else if (is_whole && decision->marginals[block * N_LABELS + OTHER] < SURELY_OTHER)
            labels[block] = kept_label(decision, block);
}

Outcome decide_expected_f(const void *problem, const Pages *pages, void *labels)
{
    const Decision *decision = problem;
    int64_t longest = 0;
    for (int64_t page = 0; page < pages->count; page++) {
        int64_t length = pages->starts[page + 1] - pages->starts[page];
        longest = length > longest ? length : longest;
    }
    Arena arena = {0};
    Ranked *room = TAKE(&arena, Ranked, 2 * (size_t)longest);
    for (int64_t page = 0; page < pages->count && room; page++) {
        label_page(decision, pages->starts[page], pages->starts[page + 1], room, labels);
        doubt(decision, pages, page, labels);
    }
    arena_free(&arena);
    return room ? DONE : MEMORY;
}
