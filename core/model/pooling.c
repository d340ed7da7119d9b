/* Blocks of one template path are judged alike (`victor.model.chain`). */
#include "model/model.h"

enum { FEWEST = 3, LONG = 8 };    /* blocks of a path that is a template, and their mean words */
static const double LARGEST = 4.0; /* log-odds beyond this count as this */

/* What the blocks of a path are together. */
typedef struct {
    int64_t n_blocks;
    double words, odds; /* sums; odds are weighed with words */
} Path;

static double odds_of(const double *scores)
{
    double kept = scores[HEADER] > scores[TEXT] ? scores[HEADER] : scores[TEXT];
    double odds = kept - scores[OTHER];
    odds = odds > -LARGEST ? odds : -LARGEST;
    return odds < LARGEST ? odds : LARGEST;
}

static double shift_of(const Path *path, double strength, double odds)
{
    if (path->n_blocks < FEWEST || !(path->words >= (double)(LONG * path->n_blocks)))
        return 0.0;
    return strength * (path->odds / (path->words > 1.0 ? path->words : 1.0) - odds);
}

/* Paths by the number of their first block; what lies beyond the blocks has a number, too. Returns
 * how many numbers there are, or -1 if one is negative. */
static int64_t number_paths(const Pooling *pooling, const Pages *pages, int64_t *numbers)
{
    int64_t last = -1, lowest = 0;
    for (int64_t page = 0; page < pages->count; page++)
        for (int64_t i = pages->starts[page]; i < pages->starts[page + 1]; i++) {
            int64_t first = pooling->first[i];
            numbers[i] = first > INT64_MAX - pages->n_blocks ? -1 : pages->starts[page] + first;
            last = numbers[i] > last ? numbers[i] : last;
            lowest = numbers[i] < lowest ? numbers[i] : lowest;
        }
    return lowest < 0 ? -1 : last + 1;
}

Outcome pool_scores(const void *problem, const Pages *pages, void *result)
{
    const Pooling *pooling = problem;
    double *pooled = result;
    Arena arena = {0};
    int64_t n = pages->n_blocks, *numbers = TAKE(&arena, int64_t, (size_t)n);
    int64_t n_paths = numbers ? number_paths(pooling, pages, numbers) : 0;
    Path *paths = numbers && n_paths >= 0 ? ZEROS(&arena, Path, (size_t)n_paths) : NULL;
    for (int64_t i = 0; paths && i < n; i++) {
        double words = (double)pooling->words[i];
        paths[numbers[i]].n_blocks++;
        paths[numbers[i]].words += words;
        paths[numbers[i]].odds += words * odds_of(pooling->scores + i * N_LABELS);
    }
    for (int64_t i = 0; paths && i < n; i++) {
        const double *scores = pooling->scores + i * N_LABELS;
        double shift = shift_of(&paths[numbers[i]], pooling->strength, odds_of(scores));
        for (int label = 0; label < N_LABELS; label++)
            pooled[i * N_LABELS + label] = scores[label] + (label == OTHER ? 0.0 : shift);
    }
    arena_free(&arena);
    return paths ? DONE : n_paths < 0 ? WRONG : MEMORY;
}
