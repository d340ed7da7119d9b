/* Hidden text that also stands visible on its page, as `victor.kinds.copies` describes it. */
#include "columns/elements.h"
#include "kinds/kinds.h"

enum { PIECE = 20 };   /* letters that are looked for together; less is too common to be a copy */
enum { LABEL = 40 };   /* letters that a copy may have besides, e.g. whom it quotes, and when */
#define SHARE 0.9      /* of the letters of a copy that stand in the other text */
#define STEP UINT64_C(0x100000001B3) /* of the polynomial of a piece, odd */

/* Letters of a segment, an element or a block: all, and those that also stand in other segments. */
typedef struct {
    int64_t also, total;
} Letters;

/* Segments whose letters are looked for in others of their page. */
typedef struct {
    const Request *request;
    const int64_t *code_tags; /* (n_code_tags) ids */
    int64_t n_code_tags;
    const uint8_t *these, *others; /* (n_segments) */
    Letters *letters;              /* (n_segments) */
    uint8_t *other_code;           /* (n_blocks) code that differs from all that others show */
} Search;

/* --- Pieces ----------------------------------------------------------------------------------- */

/* Letters and digits in a row, in lower case, as one number; `count` of them were read. */
typedef struct {
    uint64_t hash, last_power;
    int64_t count;
    uint32_t ring[PIECE]; /* the last ones */
} Run;

static Run new_run(void)
{
    Run run = {.last_power = 1};
    for (int i = 1; i < PIECE; i++)
        run.last_power *= STEP;
    return run;
}

/* Read a character; is it a letter. */
static bool read_letter(const Vocabulary *vocabulary, Run *run, uint32_t code)
{
    uint8_t class = vocabulary->characters.classes[code];
    if (class < LOWER || class > OTHER_WORD)
        return false;
    uint32_t lower = lower_case(&vocabulary->characters, code);
    uint32_t *oldest = &run->ring[run->count++ % PIECE];
    run->hash = (run->hash - run->last_power * *oldest) * STEP + lower;
    *oldest = lower;
    return true;
}

/* A set of numbers: a table of twice as many places, a power of 2. */
typedef struct {
    uint64_t *numbers, mask;
} Set;

static bool take_set(Set *set, int64_t count, Arena *arena)
{
    uint64_t room = 64;
    while (room < 2 * (uint64_t)count)
        room *= 2;
    *set = (Set){ZEROS(arena, uint64_t, room), room - 1};
    return set->numbers != NULL;
}

/* Where a number is, or would be. */
static uint64_t *place_of(const Set *set, uint64_t number)
{
    uint64_t at = number * GOLDEN >> 20 & set->mask;
    number += !number; /* 0 is an empty place */
    while (set->numbers[at] && set->numbers[at] != number)
        at = (at + 1) & set->mask;
    return &set->numbers[at];
}

static void add_number(const Set *set, uint64_t number)
{
    *place_of(set, number) = number + !number;
}

/* --- Code ------------------------------------------------------------------------------------- */

static bool is_code(const Search *search, int64_t block)
{
    const Shared *shared = search->request->shared;
    bool inside = false;
    for (int64_t i = 0; i < search->n_code_tags; i++)
        inside |= is_in_tag(shared, shared->element[block], search->code_tags[i]);
    return inside;
}

static uint64_t hash_of_block(const Request *request, int64_t block)
{
    uint64_t hash = 0;
    for (int64_t at = request->shared->start[block]; at < request->shared->end[block]; at++)
        hash = (hash + request->table->chars[at] + 1) * GOLDEN;
    return hash;
}

static bool is_shown(const Search *search, int64_t block)
{
    const Table *table = search->request->table;
    bool shown = false;
    for (int64_t s = table->segment_starts[block]; s < table->segment_starts[block + 1]; s++)
        shown |= search->others[s];
    return shown;
}

/* Code is a copy only of the same code, where a page shows any. */
static bool tell_other_code(Search *search, int64_t page, Arena *arena)
{
    const Request *request = search->request;
    int64_t first = request->table->page_starts[page], end = request->table->page_starts[page + 1];
    bool any = false;
    Set set = {0};
    for (int64_t i = first; i < end; i++)
        if (is_code(search, i) && is_shown(search, i)) {
            if (!any && !take_set(&set, end - first, arena))
                return false;
            any = true;
            add_number(&set, hash_of_block(request, i));
        }
    for (int64_t i = first; any && i < end; i++)
        if (is_code(search, i))
            search->other_code[i] = !*place_of(&set, hash_of_block(request, i));
    return true;
}

/* --- A page ----------------------------------------------------------------------------------- */

/* Letters that wait for the pieces that they are in: whether they are found is known PIECE - 1 later. */
typedef struct {
    int64_t block[PIECE], segment[PIECE];
    int64_t found_until; /* letters up to there stand in a piece that was found */
} Waiting;

static void count_oldest(Search *search, const Waiting *waiting, int64_t number)
{
    Letters *letters = &search->letters[waiting->segment[number % PIECE]];
    letters->total++;
    letters->also += number < waiting->found_until &&
                     !search->other_code[waiting->block[number % PIECE]];
}

/* Add the pieces of the other segments. */
static void add_others(const Search *search, int64_t page, const Set *set)
{
    const Request *request = search->request;
    const Table *table = request->table;
    Run run = new_run();
    int64_t first = table->segment_starts[table->page_starts[page]];
    int64_t end = table->segment_starts[table->page_starts[page + 1]];
    for (int64_t s = first; s < end; s++)
        for (int64_t at = table->segments.start[s];
             search->others[s] && at < table->segments.end[s]; at++)
            if (read_letter(request->vocabulary, &run, table->chars[at]) && run.count >= PIECE)
                add_number(set, run.hash);
}

/* Look for them in these. */
static void find_pieces(Search *search, int64_t page, const Set *set)
{
    const Request *request = search->request;
    const Table *table = request->table;
    Run run = new_run();
    Waiting waiting = {.found_until = 0};
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++)
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++)
            for (int64_t at = table->segments.start[s];
                 search->these[s] && at < table->segments.end[s]; at++) {
                if (!read_letter(request->vocabulary, &run, table->chars[at]))
                    continue;
                int64_t number = run.count - 1;
                if (number >= PIECE)
                    count_oldest(search, &waiting, number - PIECE);
                waiting.block[number % PIECE] = i;
                waiting.segment[number % PIECE] = s;
                if (run.count >= PIECE && *place_of(set, run.hash))
                    waiting.found_until = run.count;
            }
    for (int64_t number = run.count > PIECE ? run.count - PIECE : 0; number < run.count; number++)
        count_oldest(search, &waiting, number);
}

static Outcome look_at_page(Search *search, int64_t page)
{
    const Table *table = search->request->table;
    int64_t first = table->segment_starts[table->page_starts[page]];
    int64_t end = table->segment_starts[table->page_starts[page + 1]];
    bool any = false;
    for (int64_t s = first; s < end; s++)
        any |= search->these[s];
    if (!any)
        return DONE;
    Arena arena = {0};
    Set set;
    int64_t length = table->segments.end[end - 1] - table->segments.start[first];
    bool enough = take_set(&set, length, &arena) && tell_other_code(search, page, &arena);
    if (enough) {
        add_others(search, page, &set);
        find_pieces(search, page, &set);
    }
    arena_free(&arena);
    return enough ? DONE : MEMORY;
}

/* Count the letters of these segments that stand in others of their page. */
static Outcome count_letters(Search *search)
{
    const Request *request = search->request;
    const Table *table = request->table;
    search->letters = ZEROS(request->arena, Letters, (size_t)table->n_segments);
    search->other_code = ZEROS(request->arena, uint8_t, (size_t)table->n_blocks);
    Outcome outcome = search->letters && search->other_code ? DONE : MEMORY;
    for (int64_t page = 0; page < table->n_pages && outcome == DONE; page++)
        if (table->page_starts[page] < table->page_starts[page + 1])
            outcome = look_at_page(search, page);
    return outcome;
}

/* --- Hidden copies ---------------------------------------------------------------------------- */

enum { MAY_STAY, HIDDEN, CODE_TAGS }; /* inputs */

/* A hidden element is judged as a whole: a tab may share a paragraph with the one that is shown. This
 * is the outermost around each, or -1; NULL without memory. */
static const int64_t *find_outermost(const Request *request)
{
    const Table *table = request->table;
    const uint8_t *hidden = input(request, HIDDEN);
    int64_t *outermost = TAKE(request->arena, int64_t, (size_t)table->n_elements);
    for (int64_t e = 0; outermost && e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        bool is_inner = parent != e && hidden[parent];
        outermost[e] = !hidden[e] ? -1 : is_inner ? outermost[parent] : e;
    }
    return outermost;
}

/* Mark the segments of hidden elements of which enough may be kept, and those that are shown; false
 * without memory. */
static bool part_segments(const Request *request, const int64_t *outermost, uint8_t *unseen,
                          uint8_t *shown)
{
    const Table *table = request->table;
    const uint8_t *may_stay = input(request, MAY_STAY);
    const int64_t *elements = request->shared->segment_element;
    int64_t *size = ZEROS(request->arena, int64_t, (size_t)table->n_elements);
    for (int64_t i = 0; size && i < table->n_blocks; i++)
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++)
            if (outermost[elements[s]] >= 0 && may_stay[i])
                size[outermost[elements[s]]] += table->segments.end[s] - table->segments.start[s];
    for (int64_t s = 0; size && s < table->n_segments; s++) {
        shown[s] = outermost[elements[s]] < 0;
        unseen[s] = !shown[s] && size[outermost[elements[s]]] >= PIECE;
    }
    return size != NULL;
}

static void add(Letters *sum, Letters letters)
{
    sum->also += letters.also;
    sum->total += letters.total;
}

static bool is_copy(Letters letters)
{
    int64_t others = letters.total - letters.also;
    return letters.also > 0 && ((double)letters.also >= SHARE * (double)letters.total ||
                                (others <= LABEL && 2 * letters.also >= letters.total));
}

Outcome judge_hidden_copies(const Request *request, uint8_t *segments)
{
    const Table *table = request->table;
    if (!has_length(request, MAY_STAY, table->n_blocks) ||
        !has_length(request, HIDDEN, table->n_elements))
        return WRONG;
    size_t n = (size_t)table->n_segments;
    const int64_t *outermost = find_outermost(request), *elements = request->shared->segment_element;
    uint8_t *unseen = TAKE(request->arena, uint8_t, n), *shown = TAKE(request->arena, uint8_t, n);
    Letters *of_element = ZEROS(request->arena, Letters, (size_t)table->n_elements);
    if (!outermost || !unseen || !shown || !of_element ||
        !part_segments(request, outermost, unseen, shown))
        return MEMORY;
    const Array *code = &request->inputs[CODE_TAGS];
    Search search = {.request = request, .code_tags = code->items, .n_code_tags = code->length,
                     .these = unseen, .others = shown};
    Outcome outcome = count_letters(&search);
    for (int64_t s = 0; outcome == DONE && s < table->n_segments; s++)
        if (unseen[s])
            add(&of_element[outermost[elements[s]]], search.letters[s]);
    for (int64_t i = 0; outcome == DONE && i < table->n_blocks; i++) {
        Letters line = {0};
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++)
            add(&line, search.letters[s]);
        /* Nearly all of a line is copied: nothing goes from within one. */
        bool is_line = (double)line.also >= SHARE * (double)line.total;
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++)
            segments[s] = is_line && unseen[s] && is_copy(of_element[outermost[elements[s]]]);
    }
    return outcome;
}

/* --- Letters of any segments ------------------------------------------------------------------ */

/* letters_also(batch, these, others, code_tags) -> int64 (S, 2): letters of each of some segments that
 * also stand in others of its page, and all */
PyObject *letters_also(PyObject *module, PyObject *args)
{
    enum { THESE, OTHERS, CODE, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {
        [THESE] = WANTED("b1"), [OTHERS] = WANTED("b1"), [CODE] = WANTED("i8"),
    };
    PyObject *object, *result = NULL;
    if (!PyArg_ParseTuple(args, "OO&O&O&", &object, BORROW(THESE), BORROW(OTHERS), BORROW(CODE)))
        return NULL;
    const Batch *batch = batch_of(module, object);
    Arena arena = {0};
    Outcome outcome = WRONG;
    if (batch) {
        const Request request = {&batch->table, &batch->shared, &arena, NULL, NULL, 0,
                                 vocabulary_of(batch->vocabulary)};
        size_t n = (size_t)batch->table.n_segments;
        Search search = {.request = &request, .code_tags = arrays[CODE].items,
                         .n_code_tags = arrays[CODE].length, .these = arrays[THESE].items,
                         .others = arrays[OTHERS].items};
        Py_BEGIN_ALLOW_THREADS
        if (arrays[THESE].length == (int64_t)n && arrays[OTHERS].length == (int64_t)n)
            outcome = count_letters(&search);
        Py_END_ALLOW_THREADS
        result = outcome == DONE ? PyBytes_FromStringAndSize((const char *)search.letters,
                                                             (Py_ssize_t)(n * sizeof(Letters)))
                                 : raise_outcome(outcome, "letters_also");
    }
    arena_free(&arena);
    arrays_return(arrays, N_ARGUMENTS);
    return result;
}
