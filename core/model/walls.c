/* What servers and walls say in place of a page: phrases, looked for in the title and in the blocks
 * that are most probably kept: of a page with content these are the content, of another all that it
 * says. */
#include "base/code_points.h"
#include "model/page_head.h"
#include <math.h>

enum {
    MOST_BLOCKS = 12, /* with words outside links that are read, the most probable ones */
    LONGEST = 400,    /* characters of each that are read */
    MOST_GROUPS = 3,
    FULL_START = 4, SHORT_START = 2, /* characters that phrases are looked up by */
};

/* A text as phrases are looked for in it, with blanks around it, and what it says. */
typedef struct {
    uint32_t codes[LONGEST + 2];
    int length;
    bool says[N_SPEAKERS];
    int64_t said[N_SPEAKERS]; /* characters of phrases */
} Text;

/* --- Phrases ---------------------------------------------------------------------------------- */

static int64_t start_of(const PageWords *words, int64_t phrase)
{
    return phrase ? words->ends[phrase - 1] : 0;
}

static uint32_t hash_of(const uint32_t *codes, int count)
{
    uint32_t hash = 0;
    for (int i = 0; i < count; i++)
        hash = (hash + codes[i]) * UINT32_C(0x9E3779B1);
    return hash >> (32 - START_BITS);
}

bool phrases_fit(PageWords *words)
{
    for (int64_t i = 0; i < words->n_phrases; i++) {
        int64_t start = start_of(words, i), length = words->ends[i] - start;
        if (length < SHORT_START || words->groups[i] >= 64 * N_SPEAKERS)
            return false;
        bool is_short = length < FULL_START;
        uint32_t hash = hash_of(words->phrases + start, is_short ? SHORT_START : FULL_START);
        words->starts[is_short][hash / 64] |= UINT64_C(1) << hash % 64;
    }
    return true;
}

static bool is_start(const PageWords *words, bool is_short, const uint32_t *codes)
{
    uint32_t hash = hash_of(codes, is_short ? SHORT_START : FULL_START);
    return words->starts[is_short][hash / 64] >> hash % 64 & 1;
}

/* The first of some phrases, alike before a place, whose character there is not below a code. */
static int64_t first_from(const PageWords *words, int64_t first, int64_t end, int place, uint32_t code)
{
    while (first < end) {
        int64_t middle = first + (end - first) / 2;
        if (words->phrases[start_of(words, middle) + place] < code)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static void note_phrase(Judged *judged, int64_t phrase, int length, Text *text, uint64_t *groups)
{
    if (judged->last_text[phrase] == judged->n_texts)
        return;
    judged->last_text[phrase] = judged->n_texts;
    uint8_t group = judged->page_words->groups[phrase], speaker = group / 64;
    groups[speaker] |= UINT64_C(1) << group % 64;
    text->says[speaker] = true;
    text->said[speaker] += length;
}

/* Note the phrases that begin at a place of a text: those that are as the text so far, by place. */
static void note_phrases_at(Judged *judged, Text *text, int start, uint64_t *groups)
{
    const PageWords *words = judged->page_words;
    int64_t first = 0, end = words->n_phrases;
    for (int place = 0; first < end; place++) {
        for (; first < end && words->ends[first] - start_of(words, first) == place; first++)
            note_phrase(judged, first, place, text, groups);
        if (start + place == text->length)
            return;
        uint32_t code = text->codes[start + place];
        first = first_from(words, first, end, place, code);
        end = first_from(words, first, end, place, code + 1);
    }
}

/* Lower case, white space as single blanks; a capital sigma at the end of a word has a form of its
 * own. */
static void fold(const PageWords *words, const uint32_t *codes, int64_t count, Text *text)
{
    enum { CAPITAL_SIGMA = 0x3A3, FINAL_SIGMA = 0x3C2 };
    int length = 0;
    text->codes[length++] = ' ';
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = codes[i] < words->n_lower ? words->lower[codes[i]] : codes[i];
        bool ends = i + 1 == count || codes[i + 1] < 'A' || is_space(codes[i + 1]);
        if (codes[i] == CAPITAL_SIGMA && ends && text->codes[length - 1] != ' ')
            code = FINAL_SIGMA;
        if (!is_space(code))
            text->codes[length++] = code;
        else if (text->codes[length - 1] != ' ')
            text->codes[length++] = ' ';
    }
    if (length == 1 || text->codes[length - 1] != ' ')
        text->codes[length++] = ' ';
    text->length = length;
}

static void read_text(Judged *judged, const uint32_t *codes, int64_t count, Text *text,
                      uint64_t *groups)
{
    const PageWords *words = judged->page_words;
    fold(words, codes, count < LONGEST ? count : LONGEST, text);
    int length = text->length;
    judged->n_texts++;
    for (int start = 0; start + SHORT_START <= length; start++)
        if ((start + FULL_START <= length && is_start(words, false, text->codes + start)) ||
            is_start(words, true, text->codes + start))
            note_phrases_at(judged, text, start, groups);
}

/* --- Pages ------------------------------------------------------------------------------------ */

/* The blocks of a page that are read, in their order; -1 for a page that surely has content. */
static int best_blocks(const Judged *judged, int64_t first, int64_t end, int64_t *best)
{
    double keeps[MOST_BLOCKS], expected = 0.0;
    int count = 0;
    for (int64_t block = first; block < end; block++) {
        if (judged->shared->free_words[block] <= 0)
            continue;
        double keep = 1 - judged->marginals[block * N_LABELS + OTHER];
        expected += keep * (double)judged->shared->words[block];
        int least = 0; /* the last of the least probable ones */
        for (int i = 1; i < count; i++)
            least = keeps[i] <= keeps[least] ? i : least;
        if (count == MOST_BLOCKS && keep <= keeps[least])
            continue;
        if (count == MOST_BLOCKS) {
            count--;
            memmove(best + least, best + least + 1, (size_t)(count - least) * sizeof *best);
            memmove(keeps + least, keeps + least + 1, (size_t)(count - least) * sizeof *keeps);
        }
        best[count] = block;
        keeps[count++] = keep;
    }
    return expected >= SURELY_CONTENT ? -1 : count;
}

/* What the phrases of a speaker are of the blocks that are read: is one in the title or a heading,
 * how many groups, the share of words of their blocks and that of their characters there. */
static void tell_speaker(const Judged *judged, int speaker, const Text *texts, const int64_t *best,
                         int count, uint64_t groups, double *measures)
{
    int64_t words = 0, words_said = 0, said = 0, length = 0, n_groups = 0;
    bool is_named = texts[count].says[speaker];
    for (int i = 0; i < count; i++) {
        words += judged->shared->words[best[i]];
        if (!texts[i].says[speaker])
            continue;
        is_named |= judged->shared->heading_level[best[i]] > 0;
        words_said += judged->shared->words[best[i]];
        said += texts[i].said[speaker];
        length += texts[i].length;
    }
    for (; groups; groups &= groups - 1)
        n_groups++;
    measures[0] = is_named;
    measures[1] = (double)(n_groups < MOST_GROUPS ? n_groups : MOST_GROUPS);
    measures[2] = (double)words_said / fmax((double)words, 1.0);
    measures[3] = fmin((double)said / fmax((double)length, 1.0), 1.0);
}

void measure_walls(Judged *judged, double measures[N_WALL_MEASURES])
{
    const Table *table = judged->table;
    int64_t first = table->page_starts[judged->page], best[MOST_BLOCKS];
    int64_t end = table->page_starts[judged->page + 1], words = 0, others = 0;
    uint64_t groups[N_SPEAKERS] = {0};
    memset(measures, 0, N_WALL_MEASURES * sizeof *measures);
    int count = best_blocks(judged, first, end, best);
    if (count < 0)
        return;
    Text texts[MOST_BLOCKS + 1] = {0};
    for (int i = 0; i < count; i++)
        read_text(judged, table->chars + judged->shared->start[best[i]],
                  judged->shared->end[best[i]] - judged->shared->start[best[i]], &texts[i], groups);
    read_text(judged, judged->title, judged->title_length, &texts[count], groups);
    if (!groups[0] && !groups[1])
        return;
    for (int speaker = 0; speaker < N_SPEAKERS; speaker++)
        tell_speaker(judged, speaker, texts, best, count, groups[speaker], measures + 4 * speaker);
    for (int64_t block = first; block < end; block++)
        others += judged->shared->free_words[block];
    for (int i = 0; i < count; i++)
        if (texts[i].says[0] || texts[i].says[1]) {
            words += judged->shared->words[best[i]];
            others -= judged->shared->free_words[best[i]];
        }
    measures[4 * N_SPEAKERS] = log1p((double)words);
    measures[4 * N_SPEAKERS + 1] = log1p((double)others);
}
