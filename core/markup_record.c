/* Everything on a page as columns: the sink of a recording. */
#include "markup_record.h"
#include "markup_text.h"
#include "repeated_names.h"

typedef struct {
    Record *record;
    const uint8_t *is_void; /* of each tag id */
    int64_t n_names;
    bool alt_text;
    int64_t last_tag; /* ordinal of the last tag of the lean stream; that of the page is 0 */
    int64_t depth;    /* of dropped elements */
    bool in_tex;
    bool in_text; /* the last item is a text that may go on */
    Growing scratch;
    Growing repeated; /* uint8 of each attribute of an element with many */
} Recording;

/* Begin an item; its text, then its attributes are appended by the caller. */
static bool add_item(Recording *state, uint8_t kind, int64_t tag, int name)
{
    Record *record = state->record;
    int16_t id = (int16_t)name;
    if (!append_byte(&record->kinds, kind) || !append_number(&record->tags, tag) ||
        !append_byte(&record->dropped, state->depth > 0) ||
        !append_number(&record->text_starts, (int64_t)record->text.used) ||
        !append_number(&record->attribute_starts,
                       (int64_t)(record->value_starts.used / (2 * sizeof(int64_t)))) ||
        !growing_reserve(&record->names, sizeof id))
        return false;
    memcpy(record->names.items + record->names.used, &id, sizeof id);
    record->names.used += sizeof id;
    state->in_text = kind == ITEM_TEXT;
    return true;
}

static bool add_name(Growing *text, Slice name)
{
    if (!growing_reserve(text, NAME_BYTES))
        return false;
    text->used += put_name(name, text->items + text->used);
    return true;
}

/* Room that any text takes when references and U+0000 in it are resolved. */
static bool reserve_resolved(Growing *text, Slice slice)
{
    return slice.length <= SIZE_MAX / 8 && growing_reserve(text, slice.length * 3 + 8);
}

static bool add_text(Growing *text, Slice slice, bool has_references)
{
    if (!reserve_resolved(text, slice))
        return false;
    text->used += resolve_text(slice, has_references, text->items + text->used);
    return true;
}

/* Names are compared pair by pair for so many attributes. */
enum { FEW = 16 };

/* Does attribute `last` of the record have the name of one from `first` on. */
static bool is_repeated(const Record *record, size_t first, size_t last)
{
    const int64_t *starts = (const int64_t *)(const void *)record->value_starts.items;
    const uint8_t *values = record->values.items;
    const uint8_t *name = values + starts[2 * last];
    size_t length = record->values.used - (size_t)starts[2 * last];
    for (size_t a = first; a < last; a++)
        if ((size_t)(starts[2 * a + 1] - starts[2 * a]) == length &&
            memcmp(values + starts[2 * a], name, length) == 0)
            return true;
    return false;
}

/* One attribute of the last item, unless it has the name of one from row `first` on. */
static bool add_attribute(Record *record, const Attribute *attribute, size_t first)
{
    size_t start = record->values.used;
    if (!append_number(&record->value_starts, (int64_t)start) ||
        !add_name(&record->values, attribute->name))
        return false;
    size_t row = record->value_starts.used / (2 * sizeof(int64_t));
    if (row - first < FEW && is_repeated(record, first, row)) {
        record->values.used = start;
        record->value_starts.used -= sizeof(int64_t);
        return true;
    }
    if (!append_number(&record->value_starts, (int64_t)record->values.used) ||
        !reserve_resolved(&record->values, attribute->value))
        return false;
    record->values.used +=
        resolve_value(attribute->value, record->values.items + record->values.used);
    return true;
}

/* The attributes of the last item; of those with the same name the first. */
static Outcome add_attributes(Recording *state, const Attribute *attributes, size_t count)
{
    Record *record = state->record;
    const uint8_t *skipped = NULL;
    if (count > FEW) {
        state->repeated.used = 0;
        if (!growing_reserve(&state->repeated, count))
            return MEMORY;
        Outcome outcome = find_repeated(attributes, count, state->repeated.items);
        if (outcome != DONE)
            return outcome;
        skipped = state->repeated.items;
    }
    size_t first = record->value_starts.used / (2 * sizeof(int64_t));
    for (size_t a = 0; a < count; a++)
        if (!(skipped && skipped[a]) && !add_attribute(record, &attributes[a], first))
            return MEMORY;
    return DONE;
}

/* --- Hooks ------------------------------------------------------------------------------------ */

static bool is_image(const Name *name)
{
    return name->tag >= 0 && is_name(name->name, "img");
}

static Outcome on_start(void *opaque, const Name *name, const Attribute *attributes, size_t count)
{
    Recording *state = opaque;
    if (name->tag >= state->n_names)
        return WRONG;
    if (name->tag < 0) {
        bool tex = false;
        if (!state->depth && !is_tex(name->name, attributes, count, &state->scratch, &tex))
            return MEMORY;
        state->in_tex |= tex;
        state->depth += !tex;
    }
    if (!state->depth)
        state->last_tag++;
    if (!add_item(state, ITEM_START, state->last_tag, name->tag) ||
        !add_name(&state->record->text, name->name))
        return MEMORY;
    if (!state->depth && state->alt_text && is_image(name))
        state->last_tag++;
    return add_attributes(state, attributes, count);
}

static Outcome on_end(void *opaque, const Name *name)
{
    Recording *state = opaque;
    if (name->tag >= state->n_names)
        return WRONG;
    if (name->tag >= 0 && state->is_void[name->tag])
        return DONE;
    if (!state->depth)
        state->last_tag++;
    if (!add_item(state, ITEM_END, state->last_tag, name->tag) ||
        !add_name(&state->record->text, name->name))
        return MEMORY;
    if (name->tag >= 0)
        return DONE;
    if (state->in_tex)
        state->in_tex = false;
    else
        state->depth--;
    return DONE;
}

static Outcome on_text(void *opaque, Slice text, bool has_references)
{
    Recording *state = opaque;
    if (!text.length)
        return DONE;
    if (!state->in_text && !add_item(state, ITEM_TEXT, state->last_tag, -1))
        return MEMORY;
    return add_text(&state->record->text, text, has_references) ? DONE : MEMORY;
}

static Outcome on_comment(void *opaque, Slice text)
{
    Recording *state = opaque;
    bool is_added = add_item(state, ITEM_COMMENT, state->last_tag, -1) &&
                    add_text(&state->record->text, text, false);
    return is_added ? DONE : MEMORY;
}

static Outcome on_doctype(void *opaque, Slice text)
{
    Recording *state = opaque;
    Growing *texts = &state->record->text;
    if (!add_item(state, ITEM_DOCTYPE, state->last_tag, -1) || text.length > SIZE_MAX / 8 ||
        !growing_reserve(texts, text.length * 3 + 32))
        return MEMORY;
    texts->used += put_doctype(text, texts->items + texts->used);
    return DONE;
}

/* The ends of the last item, text and value. */
static bool add_ends(Record *record)
{
    size_t n_attributes = record->value_starts.used / (2 * sizeof(int64_t));
    return append_number(&record->text_starts, (int64_t)record->text.used) &&
           append_number(&record->attribute_starts, (int64_t)n_attributes) &&
           append_number(&record->value_starts, (int64_t)record->values.used);
}

Outcome record_markup(Record *record, Slice markup, const uint8_t *is_void, int64_t n_names,
                      bool alt_text)
{
    Recording state = {
        .record = record, .is_void = is_void, .n_names = n_names, .alt_text = alt_text};
    Sink sink = {&state, on_start, on_end, on_text, on_comment, on_doctype};
    Outcome outcome = growing_reserve(&record->text, markup.length) ? DONE : MEMORY;
    if (outcome == DONE)
        outcome = tokenise(markup, &sink);
    if (outcome == DONE && !add_ends(record))
        outcome = MEMORY;
    record->n_tags = state.last_tag + 2;
    growing_free(&state.scratch);
    growing_free(&state.repeated);
    return outcome;
}

void record_free(Record *record)
{
    Growing *columns[] = {&record->kinds,       &record->tags,         &record->dropped,
                          &record->names,       &record->text,         &record->text_starts,
                          &record->values,      &record->value_starts, &record->attribute_starts};
    for (size_t column = 0; column < sizeof columns / sizeof *columns; column++)
        growing_free(columns[column]);
}
