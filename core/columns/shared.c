/* Columns of blocks, segments, elements and pages that several feature modules read. */
#include "columns/columns.h"

/* Do all characters have a class, and is every page one range of elements that begins at its root. */
static bool is_sound(const Table *table)
{
    uint32_t highest = 0;
    for (int64_t i = 0; i < table->n_chars; i++)
        highest = table->chars[i] > highest ? table->chars[i] : highest;
    bool ascend = table->n_pages ? table->page_roots[0] == 0 : table->n_elements == 0;
    for (int64_t page = 1; page < table->n_pages; page++)
        ascend &= table->page_roots[page - 1] <= table->page_roots[page];
    return ascend && highest < N_CODE_POINTS;
}

static bool take_memory(Shared *shared, const Table *table, Arena *arena)
{
    size_t n = (size_t)table->n_blocks, n_segments = (size_t)table->n_segments;
    size_t n_elements = (size_t)table->n_elements;
    int64_t **of_blocks[] = {
        &shared->page,     &shared->element, &shared->container,  &shared->start,
        &shared->end,      &shared->tag,     &shared->last_tag,   &shared->words,
        &shared->link_words, &shared->free_words,
    };
    int64_t **of_elements[] = {
        &shared->element_page,  &shared->block_level,        &shared->outer,
        &shared->element_words, &shared->element_link_words, &shared->element_blocks,
    };
    bool enough = true;
    for (size_t i = 0; i < sizeof of_blocks / sizeof *of_blocks; i++)
        enough &= (*of_blocks[i] = TAKE(arena, int64_t, n)) != NULL;
    for (size_t i = 0; i < sizeof of_elements / sizeof *of_elements; i++)
        enough &= (*of_elements[i] = TAKE(arena, int64_t, n_elements)) != NULL;
    enough &= (shared->heading_level = TAKE(arena, uint8_t, n)) != NULL;
    enough &= (shared->segment_words = TAKE(arena, int64_t, n_segments)) != NULL;
    enough &= (shared->segment_element = TAKE(arena, int64_t, n_segments)) != NULL;
    enough &= (shared->around[0] = TAKE(arena, uint64_t, n_elements)) != NULL;
    enough &= (shared->around[1] = TAKE(arena, uint64_t, n_elements)) != NULL;
    enough &= (shared->page_words = ZEROS(arena, int64_t, (size_t)table->n_pages)) != NULL;
    return enough;
}

/* What an element knows from its parent, which comes before it. False if a root is no block-level
 * element, so that something stands in none. */
static bool compute_elements(Shared *shared, const Table *table, const uint8_t *roles)
{
    int64_t page = -1;
    for (int64_t e = 0; e < table->n_elements; e++) {
        while (page + 1 < table->n_pages && table->page_roots[page + 1] <= e)
            page++;
        int64_t tag = table->elements.tag[e], parent = table->elements.parent[e];
        bool is_root = parent == e, is_block_level = roles[tag] & BLOCK_LEVEL;
        if (is_root && !is_block_level)
            return false;
        shared->element_page[e] = page;
        for (int half = 0; half < 2; half++) {
            uint64_t bit = tag >> 6 == half ? (uint64_t)1 << (tag & 63) : 0;
            shared->around[half][e] = bit | (is_root ? 0 : shared->around[half][parent]);
        }
        shared->block_level[e] = is_block_level ? e : shared->block_level[parent];
        shared->outer[e] = shared->block_level[parent];
    }
    return true;
}

/* Bits of the tag ids that have a role. */
static void bits_of_role(const uint8_t *roles, uint8_t mask, uint8_t value, uint64_t bits[2])
{
    bits[0] = bits[1] = 0;
    for (int tag = 0; tag < N_TAG_IDS; tag++)
        if ((roles[tag] & mask) == value)
            bits[tag >> 6] |= (uint64_t)1 << (tag & 63);
}

static bool is_inside(const Shared *shared, int64_t element, const uint64_t bits[2])
{
    return (shared->around[0][element] & bits[0]) | (shared->around[1][element] & bits[1]);
}

/* Words of every segment, block and page; words inside links of every block. */
static void compute_words(Shared *shared, const Table *table, const uint64_t link_bits[2],
                          int64_t *segment_link_words)
{
    const int64_t *block_offsets = table->tokens.block_offsets;
    const int64_t *segment_offsets = table->tokens.segment_offsets;
    const uint8_t *is_word = table->tokens.word;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t words = 0, link_words = 0;
        for (int64_t token = block_offsets[i]; token < block_offsets[i + 1]; token++)
            words += is_word[token];
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++) {
            int64_t element = table->tags.element[table->segments.tag[s]], segment_words = 0;
            for (int64_t token = segment_offsets[s]; token < segment_offsets[s + 1]; token++)
                segment_words += is_word[token];
            shared->segment_element[s] = element;
            shared->segment_words[s] = segment_words;
            segment_link_words[s] = is_inside(shared, element, link_bits) ? segment_words : 0;
            link_words += segment_link_words[s];
        }
        shared->words[i] = words;
        shared->link_words[i] = link_words;
        shared->free_words[i] = words - link_words;
        shared->page_words[shared->page[i]] += words;
    }
}

/* Where every block is. */
static void compute_blocks(Shared *shared, const Table *table, const uint8_t *roles)
{
    uint64_t heading_bits[7][2];
    for (int level = 1; level <= 6; level++)
        bits_of_role(roles, HEADING_LEVEL, (uint8_t)level, heading_bits[level]);
    for (int64_t page = 0; page < table->n_pages; page++)
        for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
            shared->page[i] = page;
    for (int64_t i = 0; i < table->n_blocks; i++) {
        int64_t first = table->segment_starts[i], last = table->segment_starts[i + 1] - 1;
        shared->start[i] = table->segments.start[first];
        shared->end[i] = table->segments.end[last];
        shared->tag[i] = table->segments.tag[first];
        shared->last_tag[i] = table->segments.tag[last];
        int64_t element = shared->element[i] = table->tags.element[shared->tag[i]];
        shared->container[i] = shared->block_level[element];
        shared->heading_level[i] = 0;
        for (int level = 6; level >= 1; level--)
            if (is_inside(shared, element, heading_bits[level]))
                shared->heading_level[i] = (uint8_t)level;
    }
}

/* Sums over what stands between the start and the end tag of every element. */
static Outcome sum_elements(Shared *shared, const Table *table, const int64_t *segment_link_words,
                            Arena *arena)
{
    typedef struct {
        int64_t words, link_words, blocks;
    } Sums;
    Sums *before = ZEROS(arena, Sums, (size_t)table->n_tags + 1);
    if (!before)
        return MEMORY;
    for (int64_t s = 0; s < table->n_segments; s++) {
        Sums *at_tag = &before[table->segments.tag[s] + 1];
        at_tag->words = shared->segment_words[s];
        at_tag->link_words = segment_link_words[s];
    }
    for (int64_t i = 0; i < table->n_blocks; i++)
        before[shared->tag[i] + 1].blocks = 1;
    for (int64_t tag = 0; tag < table->n_tags; tag++) {
        before[tag + 1].words += before[tag].words;
        before[tag + 1].link_words += before[tag].link_words;
        before[tag + 1].blocks += before[tag].blocks;
    }
    for (int64_t e = 0; e < table->n_elements; e++) {
        const Sums *open = &before[table->elements.open[e]];
        const Sums *close = &before[table->elements.close[e]];
        shared->element_words[e] = close->words - open->words;
        shared->element_link_words[e] = close->link_words - open->link_words;
        shared->element_blocks[e] = close->blocks - open->blocks;
    }
    return DONE;
}

static Outcome compute_all(Shared *shared, const Table *table, const uint8_t *roles,
                           Arena *temporary)
{
    int64_t *segment_link_words = TAKE(temporary, int64_t, (size_t)table->n_segments);
    if (!segment_link_words)
        return MEMORY;
    if (!compute_elements(shared, table, roles))
        return WRONG;
    uint64_t link_bits[2];
    bits_of_role(roles, LINK, LINK, link_bits);
    compute_blocks(shared, table, roles);
    compute_words(shared, table, link_bits, segment_link_words);
    return sum_elements(shared, table, segment_link_words, temporary);
}

Outcome share_columns(Shared *shared, const Table *table, const Vocabulary *vocabulary,
                      Arena *arena)
{
    memset(shared, 0, sizeof *shared);
    shared->characters = &vocabulary->characters;
    if (!is_sound(table))
        return WRONG;
    if (!take_memory(shared, table, arena))
        return MEMORY;
    Arena temporary = {0};
    Outcome outcome = compute_all(shared, table, vocabulary->roles, &temporary);
    arena_free(&temporary);
    return outcome;
}
