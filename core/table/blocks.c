/* Stage: event codes to the arrays of a block table.
 *
 * One pass over the codes, a tag and the text after it at a time. What each array is stands in
 * `victor.page.table.blocks`; `victor.page.table.segment` defines what is in them.
 */
#include "table/blocks.h"
#include <stdlib.h>

enum { BREAKS_THAT_SPLIT = 2 };

typedef struct {
    const uint32_t *codes; /* the last one is a tag, and all are code points */
    int64_t n_codes;
    const uint8_t *code_kinds; /* of all code points */
    const uint8_t *roles;      /* of all tags */
    int64_t n_roles;
    bool every_tag_splits;
    bool images_end; /* images have an end tag, since they may hold text */
} Source;

typedef struct {
    Source source;
    /* What is made. */
    uint32_t *chars;
    int64_t *page_starts, *segment_starts, *page_roots;
    struct {
        int64_t *tag, *start, *end;
    } segments;
    struct {
        int64_t *id;
        int8_t *step;
        int64_t *element, *text_start, *text_length, *text_space, *bundle;
    } tags;
    struct {
        int64_t *tag, *parent, *depth, *open, *close, *bundle;
    } elements;
    int64_t n_chars, n_pages, n_blocks, n_segments, n_tags, n_elements;
    int64_t element_room;
    /* Where the pass is. */
    int64_t at;      /* code */
    int64_t element; /* the innermost open one; after a page, its root */
    int64_t depth;   /* elements that are open */
    int64_t pre_depth;
    int64_t n_splits, n_breaks;       /* tags so far */
    int64_t last_splits, last_breaks; /* those before the last segment */
    bool ends_visibly;                /* the last character was no white space */
} Cutter;

static inline bool is_tag(uint32_t code)
{
    return code - TAG_BASE < N_TAG_CODES;
}

static inline bool is_visible(uint8_t kind)
{
    return kind < SPACE_CODE;
}

static inline bool is_white(uint8_t kind)
{
    return kind >= SPACE_CODE && kind <= ZERO_WIDTH_CODE;
}

/* --- Before the pass -------------------------------------------------------------------------- */

typedef struct {
    int64_t n_tags;
    bool is_sound; /* the first and the last code are tags, and all are code points */
    bool images_end;
} Survey;

static uint32_t end_of_image(const Source *source)
{
    for (int64_t id = 0; id < source->n_roles; id++)
        if (source->roles[id] & IMAGE_TAG)
            return TAG_BASE + (uint32_t)id * N_TAG_KINDS + CLOSE_TAG;
    return 0;
}

static Survey survey(const Source *source)
{
    const uint32_t image_end = end_of_image(source);
    const int64_t stretch = 1 << 16; /* counts of one fit 32 bits, so that the loop is vectorised */
    Survey result = {0, true, false};
    for (int64_t from = 0; from < source->n_codes; from += stretch) {
        int64_t to = from + stretch < source->n_codes ? from + stretch : source->n_codes;
        uint32_t n_tags = 0, n_images = 0, n_wrong = 0;
        for (int64_t i = from; i < to; i++) {
            uint32_t code = source->codes[i];
            n_tags += is_tag(code);
            n_images += code == image_end;
            n_wrong += code >= N_CODE_POINTS;
        }
        result.n_tags += n_tags;
        result.images_end |= n_images > 0;
        result.is_sound &= n_wrong == 0;
    }
    if (source->n_codes)
        result.is_sound &= is_tag(source->codes[0]) && is_tag(source->codes[source->n_codes - 1]);
    return result;
}

/* Turn every newline inside <pre> into a <br>. */
static Outcome break_pre_lines(const Source *source, uint32_t *codes)
{
    int64_t pre_depth = 0;
    uint32_t line_break = 0;
    for (int64_t id = 0; id < source->n_roles; id++)
        if (source->roles[id] & BREAK_TAG)
            line_break = TAG_BASE + (uint32_t)id * N_TAG_KINDS;
    for (int64_t i = 0; i < source->n_codes; i++) {
        codes[i] = source->codes[i];
        if (is_tag(codes[i])) {
            uint32_t tag = codes[i] - TAG_BASE;
            if (tag / N_TAG_KINDS >= source->n_roles)
                return WRONG;
            if (source->roles[tag / N_TAG_KINDS] & PRE_TAG)
                pre_depth += tag % N_TAG_KINDS == CLOSE_TAG ? -1 : 1;
        } else if (pre_depth > 0 && codes[i] == '\n')
            codes[i] = line_break;
    }
    return DONE;
}

/* --- Tags ------------------------------------------------------------------------------------- */

static Outcome open_element(Cutter *cutter, int64_t id, int64_t bundle)
{
    int64_t element = cutter->n_elements++;
    if (element == cutter->element_room)
        return WRONG; /* more starts than ends */
    bool is_root = cutter->depth == 0;
    cutter->elements.tag[element] = id;
    cutter->elements.parent[element] = is_root ? element : cutter->element;
    cutter->elements.depth[element] = cutter->depth++;
    cutter->elements.open[element] = cutter->n_tags;
    cutter->elements.bundle[element] = bundle;
    if (is_root) {
        cutter->page_roots[cutter->n_pages] = element;
        cutter->page_starts[cutter->n_pages++] = cutter->n_blocks;
    }
    cutter->element = element;
    return DONE;
}

static Outcome close_element(Cutter *cutter, int64_t id)
{
    if (cutter->depth == 0 || cutter->elements.tag[cutter->element] != id)
        return WRONG;
    cutter->elements.close[cutter->element] = cutter->n_tags;
    cutter->element = cutter->elements.parent[cutter->element];
    cutter->depth--;
    return DONE;
}

/* Read the tag that the pass is at. */
static Outcome read_tag(Cutter *cutter)
{
    const Source *source = &cutter->source;
    uint32_t code = source->codes[cutter->at++] - TAG_BASE;
    int64_t id = code / N_TAG_KINDS, bundle = -1;
    uint32_t kind = code % N_TAG_KINDS;
    if (id >= source->n_roles)
        return WRONG;
    if (kind == OPEN_WITH_BUNDLE) {
        if (cutter->at == source->n_codes || source->codes[cutter->at] < BUNDLE_BASE)
            return WRONG;
        bundle = (int64_t)source->codes[cutter->at++] - BUNDLE_BASE;
    }
    uint8_t role = source->roles[id];
    bool is_void = (role & VOID_TAG) && !(source->images_end && (role & IMAGE_TAG));
    int step = is_void ? 0 : kind == CLOSE_TAG ? -1 : 1;
    Outcome outcome = step > 0   ? open_element(cutter, id, bundle)
                      : step < 0 ? close_element(cutter, id)
                                 : DONE;
    if (outcome != DONE || cutter->n_pages == 0)
        return WRONG;
    if (role & PRE_TAG)
        cutter->pre_depth += step;
    cutter->n_splits += (role & SPLITTING_TAG) != 0;
    cutter->n_breaks += (role & BREAK_TAG) != 0;
    cutter->tags.id[cutter->n_tags] = id;
    cutter->tags.step[cutter->n_tags] = (int8_t)step;
    cutter->tags.bundle[cutter->n_tags] = bundle;
    cutter->tags.element[cutter->n_tags] = cutter->element;
    return DONE;
}

/* --- Text ------------------------------------------------------------------------------------- */

/* The text after one tag while it is read. */
typedef struct {
    const uint32_t *code;
    uint32_t *out;           /* where the next character goes */
    uint32_t *first, *after; /* the first visible character, one past the last */
    int64_t n_visible, n_unseen, n_joiners;
} Run;

enum { PRIVATE = 0xE000 }; /* as in victor.page.parsing.characters, as are these */

/* White space that some readers take for ends of lines, and browsers do not. */
static bool is_separator(uint32_t code)
{
    return code == 0x0B || code == 0x0C || (code >= 0x1C && code <= 0x1E) || code == 0x85 ||
           code == 0x2028 || code == 0x2029;
}

/* White space: one space for all of it, or as written; with a <br> it becomes a newline. */
static void add_white(Cutter *cutter, Run *run, uint8_t kind)
{
    if (cutter->pre_depth > 0)
        *run->out++ = *run->code < PRIVATE && !is_separator(*run->code) ? *run->code : ' ';
    else if (cutter->ends_visibly)
        *run->out++ = ' ';
    cutter->ends_visibly = false;
    if (kind == BREAK_CODE && run->out > cutter->chars &&
        is_white(cutter->source.code_kinds[run->out[-1]]))
        run->out[-1] = '\n';
}

/* Whatever is not visible. There is a code before and after each that is text. */
static void add_other(Cutter *cutter, Run *run, uint8_t kind)
{
    const uint8_t *kinds = cutter->source.code_kinds;
    if (kind == ZERO_WIDTH_CODE && !(kinds[run->code[-1]] == UNSPACED_CODE &&
                                     kinds[run->code[1]] == UNSPACED_CODE))
        kind = UNSEEN_CODE; /* it parts no words */
    if (kind == UNSEEN_CODE)
        run->n_unseen++;
    else if (kind != JOINER_CODE && kind != SHAPER_CODE)
        add_white(cutter, run, kind);
    else if (run->first && cutter->ends_visibly) {
        /* Whether something visible follows that it joins is known when the text ends. */
        *run->out++ = *run->code;
        run->n_joiners++;
    }
    run->code++;
    if (cutter->pre_depth <= 0 && !cutter->ends_visibly)
        while (kinds[*run->code] == SPACE_CODE) /* more white space adds nothing */
            run->code++;
}

/* Take back the joiners after the last visible character: there is nothing that they join. Those
 * that shape it belong to it. */
static void drop_last_joiners(const Cutter *cutter, Run *run)
{
    uint32_t *out = run->after;
    for (const uint32_t *character = run->after; character < run->out; character++) {
        uint8_t kind = cutter->source.code_kinds[*character];
        if (kind == JOINER_CODE)
            continue;
        *out++ = *character;
        if (kind == SHAPER_CODE)
            run->after = out;
    }
    run->n_joiners -= run->out - out;
    run->out = out;
}

static void add_segment(Cutter *cutter, const Run *run)
{
    int64_t segment = cutter->n_segments++;
    cutter->segments.tag[segment] = cutter->n_tags;
    cutter->segments.start[segment] = run->first - cutter->chars;
    cutter->segments.end[segment] = run->after - cutter->chars;
    if (cutter->source.every_tag_splits || cutter->n_splits > cutter->last_splits ||
        cutter->n_breaks - cutter->last_breaks >= BREAKS_THAT_SPLIT)
        cutter->segment_starts[cutter->n_blocks++] = segment;
    cutter->last_splits = cutter->n_splits;
    cutter->last_breaks = cutter->n_breaks;
}

/* Visible characters up to another one. */
static void add_word(Cutter *cutter, Run *run)
{
    const uint8_t *kinds = cutter->source.code_kinds;
    uint32_t *word = run->out;
    do
        *run->out++ = *run->code++;
    while (is_visible(kinds[*run->code]));
    run->first = run->first ? run->first : word;
    run->after = run->out;
    run->n_visible += run->out - word;
    cutter->ends_visibly = true;
}

/* Read the text between the tag that was read and the next. */
static void read_text(Cutter *cutter)
{
    const uint8_t *kinds = cutter->source.code_kinds;
    const uint32_t *begin = cutter->source.codes + cutter->at;
    Run run = {.code = begin, .out = cutter->chars + cutter->n_chars};
    cutter->tags.text_start[cutter->n_tags] = cutter->n_chars;
    /* The last code is a tag: unless that was it, one ends the text. */
    while (cutter->at < cutter->source.n_codes && kinds[*run.code] != TAG_CODE)
        if (is_visible(kinds[*run.code]))
            add_word(cutter, &run);
        else
            add_other(cutter, &run, kinds[*run.code]);
    if (run.n_joiners)
        drop_last_joiners(cutter, &run);
    cutter->at += run.code - begin;
    cutter->n_chars = run.out - cutter->chars;
    int64_t length = run.code - begin - run.n_unseen;
    cutter->tags.text_length[cutter->n_tags] = length;
    cutter->tags.text_space[cutter->n_tags] = length - run.n_visible - run.n_joiners;
    if (run.first)
        add_segment(cutter, &run);
}

/* --- The pass --------------------------------------------------------------------------------- */

static Outcome cut(Cutter *cutter)
{
    cutter->last_splits = -1; /* the first segment begins a block */
    while (cutter->at < cutter->source.n_codes) {
        Outcome outcome = read_tag(cutter);
        if (outcome != DONE)
            return outcome;
        read_text(cutter);
        cutter->n_tags++;
    }
    cutter->page_starts[cutter->n_pages] = cutter->n_blocks;
    cutter->segment_starts[cutter->n_blocks] = cutter->n_segments;
    return cutter->depth ? WRONG : DONE;
}

/* The arrays in the order in which Python gets them, with their most items. */
static void list_arrays(Cutter *c, int64_t n_tags, Result results[N_BLOCK_COLUMNS])
{
    int64_t elements = n_tags / 2; /* each has a start and an end */
    int64_t segments = c->source.n_codes - n_tags < n_tags ? c->source.n_codes - n_tags : n_tags;
    c->element_room = elements;
    const Result all[N_BLOCK_COLUMNS] = {
        RESULT(c->chars, c->source.n_codes - n_tags),
        RESULT(c->page_starts, elements + 1),
        RESULT(c->segment_starts, segments + 1),
        RESULT(c->page_roots, elements),
        RESULT(c->segments.tag, segments),
        RESULT(c->segments.start, segments),
        RESULT(c->segments.end, segments),
        RESULT(c->tags.id, n_tags),
        RESULT(c->tags.step, n_tags),
        RESULT(c->tags.element, n_tags),
        RESULT(c->tags.text_start, n_tags),
        RESULT(c->tags.text_length, n_tags),
        RESULT(c->tags.text_space, n_tags),
        RESULT(c->tags.bundle, n_tags),
        RESULT(c->elements.tag, elements),
        RESULT(c->elements.parent, elements),
        RESULT(c->elements.depth, elements),
        RESULT(c->elements.open, elements),
        RESULT(c->elements.close, elements),
        RESULT(c->elements.bundle, elements),
    };
    memcpy(results, all, sizeof all);
}

static void count_items(const Cutter *c, Result results[N_BLOCK_COLUMNS])
{
    const int64_t used[] = {c->n_chars, c->n_pages + 1, c->n_blocks + 1, c->n_pages};
    const int64_t of_parts[] = {c->n_segments, c->n_tags, c->n_elements};
    for (int i = 0; i < N_BLOCK_COLUMNS; i++)
        results[i].used = i < 4 ? used[i] : of_parts[i < 7 ? 0 : i < 14 ? 1 : 2];
}

/* Cut what is in order; the columns are taken if it is done. */
static Outcome cut_source(Cutter *cutter, Column *columns)
{
    Survey surveyed = survey(&cutter->source);
    Result results[N_BLOCK_COLUMNS];
    cutter->source.images_end = surveyed.images_end;
    list_arrays(cutter, surveyed.n_tags, results);
    if (!surveyed.is_sound)
        return WRONG;
    if (!results_take(results, N_BLOCK_COLUMNS))
        return MEMORY;
    Outcome outcome = cut(cutter);
    if (outcome == DONE) {
        count_items(cutter, results);
        results_move(results, N_BLOCK_COLUMNS, columns);
    }
    results_free(results, N_BLOCK_COLUMNS);
    return outcome;
}

Outcome cut_pages(const uint32_t *codes, int64_t n_codes, const Cuts *cuts, Column *columns)
{
    const Vocabulary *vocabulary = cuts->vocabulary;
    Cutter cutter = {.source = {codes, n_codes, vocabulary->code_kinds, vocabulary->tag_roles,
                                vocabulary->n_tag_roles, cuts->every_tag_splits, false}};
    uint32_t *broken = NULL;
    Outcome outcome = DONE;
    if (cuts->pre_lines) {
        broken = malloc(((size_t)n_codes + 1) * sizeof *broken);
        outcome = broken ? break_pre_lines(&cutter.source, broken) : MEMORY;
        cutter.source.codes = broken;
    }
    if (outcome == DONE)
        outcome = cut_source(&cutter, columns);
    free(broken);
    return outcome;
}
