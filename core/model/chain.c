/* Linear chains: marginals and best sequences (`victor.model.chain`).
 *
 * A page is cut into chunks: the state at the end of a chunk is the product of its steps times the
 * state before it. All sums and products have their order, so a page has the same bits anywhere. */
#include "model/model.h"

/* --- Exponentials (victor.model.chain) ----------------------------------------------- */

static const double LOWEST = -708.0;
static const double LOG2_E = 1.4426950408889634;
static const double LN2_HIGH = 0.6931471803691238;
static const double LN2_LOW = 1.9082149292705877e-10;
static const double NEAREST = 6755399441055744.0; /* 1.5 * 2**52 */
static const double COEFFICIENTS[] = {
    1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
    1.0 / 40320.0,      1.0 / 5040.0,      1.0 / 720.0,      1.0 / 120.0,     1.0 / 24.0,
    1.0 / 6.0,          1.0 / 2.0,         1.0,              1.0,
};

double exponential(double value)
{
    double bounded = value > LOWEST ? value : LOWEST;
    double power = (bounded * LOG2_E + NEAREST) - NEAREST;
    double rest = (bounded - power * LN2_HIGH) - power * LN2_LOW;
    double result = COEFFICIENTS[0];
    for (size_t i = 1; i < sizeof COEFFICIENTS / sizeof *COEFFICIENTS; i++)
        result = result * rest + COEFFICIENTS[i];
    uint64_t bits = (uint64_t)((int64_t)power + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return value < LOWEST ? 0.0 : result * scale;
}

static double largest(double a, double b, double c)
{
    double more = a > b ? a : b;
    return more > c ? more : c;
}

/* Exponentials of scores, the largest of each block 1. */
static void exponentiate(const double *scores, int64_t n_blocks, double *potentials)
{
    for (int64_t i = 0; i < n_blocks * N_LABELS; i += N_LABELS) {
        double highest = largest(scores[i], scores[i + 1], scores[i + 2]);
        for (int label = 0; label < N_LABELS; label++)
            potentials[i + label] = exponential(scores[i + label] - highest);
    }
}

static void normalise(double *values)
{
    double sum = (values[0] + values[1]) + values[2];
    for (int label = 0; label < N_LABELS; label++)
        values[label] /= sum;
}

/* --- Messages --------------------------------------------------------------------------------- */

/* A walk over the blocks of a page, from its first block or from its last one. */
typedef struct {
    const double *potentials; /* of the first block of the walk */
    const int64_t *kinds;     /* of the edge to the second block of the walk: kinds[step] */
    const double *moves;      /* (n_kinds, label there, label before) */
    double *messages;         /* of the first block */
    int64_t length;
    int step;                 /* +1, or -1 from the last block on */
    int64_t chunk, period;
} Walk;

static const double *potentials_at(const Walk *walk, int64_t position)
{
    return walk->potentials + position * walk->step * N_LABELS;
}

static double *message_at(const Walk *walk, int64_t position)
{
    return walk->messages + position * walk->step * N_LABELS;
}

/* The matrix that leads to a position from the one before it. */
static const double *move_to(const Walk *walk, int64_t position)
{
    return walk->moves + walk->kinds[position * walk->step] * SQUARE;
}

static void move(const double *matrix, const double *state, double *result)
{
    for (int label = 0; label < N_LABELS; label++) {
        const double *row = matrix + label * N_LABELS;
        result[label] = (row[0] * state[0] + row[1] * state[1]) + row[2] * state[2];
    }
}

static void scale_back(double *state)
{
    double highest = largest(state[0], state[1], state[2]);
    for (int label = 0; label < N_LABELS; label++)
        state[label] /= highest;
}

/* The state behind a position: its message times its potentials. */
static void leave(const Walk *walk, int64_t position, double *state)
{
    const double *message = message_at(walk, position), *value = potentials_at(walk, position);
    for (int label = 0; label < N_LABELS; label++)
        state[label] = message[label] * value[label];
}

/* Messages to the positions of a chunk behind its first one. */
static void send_messages(const Walk *walk, int64_t first, int64_t end)
{
    double state[N_LABELS] = {0};
    int64_t left = walk->period;
    for (int64_t position = first + 1; position < end; position++) {
        leave(walk, position - 1, state);
        if (--left == 0) {
            scale_back(state);
            left = walk->period;
        }
        move(move_to(walk, position), state, message_at(walk, position));
    }
}

/* Step of a product: every column is moved and meets the potentials. */
static void advance(const double *matrix, const double *value, double *product)
{
    double moved[SQUARE];
    for (int label = 0; label < N_LABELS; label++) {
        const double *row = matrix + label * N_LABELS;
        for (int column = 0; column < N_LABELS; column++) {
            double sum = (row[0] * product[column] + row[1] * product[N_LABELS + column]) +
                         row[2] * product[2 * N_LABELS + column];
            moved[label * N_LABELS + column] = sum * value[label];
        }
    }
    memcpy(product, moved, sizeof moved);
}

static void scale_product(double *product)
{
    double highest = 0.0;
    for (int i = 0; i < SQUARE; i++)
        highest = product[i] > highest ? product[i] : highest;
    for (int i = 0; i < SQUARE; i++)
        product[i] /= highest;
}

/* Carry the state before a chunk to its end. */
static void carry(const Walk *walk, int64_t first, double *state)
{
    double product[SQUARE], after[N_LABELS];
    const double *matrix = move_to(walk, first), *value = potentials_at(walk, first);
    for (int i = 0; i < SQUARE; i++)
        product[i] = matrix[i] * value[i / N_LABELS];
    int64_t left = walk->period;
    for (int64_t position = first + 1; position < first + walk->chunk; position++) {
        if (--left == 0) {
            scale_product(product);
            left = walk->period;
        }
        advance(move_to(walk, position), potentials_at(walk, position), product);
    }
    move(product, state, after);
    memcpy(state, after, sizeof after);
}

/* Messages to every block from those before it on the walk, unscaled. */
static void send_all(const Walk *walk)
{
    double state[N_LABELS] = {0};
    for (int64_t first = 0; first < walk->length; first += walk->chunk) {
        bool is_last = walk->length - first <= walk->chunk;
        int64_t end = is_last ? walk->length : first + walk->chunk;
        double *message = message_at(walk, first);
        if (first)
            move(move_to(walk, first), state, message);
        else
            message[0] = message[1] = message[2] = 1.0;
        send_messages(walk, first, end);
        if (is_last)
            continue;
        if (first)
            carry(walk, first, state);
        else
            leave(walk, end - 1, state);
        scale_back(state);
    }
}

/* --- Pages ------------------------------------------------------------------------------------ */

/* What marginals are made of, and where they go. */
typedef struct {
    const Chain *chain;
    double *potentials; /* (n, N_LABELS) */
    double *behind;     /* (n, N_LABELS) messages from behind */
    double *transposed; /* the edges with the label before on the last axis */
    double *marginals;  /* first messages from before */
} Work;

static void send_on_page(const Work *work, int64_t first, int64_t end)
{
    const Chain *chain = work->chain;
    Walk forward = {
        .potentials = work->potentials + first * N_LABELS,
        .kinds = chain->kinds + first,
        .moves = work->transposed,
        .messages = work->marginals + first * N_LABELS,
        .length = end - first,
        .step = 1,
        .chunk = work->chain->chunk,
        .period = work->chain->period,
    };
    Walk backward = forward;
    backward.potentials = work->potentials + (end - 1) * N_LABELS;
    /* An edge is known by the later of its blocks: the one that a step backward leaves. */
    backward.kinds = chain->kinds + end;
    backward.moves = chain->edges;
    backward.messages = work->behind + (end - 1) * N_LABELS;
    backward.step = -1;
    send_all(&forward);
    send_all(&backward);
}

/* Both messages and the potentials together. */
static void join(const Work *work, int64_t n_blocks)
{
    for (int64_t block = 0; block < n_blocks; block++) {
        double *before = work->marginals + block * N_LABELS;
        double *behind = work->behind + block * N_LABELS;
        scale_back(before);
        scale_back(behind);
        for (int label = 0; label < N_LABELS; label++) {
            before[label] *= behind[label];
            before[label] *= work->potentials[block * N_LABELS + label];
        }
        normalise(before);
    }
}

static void send_on_pages(const Work *work, const Pages *pages)
{
    const Chain *chain = work->chain;
    for (int64_t kind = 0; kind < chain->n_kinds; kind++)
        for (int i = 0; i < SQUARE; i++)
            work->transposed[kind * SQUARE + i] =
                chain->edges[kind * SQUARE + i % N_LABELS * N_LABELS + i / N_LABELS];
    for (int64_t page = 0; page < pages->count; page++)
        if (pages->starts[page] < pages->starts[page + 1])
            send_on_page(work, pages->starts[page], pages->starts[page + 1]);
    join(work, pages->n_blocks);
}

static bool are_kinds(const Chain *chain, int64_t n_blocks)
{
    bool sound = true;
    for (int64_t block = 0; block < n_blocks; block++)
        sound &= chain->kinds[block] >= 0 && chain->kinds[block] < chain->n_kinds;
    return sound;
}

Outcome chain_marginals(const void *problem, const Pages *pages, void *result)
{
    const Chain *chain = problem;
    double *marginals = result;
    if (!are_kinds(chain, pages->n_blocks) || chain->chunk < 1 || chain->period < 0)
        return WRONG;
    if (chain->period == 0) {
        exponentiate(chain->scores, pages->n_blocks, marginals);
        for (int64_t block = 0; block < pages->n_blocks; block++)
            normalise(marginals + block * N_LABELS);
        return DONE;
    }
    Arena arena = {0};
    size_t size = (size_t)pages->n_blocks * N_LABELS;
    Work work = {.chain = chain, .marginals = marginals};
    work.potentials = TAKE(&arena, double, size);
    work.behind = TAKE(&arena, double, size);
    work.transposed = TAKE(&arena, double, (size_t)chain->n_kinds * SQUARE);
    bool enough = work.potentials && work.behind && work.transposed;
    if (enough) {
        exponentiate(chain->scores, pages->n_blocks, work.potentials);
        send_on_pages(&work, pages);
    }
    arena_free(&arena);
    return enough ? DONE : MEMORY;
}

/* --- Best sequences --------------------------------------------------------------------------- */

/* The label of the highest of three scores; the lower label among equals. */
static int best_of(double a, double b, double c)
{
    if (b > a)
        return c > b ? 2 : 1;
    return c > a ? 2 : 0;
}

/* Follow the best sequence of a page backwards, given the best label before each label. */
static void follow(const uint8_t *before, int64_t first, int64_t end, int label, uint8_t *labels)
{
    for (int64_t block = end - 1; block >= first; block--) {
        labels[block] = (uint8_t)label;
        label = before[block * N_LABELS + label];
    }
}

static void find_best(const Chain *chain, int64_t first, int64_t end, uint8_t *before,
                      uint8_t *labels)
{
    double paths[N_LABELS];
    memcpy(paths, chain->scores + first * N_LABELS, sizeof paths);
    for (int64_t block = first + 1; block < end; block++) {
        const double *edges = chain->edges + chain->kinds[block] * SQUARE;
        double next[N_LABELS];
        for (int label = 0; label < N_LABELS; label++) {
            double reached[N_LABELS];
            for (int from = 0; from < N_LABELS; from++)
                reached[from] = paths[from] + edges[from * N_LABELS + label];
            int best = best_of(reached[0], reached[1], reached[2]);
            before[block * N_LABELS + label] = (uint8_t)best;
            next[label] = reached[best] + chain->scores[block * N_LABELS + label];
        }
        memcpy(paths, next, sizeof paths);
    }
    follow(before, first, end, best_of(paths[0], paths[1], paths[2]), labels);
}

Outcome chain_viterbi(const void *problem, const Pages *pages, void *labels)
{
    const Chain *chain = problem;
    if (!are_kinds(chain, pages->n_blocks))
        return WRONG;
    Arena arena = {0};
    uint8_t *before = ZEROS(&arena, uint8_t, (size_t)pages->n_blocks * N_LABELS);
    for (int64_t page = 0; page < pages->count && before; page++)
        if (pages->starts[page] < pages->starts[page + 1])
            find_best(chain, pages->starts[page], pages->starts[page + 1], before, labels);
    arena_free(&arena);
    return before ? DONE : MEMORY;
}
