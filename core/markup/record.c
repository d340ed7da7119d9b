/* Everything on a page as columns: the sink of a recording. */
#include "markup/markup.h"

/* --- Texts ------------------------------------------------------------------------------------ */

/* Append one item of an array of int64. */
static bool append_number(Growing *array, int64_t value)
{
    if (!growing_reserve(array, sizeof value))
        return false;
    memcpy(array->items + array->used, &value, sizeof value);
    array->used += sizeof value;
    return true;
}

static bool append_name(Growing *text, Slice name)
{
    if (!growing_reserve(text, NAME_ROOM))
        return false;
    text->used += resolve_name(name, text->items + text->used);
    return true;
}

static bool append_word(Growing *text, const char *word)
{
    size_t length = strlen(word);
    if (!growing_reserve(text, length))
        return false;
    memcpy(text->items + text->used, word, length);
    text->used += length;
    return true;
}

/* A blank, and an identifier in quotes that it does not hold, if possible. */
static bool append_quoted(Growing *text, Slice identifier)
{
    bool has_quote = identifier.length && memchr(identifier.text, '"', identifier.length);
    return append_word(text, has_quote ? " '" : " \"") && append_text(text, identifier, false) &&
           append_word(text, has_quote ? "'" : "\"");
}

/* Name, keyword and identifiers in quotes. */
static bool append_doctype(Growing *text, const Doctype *doctype)
{
    const char *keyword = doctype->has_public ? " PUBLIC" : doctype->has_system ? " SYSTEM" : "";
    return append_text(text, doctype->name, false) && append_word(text, keyword) &&
           (!doctype->has_public || append_quoted(text, doctype->public_id)) &&
           (!doctype->has_system || append_quoted(text, doctype->system_id));
}

/* --- Items ------------------------------------------------------------------------------------ */

typedef struct {
    Record *record;
    Slice markup;
    LeanTags tags;
    bool in_text;    /* the last item is a text that may go on */
    Record *players; /* those of frames, videos and sounds, which are dropped */
    bool in_player;  /* the outermost dropped element is such a one */
} Recording;

/* Begin an item; its text is appended by the caller. */
static bool begin_item(Record *record, uint8_t kind, int64_t tag, bool is_dropped, int64_t place)
{
    return growing_append(&record->kinds, kind) && append_number(&record->tags, tag) &&
           growing_append(&record->dropped, is_dropped) &&
           append_number(&record->text_starts, (int64_t)record->text.used) &&
           append_number(&record->places, place);
}

static bool add_item(Recording *state, uint8_t kind, int64_t tag, int64_t place)
{
    state->in_text = kind == ITEM_TEXT;
    return begin_item(state->record, kind, tag, state->tags.depth > 0, place);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

static Outcome on_start(void *opaque, const Name *name, const Attribute *attributes, size_t count)
{
    Recording *state = opaque;
    int64_t tag, place = place_of(state->markup, attributes, count);
    bool is_added = lean_start(&state->tags, name, attributes, count, &tag) &&
                    add_item(state, ITEM_START, tag, place) &&
                    append_name(&state->record->text, name->name);
    return is_added ? DONE : MEMORY;
}

static Outcome on_end(void *opaque, const Name *name)
{
    Recording *state = opaque;
    if (!lean_end(&state->tags, name))
        return DONE;
    if (!add_item(state, ITEM_END, state->tags.last_tag, 0) ||
        !append_name(&state->record->text, name->name))
        return MEMORY;
    lean_ended(&state->tags, name);
    return DONE;
}

static Outcome on_text(void *opaque, Slice text, bool has_references)
{
    Recording *state = opaque;
    if (!state->in_text && !add_item(state, ITEM_TEXT, state->tags.last_tag, 0))
        return MEMORY;
    return append_text(&state->record->text, text, has_references) ? DONE : MEMORY;
}

static Outcome on_comment(void *opaque, Slice text)
{
    Recording *state = opaque;
    bool is_added = add_item(state, ITEM_COMMENT, state->tags.last_tag, 0) &&
                    append_text(&state->record->text, text, false);
    return is_added ? DONE : MEMORY;
}

static Outcome on_doctype(void *opaque, const Doctype *doctype)
{
    Recording *state = opaque;
    bool is_added = add_item(state, ITEM_DOCTYPE, state->tags.last_tag, 0) &&
                    append_doctype(&state->record->text, doctype);
    return is_added ? DONE : MEMORY;
}

/* --- Places of attributes only ---------------------------------------------------------------- */

static bool is_player(Slice name)
{
    return is_name(name, "iframe", 6) || is_name(name, "video", 5) || is_name(name, "audio", 5);
}

static Outcome on_start_only(void *opaque, const Name *name, const Attribute *attributes,
                             size_t count)
{
    Recording *state = opaque;
    bool is_outermost = !state->tags.depth, is_added = true;
    int64_t tag, place = place_of(state->markup, attributes, count);
    if (!lean_start(&state->tags, name, attributes, count, &tag))
        return MEMORY;
    if (!state->tags.depth) {
        if (!is_name(name->name, "br", 2))
            is_added = append_number(&state->record->places, place);
        return is_added ? DONE : MEMORY;
    }
    if (is_outermost)
        state->in_player = is_player(name->name);
    if (state->in_player)
        is_added = begin_item(state->players, ITEM_START, tag, true, place) &&
                   append_name(&state->players->text, name->name);
    return is_added ? DONE : MEMORY;
}

static Outcome on_end_only(void *opaque, const Name *name)
{
    Recording *state = opaque;
    if (!lean_end(&state->tags, name))
        return DONE;
    if (state->tags.depth && state->in_player &&
        !(begin_item(state->players, ITEM_END, state->tags.last_tag, true, 0) &&
          append_name(&state->players->text, name->name)))
        return MEMORY;
    lean_ended(&state->tags, name);
    return DONE;
}

/* --- The stage -------------------------------------------------------------------------------- */

static Outcome finish(Record *record, const Recording *state, Outcome outcome)
{
    record->n_tags = state->tags.last_tag + 2;
    bool is_ended = append_number(&record->text_starts, (int64_t)record->text.used);
    return outcome == DONE && !is_ended ? MEMORY : outcome;
}

Outcome record_markup(Record *record, Slice markup, bool alt_text)
{
    Recording state = {.record = record, .markup = markup, .tags = {.alt_text = alt_text}};
    const Sink sink = {&state, on_start, on_end, on_text, on_comment, on_doctype};
    Outcome outcome = growing_reserve(&record->text, markup.length) ? tokenise(markup, &sink) : MEMORY;
    growing_free(&state.tags.scratch);
    return finish(record, &state, outcome);
}

Outcome record_places(Record *record, Record *players, Slice markup)
{
    Recording state = {.record = record, .markup = markup, .players = players};
    const Sink sink = {.state = &state, .start = on_start_only, .end = on_end_only};
    Outcome outcome = tokenise(markup, &sink);
    growing_free(&state.tags.scratch);
    if (outcome == DONE && !append_number(&record->places, (int64_t)markup.length))
        outcome = MEMORY;
    return finish(players, &state, outcome);
}

void record_free(Record *record)
{
    Growing *columns[] = {&record->kinds, &record->tags,        &record->dropped,
                          &record->text,  &record->text_starts, &record->places};
    for (size_t column = 0; column < sizeof columns / sizeof *columns; column++)
        growing_free(columns[column]);
}
