/* Columns of `victor.features.records`. */
#include "base/hash_groups.h"
#include "columns/columns.h"
#include "columns/elements.h"
#include <math.h>

enum { IMAGE_TAGS }; /* parameter: tag ids */
enum { CLASSES };    /* input: number of the first class by row of attributes; the last is no row */
enum { SIZE, WORDS, DEVIATION, LINK_SHARE, BLOCKS, IMAGES, SHARE, INDEX, REST, OWN, N_MEASURES };
enum { RECORD = 0, CARD = N_MEASURES, LEVEL = 2 * N_MEASURES, MAX_CARD };
enum { FEWEST = 3, LEVELS = 10 };

/* Similar siblings. */
typedef struct {
    int64_t size, words, squares, links, blocks, images;
    float values[SHARE]; /* of the measures before that one */
} Group;

typedef struct {
    Group *groups;
    int64_t *group; /* (n_elements) of an element, -1 if it is no record */
    int64_t *index; /* (n_elements) records of the group before it */
} Records;

/* A random-looking number, the same for siblings of one tag and first class. */
static uint64_t likeness(const Request *request, int64_t element)
{
    const Table *table = request->table;
    const int64_t *numbers = input(request, CLASSES);
    int64_t row = bundle_row(table, element, request->inputs[CLASSES].length);
    uint64_t looks = (uint64_t)numbers[row] << 8 | (uint64_t)table->elements.tag[element];
    return mixed((uint64_t)table->elements.parent[element] * GOLDEN ^ mixed(looks));
}

static bool is_fit(const Shared *shared, int64_t element)
{
    return shared->block_level[element] == element && shared->element_words[element] > 0;
}

/* Elements that have enough siblings to be records, and their number; -1 if there is no memory. */
static int64_t choose_elements(const Request *request, int64_t *chosen)
{
    const Table *table = request->table;
    int64_t *children = ZEROS(request->arena, int64_t, (size_t)table->n_elements), count = 0;
    if (!children)
        return -1;
    for (int64_t e = 0; e < table->n_elements; e++)
        children[table->elements.parent[e]] += is_fit(request->shared, e);
    for (int64_t e = 0; e < table->n_elements; e++)
        if (is_fit(request->shared, e) && children[table->elements.parent[e]] >= FEWEST)
            chosen[count++] = e;
    return count;
}

/* (n_tags + 1) images before each tag. */
static int64_t *images_before(const Request *request)
{
    const Table *table = request->table;
    bool is_image[N_TAG_IDS] = {false};
    for (int64_t i = 0; i < request->parameters[IMAGE_TAGS].length; i++) {
        int64_t tag = parameter(request, IMAGE_TAGS)[i];
        if (tag >= 0 && tag < N_TAG_IDS)
            is_image[tag] = true;
    }
    int64_t *before = TAKE(request->arena, int64_t, (size_t)table->n_tags + 1);
    if (!before)
        return NULL;
    before[0] = 0;
    for (int64_t tag = 0; tag < table->n_tags; tag++)
        before[tag + 1] =
            before[tag] + (is_image[table->tags.id[tag]] && table->tags.step[tag] >= 0);
    return before;
}

static void add_record(Group *group, const Request *request, int64_t element,
                       const int64_t *images)
{
    const Shared *shared = request->shared;
    int64_t words = shared->element_words[element];
    group->size++;
    group->words += words;
    group->squares += words * words;
    group->links += shared->element_link_words[element];
    group->blocks += at_least_1(shared->element_blocks[element]);
    group->images += images[request->table->elements.close[element]] -
                     images[request->table->elements.open[element]];
}

static void measure_group(Group *group)
{
    double size = (double)group->size, mean = (double)group->words / size;
    double square = mean * mean, variance = (double)group->squares / size - square;
    double deviation = sqrt(variance > 0 ? variance : 0);
    group->values[SIZE] = (float)group->size;
    group->values[WORDS] = (float)mean;
    group->values[DEVIATION] = (float)(deviation / (mean > 1 ? mean : 1));
    group->values[LINK_SHARE] = share(group->links, at_least_1(group->words));
    group->values[BLOCKS] = share(group->blocks, group->size);
    group->values[IMAGES] = share(group->images, group->size);
}

static Outcome find_records(Records *records, const Request *request)
{
    size_t n_elements = (size_t)request->table->n_elements;
    int64_t *chosen = TAKE(request->arena, int64_t, n_elements);
    int64_t count = chosen ? choose_elements(request, chosen) : -1;
    int64_t *images = images_before(request);
    uint64_t *hashes = count < 0 ? NULL : TAKE(request->arena, uint64_t, (size_t)count);
    records->group = TAKE(request->arena, int64_t, n_elements);
    records->index = TAKE(request->arena, int64_t, n_elements);
    if (!images || !hashes || !records->group || !records->index)
        return MEMORY;
    for (int64_t k = 0; k < count; k++)
        hashes[k] = likeness(request, chosen[k]);
    HashGroups alike;
    if (equal_groups(&alike, hashes, count, request->arena) != DONE)
        return MEMORY;
    records->groups = ZEROS(request->arena, Group, (size_t)alike.n_groups);
    if (!records->groups)
        return MEMORY;
    for (size_t e = 0; e < n_elements; e++)
        records->group[e] = -1;
    for (int64_t g = 0; g < alike.n_groups; g++) {
        int64_t first = alike.starts[g], end = alike.starts[g + 1];
        if (end - first < FEWEST)
            continue;
        for (int64_t k = first; k < end; k++) {
            int64_t element = chosen[alike.order[k]];
            records->group[element] = g;
            records->index[element] = k - first;
            add_record(&records->groups[g], request, element, images);
        }
        measure_group(&records->groups[g]);
    }
    return DONE;
}

/* The measures of a record, which is an element or -1, in the rows of block `i`. */
static void fill(const Request *request, const Records *records, int64_t element, int64_t i,
                 float *const *rows)
{
    if (element < 0) {
        for (int measure = 0; measure < N_MEASURES; measure++)
            rows[measure][i] = measure == SIZE || measure == SHARE ? 0 : -1;
        return;
    }
    const Shared *shared = request->shared;
    const Group *group = &records->groups[records->group[element]];
    int64_t index = records->index[element], page_words = shared->page_words[shared->page[i]];
    for (int measure = 0; measure < SHARE; measure++)
        rows[measure][i] = group->values[measure];
    rows[SHARE][i] = share(group->words, at_least_1(page_words));
    rows[INDEX][i] = (float)index;
    rows[REST][i] = (float)(group->size - 1 - index);
    rows[OWN][i] = (float)shared->element_words[element];
}

/* The innermost record and the outermost of several blocks around each block. */
static void fill_blocks(const Request *request, const Records *records, float *const *rows)
{
    const Shared *shared = request->shared;
    for (int64_t i = 0; i < request->table->n_blocks; i++) {
        int64_t element = shared->container[i], innermost = -1, outermost = -1, level_of_it = -1;
        for (int level = 0; level < LEVELS; level++) {
            if (records->group[element] >= 0) {
                if (innermost < 0) {
                    innermost = element;
                    level_of_it = level;
                }
                if (shared->element_blocks[element] > 1)
                    outermost = element;
            }
            element = shared->outer[element];
        }
        fill(request, records, innermost, i, rows + RECORD);
        fill(request, records, outermost, i, rows + CARD);
        rows[LEVEL][i] = (float)level_of_it;
    }
}

static void fill_highest(const Table *table, const float *shares, float *highest)
{
    for (int64_t page = 0; page < table->n_pages; page++) {
        float most = 0;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            most = shares[i] > most ? shares[i] : most;
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            highest[i] = most;
    }
}

Outcome records_columns(const Request *request, float *const *rows)
{
    if (!are_bundle_rows(request->table, request->inputs[CLASSES].length))
        return WRONG;
    Records records;
    Outcome outcome = find_records(&records, request);
    if (outcome != DONE)
        return outcome;
    fill_blocks(request, &records, rows);
    fill_highest(request->table, rows[CARD + SHARE], rows[MAX_CARD]);
    return DONE;
}
