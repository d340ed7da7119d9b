/* The gate of experts: what each of them weighs on a page, by the codes of its columns
 * (`victor.model.trees`). Sums of codes are exact, so a page has the same weights in any batch. */
#include "model/model.h"

static const double LEAST = 0.05; /* weight of an expert; one with less is not asked */

enum { PIECE = 1 << 14 }; /* codes whose squares add up to less than 2^32 */

static void sum_codes(const uint8_t *codes, int64_t count, double *sum, double *squares)
{
    *sum = *squares = 0.0;
    for (int64_t start = 0; start < count; start += PIECE) {
        int64_t end = count - start < PIECE ? count : start + PIECE;
        uint32_t of_codes = 0, of_squares = 0;
        for (int64_t i = start; i < end; i++) {
            of_codes += codes[i];
            of_squares += (uint32_t)codes[i] * codes[i];
        }
        *sum += of_codes; /* exact: whole numbers below 2^53 */
        *squares += of_squares;
    }
}

/* Scores of the experts: the intercepts, and the weighted means of codes and of their squares. */
static void score(const Trees *trees, int64_t first, int64_t end, double *scores)
{
    int64_t n_experts = trees->n_experts, n_columns = trees->n_gate_columns;
    const double *weights = trees->gate, *of_squares = weights + n_columns * n_experts;
    memcpy(scores, of_squares + n_columns * n_experts, (size_t)n_experts * sizeof *scores);
    double n_blocks = (double)(end - first), sum, squares;
    for (int64_t column = 0; column < n_columns && first < end; column++) {
        sum_codes(trees->codes + trees->gate_column[column] * trees->n_blocks + first, end - first,
                  &sum, &squares);
        for (int64_t expert = 0; expert < n_experts; expert++)
            scores[expert] += sum / n_blocks * weights[column * n_experts + expert] +
                              squares / n_blocks * of_squares[column * n_experts + expert];
    }
}

/* Scores to shares that add up to 1, none of them small. */
static void share_out(double *scores, int64_t n_experts, float *weights)
{
    double highest = scores[0], sum = 0.0, asked = 0.0;
    for (int64_t i = 1; i < n_experts; i++)
        highest = scores[i] > highest ? scores[i] : highest;
    for (int64_t i = 0; i < n_experts; i++)
        sum += scores[i] = exponential(scores[i] - highest);
    for (int64_t i = 0; i < n_experts; i++) {
        scores[i] = scores[i] / sum < LEAST ? 0.0 : scores[i] / sum;
        asked += scores[i];
    }
    for (int64_t i = 0; i < n_experts; i++)
        weights[i] = (float)(scores[i] / asked);
}

Outcome weigh_experts(const void *problem, const Pages *pages, void *result)
{
    const Trees *trees = problem;
    float *weights = result;
    if (trees->last_column >= trees->n_columns)
        return WRONG;
    double scores[MOST_EXPERTS];
    for (int64_t page = 0; page < pages->count; page++, weights += trees->n_experts) {
        weights[0] = 1.0f; /* of one alone */
        if (trees->n_experts == 1)
            continue;
        score(trees, pages->starts[page], pages->starts[page + 1], scores);
        share_out(scores, trees->n_experts, weights);
    }
    return DONE;
}
