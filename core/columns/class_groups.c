/* Columns of `victor.features.class_groups`. */
#include "columns/columns.h"
#include "columns/elements.h"

/* Parameters: bits of the groups that have shares; those of comments and of posts of threads; tag
 * ids of elements around the whole page, whose names do not count. */
enum { SHARES, ASKED, WHOLE_PAGE };
enum { COMMENT, POST, N_ASKED };
/* Input: bits of groups by row of attributes, the last for no row; empty for the shipped groups. */
enum { NAMES };
enum { PROSE_OUTSIDE, THREAD_SIGNS, THREAD_POSTS, N_OTHERS };
enum { NEAR_LEVELS = 3, MOST_POSTS = 255, PROSE = 25, MOST_GROUPS = 64 };

/* Bits of the groups of an element, and of it and all elements around it. */
typedef struct {
    uint64_t own, far;
} Names;

/* What the elements of a page say of being a thread. */
typedef struct {
    int64_t n_named, n_posts;
} Thread;

/* Bits by row of attributes; NULL if they do not fit. */
static const uint64_t *masks_of(const Request *request)
{
    const Array *masks = &request->inputs[NAMES];
    if (!masks->length)
        return request->shared->names;
    return masks->length == request->shared->n_bundles + 1 ? masks->items : NULL;
}

/* The names of elements; those named as posts of threads are counted by page. */
static Names *names_of_elements(const Request *request, Thread *threads)
{
    const Table *table = request->table;
    const uint64_t *masks = masks_of(request);
    uint64_t post = UINT64_C(1) << parameter(request, ASKED)[POST];
    bool is_whole_page[N_TAG_IDS] = {false};
    for (int64_t k = 0; k < request->parameters[WHOLE_PAGE].length; k++) {
        int64_t tag = parameter(request, WHOLE_PAGE)[k];
        if (tag >= 0 && tag < N_TAG_IDS)
            is_whole_page[tag] = true;
    }
    Names *names = TAKE(request->arena, Names, (size_t)table->n_elements);
    for (int64_t e = 0; names && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        uint64_t own = masks[bundle_row(table, request->shared, e)];
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

static void fill_groups(const Request *request, const Names *names, int64_t n_groups,
                        float *const *rows)
{
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        uint64_t near = names_near(request, names, i);
        uint64_t far = names[request->shared->element[i]].far;
        for (int64_t bit = 0; bit < n_groups; bit++)
            rows[bit][i] = (float)(int32_t)((near >> bit & 1) + (far >> bit & 1));
    }
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

/* What a page says of comments and of being a thread, the same for all its blocks. */
static void fill_page(const Request *request, const Names *names, const Thread *thread,
                      int64_t page, float *const *rows)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t start = table->page_starts[page], end = table->page_starts[page + 1], prose = 0;
    int64_t signs = shared->head_signs[page] + (thread->n_named > 0);
    int64_t posts = thread->n_posts < MOST_POSTS ? thread->n_posts : MOST_POSTS;
    int64_t comment = parameter(request, ASKED)[COMMENT];
    for (int64_t i = start; i < end; i++)
        prose += shared->free_words[i] >= PROSE && !(names[shared->element[i]].far >> comment & 1);
    for (int64_t i = start; i < end; i++) {
        rows[PROSE_OUTSIDE][i] = (float)prose;
        rows[THREAD_SIGNS][i] = (float)signs;
        rows[THREAD_POSTS][i] = (float)posts;
    }
}

static bool are_bits(const Array *numbers)
{
    bool are_bits = true;
    for (int64_t k = 0; k < numbers->length; k++)
        are_bits &= (uint64_t)((const int64_t *)numbers->items)[k] < MOST_GROUPS;
    return are_bits;
}

Outcome class_groups_columns(const Request *request, float *const *rows)
{
    const Table *table = request->table;
    int64_t n_shares = request->parameters[SHARES].length;
    int64_t n_groups = request->n_rows - n_shares - N_OTHERS;
    if (!are_bits(&request->parameters[SHARES]) || !are_bits(&request->parameters[ASKED]) ||
        request->parameters[ASKED].length != N_ASKED || n_groups < 0 || n_groups > MOST_GROUPS ||
        !masks_of(request))
        return WRONG;
    Thread *threads = ZEROS(request->arena, Thread, (size_t)table->n_pages);
    Names *names = threads ? names_of_elements(request, threads) : NULL;
    if (!names)
        return MEMORY;
    fill_groups(request, names, n_groups, rows);
    rows += n_groups;
    for (int64_t k = 0; k < n_shares; k++)
        fill_share(request, names, parameter(request, SHARES)[k], *rows++);
    for (int64_t page = 0; page < table->n_pages; page++)
        fill_page(request, names, &threads[page], page, rows);
    return DONE;
}
