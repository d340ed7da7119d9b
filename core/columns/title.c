/* Columns of `victor.features.title`: words that a block shares with the title and the description
 * of the page. */
#include "base/sorting.h"
#include "columns/columns.h"

enum { JACCARD, OFFSET, OVERLAP };
enum { TITLE, DESCRIPTION, N_TEXTS };
enum { N_FIRST_BYTES = 256 };
enum { SHAPE_BITS = 17, PAGE_STEP = 40503, LONGEST = 255 };

/* Whether a word is like one of the texts is ruled out for most by page, first letter and length,
 * before any word is hashed. */
typedef struct {
    uint64_t seen[(1 << SHAPE_BITS) / 64];
    const uint32_t *lower;
} Shapes;

/* One text for every page, as Python gives it. */
typedef struct {
    const uint32_t *chars;
    const int64_t *offsets; /* (pages + 1) */
    const int64_t *cuts;    /* where words begin whatever comes before, ascending */
    int64_t n_cuts;
    uint64_t *keys;   /* hashes of all words, sorted */
    int64_t *n_words; /* (pages) */
    int64_t n_keys;
    int64_t begins[N_FIRST_BYTES + 1]; /* of the keys by their highest byte */
} Texts;

static inline uint32_t lower_of(const Shapes *shapes, uint32_t code)
{
    return code < N_LOWER ? shapes->lower[code] : code;
}

static uint32_t shape_of(const Shapes *shapes, int64_t page, uint32_t first, int64_t length)
{
    uint32_t shape = (uint32_t)page * PAGE_STEP + (lower_of(shapes, first) << 5);
    shape += (uint32_t)(length < LONGEST ? length : LONGEST);
    return shape & ((1u << SHAPE_BITS) - 1);
}

/* Hash of a word in lower case, another one on every page. */
static uint64_t key_of(const Shapes *shapes, int64_t page, const uint32_t *word, int64_t length)
{
    uint64_t hash = 0, power = 1;
    for (int64_t i = 0; i < length; i++) {
        uint64_t bits = ((uint64_t)lower_of(shapes, word[i]) + 1) * UINT64_C(0xBF58476D1CE4E5B9);
        hash += (bits ^ bits >> 29) * power;
        power *= GOLDEN;
    }
    return hash + (uint64_t)page * GOLDEN;
}

static void add_word(Texts *texts, Shapes *shapes, int64_t page, int64_t start, int64_t end)
{
    const uint32_t *word = texts->chars + start;
    uint32_t shape = shape_of(shapes, page, word[0], end - start);
    shapes->seen[shape / 64] |= (uint64_t)1 << shape % 64;
    texts->keys[texts->n_keys++] = key_of(shapes, page, word, end - start);
    texts->n_words[page]++;
}

/* Words of all texts: runs of word characters; an ideograph stands alone. A joiner is of the class
 * of the character before it, be it of the text before. */
static void add_words(Texts *texts, Shapes *shapes, const uint8_t *classes, int64_t n_pages)
{
    uint8_t class = SPACE;
    const int64_t *cut = texts->cuts, *last_cut = texts->cuts + texts->n_cuts;
    for (int64_t page = 0; page < n_pages; page++) {
        int64_t start = -1; /* of the word that is not at its end */
        for (int64_t at = texts->offsets[page]; at < texts->offsets[page + 1]; at++) {
            uint8_t before = class, next = classes[texts->chars[at]];
            class = next == JOINER ? before : next;
            bool is_cut = class == IDEOGRAPH || before == IDEOGRAPH;
            for (; cut < last_cut && *cut <= at; cut++)
                is_cut |= *cut == at;
            bool is_word = class >= LOWER && class <= OTHER_WORD;
            if (start >= 0 && (is_cut || !is_word)) {
                add_word(texts, shapes, page, start, at);
                start = -1;
            }
            if (is_word && start < 0)
                start = at;
        }
        if (start >= 0)
            add_word(texts, shapes, page, start, texts->offsets[page + 1]);
    }
}

enum { CHARS, OFFSETS, CUTS };

static bool are_inputs_sound(const Request *request)
{
    int64_t n_chars = request->inputs[CHARS].length, n_texts = N_TEXTS * request->table->n_pages;
    const uint32_t *chars = input(request, CHARS);
    const int64_t *offsets = input(request, OFFSETS);
    if (request->inputs[OFFSETS].length != n_texts + 1 || offsets[0] != 0 ||
        offsets[n_texts] != n_chars)
        return false;
    for (int64_t text = 0; text < n_texts; text++)
        if (offsets[text] > offsets[text + 1])
            return false;
    uint32_t highest = 0;
    for (int64_t i = 0; i < n_chars; i++)
        highest = chars[i] > highest ? chars[i] : highest;
    return highest < N_CODE_POINTS;
}

/* The texts of one sort. */
static Outcome read_texts(const Request *request, int sort, Shapes *shapes, Texts *texts)
{
    int64_t n_pages = request->table->n_pages;
    *texts = (Texts){
        .chars = input(request, CHARS),
        .offsets = (const int64_t *)input(request, OFFSETS) + sort * n_pages,
        .cuts = input(request, CUTS),
        .n_cuts = request->inputs[CUTS].length,
    };
    size_t n_chars = (size_t)(texts->offsets[n_pages] - texts->offsets[0]);
    texts->keys = TAKE(request->arena, uint64_t, n_chars);
    texts->n_words = ZEROS(request->arena, int64_t, (size_t)n_pages);
    uint64_t *spare = TAKE(request->arena, uint64_t, n_chars);
    if (!texts->keys || !texts->n_words || !spare)
        return MEMORY;
    add_words(texts, shapes, request->shared->classes, n_pages);
    sort_keys(texts->keys, spare, texts->n_keys);
    for (int64_t i = 0; i < texts->n_keys; i++)
        texts->begins[(texts->keys[i] >> 56) + 1]++;
    for (int byte = 0; byte < N_FIRST_BYTES; byte++)
        texts->begins[byte + 1] += texts->begins[byte];
    return DONE;
}

static bool holds(const Texts *texts, uint64_t key)
{
    const int64_t *range = &texts->begins[key >> 56];
    int64_t at = range[0] + first_not_below(texts->keys + range[0], range[1] - range[0], key);
    return at < range[1] && texts->keys[at] == key;
}

/* How many words of a block each text of its page holds. */
static void count_shared(const Request *request, const Shapes *shapes, const Texts texts[N_TEXTS],
                         int64_t block, int64_t shared[N_TEXTS])
{
    const Table *table = request->table;
    const int64_t *offsets = table->tokens.block_offsets;
    int64_t page = request->shared->page[block];
    shared[TITLE] = shared[DESCRIPTION] = 0;
    for (int64_t token = offsets[block]; token < offsets[block + 1]; token++) {
        const uint32_t *word = table->chars + table->tokens.start[token];
        int64_t length = table->tokens.end[token] - table->tokens.start[token];
        uint32_t shape = shape_of(shapes, page, word[0], length);
        if (!(shapes->seen[shape / 64] >> shape % 64 & table->tokens.word[token]))
            continue;
        uint64_t key = key_of(shapes, page, word, length);
        for (int text = TITLE; text < N_TEXTS; text++)
            shared[text] += holds(&texts[text], key);
    }
}

/* Likeness of every block of a page to its title, and where the block is that is most like it. */
static void measure_page(const Request *request, const Shapes *shapes,
                         const Texts texts[N_TEXTS], int64_t page, float *const *rows)
{
    static const double like = 0.3; /* at least */
    int64_t start = request->table->page_starts[page], end = request->table->page_starts[page + 1];
    int64_t likest = -1, of_title = texts[TITLE].n_words[page];
    double highest = 0;
    for (int64_t i = start; i < end; i++) {
        int64_t words = request->shared->words[i], shared[N_TEXTS];
        count_shared(request, shapes, texts, i, shared);
        int64_t in_both = shared[TITLE] < of_title ? shared[TITLE] : of_title;
        double jaccard = (double)in_both / (double)at_least_1(words + of_title - in_both);
        if (jaccard >= like && jaccard > highest) {
            highest = jaccard;
            likest = i;
        }
        rows[JACCARD][i] = (float)jaccard;
        rows[OVERLAP][i] = share(shared[DESCRIPTION], at_least_1(words));
    }
    measure_distances(rows[OFFSET], start, end, likest);
}

/* Inputs: code points of the titles of all pages and of their descriptions, where those of each
 * begin, and where words begin whatever comes before. */
Outcome title_columns(const Request *request, float *const *rows)
{
    Shapes *shapes = ZEROS(request->arena, Shapes, 1);
    if (!shapes)
        return MEMORY;
    if (!are_inputs_sound(request))
        return WRONG;
    shapes->lower = request->shared->lower;
    Texts texts[N_TEXTS];
    for (int text = TITLE; text < N_TEXTS; text++) {
        Outcome outcome = read_texts(request, text, shapes, &texts[text]);
        if (outcome != DONE)
            return outcome;
    }
    for (int64_t page = 0; page < request->table->n_pages; page++)
        measure_page(request, shapes, texts, page, rows);
    return DONE;
}
