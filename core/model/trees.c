/* Oblivious trees over codes (`victor.model.trees.Trees`).
 *
 * Blocks are taken by the chunk, so that their codes stay in the cache while all trees ask about
 * them. Processors compare signed bytes, so codes are moved down by half their range first. */
#include "model/model.h"

enum {
    LANES = 256,         /* blocks of a chunk */
    PIECE = 64,          /* blocks compared at once */
    GROUP = 4,           /* trees whose leaves are added in one go */
    FARTHEST = 100,      /* of an offset, as in victor.model.template */
    OFFSETS = 2 * FARTHEST + 1,
    HALF_RANGE = 0x80,
    ALWAYS_BELOW = 0xFF, /* a border that no code is above */
};

/* Blocks of a chunk that are of one page. */
typedef struct {
    int begin, end;
    const float *weights; /* (n_experts) */
} Stretch;

/* Some blocks, and what the trees ask about them. */
typedef struct {
    int64_t start;
    int count;
    int64_t page_start[LANES], page_end[LANES];
    Stretch stretches[LANES];
    int n_stretches;
    /* By offset + FARTHEST: all bits (the code of a place outside) where it leads out of the page,
     * else none. NULL for an offset that no input has. */
    uint8_t *outside[OFFSETS];
    int8_t *codes; /* (n_inputs, LANES) moved down */
    float sums[2][LANES];
    float mixed[GROUP][MOST_LEAVES]; /* leaves of trees as the experts of a page have them */
} Chunk;

/* Note the page of every block, going on from the page of the block before them; returns the page
 * of the last one. */
static int64_t find_pages(Chunk *chunk, int64_t n_experts, const float *weights,
                          const Pages *pages, int64_t page)
{
    chunk->n_stretches = 0;
    for (int i = 0; i < chunk->count; i++) {
        bool begins = i == 0;
        for (; pages->starts[page + 1] <= chunk->start + i; begins = true)
            page++; /* there is one: the last page ends behind every block */
        chunk->page_start[i] = pages->starts[page];
        chunk->page_end[i] = pages->starts[page + 1];
        if (begins)
            chunk->stretches[chunk->n_stretches++] = (Stretch){i, i, weights + page * n_experts};
        chunk->stretches[chunk->n_stretches - 1].end = i + 1;
    }
    return page;
}

static void find_outside(Chunk *chunk)
{
    for (int number = 0; number < OFFSETS; number++) {
        uint8_t *outside = chunk->outside[number];
        for (int i = 0; outside && i < chunk->count; i++) {
            int64_t block = chunk->start + i + number - FARTHEST;
            outside[i] = block < chunk->page_start[i] || block >= chunk->page_end[i] ? 0xFF : 0;
        }
    }
}

/* Codes of a piece as signed bytes. */
static void move_down(const uint8_t *line, const uint8_t *outside, int8_t *restrict codes)
{
    for (int i = 0; i < PIECE; i++)
        codes[i] = (int8_t)((line[i] | outside[i]) ^ HALF_RANGE);
}

/* The codes of an input, given those of its column. */
static void read_input(Chunk *chunk, const uint8_t *column, int64_t n_blocks, int64_t offset,
                       int8_t *codes)
{
    uint8_t line[LANES] = {0};
    int64_t first = chunk->start + offset;
    int64_t begin = first < 0 ? 0 : first;
    int64_t end = first + chunk->count < n_blocks ? first + chunk->count : n_blocks;
    if (begin < end)
        memcpy(line + (begin - first), column + begin, (size_t)(end - begin));
    const uint8_t *outside = chunk->outside[offset + FARTHEST];
    for (int piece = 0; piece < chunk->count; piece += PIECE)
        move_down(line + piece, outside + piece, codes + piece);
}

/* The codes and borders that a tree asks about. */
typedef struct {
    const int8_t *codes[LEVELS];
    int8_t borders[LEVELS];
} Questions;

/* The leaves that the blocks of a piece reach. All levels stand in one expression and the number of
 * blocks is fixed, so that compilers make vectors of it. */
static void find_leaves_of_piece(const Questions *questions, int first, uint8_t *restrict leaves)
{
    const int8_t *a = questions->codes[0] + first, *b = questions->codes[1] + first;
    const int8_t *c = questions->codes[2] + first, *d = questions->codes[3] + first;
    const int8_t *e = questions->codes[4] + first, *f = questions->codes[5] + first;
    const int8_t *g = questions->codes[6] + first, *h = questions->codes[7] + first;
    const int8_t *borders = questions->borders;
    int8_t border_a = borders[0], border_b = borders[1], border_c = borders[2];
    int8_t border_d = borders[3], border_e = borders[4], border_f = borders[5];
    int8_t border_g = borders[6], border_h = borders[7];
    for (int i = 0; i < PIECE; i++)
        leaves[i] = (uint8_t)((a[i] > border_a ? 128 : 0) | (b[i] > border_b ? 64 : 0) |
                              (c[i] > border_c ? 32 : 0) | (d[i] > border_d ? 16 : 0) |
                              (e[i] > border_e ? 8 : 0) | (f[i] > border_f ? 4 : 0) |
                              (g[i] > border_g ? 2 : 0) | (h[i] > border_h ? 1 : 0));
}

/* The leaf that each block of a chunk reaches in a tree. */
static void find_leaves(const Trees *trees, int64_t tree, const int8_t *codes, int count,
                        uint8_t *leaves)
{
    Questions questions;
    for (int level = 0; level < LEVELS; level++) {
        questions.codes[level] = codes + (int64_t)trees->asked[tree * LEVELS + level] * LANES;
        questions.borders[level] = (int8_t)(trees->border[tree * LEVELS + level] ^ HALF_RANGE);
    }
    for (int first = 0; first < count; first += PIECE)
        find_leaves_of_piece(&questions, first, leaves + first);
}

/* The leaves of a tree as the experts of a page have them: those of the only one that is asked, or
 * the weighted sum of all. */
static const float *page_leaves(const Trees *trees, int64_t tree, const float *weights,
                                float *mixed)
{
    int64_t expert = 0, step = trees->n_trees * trees->leaves_of_tree;
    const float *leaves = trees->leaves + tree * trees->leaves_of_tree;
    while (expert < trees->n_experts - 1 && weights[expert] == 0)
        expert++;
    if (weights[expert] == 1)
        return leaves + expert * step;
    for (int64_t leaf = 0; leaf < trees->leaves_of_tree; leaf++)
        mixed[leaf] = weights[expert] * leaves[expert * step + leaf];
    while (++expert < trees->n_experts)
        for (int64_t leaf = 0; leaf < trees->leaves_of_tree; leaf++)
            mixed[leaf] += weights[expert] * leaves[expert * step + leaf];
    return mixed;
}

/* Add what some trees say of the blocks, tree after tree. */
static void add_group(const Trees *trees, int64_t tree, int count, Chunk *chunk, float *sums)
{
    uint8_t reached[GROUP][LANES];
    const float *leaves[GROUP];
    for (int member = 0; member < count; member++)
        find_leaves(trees, tree + member, chunk->codes, chunk->count, reached[member]);
    for (int number = 0; number < chunk->n_stretches; number++) {
        const Stretch *stretch = &chunk->stretches[number];
        for (int member = 0; member < count; member++)
            leaves[member] =
                page_leaves(trees, tree + member, stretch->weights, chunk->mixed[member]);
        if (count == GROUP)
            for (int i = stretch->begin; i < stretch->end; i++) {
                float sum = sums[i] + leaves[0][reached[0][i]];
                sum += leaves[1][reached[1][i]];
                sum += leaves[2][reached[2][i]];
                sums[i] = sum + leaves[3][reached[3][i]];
            }
        else
            for (int member = 0; member < count; member++)
                for (int i = stretch->begin; i < stretch->end; i++)
                    sums[i] += leaves[member][reached[member][i]];
    }
}

static void add_trees(const Trees *trees, int64_t first, int64_t end, Chunk *chunk, float *sums)
{
    for (int64_t tree = first; tree < end; tree += GROUP)
        add_group(trees, tree, end - tree < GROUP ? (int)(end - tree) : GROUP, chunk, sums);
}

/* The potentials of the blocks of a chunk, (count, N_LABELS). */
static void evaluate(const Trees *trees, Chunk *chunk, double *potentials)
{
    for (int64_t input = 0; input < trees->n_inputs; input++)
        read_input(chunk, trees->codes + trees->column[input] * trees->n_blocks, trees->n_blocks,
                   trees->offset[input], chunk->codes + input * LANES);
    memset(chunk->sums, 0, sizeof chunk->sums);
    add_trees(trees, 0, trees->n_text, chunk, chunk->sums[0]);
    add_trees(trees, trees->n_text, trees->n_trees, chunk, chunk->sums[1]);
    for (int i = 0; i < chunk->count; i++) {
        float text = chunk->sums[0][i] + trees->bias[0];
        float header = chunk->sums[1][i] + trees->bias[1];
        potentials[i * N_LABELS + TEXT] = text;
        potentials[i * N_LABELS + HEADER] = (double)text + (double)header;
        potentials[i * N_LABELS + OTHER] = 0.0;
    }
}

/* Do columns and offsets stay in their bounds. */
static bool are_inputs_sound(Trees *trees)
{
    bool outside = trees->n_inputs > INT32_MAX;
    trees->last_column = -1;
    for (int64_t input = 0; input < trees->n_inputs; input++) {
        int64_t column = trees->column[input];
        outside |= (column < 0) | (trees->offset[input] < -FARTHEST) |
                   (trees->offset[input] > FARTHEST);
        trees->last_column = column > trees->last_column ? column : trees->last_column;
    }
    for (int64_t i = 0; i < trees->n_gate_columns; i++) {
        int64_t column = trees->gate_column[i];
        outside |= column < 0;
        trees->last_column = column > trees->last_column ? column : trees->last_column;
    }
    return !outside;
}

/* Are the inputs that are asked about there: the highest bit says that a number is negative, or its
 * distance from the last one. */
static bool are_questions_sound(const Trees *trees)
{
    uint32_t last = (uint32_t)(trees->n_inputs - 1), bits[LEVELS] = {0}, all = 0;
    for (int64_t tree = 0; tree < trees->n_trees; tree++) {
        const int32_t *asked = trees->asked + tree * LEVELS;
        for (int level = 0; level < LEVELS; level++)
            bits[level] |= (uint32_t)asked[level] | (last - (uint32_t)asked[level]);
    }
    for (int level = 0; level < LEVELS; level++)
        all |= bits[level];
    return !(all >> 31);
}

/* Does no answer lead to a leaf beyond the last one: all levels that a tree has too few leaves for
 * ask what no code is above. */
static bool are_levels_sound(const Trees *trees)
{
    int levels = 0;
    while (levels < LEVELS && (int64_t)1 << levels < trees->leaves_of_tree)
        levels++;
    bool sound = (int64_t)1 << levels == trees->leaves_of_tree;
    for (int64_t tree = 0; tree < trees->n_trees; tree++)
        for (int level = 0; level < LEVELS - levels; level++)
            sound &= trees->border[tree * LEVELS + level] == ALWAYS_BELOW;
    return sound;
}

bool trees_fit(Trees *trees)
{
    return trees->n_text >= 0 && trees->n_text <= trees->n_trees && are_inputs_sound(trees) &&
           are_questions_sound(trees) && are_levels_sound(trees);
}

/* Room for the codes of a chunk and for each offset that is read. */
static bool prepare(Chunk *chunk, const Trees *trees, Arena *arena)
{
    chunk->codes = TAKE(arena, int8_t, (size_t)trees->n_inputs * LANES);
    bool enough = chunk->codes != NULL;
    for (int64_t input = 0; input < trees->n_inputs && enough; input++) {
        uint8_t **outside = &chunk->outside[trees->offset[input] + FARTHEST];
        if (!*outside)
            enough = (*outside = ZEROS(arena, uint8_t, LANES)) != NULL;
    }
    return enough;
}

Outcome trees_potentials(const void *problem, const Pages *pages, void *result)
{
    const Trees *trees = problem;
    double *potentials = result;
    Arena arena = {0};
    Chunk *chunk = ZEROS(&arena, Chunk, 1);
    float *weights = TAKE(&arena, float, (size_t)(pages->count * trees->n_experts));
    bool enough = chunk && weights && prepare(chunk, trees, &arena);
    Outcome outcome = enough ? weigh_experts(trees, pages, weights) : MEMORY;
    int64_t page = 0;
    for (int64_t start = 0; start < pages->n_blocks && outcome == DONE; start += LANES) {
        int64_t left = pages->n_blocks - start;
        chunk->start = start;
        chunk->count = left < LANES ? (int)left : LANES;
        page = find_pages(chunk, trees->n_experts, weights, pages, page);
        find_outside(chunk);
        evaluate(trees, chunk, potentials + start * N_LABELS);
    }
    arena_free(&arena);
    return outcome;
}
