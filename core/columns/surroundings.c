/* Columns of `victor.features.surroundings`. */
#include "base/hash_groups.h"
#include "columns/columns.h"
#include "columns/elements.h"

/* Parameters: what a start tag of each id adds to the sum of tags; code points of currencies;
 * tag ids of <p> and <nav>. */
enum { TAG_WEIGHTS, CURRENCIES, TAGS };
/* Input: a number for every letter, 0 for other code points; the last is for all beyond. */
enum { LETTERS };

enum { IMAGES, FIELDS, LINKS, HEADINGS, N_LANES };
enum { PARAGRAPHS = N_LANES, DATES, PRICES, REPEATS, N_SHARES };
enum { NAV, LONG, DATE, REPEAT, N_MARKS };
enum { N_LEVELS = 3, MOST_CURRENCIES = 32, LONG_WORDS = 30, FAR = 255, FAR_WORDS = 2000 };
enum { AT_BLOCKS = N_LEVELS * N_SHARES, AT_WORDS = AT_BLOCKS + 2 * N_MARKS,
       AT_HEADING = AT_WORDS + N_MARKS, AT_ALIKE, N_ROWS };

/* What a block holds. */
typedef struct {
    int64_t alike; /* blocks of the page with the same letters, itself included */
    bool year, price;
} Signs;

/* What there is before a block, or all blocks. */
typedef struct {
    int64_t paragraph_words, years, prices, repeats, free_words;
} Before;

typedef struct {
    Signs *signs;      /* (n_blocks) */
    Before *before;    /* (n_blocks + 1) */
    uint64_t *tags;    /* (n_tags + 1) sum of the weights before a tag */
    int64_t *blocks;   /* (n_tags + 1) blocks before a tag */
} Facts;

static bool is_currency(const Request *request, uint32_t character)
{
    bool is = false;
    for (int64_t i = 0; i < request->parameters[CURRENCIES].length; i++)
        is |= parameter(request, CURRENCIES)[i] == character;
    return is;
}

/* Is token `k` of four digits that begin with 19 or 20. */
static bool is_year(const Table *table, int64_t k)
{
    int64_t start = table->tokens.start[k];
    if (table->tokens.kind[k] != NUMERIC_TOKEN || table->tokens.end[k] - start != 4)
        return false;
    uint32_t first = table->chars[start], second = table->chars[start + 1];
    return (first == '1' && second == '9') || (first == '2' && second == '0');
}

/* Is token `k` of a block a currency sign next to a number of the same block. */
static bool is_price(const Request *request, int64_t k, int64_t first, int64_t end)
{
    const Table *table = request->table;
    if (table->tokens.kind[k] != OTHER_TOKEN)
        return false;
    bool before_number = k + 1 < end && table->tokens.first_class[k + 1] == DIGIT;
    bool after_number = k > first && table->tokens.last_class[k - 1] == DIGIT;
    return (before_number && is_currency(request, table->chars[table->tokens.end[k] - 1])) ||
           (after_number && is_currency(request, table->chars[table->tokens.start[k]]));
}

static void find_years_and_prices(const Request *request, Signs *signs)
{
    const Table *table = request->table;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t first = table->tokens.block_offsets[i], end = table->tokens.block_offsets[i + 1];
        bool year = false, price = false;
        for (int64_t k = first; k < end; k++) {
            year |= is_year(table, k);
            price |= is_price(request, k, first, end);
        }
        signs[i].year = year;
        signs[i].price = price;
    }
}

/* Blocks with the same letters in any order: their numbers have the same sum. */
static Outcome find_alike(const Request *request, Signs *signs)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    const uint64_t *letters = input(request, LETTERS);
    int64_t n = table->n_blocks;
    uint32_t highest = (uint32_t)(request->inputs[LETTERS].length - 1);
    uint64_t *hashes = TAKE(request->arena, uint64_t, (size_t)n);
    if (!hashes)
        return MEMORY;
    for (int64_t i = 0; i < n; i++) {
        int64_t end = i + 1 < n ? shared->start[i + 1] : table->n_chars;
        uint64_t sum = 0;
        for (int64_t at = shared->start[i]; at < end; at++)
            sum += letters[table->chars[at] < highest ? table->chars[at] : highest];
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
    Before before = {0, 0, 0, 0, 0};
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        const Signs *signs = &facts->signs[i];
        facts->before[i] = before;
        before.paragraph_words += paragraph_words(request, i);
        before.years += signs->year;
        before.prices += signs->price;
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
    values[PRICES] = share(beyond->prices - first->prices, blocks);
    values[REPEATS] = share(beyond->repeats - first->repeats, blocks);
}

/* Shares in the ancestors 1, 3 and 5 of every block; each element is measured once. */
static Outcome fill_shares(const Request *request, const Facts *facts, float *const *rows)
{
    typedef struct {
        float values[N_SHARES];
    } Shares;
    const Shared *shared = request->shared;
    size_t n_elements = (size_t)request->table->n_elements;
    Shares *shares = TAKE(request->arena, Shares, n_elements);
    bool *is_measured = ZEROS(request->arena, bool, n_elements);
    if (!shares || !is_measured)
        return MEMORY;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        int64_t element = shared->outer[shared->container[i]];
        for (int level = 0; level < N_LEVELS; level++) {
            float *values = shares[element].values;
            if (!is_measured[element])
                measure_element(request, facts, element, values);
            is_measured[element] = true;
            for (int number = 0; number < N_SHARES; number++)
                rows[level * N_SHARES + number][i] = values[number];
            element = shared->outer[shared->outer[element]];
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
    default:
        return facts->signs[i].alike > 1;
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

/* Distances on the page of the blocks from `first` to before `end`. */
static void fill_distances(const Request *request, const Facts *facts, int mark, int64_t first,
                           int64_t end, float *const *rows)
{
    float *since = rows[AT_BLOCKS + 2 * mark], *until = rows[AT_BLOCKS + 2 * mark + 1];
    int64_t last = -1, next = -1;
    for (int64_t i = first; i < end; i++) {
        last = is_marked(request, facts, mark, i) ? i : last;
        since[i] = last < 0 ? FAR : blocks_between(last, i);
        rows[AT_WORDS + mark][i] = words_since(facts, last, i);
    }
    for (int64_t i = end - 1; i >= first; i--) {
        next = is_marked(request, facts, mark, i) ? i : next;
        until[i] = next < 0 ? FAR : blocks_between(i, next);
    }
}

static void fill_headings(const Request *request, const Facts *facts, int64_t first, int64_t end,
                          float *const *rows)
{
    int64_t heading = -1;
    for (int64_t i = first; i < end; i++) {
        heading = request->shared->heading_level[i] ? i : heading;
        rows[AT_HEADING][i] = words_since(facts, heading, i);
        rows[AT_ALIKE][i] = heading < 0 ? -1 : (float)facts->signs[heading].alike;
    }
}

Outcome surroundings_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    if (request->parameters[TAG_WEIGHTS].length != N_TAG_IDS ||
        request->parameters[CURRENCIES].length > MOST_CURRENCIES ||
        request->parameters[TAGS].length != 2 || request->inputs[LETTERS].length < 1 ||
        request->inputs[LETTERS].length > N_CODE_POINTS)
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
    find_years_and_prices(request, facts.signs);
    sum_blocks(request, &facts);
    sum_tags(request, &facts);
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1];
        for (int mark = 0; mark < N_MARKS; mark++)
            fill_distances(request, &facts, mark, first, end, rows);
        fill_headings(request, &facts, first, end, rows);
    }
    return fill_shares(request, &facts, rows);
}
