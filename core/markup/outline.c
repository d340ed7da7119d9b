/* The elements and text nodes of a page: the sink of an outline. */
#include "markup/outline.h"

enum { NONE = -1 };

typedef struct {
    Outline *outline;
    LeanTags tags;
    GROWING(int64_t) open; /* elements that are not void */
    int64_t outer;         /* the hidden one of them that is outermost, or NONE */
    bool in_text;          /* text that follows is of the last text node */
} Outlining;

static Outcome add_name(Outline *outline, Slice name, int64_t *row)
{
    uint8_t bytes[NAME_ROOM];
    return keys_add(&outline->names, bytes, resolve_name(name, bytes), row);
}

static Outcome add_id(Outlining *state, const Attribute *attributes, size_t count, int64_t *row)
{
    Growing *scratch = &state->tags.scratch;
    for (size_t a = 0; a < count; a++) {
        if (!is_name(attributes[a].name, "id", 2))
            continue;
        scratch->used = 0;
        return append_value(scratch, attributes[a].value)
                   ? keys_add(&state->outline->ids, scratch->items, scratch->used, row)
                   : MEMORY;
    }
    return DONE;
}

static Outcome on_start(void *opaque, const Name *name, const Attribute *attributes, size_t count)
{
    Outlining *state = opaque;
    Outline *outline = state->outline;
    int64_t tag, row = (int64_t)outline->elements.used, n_texts = (int64_t)outline->texts.used;
    if (!lean_start(&state->tags, name, attributes, count, &tag))
        return MEMORY;
    bool is_dropped = state->tags.depth > 0, is_void = is_point(name);
    bool is_empty = is_void && !(state->tags.alt_text && is_name(name->name, "img", 3));
    if (state->outer == NONE && (is_dropped || is_name(name->name, "shadow-root", 11)))
        state->outer = row;
    state->in_text = false;
    OutlinedElement element = {
        .id = NONE, .parent = state->open.used ? state->open.items[state->open.used - 1] : row,
        .last = row, .first = n_texts, .end = n_texts, .outer = state->outer,
    };
    Outcome outcome = add_name(outline, name->name, &element.name);
    if (outcome == DONE)
        outcome = add_id(state, attributes, count, &element.id);
    if (outcome != DONE)
        return outcome;
    bool is_added = growing_append(&outline->elements, element) &&
                    (is_void || growing_append(&state->open, row)) &&
                    (is_dropped || is_empty || growing_append(&outline->of_table, row));
    return is_added ? DONE : MEMORY;
}

static Outcome on_end(void *opaque, const Name *name)
{
    Outlining *state = opaque;
    if (!lean_end(&state->tags, name))
        return DONE;
    int64_t row = state->open.items[--state->open.used]; /* each end is that of a start */
    OutlinedElement *element = &state->outline->elements.items[row];
    element->last = (int64_t)state->outline->elements.used - 1;
    element->end = (int64_t)state->outline->texts.used;
    if (row == state->outer)
        state->outer = NONE;
    state->in_text = false;
    lean_ended(&state->tags, name);
    return DONE;
}

/* What follows the white space that a text begins with, as XPath has it. */
static Slice without_blanks(Slice text)
{
    while (text.length && memchr(" \t\r\n", *text.text, 4))
        text = (Slice){text.text + 1, text.length - 1};
    return text;
}

static Outcome on_text(void *opaque, Slice text, bool has_references)
{
    Outlining *state = opaque;
    Growing *scratch = &state->tags.scratch;
    text = without_blanks(text);
    if (text.length && has_references && *text.text == '&') {
        scratch->used = 0;
        if (!append_text(scratch, text, true))
            return MEMORY;
        text = without_blanks((Slice){scratch->items, scratch->used});
    }
    if (state->in_text || !text.length)
        return DONE;
    state->in_text = true;
    OutlinedText node = {state->tags.last_tag, state->outer};
    return growing_append(&state->outline->texts, node) ? DONE : MEMORY;
}

static Outcome on_comment(void *opaque, Slice text)
{
    Outlining *state = opaque;
    (void)text;
    state->in_text = false;
    return DONE;
}

Outcome outline_markup(Outline *outline, Slice markup, bool alt_text)
{
    Outlining state = {.outline = outline, .tags = {.alt_text = alt_text}, .outer = NONE};
    const Sink sink = {.state = &state, .start = on_start, .end = on_end, .text = on_text,
                       .comment = on_comment};
    Outcome outcome = tokenise(markup, &sink);
    outline->n_tags = state.tags.last_tag + 2;
    growing_free(&state.open);
    growing_free(&state.tags.scratch);
    return outcome;
}

void outline_free(Outline *outline)
{
    growing_free(&outline->elements);
    growing_free(&outline->texts);
    growing_free(&outline->of_table);
    keys_free(&outline->names);
    keys_free(&outline->ids);
}
