/* The batch: pages, or columns of Python's, to the object that all stages read. */
#include "columns/batch.h"
#include "base/arrays.h"
#include "columns/heads.h"
#include "parsing/events.h"
#include <stdlib.h>

/* --- The columns ------------------------------------------------------------------------------ */

/* A column by its name in Python, and where it goes in `Batch`. */
typedef struct {
    const char *name;
    char kind; /* as of `array_borrow` */
    size_t size;
    size_t items;  /* offset of the pointer */
    size_t length; /* offset of the count */
    int64_t more;  /* items beyond that length */
} Field;

#define FIELD(name, member, kind, size, count, more) \
    {name, kind, size, offsetof(Batch, member), offsetof(Batch, count), more}
#define BLOCKS(member, kind, size, count, more) \
    FIELD(#member, table.member, kind, size, table.count, more)

/* Those of the blocks, bundles and heads, in the order of `victor.page.table.blocks`, then the tokens. */
enum { N_READ = N_BLOCK_COLUMNS + 2, N_GIVEN = N_READ + 2, N_FIELDS = N_GIVEN + N_TOKEN_COLUMNS };
static const Field fields[N_FIELDS] = {
    BLOCKS(chars, 'u', 4, n_chars, 0),
    BLOCKS(page_starts, 'i', 8, n_pages, 1),
    BLOCKS(segment_starts, 'i', 8, n_blocks, 1),
    BLOCKS(page_roots, 'i', 8, n_pages, 0),
    BLOCKS(segments.tag, 'i', 8, n_segments, 0),
    BLOCKS(segments.start, 'i', 8, n_segments, 0),
    BLOCKS(segments.end, 'i', 8, n_segments, 0),
    BLOCKS(tags.id, 'i', 8, n_tags, 0),
    BLOCKS(tags.step, 'i', 1, n_tags, 0),
    BLOCKS(tags.element, 'i', 8, n_tags, 0),
    BLOCKS(tags.text_start, 'i', 8, n_tags, 0),
    BLOCKS(tags.text_length, 'i', 8, n_tags, 0),
    BLOCKS(tags.text_space, 'i', 8, n_tags, 0),
    BLOCKS(tags.bundle, 'i', 8, n_tags, 0),
    BLOCKS(elements.tag, 'i', 8, n_elements, 0),
    BLOCKS(elements.parent, 'i', 8, n_elements, 0),
    BLOCKS(elements.depth, 'i', 8, n_elements, 0),
    BLOCKS(elements.open, 'i', 8, n_elements, 0),
    BLOCKS(elements.close, 'i', 8, n_elements, 0),
    BLOCKS(elements.bundle, 'i', 8, n_elements, 0),
    FIELD("bundles.values", bundles.bytes, 'u', 1, bundles.n_bytes, 0),
    FIELD("bundles.offsets", bundles.offsets, 'i', 8, bundles.n_values, 1),
    FIELD("heads.bytes", heads.bytes, 'u', 1, heads.n_bytes, 0),
    FIELD("heads.offsets", heads.offsets, 'i', 8, heads.n_texts, 1),
    BLOCKS(tokens.start, 'i', 8, n_tokens, 0),
    BLOCKS(tokens.end, 'i', 8, n_tokens, 0),
    BLOCKS(tokens.kind, 'u', 1, n_tokens, 0),
    BLOCKS(tokens.word, 'b', 1, n_tokens, 0),
    BLOCKS(tokens.first_class, 'u', 1, n_tokens, 0),
    BLOCKS(tokens.last_class, 'u', 1, n_tokens, 0),
    BLOCKS(tokens.block_offsets, 'i', 8, n_blocks, 1),
    BLOCKS(tokens.segment_offsets, 'i', 8, n_segments, 1),
};

/* What is known of pages that were read. */
static const char *const notes[] = {
    "notes.rows", "notes.values", "notes.bytes", "notes.starts", "places", "places.starts", "page_signs",
};

#define SHARED(member, size, count) FIELD(#member, shared.member, 'i', size, table.count, 0)
static const Field shared_fields[] = {
    SHARED(page, 8, n_blocks),
    SHARED(element, 8, n_blocks),
    SHARED(container, 8, n_blocks),
    SHARED(start, 8, n_blocks),
    SHARED(end, 8, n_blocks),
    SHARED(tag, 8, n_blocks),
    SHARED(last_tag, 8, n_blocks),
    SHARED(words, 8, n_blocks),
    SHARED(link_words, 8, n_blocks),
    SHARED(free_words, 8, n_blocks),
    SHARED(heading_level, 1, n_blocks),
    SHARED(segment_words, 8, n_segments),
    SHARED(segment_element, 8, n_segments),
    SHARED(element_page, 8, n_elements),
    SHARED(outer, 8, n_elements),
    SHARED(element_words, 8, n_elements),
    SHARED(element_link_words, 8, n_elements),
    SHARED(page_words, 8, n_pages),
    SHARED(head_signs, 8, n_pages),
    SHARED(head_bits, 1, n_pages),
    FIELD("class_numbers", shared.class_numbers, 'i', 8, bundles.n_rows, 1),
    FIELD("names", shared.names, 'u', 8, bundles.n_rows, 1),
    FIELD("hides", shared.hides, 'u', 1, bundles.n_rows, 1),
};

static int64_t *count_of(Batch *batch, const Field *field)
{
    return (int64_t *)((char *)batch + field->length);
}

/* Let fields be what was put into their columns; the first column of a length says it. */
static bool place(Batch *batch, int first, int end)
{
    for (int i = first; i < end; i++)
        *count_of(batch, &fields[i]) = -1;
    for (int i = first; i < end; i++) {
        const Column *column = &batch->columns[i];
        int64_t *count = count_of(batch, &fields[i]);
        if (*count < 0)
            *count = column->count - fields[i].more;
        if (column->count != *count + fields[i].more || *count < 0)
            return false;
        memcpy((char *)batch + fields[i].items, &column->items, sizeof column->items);
    }
    Bundles *bundles = &batch->bundles;
    bundles->n_rows = bundles->width > 0 ? bundles->n_values / bundles->width : 0;
    return true;
}

/* --- Are columns of Python's sound ------------------------------------------------------------ */

/* Is the highest bit set, that is the sign of a difference. The loops below gather signs, which
 * compilers turn into code for several numbers at once, unlike comparisons. */
static bool is_negative(uint64_t difference)
{
    return difference >> 63;
}

/* Are all numbers at least a lowest one, -1 to 1, and below a bound, which is not negative. A
 * difference that goes round makes the other one negative. */
static bool are_below(const int64_t *numbers, int64_t count, int64_t lowest, int64_t bound)
{
    uint64_t signs = 0;
    for (int64_t i = 0; i < count; i++) {
        uint64_t number = (uint64_t)numbers[i];
        signs |= (number - (uint64_t)lowest) | ((uint64_t)bound - 1 - number);
    }
    return !is_negative(signs);
}

/* Do offsets ascend from 0 to a last one. */
static bool are_offsets(const int64_t *offsets, int64_t count, int64_t last)
{
    uint64_t signs = 0;
    for (int64_t i = 0; i < count; i++)
        signs |= (uint64_t)offsets[i + 1] - (uint64_t)offsets[i];
    return !is_negative(signs) && offsets[0] == 0 && offsets[count] == last &&
           are_below(offsets, count, 0, last + 1);
}

static bool are_blocks_sound(const Table *t)
{
    bool sound = (t->n_pages || !t->n_elements) &&
                 are_offsets(t->page_starts, t->n_pages, t->n_blocks) &&
                 are_offsets(t->segment_starts, t->n_blocks, t->n_segments) &&
                 are_below(t->page_roots, t->n_pages, 0, t->n_elements) &&
                 are_below(t->segments.tag, t->n_segments, 0, t->n_tags) &&
                 are_below(t->segments.start, t->n_segments, 0, t->n_chars) &&
                 are_below(t->segments.end, t->n_segments, 1, t->n_chars + 1) &&
                 are_below(t->tags.id, t->n_tags, 0, N_TAG_IDS) &&
                 are_below(t->tags.element, t->n_tags, 0, t->n_elements) &&
                 are_below(t->elements.tag, t->n_elements, 0, N_TAG_IDS) &&
                 are_below(t->elements.parent, t->n_elements, 0, t->n_elements) &&
                 are_below(t->elements.open, t->n_elements, 0, t->n_tags) &&
                 are_below(t->elements.close, t->n_elements, 0, t->n_tags);
    /* A block has a segment, which does not end before it begins; a parent comes before its children. */
    for (int64_t i = 0; sound && i < t->n_blocks; i++)
        sound = t->segment_starts[i] < t->segment_starts[i + 1];
    for (int64_t s = 0; sound && s < t->n_segments; s++)
        sound = t->segments.start[s] <= t->segments.end[s];
    for (int64_t e = 0; sound && e < t->n_elements; e++)
        sound = t->elements.parent[e] <= e;
    return sound;
}

/* The same of bundles and of texts of heads. */
static bool are_texts_sound(const Batch *batch)
{
    const Bundles *bundles = &batch->bundles;
    return bundles->width >= 0 && bundles->n_values == bundles->n_rows * bundles->width &&
           are_offsets(bundles->offsets, bundles->n_values, bundles->n_bytes) &&
           batch->heads.n_texts == batch->table.n_pages * N_HEAD_TEXTS &&
           are_offsets(batch->heads.offsets, batch->heads.n_texts, batch->heads.n_bytes);
}

/* --- Making one ------------------------------------------------------------------------------- */

static void batch_free(PyObject *self)
{
    Batch *batch = (Batch *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    columns_free(batch->columns, N_BATCH_COLUMNS);
    arena_free(&batch->arena);
    Py_XDECREF(batch->vocabulary);
    Py_XDECREF(batch->whole);
    release(self);
    Py_DECREF(type);
}

/* A batch without anything, of which a tuple of attributes is recorded; NULL for those of another batch.
 * NULL with an exception set. */
static Batch *new_batch(PyObject *module, PyObject *vocabulary, PyObject *attributes)
{
    ModuleState *state = PyModule_GetState(module);
    if (!vocabulary_of(vocabulary))
        return NULL;
    Batch *batch = PyObject_New(Batch, state->batch_type);
    if (!batch)
        return NULL;
    size_t header = offsetof(Batch, table);
    memset((char *)batch + header, 0, sizeof *batch - header);
    batch->vocabulary = Py_NewRef(vocabulary);
    batch->shared.characters = &vocabulary_of(vocabulary)->characters;
    if (!attributes || find_attributes(batch, attributes) == 0)
        return batch;
    Py_DECREF((PyObject *)batch);
    return NULL;
}

/* What heads say, by the notes of pages that were read, else by the texts that Python gave. */
static Outcome complete_heads(Batch *batch)
{
    enum { NOTES, VALUES, BYTES, STARTS };
    const Column *noted = &batch->columns[N_FIELDS];
    const HeadNotes notes = {noted[NOTES].items, noted[VALUES].items, noted[BYTES].items,
                             noted[STARTS].items};
    int64_t n_pages = batch->table.n_pages;
    Value *texts = ZEROS(&batch->arena, Value, (size_t)n_pages * N_HEAD_TEXTS);
    uint8_t *bits = ZEROS(&batch->arena, uint8_t, (size_t)n_pages);
    if (!texts || !bits)
        return MEMORY;
    if (notes.starts)
        read_notes(&notes, n_pages, texts, bits);
    for (int64_t i = 0; i < batch->heads.n_texts; i++) {
        const int64_t *at = batch->heads.offsets + i;
        if (at[0] < at[1])
            texts[i] = (Value){batch->heads.bytes + at[0], at[1] - at[0]};
    }
    return share_heads(&batch->shared, texts, bits, n_pages, &batch->arena);
}

/* Fill what follows from the blocks: tokens and shared columns. */
static Outcome complete(Batch *batch, const Vocabulary *vocabulary)
{
    Outcome outcome = cut_tokens(vocabulary, &batch->table, batch->columns + N_GIVEN);
    if (outcome == DONE && !place(batch, N_GIVEN, N_FIELDS))
        outcome = WRONG;
    if (outcome == DONE)
        outcome = share_columns(&batch->shared, &batch->table, vocabulary, &batch->arena);
    if (outcome == DONE)
        outcome = share_attributes(batch);
    if (outcome == DONE)
        outcome = complete_heads(batch);
    batch->is_complete = outcome == DONE;
    return outcome;
}

/* Fill it if nobody has, whatever other threads do: it is there at once, or not at all. Returns -1
 * with an exception set. */
static int complete_once(Batch *batch)
{
    if (batch->is_complete)
        return 0;
    Batch made = *batch;
    const Vocabulary *vocabulary = vocabulary_of(batch->vocabulary);
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = complete(&made, vocabulary);
    Py_END_ALLOW_THREADS
    bool is_used = false;
#ifdef Py_GIL_DISABLED
    Py_BEGIN_CRITICAL_SECTION((PyObject *)batch);
#endif
    if (outcome == DONE && !batch->is_complete) {
        size_t header = offsetof(Batch, table);
        memcpy((char *)batch + header, (char *)&made + header, sizeof made - header);
        is_used = true;
    }
#ifdef Py_GIL_DISABLED
    Py_END_CRITICAL_SECTION();
#endif
    if (!is_used) {
        columns_free(made.columns + N_GIVEN, N_TOKEN_COLUMNS);
        arena_free(&made.arena);
    }
    if (outcome != DONE)
        raise_outcome(outcome, "batch");
    return outcome == DONE ? 0 : -1;
}

/* Let bundles and notes be those that were read. */
static Outcome take_stream(Batch *batch, Stream *stream)
{
    enum { BUNDLES = N_BLOCK_COLUMNS };
    Column *bundles = &batch->columns[BUNDLES], *noted = &batch->columns[N_FIELDS];
    bundles[0] = column_of_growing(&stream->row_values);
    bundles[1] = column_of_growing(&stream->row_offsets);
    noted[0] = column_of_growing(&stream->notes);
    noted[1] = column_of_growing(&stream->values);
    noted[2] = column_of_growing(&stream->bytes);
    noted[3] = (Column){stream->note_starts, sizeof(int64_t), stream->n_pages + 1};
    stream->note_starts = NULL;
    batch->columns[PLACES] = column_of_growing(&stream->places);
    batch->columns[PLACE_STARTS] = column_of_growing(&stream->place_starts);
    batch->columns[PAGE_SIGNS] = column_of_growing(&stream->page_signs);
    if (!bundles[1].items) { /* no attribute is wanted */
        bundles[1] = (Column){calloc(1, sizeof(int64_t)), sizeof(int64_t), 1};
        if (!bundles[1].items)
            return MEMORY;
    }
    return DONE;
}

/* Pages to the batch, without the interpreter. */
static Outcome read_all(Batch *batch, Stream *stream, const Cuts *cuts)
{
    const Vocabulary *vocabulary = cuts->vocabulary;
    Outcome outcome = read_stream(stream);
    if (outcome == DONE) {
        outcome = cut_pages(stream->codes.items, (int64_t)stream->codes.used, cuts, batch->columns);
        growing_free(&stream->codes);
    }
    if (outcome == DONE)
        outcome = take_stream(batch, stream);
    if (outcome == DONE && !place(batch, 0, N_READ))
        outcome = WRONG;
    return outcome == DONE ? complete(batch, vocabulary) : outcome;
}

/* --- Calls from Python ------------------------------------------------------------------------ */

/* A batch, if it was made; else NULL with an exception set. */
static PyObject *made(Batch *batch, Outcome outcome, const char *stage)
{
    if (outcome == DONE)
        return (PyObject *)batch;
    Py_DECREF((PyObject *)batch);
    return raise_outcome(outcome, stage);
}

static PyObject *batch_of_stream(PyObject *module, PyObject *vocabulary, PyObject *attributes,
                                 Stream *stream, Cuts *cuts)
{
    Batch *batch = new_batch(module, vocabulary, attributes);
    if (!batch)
        return NULL;
    cuts->vocabulary = vocabulary_of(vocabulary);
    Outcome outcome;
    Py_BEGIN_ALLOW_THREADS
    outcome = read_all(batch, stream, cuts);
    Py_END_ALLOW_THREADS
    if (outcome != NOT_UTF8)
        return made(batch, outcome, "read");
    Py_DECREF((PyObject *)batch);
    return Py_NewRef(Py_None);
}

/* read(vocabulary, pages, attributes, alt_text, max_bundles, every_tag_splits, pre_lines): the batch
 * of a tuple of pages; None if a page is no UTF-8 */
static PyObject *read_batch(PyObject *module, PyObject *args)
{
    PyObject *vocabulary, *pages, *names, *result = NULL;
    int alt_text, every_tag_splits, pre_lines;
    long long max_bundles;
    if (!PyArg_ParseTuple(args, "OO!O!iLpp", &vocabulary, &PyTuple_Type, &pages, &PyTuple_Type,
                          &names, &alt_text, &max_bundles, &every_tag_splits, &pre_lines))
        return NULL;
    Stream stream = {.alt_text = alt_text, .max_bundles = max_bundles};
    Cuts cuts = {NULL, every_tag_splits, pre_lines};
    if (stream_open(&stream, pages, names) == 0)
        result = batch_of_stream(module, vocabulary, names, &stream, &cuts);
    stream_close(&stream);
    return result;
}

/* segment(vocabulary, codes, values, offsets, heads, head_offsets, attributes, every_tag_splits,
 * pre_lines): the batch of an event stream */
static PyObject *segment_batch(PyObject *module, PyObject *args)
{
    enum { CODES, VALUES, OFFSETS, HEADS, HEAD_OFFSETS, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {
        [CODES] = WANTED("u4"), [VALUES] = WANTED("u1"), [OFFSETS] = WANTED("i8"),
        [HEADS] = WANTED("u1"), [HEAD_OFFSETS] = WANTED("i8"),
    };
    PyObject *vocabulary, *attributes;
    Cuts cuts = {0};
    int every_tag_splits, pre_lines;
    if (!PyArg_ParseTuple(args, "OO&O&O&O&O&O!pp", &vocabulary, BORROW(CODES), BORROW(VALUES),
                          BORROW(OFFSETS), BORROW(HEADS), BORROW(HEAD_OFFSETS), &PyTuple_Type,
                          &attributes, &every_tag_splits, &pre_lines))
        return NULL;
    Batch *batch = new_batch(module, vocabulary, attributes);
    Outcome outcome = MEMORY;
    if (batch) {
        cuts = (Cuts){vocabulary_of(vocabulary), every_tag_splits, pre_lines};
        Py_BEGIN_ALLOW_THREADS
        outcome = cut_pages(arrays[CODES].items, arrays[CODES].length, &cuts, batch->columns);
        for (int i = VALUES; outcome == DONE && i < N_ARGUMENTS; i++)
            outcome = copy_column(&batch->columns[N_BLOCK_COLUMNS + i - VALUES], &arrays[i],
                                  fields[N_BLOCK_COLUMNS + i - VALUES].size);
        if (outcome == DONE && !(place(batch, 0, N_GIVEN) && are_texts_sound(batch)))
            outcome = WRONG;
        if (outcome == DONE)
            outcome = complete(batch, cuts.vocabulary);
        Py_END_ALLOW_THREADS
    }
    arrays_return(arrays, N_ARGUMENTS);
    return batch ? made(batch, outcome, "segment") : NULL;
}

/* Copy the columns of a tuple; -1 with an exception set. */
static int copy_columns(Batch *batch, PyObject *columns)
{
    if (PyTuple_Size(columns) != N_GIVEN) {
        PyErr_SetString(PyExc_TypeError, "want the columns of a block table as a tuple");
        return -1;
    }
    for (int i = 0; i < N_GIVEN; i++) {
        Array array = {0};
        PyObject *object = PyTuple_GetItem(columns, i);
        if (array_borrow(&array, object, fields[i].kind, fields[i].size) < 0)
            return -1;
        Outcome outcome = copy_column(&batch->columns[i], &array, fields[i].size);
        array_return(&array);
        if (outcome != DONE) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return 0;
}

/* batch(vocabulary, columns, attributes): the batch of a table that Python made of its columns */
static PyObject *make_batch(PyObject *module, PyObject *args)
{
    PyObject *vocabulary, *columns, *attributes;
    if (!PyArg_ParseTuple(args, "OO!O!", &vocabulary, &PyTuple_Type, &columns, &PyTuple_Type,
                          &attributes))
        return NULL;
    Batch *batch = new_batch(module, vocabulary, attributes);
    if (!batch || copy_columns(batch, columns) < 0) {
        Py_XDECREF((PyObject *)batch);
        return NULL;
    }
    Outcome outcome = WRONG;
    if (place(batch, 0, N_GIVEN)) {
        Py_BEGIN_ALLOW_THREADS
        if (are_blocks_sound(&batch->table) && are_texts_sound(batch))
            outcome = DONE;
        Py_END_ALLOW_THREADS
    }
    if (outcome != WRONG)
        return made(batch, outcome, "batch");
    Py_DECREF((PyObject *)batch);
    return PyErr_Format(PyExc_ValueError, "the columns of the block table do not fit together");
}

const Batch *blocks_of(PyObject *module, PyObject *object)
{
    ModuleState *state = PyModule_GetState(module);
    if (Py_TYPE(object) == state->batch_type)
        return (const Batch *)object;
    PyErr_SetString(PyExc_TypeError, "a stage wants the batch of a block table");
    return NULL;
}

const Batch *batch_of(PyObject *module, PyObject *object)
{
    const Batch *batch = blocks_of(module, object);
    return batch && complete_once((Batch *)object) == 0 ? batch : NULL;
}

static PyObject *view_of_field(Batch *batch, const Field *field)
{
    void *items;
    memcpy(&items, (char *)batch + field->items, sizeof items);
    if (!items)
        return PyErr_Format(PyExc_ValueError, "the attributes of %s were not recorded", field->name);
    size_t count = (size_t)(*count_of(batch, field) + field->more);
    return view_of(PyType_GetModuleState(Py_TYPE((PyObject *)batch)), (PyObject *)batch, items,
                   count * field->size);
}

/* array(name) -> a view of a column */
static PyObject *batch_array(PyObject *self, PyObject *object)
{
    Batch *batch = (Batch *)self;
    const char *name = PyUnicode_AsUTF8AndSize(object, NULL);
    if (!name || complete_once(batch) < 0)
        return NULL;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(fields[i].name, name))
            return view_of_field(batch, &fields[i]);
    for (size_t i = 0; i < sizeof shared_fields / sizeof *shared_fields; i++)
        if (!strcmp(shared_fields[i].name, name))
            return view_of_field(batch, &shared_fields[i]);
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const Column *column = &batch->columns[N_FIELDS + i];
        if (!strcmp(notes[i], name))
            return view_of(PyType_GetModuleState(Py_TYPE(self)), self, column->items,
                           (size_t)column->count * column->size);
    }
    return PyErr_Format(PyExc_ValueError, "a batch has no column %s", name);
}

/* --- Some pages of a batch -------------------------------------------------------------------- */

/* What the items of a column are of, and what the numbers in it count. */
enum { NOTHING, CHARS, BLOCKS_OF_PAGE, SEGMENTS, TAGS, ELEMENTS, TOKENS, N_COUNTED };

static const struct Cut {
    uint8_t items, numbers;
} cuts_of[N_FIELDS] = {
    {CHARS, NOTHING},   {NOTHING, NOTHING},  {BLOCKS_OF_PAGE, SEGMENTS}, {NOTHING, NOTHING},
    {SEGMENTS, TAGS},   {SEGMENTS, CHARS},   {SEGMENTS, CHARS},
    {TAGS, NOTHING},    {TAGS, NOTHING},     {TAGS, ELEMENTS},           {TAGS, CHARS},
    {TAGS, NOTHING},    {TAGS, NOTHING},     {TAGS, NOTHING},
    {ELEMENTS, NOTHING}, {ELEMENTS, ELEMENTS}, {ELEMENTS, NOTHING},      {ELEMENTS, TAGS},
    {ELEMENTS, TAGS},   {ELEMENTS, NOTHING},
    {NOTHING, NOTHING}, {NOTHING, NOTHING},  {NOTHING, NOTHING},         {NOTHING, NOTHING},
    {TOKENS, CHARS},    {TOKENS, CHARS},     {TOKENS, NOTHING},          {TOKENS, NOTHING},
    {TOKENS, NOTHING},  {TOKENS, NOTHING},   {BLOCKS_OF_PAGE, TOKENS},   {SEGMENTS, TOKENS},
};

/* Which items of a batch a page has, and how many the pages before it have that are cut out, too. */
typedef struct {
    int64_t first[N_COUNTED], end[N_COUNTED], before[N_COUNTED];
} Extents;

static void find_extents(const Table *table, int64_t page, Extents *extents)
{
    bool is_last = page + 1 == table->n_pages;
    int64_t root = table->page_roots[page], *first = extents->first, *end = extents->end;
    first[BLOCKS_OF_PAGE] = table->page_starts[page];
    end[BLOCKS_OF_PAGE] = table->page_starts[page + 1];
    first[SEGMENTS] = table->segment_starts[first[BLOCKS_OF_PAGE]];
    end[SEGMENTS] = table->segment_starts[end[BLOCKS_OF_PAGE]];
    first[ELEMENTS] = root;
    end[ELEMENTS] = is_last ? table->n_elements : table->page_roots[page + 1];
    first[TAGS] = table->elements.open[root];
    end[TAGS] = table->elements.close[root] + 1;
    first[CHARS] = table->tags.text_start[first[TAGS]];
    end[CHARS] = end[TAGS] < table->n_tags ? table->tags.text_start[end[TAGS]] : table->n_chars;
    first[TOKENS] = table->tokens.block_offsets[first[BLOCKS_OF_PAGE]];
    end[TOKENS] = table->tokens.block_offsets[end[BLOCKS_OF_PAGE]];
}

/* The extents of some pages, and after them how many items they have; false if a page is not sound. */
static bool list_extents(const Table *table, const int64_t *pages, int64_t n_pages,
                         Extents *extents)
{
    for (int64_t i = 0; i < n_pages; i++) {
        Extents *own = &extents[i], *next = &extents[i + 1];
        find_extents(table, pages[i], own);
        if (own->end[CHARS] > table->n_chars)
            return false;
        for (int item = 0; item < N_COUNTED; item++) { /* Python's columns may be anything */
            if (own->first[item] < 0 || own->first[item] > own->end[item])
                return false;
            next->before[item] = own->before[item] + own->end[item] - own->first[item];
        }
    }
    return true;
}

/* Copy the items of pages, their numbers from the beginning of the new batch. */
static bool cut_column(const Batch *whole, const Extents *extents, int64_t n_pages, int number,
                       Column *column)
{
    const Field *field = &fields[number];
    const struct Cut *cut = &cuts_of[number];
    int64_t count = extents[n_pages].before[cut->items] + field->more;
    const char *items;
    memcpy(&items, (const char *)whole + field->items, sizeof items);
    *column = (Column){malloc((size_t)count * field->size + 1), field->size, count};
    if (!column->items)
        return false;
    for (int64_t page = 0; page < n_pages; page++) {
        const Extents *own = &extents[page];
        int64_t first = own->first[cut->items], at = own->before[cut->items];
        int64_t n = own->end[cut->items] - first + field->more;
        char *copy = (char *)column->items + (size_t)at * field->size;
        memcpy(copy, items + (size_t)first * field->size, (size_t)n * field->size);
        int64_t moved = own->before[cut->numbers] - own->first[cut->numbers];
        int64_t *numbers = (int64_t *)column->items + at;
        for (int64_t i = 0; cut->numbers != NOTHING && i < n; i++)
            numbers[i] += moved;
    }
    return true;
}

/* Columns of a number for each page. */
static bool cut_pages_columns(const Batch *whole, const int64_t *pages, const Extents *extents,
                              int64_t n_pages, Column *columns)
{
    enum { PAGE_STARTS = 1, PAGE_ROOTS = 3 };
    const Column *signs = &whole->columns[PAGE_SIGNS];
    bool has_signs = signs->count == whole->table.n_pages;
    int64_t *starts = malloc(((size_t)n_pages + 1) * sizeof *starts);
    int64_t *roots = malloc((size_t)n_pages * sizeof *roots);
    uint8_t *own_signs = has_signs ? malloc((size_t)n_pages) : NULL;
    columns[PAGE_STARTS] = (Column){starts, sizeof *starts, n_pages + 1};
    columns[PAGE_ROOTS] = (Column){roots, sizeof *roots, n_pages};
    columns[PAGE_SIGNS] = (Column){own_signs, 1, has_signs ? n_pages : 0};
    if (!starts || !roots || (has_signs && !own_signs))
        return false;
    for (int64_t i = 0; i < n_pages; i++) {
        starts[i] = extents[i].before[BLOCKS_OF_PAGE];
        roots[i] = extents[i].before[ELEMENTS];
        if (has_signs)
            own_signs[i] = ((const uint8_t *)signs->items)[pages[i]];
    }
    starts[n_pages] = extents[n_pages].before[BLOCKS_OF_PAGE];
    return true;
}

/* The places of attributes of pages, if they are known. */
static bool cut_places(const Batch *whole, const int64_t *pages, int64_t n_pages, Column *columns)
{
    const int64_t *places = whole->columns[PLACES].items, *first = whole->columns[PLACE_STARTS].items;
    if (whole->columns[PLACE_STARTS].count != whole->table.n_pages + 1)
        return true;
    int64_t *starts = malloc(((size_t)n_pages + 1) * sizeof *starts), n_places = 0;
    for (int64_t i = 0; starts && i <= n_pages; i++) {
        starts[i] = n_places;
        n_places += i < n_pages ? first[pages[i] + 1] - first[pages[i]] : 0;
    }
    int64_t *copy = malloc((size_t)n_places * sizeof *copy + 1);
    columns[PLACES] = (Column){copy, sizeof *copy, n_places};
    columns[PLACE_STARTS] = (Column){starts, sizeof *starts, n_pages + 1};
    for (int64_t i = 0; starts && copy && i < n_pages; i++)
        memcpy(copy + starts[i], places + first[pages[i]],
               (size_t)(starts[i + 1] - starts[i]) * sizeof *copy);
    return starts && copy;
}

static Outcome cut_batch(const Batch *whole, const int64_t *pages, int64_t n_pages, Batch *batch)
{
    Extents *extents = ZEROS(&batch->arena, Extents, (size_t)n_pages + 1);
    if (!extents)
        return MEMORY;
    if (!list_extents(&whole->table, pages, n_pages, extents))
        return WRONG;
    bool enough = cut_pages_columns(whole, pages, extents, n_pages, batch->columns) &&
                  cut_places(whole, pages, n_pages, batch->columns);
    for (int i = 0; i < N_FIELDS && enough; i++)
        if (cuts_of[i].items != NOTHING)
            enough = cut_column(whole, extents, n_pages, i, &batch->columns[i]);
    if (!enough)
        return MEMORY;
    if (!place(batch, 0, N_BLOCK_COLUMNS) || !place(batch, N_GIVEN, N_FIELDS) ||
        !are_blocks_sound(&batch->table))
        return WRONG;
    batch->bundles = whole->bundles;
    memcpy(batch->known, whole->known, sizeof batch->known);
    Shared *shared = &batch->shared;
    Outcome outcome = share_columns(shared, &batch->table, vocabulary_of(batch->vocabulary),
                                    &batch->arena);
    if (outcome == DONE)
        outcome = pick_heads(shared, &whole->shared, pages, n_pages, &batch->arena);
    shared->n_bundles = whole->shared.n_bundles;
    shared->class_numbers = whole->shared.class_numbers;
    shared->names = whole->shared.names;
    shared->hides = whole->shared.hides;
    batch->is_complete = outcome == DONE;
    return outcome;
}

static bool are_pages(const Batch *batch, const Array *pages)
{
    const int64_t *numbers = pages->items;
    bool all = pages->length > 0;
    for (int64_t i = 0; i < pages->length; i++)
        all &= numbers[i] >= 0 && numbers[i] < batch->table.n_pages;
    return all;
}

/* pages(numbers) -> the batch of some pages, which holds this one */
static PyObject *batch_pages(PyObject *self, PyObject *numbers)
{
    PyObject *module = PyType_GetModule(Py_TYPE(self));
    Batch *whole = (Batch *)self, *batch = NULL;
    Array pages = WANTED("i8");
    if (!module || complete_once(whole) < 0 || array_borrow(&pages, numbers, 'i', 8) < 0)
        return NULL;
    Outcome outcome = WRONG;
    if (!are_pages(whole, &pages))
        PyErr_SetString(PyExc_IndexError, "the batch has no such pages");
    else if ((batch = new_batch(module, whole->vocabulary, NULL))) {
        batch->whole = Py_NewRef(self);
        Py_BEGIN_ALLOW_THREADS
        outcome = cut_batch(whole, pages.items, pages.length, batch);
        Py_END_ALLOW_THREADS
    }
    array_return(&pages);
    return batch ? made(batch, outcome, "pages") : NULL;
}

static PyMethodDef methods_of_batch[] = {
    {"array", batch_array, METH_O, "A view of a column, which holds the batch."},
    {"pages", batch_pages, METH_O, "The batch of some pages."},
    {NULL, NULL, 0, NULL},
};

/* How many blocks it has. */
static Py_ssize_t batch_length(PyObject *self)
{
    return (Py_ssize_t)((Batch *)self)->table.n_blocks;
}

static PyType_Slot batch_slots[] = {
    {Py_sq_length, batch_length},
    {Py_tp_methods, methods_of_batch},
    {Py_tp_dealloc, batch_free},
    {Py_tp_doc, "A block table with its tokens and attributes; `array` gives its columns."},
    {0, NULL},
};

PyType_Spec batch_spec = {
    .name = "victor._core.Batch",
    .basicsize = sizeof(Batch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = batch_slots,
};

/* --- What is handed down ---------------------------------------------------------------------- */

/* What the elements around each element hand down; false if a parent is none before it. */
static bool hand_down(const int64_t *parents, int64_t n, const int64_t *own, bool joined,
                      int64_t *values)
{
    for (int64_t e = 0; e < n; e++) {
        if (parents[e] < 0 || parents[e] > e)
            return false;
        int64_t above = parents[e] == e ? own[e] : values[parents[e]];
        values[e] = joined ? own[e] | above : own[e] < 0 ? above : own[e];
    }
    return true;
}

/* handed_down(parents, values, joined) -> for every element its bits and those of all around it,
 * or, if not joined, its number, or where that is negative that of the nearest one which has one.
 * There may be several rows of values. */
static PyObject *handed_down(PyObject *module, PyObject *args)
{
    enum { PARENTS, VALUES, N_ARGUMENTS };
    Array arrays[N_ARGUMENTS] = {[PARENTS] = WANTED("i8"), [VALUES] = WANTED("i8")};
    int joined;
    if (!PyArg_ParseTuple(args, "O&O&p", BORROW(PARENTS), BORROW(VALUES), &joined))
        return NULL;
    const int64_t *own = arrays[VALUES].items;
    int64_t n = arrays[PARENTS].length, count = arrays[VALUES].length;
    int64_t *values = malloc(((size_t)count + 1) * sizeof *values);
    Outcome outcome = !values ? MEMORY : count == 0 || (n && count % n == 0) ? DONE : WRONG;
    Py_BEGIN_ALLOW_THREADS
    for (int64_t at = 0; outcome == DONE && at < count; at += n)
        if (!hand_down(arrays[PARENTS].items, n, own + at, joined, values + at))
            outcome = WRONG;
    Py_END_ALLOW_THREADS
    arrays_return(arrays, N_ARGUMENTS);
    if (outcome == DONE)
        return owned(module, values, (size_t)count * sizeof *values);
    free(values);
    return raise_outcome(outcome, "handed_down");
}

PyMethodDef batch_methods[] = {
    {"read", read_batch, METH_VARARGS, "The batch of some pages."},
    {"segment", segment_batch, METH_VARARGS, "The batch of an event stream."},
    {"batch", make_batch, METH_VARARGS, "The batch of a table that was made of its columns."},
    {"handed_down", handed_down, METH_VARARGS, "Values of elements with those of elements around."},
    {NULL, NULL, 0, NULL},
};
