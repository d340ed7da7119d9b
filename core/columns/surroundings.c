/* Columns of `victor.features.surroundings`. */
#include "base/hash_groups.h"
#include "columns/columns.h"
#include "columns/elements.h"

/* Parameters: what a start tag of each id adds to the sum of tags; tag ids of <p> and <nav>; level
 * and share of every column of shares, levels ascending. */
enum { TAG_WEIGHTS, TAGS, LEVELS, SHARES };
enum { IMAGES, FIELDS, LINKS, HEADINGS, N_LANES };
enum { PARAGRAPHS = N_LANES, DATES, REPEATS, N_SHARES };
enum { NAV, LONG, DATE, REPEAT, HEADING };
/* Columns of distances, in blocks and in words. */
enum { SINCE_NAV, SINCE_DATE, UNTIL_NAV, UNTIL_LONG, UNTIL_REPEAT, WORDS_SINCE_NAV,
       WORDS_SINCE_DATE, WORDS_SINCE_REPEAT, WORDS_SINCE_HEADING, N_DISTANCES };
enum { N_LATIN = 0x250 }; /* code points whose numbers are looked up */
enum { MOST_LEVELS = 16, LONG_WORDS = 30, FAR = 255, FAR_WORDS = 2000 };

/* What a block holds. */
typedef struct {
    int64_t alike; /* blocks of the page with the same letters, itself included */
    bool year;
} Signs;

/* What there is before a block, or all blocks. */
typedef struct {
    int64_t paragraph_words, years, repeats, free_words;
} Before;

typedef struct {
    Signs *signs;      /* (n_blocks) */
    Before *before;    /* (n_blocks + 1) */
    uint64_t *tags;    /* (n_tags + 1) sum of the weights before a tag */
    int64_t *blocks;   /* (n_tags + 1) blocks before a tag */
} Facts;

/* Is token `k` of four digits that begin with 19 or 20. */
static bool is_year(const Table *table, int64_t k)
{
    int64_t start = table->tokens.start[k];
    if (table->tokens.kind[k] != NUMERIC_TOKEN || table->tokens.end[k] - start != 4)
        return false;
    uint32_t first = table->chars[start], second = table->chars[start + 1];
    return (first == '1' && second == '9') || (first == '2' && second == '0');
}

static void find_years(const Table *table, Signs *signs)
{
    for (int64_t i = 0; i < table->n_blocks; i++) {
        bool year = false;
        for (int64_t k = table->tokens.block_offsets[i]; k < table->tokens.block_offsets[i + 1]; k++)
            year |= is_year(table, k);
        signs[i].year = year;
    }
}

/* A number that looks random for the lower case of a letter, 0 for other code points. */
static uint64_t number_of_letter(const Characters *characters, uint32_t code)
{
    uint8_t class = characters->classes[code];
    return class >= LOWER && class <= IDEOGRAPH ? mixed(lower_case(characters, code)) : 0;
}

/* Blocks with the same letters in any order: their numbers have the same sum. */
static Outcome find_alike(const Request *request, Signs *signs)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    const Characters *characters = shared->characters;
    int64_t n = table->n_blocks;
    uint64_t letters[N_LATIN], *hashes = TAKE(request->arena, uint64_t, (size_t)n);
    if (!hashes)
        return MEMORY;
    for (uint32_t code = 0; code < N_LATIN; code++)
        letters[code] = number_of_letter(characters, code);
    for (int64_t i = 0; i < n; i++) {
        int64_t end = i + 1 < n ? shared->start[i + 1] : table->n_chars;
        uint64_t sum = 0;
        for (int64_t at = shared->start[i]; at < end; at++)
            sum += table->chars[at] < N_LATIN ? letters[table->chars[at]]
                                              : number_of_letter(characters, table->chars[at]);
        hashes[i] = (sum + (uint64_t)shared->page[i]) * GOLDEN;
    }
    HashGroups groups;
    if (equal_groups(&groups, hashes, n, request->arena) != DONE)
        return MEMORY;
    for (int64_t g = 0; g < groups.n_groups; g++)
        for (int64_t k = groups.starts[g]; k < groups.starts[g + 1]; k++)
            signs[groups.order[k]].alike = groups.starts[g + 1] - groups.starts[g];
    return DONE;
}

/* --- Shares in ancestors ---------------------------------------------------------------------- */

/* Words of a block inside <p>. */
static int64_t paragraph_words(const Request *request, int64_t i)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t words = 0, tag = parameter(request, TAGS)[0];
    for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++)
        if (is_in_tag(shared, shared->segment_element[s], tag))
            words += shared->segment_words[s];
    return words;
}

static void sum_blocks(const Request *request, Facts *facts)
{
    Before before = {0, 0, 0, 0};
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        const Signs *signs = &facts->signs[i];
        facts->before[i] = before;
        before.paragraph_words += paragraph_words(request, i);
        before.years += signs->year;
        before.repeats += signs->alike > 1;
        before.free_words += request->shared->free_words[i];
    }
    facts->before[request->table->n_blocks] = before;
}

/* Sums before every tag. One sum counts tags of all kinds, each in 16 bits: beyond that, counts
 * run into one another, as in Python. */
static void sum_tags(const Request *request, Facts *facts)
{
    const Table *table = request->table;
    const int64_t *weights = parameter(request, TAG_WEIGHTS);
    facts->tags[0] = 0;
    for (int64_t tag = 0; tag < table->n_tags; tag++) {
        uint64_t weight = (uint64_t)weights[table->tags.id[tag]];
        facts->tags[tag + 1] = facts->tags[tag] + (table->tags.step[tag] >= 0 ? weight : 0);
    }
    memset(facts->blocks, 0, ((size_t)table->n_tags + 1) * sizeof *facts->blocks);
    for (int64_t i = 0; i < table->n_blocks; i++)
        facts->blocks[request->shared->tag[i] + 1] = 1;
    for (int64_t tag = 0; tag < table->n_tags; tag++)
        facts->blocks[tag + 1] += facts->blocks[tag];
}

static void measure_element(const Request *request, const Facts *facts, int64_t element,
                            float values[N_SHARES])
{
    int64_t open = request->table->elements.open[element];
    int64_t close = request->table->elements.close[element];
    const Before *first = &facts->before[facts->blocks[open]];
    const Before *beyond = &facts->before[facts->blocks[close]];
    int64_t blocks = at_least_1(facts->blocks[close] - facts->blocks[open]);
    int64_t words = at_least_1(request->shared->element_words[element]);
    uint64_t tags = facts->tags[close] - facts->tags[open];
    for (int lane = 0; lane < N_LANES; lane++)
        values[lane] = share((int64_t)(tags >> 16 * lane & 0xFFFF), blocks);
    values[PARAGRAPHS] = share(beyond->paragraph_words - first->paragraph_words, words);
    values[DATES] = share(beyond->years - first->years, blocks);
    values[REPEATS] = share(beyond->repeats - first->repeats, blocks);
}

/* Shares of an element, measured when they are first asked for. */
typedef struct {
    float values[N_SHARES];
    bool are_measured;
} Shares;

static Outcome fill_shares(const Request *request, const Facts *facts, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t n = request->table->n_blocks, level = 0;
    Shares *shares = ZEROS(request->arena, Shares, (size_t)request->table->n_elements);
    int64_t *around = TAKE(request->arena, int64_t, (size_t)n);
    if (!shares || !around)
        return MEMORY;
    memcpy(around, shared->container, (size_t)n * sizeof *around);
    for (int64_t column = 0; column < request->parameters[LEVELS].length; column++) {
        int64_t wanted = parameter(request, LEVELS)[column];
        int64_t number = parameter(request, SHARES)[column];
        if (wanted < level || wanted > MOST_LEVELS || number < 0 || number >= N_SHARES)
            return WRONG;
        for (; level < wanted; level++)
            for (int64_t i = 0; i < n; i++)
                around[i] = shared->outer[around[i]];
        for (int64_t i = 0; i < n; i++) {
            Shares *of_element = &shares[around[i]];
            if (!of_element->are_measured)
                measure_element(request, facts, around[i], of_element->values);
            of_element->are_measured = true;
            rows[column][i] = of_element->values[number];
        }
    }
    return DONE;
}

/* --- Distances to marks ----------------------------------------------------------------------- */

static bool is_marked(const Request *request, const Facts *facts, int mark, int64_t i)
{
    const Shared *shared = request->shared;
    switch (mark) {
    case NAV:
        return is_in_tag(shared, shared->element[i], parameter(request, TAGS)[1]);
    case LONG:
        return shared->free_words[i] >= LONG_WORDS;
    case DATE:
        return facts->signs[i].year;
    case REPEAT:
        return facts->signs[i].alike > 1;
    default:
        return shared->heading_level[i] > 0;
    }
}

static float blocks_between(int64_t first, int64_t last)
{
    return (float)(last - first < FAR ? last - first : FAR);
}

/* Free words from block `last` to before block `i`; -1 if there is no last one. */
static float words_since(const Facts *facts, int64_t last, int64_t i)
{
    if (last < 0)
        return -1;
    int64_t words = facts->before[i].free_words - facts->before[last].free_words;
    return (float)(words < FAR_WORDS ? words : FAR_WORDS);
}

/* Blocks and words since the last mark of the page; `blocks` may be NULL. */
static void fill_since(const Request *request, const Facts *facts, int mark, float *blocks,
                       float *words)
{
    const int64_t *starts = request->table->page_starts;
    for (int64_t page = 0; page < request->table->n_pages; page++) {
        int64_t last = -1;
        for (int64_t i = starts[page]; i < starts[page + 1]; i++) {
            last = is_marked(request, facts, mark, i) ? i : last;
            words[i] = words_since(facts, last, i);
            if (blocks)
                blocks[i] = last < 0 ? FAR : blocks_between(last, i);
        }
    }
}

/* Blocks until the next mark of the page. */
static void fill_until(const Request *request, const Facts *facts, int mark, float *blocks)
{
    const int64_t *starts = request->table->page_starts;
    for (int64_t page = 0; page < request->table->n_pages; page++) {
        int64_t next = -1;
        for (int64_t i = starts[page + 1] - 1; i >= starts[page]; i--) {
            next = is_marked(request, facts, mark, i) ? i : next;
            blocks[i] = next < 0 ? FAR : blocks_between(i, next);
        }
    }
}

static void fill_distances(const Request *request, const Facts *facts, float *const *rows)
{
    fill_since(request, facts, NAV, rows[SINCE_NAV], rows[WORDS_SINCE_NAV]);
    fill_since(request, facts, DATE, rows[SINCE_DATE], rows[WORDS_SINCE_DATE]);
    fill_since(request, facts, REPEAT, NULL, rows[WORDS_SINCE_REPEAT]);
    fill_since(request, facts, HEADING, NULL, rows[WORDS_SINCE_HEADING]);
    fill_until(request, facts, NAV, rows[UNTIL_NAV]);
    fill_until(request, facts, LONG, rows[UNTIL_LONG]);
    fill_until(request, facts, REPEAT, rows[UNTIL_REPEAT]);
}

Outcome surroundings_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    int64_t n_shares = request->parameters[LEVELS].length;
    if (request->parameters[TAG_WEIGHTS].length != N_TAG_IDS ||
        request->parameters[TAGS].length != 2 || request->parameters[SHARES].length != n_shares ||
        request->n_rows != n_shares + N_DISTANCES)
        return WRONG;
    Facts facts = {
        .signs = TAKE(request->arena, Signs, (size_t)table->n_blocks),
        .before = TAKE(request->arena, Before, (size_t)table->n_blocks + 1),
        .tags = TAKE(request->arena, uint64_t, (size_t)table->n_tags + 1),
        .blocks = TAKE(request->arena, int64_t, (size_t)table->n_tags + 1),
    };
    if (!facts.signs || !facts.before || !facts.tags || !facts.blocks ||
        find_alike(request, facts.signs) != DONE)
        return MEMORY;
    find_years(table, facts.signs);
    sum_blocks(request, &facts);
    sum_tags(request, &facts);
    fill_distances(request, &facts, rows + n_shares);
    return fill_shares(request, &facts, rows);
}
