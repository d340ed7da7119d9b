/* Columns of `victor.features.class_groups`. */
#include "columns/columns.h"
#include "columns/elements.h"

/* Parameters: bit of every group in the order of its columns; bits of the groups that have shares,
 * that of comments first; tag ids of elements around the whole page, whose names do not count; bit
 * of the group of posts of threads, if there is one. */
enum { GROUPS, SHARES, WHOLE_PAGE, POSTS };
/* Inputs: bits of the groups by row of attributes, the last for no row; bits of what each block
 * says; (pages) sorts of sign in the head that the page is a thread. */
enum { NAMES, SIGNS, THREADS };
enum { HEADING_SIGN = 1, MARK_SIGN = 2, MORE_SIGN = 4, DIALOG_SIGN = 8, LONG_MORE_SIGN = 16,
       LONG_DIALOG_SIGN = 32 };
enum { SINCE, OFFSET, WORDS_BEFORE, PROSE_OUTSIDE, SINCE_HEADING, MARKS, MORE_OWN, MORE_NEAR,
       DIALOG_NEAR, THREAD_SIGNS, THREAD_POSTS, N_OTHERS };
enum { NEAR_LEVELS = 3, FAR = 255, NOWHERE = 999, FAR_WORDS = 2000, PROSE = 25, WINDOW = 8,
       SHORT = 80 };

/* Bits of the groups of an element, and of it and all elements around it. */
typedef struct {
    uint64_t own, far;
} Names;

/* What the elements of a page say of being a thread. */
typedef struct {
    int64_t n_named, n_posts;
} Thread;

/* The names of elements; those named as posts of threads are counted by page. */
static Names *names_of_elements(const Request *request, Thread *threads)
{
    const Table *table = request->table;
    const uint64_t *masks = input(request, NAMES);
    const Array *posts = &request->parameters[POSTS];
    uint64_t post = posts->length ? UINT64_C(1) << *(const int64_t *)posts->items : 0;
    bool is_whole_page[N_TAG_IDS] = {false};
    for (int64_t k = 0; k < request->parameters[WHOLE_PAGE].length; k++) {
        int64_t tag = parameter(request, WHOLE_PAGE)[k];
        if (tag >= 0 && tag < N_TAG_IDS)
            is_whole_page[tag] = true;
    }
    Names *names = TAKE(request->arena, Names, (size_t)table->n_elements);
    for (int64_t e = 0; names && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        uint64_t own = masks[bundle_row(table, e, request->inputs[NAMES].length)];
        bool is_whole = is_whole_page[table->elements.tag[e]];
        if (own & post) {
            Thread *thread = &threads[request->shared->element_page[e]];
            thread->n_named++;
            thread->n_posts += !is_whole;
        }
        own = is_whole ? 0 : own;
        names[e] = (Names){own, own | (parent == e ? 0 : names[parent].far)};
    }
    return names;
}

/* Bits of the elements close around a block: its innermost element, the one around that, its
 * container and two block-level ancestors. */
static uint64_t names_near(const Request *request, const Names *names, int64_t i)
{
    const Shared *shared = request->shared;
    int64_t element = shared->element[i], level = shared->container[i];
    uint64_t near = names[element].own | names[request->table->elements.parent[element]].own;
    for (int above = 0; above < NEAR_LEVELS; above++) {
        near |= names[level].own;
        level = shared->outer[level];
    }
    return near;
}

static Outcome fill_groups(const Request *request, const Names *names, float *const *rows)
{
    int64_t n = request->table->n_blocks;
    uint64_t *near = TAKE(request->arena, uint64_t, (size_t)n);
    uint64_t *far = TAKE(request->arena, uint64_t, (size_t)n);
    if (!near || !far)
        return MEMORY;
    for (int64_t i = 0; i < n; i++) {
        near[i] = names_near(request, names, i);
        far[i] = names[request->shared->element[i]].far;
    }
    for (int64_t group = 0; group < request->parameters[GROUPS].length; group++) {
        int64_t bit = parameter(request, GROUPS)[group];
        float *row = rows[group];
        for (int64_t i = 0; i < n; i++)
            row[i] = (float)(int32_t)((near[i] >> bit & 1) + (far[i] >> bit & 1));
    }
    return DONE;
}

/* Words of every page inside elements of a group. */
static void fill_share(const Request *request, const Names *names, int64_t bit, float *row)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1], words = 0;
        for (int64_t s = table->segment_starts[first]; s < table->segment_starts[end]; s++)
            if (names[shared->segment_element[s]].far >> bit & 1)
                words += shared->segment_words[s];
        float value = share(words, at_least_1(shared->page_words[page]));
        for (int64_t i = first; i < end; i++)
            row[i] = value;
    }
}

static float blocks_since(int64_t last, int64_t i)
{
    return (float)(last >= 0 && i - last < FAR ? i - last : FAR);
}

/* Distances to comment elements, and what is outside them, on the page of the blocks from `start`
 * to before `end`. */
static void fill_comments(const Request *request, const uint8_t *comment, int64_t start,
                          int64_t end, float *const *rows)
{
    const Shared *shared = request->shared;
    int64_t first = -1, last = -1, words = 0, prose = 0;
    for (int64_t i = start; i < end; i++) {
        if (comment[i])
            last = i;
        if (last >= 0 && first < 0)
            first = i;
        words += first < 0 ? shared->words[i] : 0;
        prose += !comment[i] && shared->free_words[i] >= PROSE;
        rows[SINCE][i] = blocks_since(last, i);
    }
    for (int64_t i = start; i < end; i++) {
        int64_t steps = i - first < -FAR ? -FAR : i - first > FAR ? FAR : i - first;
        rows[OFFSET][i] = (float)(first < 0 ? NOWHERE : steps);
        rows[WORDS_BEFORE][i] = (float)(first < 0 ? -1 : words < FAR_WORDS ? words : FAR_WORDS);
        rows[PROSE_OUTSIDE][i] = (float)prose;
    }
}

/* Does a text end in an ellipsis in brackets, as excerpts do. */
static bool is_cut_off(const uint32_t *chars, int64_t start, int64_t end)
{
    uint32_t last = chars[end - 1 > start ? end - 1 : start];
    uint32_t dots = chars[end - 2 > start ? end - 2 : start];
    uint32_t more_dots = chars[end - 3 > start ? end - 3 : start];
    return (last == ']' || last == ')') && (dots == 0x2026 || (dots == '.' && more_dots == '.'));
}

/* What a block says; of a long one only its begin and end are looked at. */
static int64_t signs_of(const Request *request, int64_t i)
{
    int64_t start = request->shared->start[i], end = request->shared->end[i];
    int64_t signs = ((const int64_t *)input(request, SIGNS))[i];
    if (end - start > SHORT)
        signs &= LONG_MORE_SIGN | LONG_DIALOG_SIGN;
    if (signs & LONG_MORE_SIGN || is_cut_off(request->table->chars, start, end))
        signs |= MORE_SIGN;
    if (signs & LONG_DIALOG_SIGN)
        signs |= DIALOG_SIGN;
    return signs;
}

/* Blocks with a sign at most `WINDOW` blocks away on the page, the block itself included. */
static void fill_window(const int64_t *signs, int64_t sign, int64_t start, int64_t end, float *row)
{
    int64_t inside = 0;
    for (int64_t i = start; i < end && i < start + WINDOW; i++)
        inside += (signs[i] & sign) != 0;
    for (int64_t i = start; i < end; i++) {
        if (end - i > WINDOW)
            inside += (signs[i + WINDOW] & sign) != 0;
        if (i - start > WINDOW)
            inside -= (signs[i - WINDOW - 1] & sign) != 0;
        row[i] = (float)inside;
    }
}

static void fill_signs(const int64_t *signs, int64_t start, int64_t end, float *const *rows)
{
    int64_t heading = -1;
    for (int64_t i = start; i < end; i++) {
        heading = signs[i] & HEADING_SIGN ? i : heading;
        rows[SINCE_HEADING][i] = blocks_since(heading, i);
        rows[MORE_OWN][i] = (signs[i] & MORE_SIGN) != 0;
    }
    fill_window(signs, MARK_SIGN, start, end, rows[MARKS]);
    fill_window(signs, MORE_SIGN, start, end, rows[MORE_NEAR]);
    fill_window(signs, DIALOG_SIGN, start, end, rows[DIALOG_NEAR]);
}

/* What a page says of being a thread, the same for all its blocks. */
static void fill_threads(const Request *request, const Thread *threads, int64_t page,
                         float *const *rows)
{
    const Table *table = request->table;
    int64_t signs = ((const int64_t *)input(request, THREADS))[page] + (threads[page].n_named > 0);
    int64_t posts = threads[page].n_posts < FAR ? threads[page].n_posts : FAR;
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
        rows[THREAD_SIGNS][i] = (float)signs;
        rows[THREAD_POSTS][i] = (float)posts;
    }
}

static bool are_bits(const Array *numbers)
{
    bool are_bits = true;
    for (int64_t k = 0; k < numbers->length; k++)
        are_bits &= ((uint64_t)((const int64_t *)numbers->items)[k] < 64);
    return are_bits;
}

/* Is what the module is given of the right length, and every bit one of a word. */
static bool is_sound(const Request *request)
{
    int64_t n_groups = request->parameters[GROUPS].length;
    int64_t n_shares = request->parameters[SHARES].length;
    return are_bits(&request->parameters[GROUPS]) && are_bits(&request->parameters[SHARES]) &&
           are_bits(&request->parameters[POSTS]) && n_shares > 0 && request->n_rows == n_groups + n_shares + N_OTHERS &&
           request->inputs[SIGNS].length == request->table->n_blocks &&
           request->inputs[THREADS].length == request->table->n_pages &&
           are_bundle_rows(request->table, request->inputs[NAMES].length);
}

Outcome class_groups_columns(const Request *request, float *const *rows)
{
    if (!is_sound(request))
        return WRONG;
    const Table *table = request->table;
    Thread *threads = ZEROS(request->arena, Thread, (size_t)table->n_pages);
    Names *names = threads ? names_of_elements(request, threads) : NULL;
    int64_t *signs = TAKE(request->arena, int64_t, (size_t)table->n_blocks);
    uint8_t *comment = TAKE(request->arena, uint8_t, (size_t)table->n_blocks);
    if (!names || !signs || !comment || fill_groups(request, names, rows) != DONE)
        return MEMORY;
    rows += request->parameters[GROUPS].length;
    const int64_t *shares = parameter(request, SHARES);
    for (int64_t k = 0; k < request->parameters[SHARES].length; k++)
        fill_share(request, names, shares[k], *rows++);
    for (int64_t i = 0; i < table->n_blocks; i++) {
        signs[i] = signs_of(request, i);
        comment[i] = names[request->shared->element[i]].far >> shares[0] & 1;
    }
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t start = table->page_starts[page], end = table->page_starts[page + 1];
        fill_comments(request, comment, start, end, rows);
        fill_signs(signs, start, end, rows);
        fill_threads(request, threads, page, rows);
    }
    return DONE;
}
