/* What the title and the address of a page say, as measures. */
#include "base/code_points.h"
#include "columns/heads.h"
#include "model/page_head.h"
#include "parsing/characters.h"
#include <math.h>

static const char *const types[] = {"article", "website", "product", "video"};
enum { N_TYPES = sizeof types / sizeof *types, N_COUNTS = 3, N_FLAGS = 3 };

/* A title and an address as their words are read, with a blank behind each. */
typedef struct {
    uint32_t codes[2 * LONGEST_TEXT + 2];
    int64_t count;
} Said;

int64_t n_text_measures(const PageWords *words)
{
    return N_TYPES + N_COUNTS + N_FLAGS + words->n_said_groups;
}

/* The title with single blanks. */
static void read_title(Judged *judged, const Value *text)
{
    bool is_blank = false;
    judged->title_length = 0;
    for (int64_t at = 0; at < text->length && judged->title_length < LONGEST_TEXT;) {
        uint32_t code = next_code(text, &at);
        bool begins = is_blank && judged->title_length;
        is_blank = is_space(code);
        if (begins && !is_blank)
            judged->title[judged->title_length++] = ' ';
        if (!is_blank && judged->title_length < LONGEST_TEXT)
            judged->title[judged->title_length++] = code;
    }
}

/* An address without white space around it, of which the scheme and the host are left out. */
static int64_t read_address(const Value *text, uint32_t address[LONGEST_TEXT])
{
    int64_t count = 0, end = 0;
    for (int64_t at = 0; at < text->length && count < LONGEST_TEXT;) {
        uint32_t code = next_code(text, &at);
        if (is_space(code) && !count)
            continue;
        address[count++] = code;
        end = is_space(code) ? end : count;
    }
    return count == LONGEST_TEXT ? count : end;
}

static bool is_at(const uint32_t *codes, int64_t count, int64_t at, const char *wanted)
{
    for (; *wanted; wanted++, at++)
        if (at >= count || codes[at] != (uint32_t)*wanted)
            return false;
    return true;
}

/* Take the first scheme with its host out of an address. */
static int64_t without_host(uint32_t *address, int64_t count)
{
    for (int64_t first = 0; first < count; first++) {
        int64_t end = first + (is_at(address, count, first, "https") ? 5 : 4);
        if (!is_at(address, count, first, "http") || !is_at(address, count, end, "://"))
            continue;
        for (end += 3; end < count && address[end] != '/';)
            end++;
        memmove(address + first, address + end, (size_t)(count - end) * sizeof *address);
        return count - (end - first);
    }
    return count;
}

/* Which of the words that are known a word is, or -1. */
static int64_t find_said(const PageWords *words, const uint32_t *word, int64_t length)
{
    int64_t first = 0, end = words->n_said;
    while (first < end) {
        int64_t middle = first + (end - first) / 2, place = 0;
        const uint32_t *other = words->said + (middle ? words->said_ends[middle - 1] : 0);
        int64_t others = words->said + words->said_ends[middle] - other;
        while (place < length && place < others && word[place] == other[place])
            place++;
        if (place == length && place == others)
            return middle;
        bool is_later = place == others || (place < length && word[place] > other[place]);
        first = is_later ? middle + 1 : first;
        end = is_later ? end : middle;
    }
    return -1;
}

/* Which groups the words of a text are of, letters alone. */
static void find_groups(const Judged *judged, Said *said, double *groups)
{
    const PageWords *words = judged->page_words;
    uint64_t bits = 0;
    int64_t start = 0;
    said->codes[said->count] = ' ';
    for (int64_t at = 0; at <= said->count; at++) {
        uint32_t code = said->codes[at];
        uint8_t class = judged->shared->characters->classes[code];
        if (code != '_' && class >= LOWER && class <= OTHER_WORD && class != DIGIT) {
            said->codes[at] = code < words->n_lower ? words->lower[code] : code;
            continue;
        }
        int64_t found = find_said(words, said->codes + start, at - start);
        bits |= found < 0 ? 0 : words->said_bits[found];
        start = at + 1;
    }
    for (int64_t group = 0; group < words->n_said_groups; group++)
        groups[group] = (double)(bits >> group & 1);
}

double *measure_texts(Judged *judged, const Value *texts, double *measures)
{
    Said said = {.count = 0};
    uint32_t address[LONGEST_TEXT];
    int64_t n_words = 0, n_parts = 0, n_digits = 0, of_path = 0;
    read_title(judged, &texts[OWN_TITLE]);
    int64_t length = read_address(&texts[ADDRESS], address);
    bool is_addressed = length > 0;
    length = without_host(address, length);
    for (int64_t i = 0; i < judged->title_length; i++)
        n_words += judged->title[i] == ' ';
    for (int64_t i = 0; i < length; i++) {
        n_parts += address[i] != '/' && (i == 0 || address[i - 1] == '/');
        n_digits += address[i] >= '0' && address[i] <= '9';
        of_path += address[i] != '/';
    }
    const Value *kind = &texts[KIND_OF_PAGE];
    for (int i = 0; i < N_TYPES; i++)
        *measures++ = holds_name((Slice){kind->text, (size_t)kind->length}, types[i]);
    *measures++ = log1p((double)(n_words + (judged->title_length > 0)));
    *measures++ = log1p((double)n_parts);
    *measures++ = log1p((double)n_digits);
    *measures++ = texts[DESCRIPTION].text != NULL;
    *measures++ = is_addressed;
    *measures++ = is_addressed && !of_path;
    memcpy(said.codes, judged->title, (size_t)judged->title_length * sizeof *said.codes);
    said.codes[judged->title_length] = ' ';
    memcpy(said.codes + judged->title_length + 1, address, (size_t)length * sizeof *address);
    said.count = judged->title_length + 1 + length;
    find_groups(judged, &said, measures);
    return measures + judged->page_words->n_said_groups;
}
