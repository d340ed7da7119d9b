/* The headline of a page: the block before the text that is most like its title. */
#include "base/sorting.h"
#include "columns/elements.h"
#include "kinds/kinds.h"

enum { LONGEST = 50 };     /* words of a headline at most */
enum { MOST_BLOCKS = 20 }; /* away from the beginning of the text that count */
enum { AFTER = 3 };        /* so many blocks after the text begins, its headline may still come */
enum { PROSE = 10 };       /* words outside links that make running text */
#define PER_BLOCK 0.02     /* what each block away takes from the score */

/* What h1 to h6 add to the score; no heading adds nothing. */
static const double of_level[7] = {0.0, 1.4, 0.7, 0.3, 0.1, 0.1, 0.1};

#define LIKENESS 3.0       /* what a block adds that has the words of a title and no others */
#define LEAST 1.3          /* the score of a headline */
#define SURELY 0.4         /* likeness of a headline that comes after the text began */
#define SITE 0.9           /* likeness to the name of the site from which a block is no headline */
#define MOST_OF 0.5        /* words of a heading below level one that are in the title at least */

enum { LABELS, NO_TEXT, BY_NAMES }; /* inputs */
enum { OWN, FOR_SHARING, OF_SITE }; /* titles */

/* --- Words ------------------------------------------------------------------------------------ */

/* Hashes of words, ascending, each once. */
typedef struct {
    uint64_t *words;
    int64_t count;
} Words;

/* Chinese and Japanese have no spaces between words: each letter is one. */
static bool is_word_alone(uint32_t code)
{
    return (code >= 0x3005 && code <= 0x3007) || (code >= 0x3041 && code <= 0x30FF) ||
           (code >= 0x3400 && code <= 0x4DBF) || (code >= 0x4E00 && code <= 0x9FFF);
}

static uint64_t next_hash(const Vocabulary *vocabulary, uint64_t hash, uint32_t code)
{
    return (hash + lower_case(&vocabulary->characters, code) + 1) * GOLDEN;
}

/* The words of a text; false if there is no memory. */
static bool read_words(const Request *request, const uint32_t *chars, int64_t length, Words *result)
{
    const Vocabulary *vocabulary = request->vocabulary;
    uint64_t *words = TAKE(request->arena, uint64_t, (size_t)length + 1);
    uint64_t *spare = TAKE(request->arena, uint64_t, (size_t)length + 1);
    if (!words || !spare)
        return false;
    int64_t count = 0;
    uint64_t hash = 0; /* of the word that is read, 0 for none */
    for (int64_t i = 0; i <= length; i++) {
        uint32_t code = i < length ? chars[i] : ' ';
        uint8_t class = code < N_CODE_POINTS ? vocabulary->characters.classes[code] : SPACE;
        bool is_alone = is_word_alone(code), is_word = class >= LOWER && class <= OTHER_WORD;
        if (hash && (is_alone || !is_word)) {
            words[count++] = hash;
            hash = 0;
        }
        if (is_alone)
            words[count++] = next_hash(vocabulary, 0, code);
        else if (is_word)
            hash = next_hash(vocabulary, hash, code) | 1;
    }
    sort_keys(words, spare, count);
    result->words = words;
    result->count = 0;
    for (int64_t i = 0; i < count; i++)
        if (!result->count || words[result->count - 1] != words[i])
            words[result->count++] = words[i];
    return true;
}

static int64_t count_shared(const Words *own, const Words *other)
{
    int64_t shared = 0, k = 0;
    for (int64_t i = 0; i < own->count; i++) {
        while (k < other->count && other->words[k] < own->words[i])
            k++;
        shared += k < other->count && other->words[k] == own->words[i];
    }
    return shared;
}

static double jaccard(const Words *own, const Words *other, int64_t shared)
{
    int64_t all = own->count + other->count - shared;
    return (double)shared / (double)(all > 1 ? all : 1);
}

/* --- The page --------------------------------------------------------------------------------- */

/* What is known of the page that is looked at. */
typedef struct {
    const Request *request;
    int64_t page, first; /* where its text begins */
    bool are_read;       /* the titles */
    Words titles[N_TITLES];
    int64_t best; /* -1 for none */
    double score; /* of the best */
} Search;

static bool read_titles(Search *search)
{
    const Request *request = search->request;
    const uint32_t *chars = request->shared->titles;
    const int64_t *at = request->shared->title_offsets + search->page * N_TITLES;
    for (int i = 0; i < N_TITLES; i++)
        if (!read_words(request, chars + at[i], at[i + 1] - at[i], &search->titles[i]))
            return false;
    search->are_read = true;
    return true;
}

/* How much of the words of a block and of a title of its page are the same, 0 to 1; the more similar
 * title counts. The name of the site, which may be a part of the title, is like no title; nor is a
 * heading below level one that has a word of the title among others (`How bees live` of `Bees`). */
static double likeness_of(const Search *search, const Words *own, bool is_below)
{
    const Words *site = &search->titles[OF_SITE];
    if (site->count && jaccard(own, site, count_shared(own, site)) >= SITE)
        return 0.0;
    double most = 0.0;
    for (int i = OWN; i <= FOR_SHARING; i++) {
        int64_t shared = count_shared(own, &search->titles[i]);
        double likeness = jaccard(own, &search->titles[i], shared);
        bool says_more = is_below && (double)shared < MOST_OF * (double)own->count;
        if (!says_more && likeness > most)
            most = likeness;
    }
    return most;
}

/* Where the text of a page begins: with running text that is kept, else with what is kept; -1 if
 * nothing is. */
static int64_t first_text(const Request *request, int64_t page)
{
    const uint8_t *labels = input(request, LABELS);
    const int64_t *bounds = request->table->page_starts + page;
    int64_t first = -1;
    for (int64_t i = bounds[0]; i < bounds[1]; i++) {
        if (labels[i] == TEXT && request->shared->free_words[i] >= PROSE)
            return i;
        if (first < 0 && is_kept(request, i))
            first = i;
    }
    return first;
}

/* May a block be a headline, whatever it says. */
static bool may_be_headline(const Request *request, int64_t block)
{
    const uint8_t *labels = input(request, LABELS), *no_text = input(request, NO_TEXT);
    int level = request->shared->heading_level[block];
    return request->inputs[BY_NAMES].length ||
           ((level == 1 || level == 2 || labels[block] == HEADER) && !(no_text && no_text[block]));
}

static bool keeps_one(const Request *request, int64_t page)
{
    const int64_t *bounds = request->table->page_starts + page;
    bool keeps = request->inputs[BY_NAMES].length > 0;
    for (int64_t i = bounds[0]; !keeps && i < bounds[1]; i++)
        keeps = is_kept(request, i) && may_be_headline(request, i);
    return keeps;
}

/* Look at a block, unless it is too long or too far behind the beginning of the text. */
static Outcome look_at(Search *search, int64_t block)
{
    const Request *request = search->request;
    const Shared *shared = request->shared;
    const double *by_names = input(request, BY_NAMES);
    int64_t distance = search->first >= 0 ? block - search->first : -MOST_BLOCKS;
    int64_t away = distance < 0 ? -distance : distance, n_words = shared->words[block];
    int level = shared->heading_level[block];
    if (n_words < 1 || n_words > LONGEST || (distance > AFTER && level != 1))
        return DONE;
    double score = of_level[level] + (by_names ? by_names[block] : 0.0);
    score -= PER_BLOCK * (double)(away < MOST_BLOCKS ? away : MOST_BLOCKS);
    if (score + LIKENESS <= search->score)
        return DONE;
    Words words;
    int64_t start = shared->start[block], length = shared->end[block] - start;
    if ((!search->are_read && !read_titles(search)) ||
        !read_words(request, request->table->chars + start, length, &words))
        return MEMORY;
    double likeness = likeness_of(search, &words, level > 1);
    score += LIKENESS * likeness;
    if (score > search->score && (distance <= AFTER || likeness >= SURELY)) {
        search->score = score;
        search->best = block;
    }
    return DONE;
}

static bool do_fit(const Request *request)
{
    const Table *table = request->table;
    bool fit = has_length(request, LABELS, table->n_blocks);
    for (int i = NO_TEXT; i <= BY_NAMES; i++)
        fit &= !request->inputs[i].items || has_length(request, i, table->n_blocks);
    return fit;
}

Outcome find_headlines(const Request *request, int64_t *headlines)
{
    const Table *table = request->table;
    if (!do_fit(request))
        return WRONG;
    Outcome outcome = DONE;
    for (int64_t page = 0; page < table->n_pages && outcome == DONE; page++) {
        Search search = {.request = request, .page = page, .best = -1, .score = LEAST};
        if (keeps_one(request, page)) {
            search.first = first_text(request, page);
            for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
                if (outcome == DONE && may_be_headline(request, i))
                    outcome = look_at(&search, i);
        }
        headlines[page] = search.best;
    }
    return outcome;
}
