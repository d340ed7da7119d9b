/* The tree of a page as columns: the sink that builds it. */
#include "markup/texts.h"
#include "markup/tree.h"

typedef struct {
    Tree *tree;
    const TagIds *ids;
    bool alt_text;
    Growing open;     /* int64 elements */
    int64_t n_elements;
    int64_t n_texts;
    int64_t last_tag; /* that of the page itself is 0 */
    int64_t depth;    /* of dropped elements */
    bool in_tex;
    bool in_text;     /* the text node that is being read was noted */
    Growing scratch;
} Building;

/* The innermost open element, -1 if there is none. */
static int64_t innermost(const Building *state)
{
    const Growing *open = &state->open;
    int64_t element = -1;
    if (open->used)
        memcpy(&element, open->items + open->used - sizeof element, sizeof element);
    return element;
}

static void set_number(Growing *column, int64_t row, int64_t value)
{
    memcpy(column->items + (size_t)row * sizeof value, &value, sizeof value);
}

/* Begin the text of an element; its bytes are appended by the caller. */
static bool begin_text(TextsOfElements *texts, int64_t element)
{
    return append_number(&texts->elements, element) &&
           append_number(&texts->starts, (int64_t)texts->text.used);
}

static bool add_name(TextsOfElements *names, int64_t element, Slice name)
{
    return begin_text(names, element) && append_name(&names->text, name);
}

/* The value of the attribute of a name, if there is one. */
static bool add_value(TextsOfElements *values, int64_t element, const char *name,
                      const Attribute *attributes, size_t count)
{
    size_t length = strlen(name);
    for (size_t a = 0; a < count; a++)
        if (is_name(attributes[a].name, name, length))
            return begin_text(values, element) && append_value(&values->text, attributes[a].value);
    return true;
}

static bool add_element(Building *state, const Name *name, const Attribute *attributes,
                        size_t count)
{
    Tree *tree = state->tree;
    int64_t element = state->n_elements++;
    bool is_named = name->tag >= 0 && state->ids->is_named[name->tag] &&
                    !is_name(name->name, "object", 6); /* its tag is that of a div */
    return append_number(&tree->tags, name->tag) &&
           append_number(&tree->parent, innermost(state)) && append_number(&tree->last, 0) &&
           growing_append(&tree->dropped, state->depth > 0) &&
           append_number(&tree->first_text, state->n_texts) &&
           append_number(&tree->end_text, 0) && append_number(&state->open, element) &&
           (is_named || add_name(&tree->names, element, name->name)) &&
           add_value(&tree->ids, element, "id", attributes, count) &&
           add_value(&tree->addresses, element, "href", attributes, count);
}

/* --- Hooks ------------------------------------------------------------------------------------ */

static Outcome on_start(void *opaque, const Name *name, const Attribute *attributes, size_t count)
{
    Building *state = opaque;
    if (name->tag >= state->ids->count)
        return WRONG;
    state->in_text = false;
    state->in_tex = false;
    /* The source of a formula is text of the page. */
    if (name->tag < 0 && !state->depth &&
        !is_tex(name->name, attributes, count, &state->scratch, &state->in_tex))
        return MEMORY;
    state->depth += name->tag < 0 && !state->in_tex;
    if (!state->depth) {
        bool is_image = state->alt_text && is_name(name->name, "img", 3);
        bool is_point = name->tag >= 0 && state->ids->is_void[name->tag] && !is_image;
        state->last_tag += is_image ? 2 : 1;
        if (!is_point && !append_number(&state->tree->of_table, state->n_elements))
            return MEMORY;
    }
    return add_element(state, name, attributes, count) ? DONE : MEMORY;
}

static Outcome on_end(void *opaque, const Name *name)
{
    Building *state = opaque;
    int64_t element = innermost(state);
    if (name->tag >= state->ids->count || element < 0)
        return WRONG;
    state->in_text = false;
    if (state->in_tex) {
        state->in_tex = false;
        state->last_tag++;
    } else if (state->depth) {
        state->depth -= name->tag < 0;
    } else if (name->tag < 0 || !state->ids->is_void[name->tag]) {
        state->last_tag++;
    }
    state->open.used -= sizeof element;
    set_number(&state->tree->last, element, state->n_elements - 1);
    set_number(&state->tree->end_text, element, state->n_texts);
    return DONE;
}

/* Bytes at the front of a text that are white space in XPath 1.0. */
static size_t blank_bytes(Slice text)
{
    size_t at = 0;
    while (at < text.length && strchr(" \t\r\n", text.text[at]) && text.text[at])
        at++;
    return at;
}

/* Does a text hold anything but white space; false if there is no memory to tell. */
static bool is_solid(Slice text, bool has_references, Growing *scratch, bool *answer)
{
    size_t blank = blank_bytes(text);
    *answer = blank < text.length;
    if (!*answer || !has_references || text.text[blank] != '&')
        return true;
    scratch->used = 0;
    if (!append_text(scratch, text, true))
        return false;
    Slice resolved = {scratch->items, scratch->used};
    *answer = blank_bytes(resolved) < resolved.length;
    return true;
}

static Outcome on_text(void *opaque, Slice text, bool has_references)
{
    Building *state = opaque;
    bool solid;
    if (state->in_text)
        return DONE;
    if (!is_solid(text, has_references, &state->scratch, &solid))
        return MEMORY;
    if (!solid)
        return DONE;
    state->in_text = true;
    state->n_texts++;
    bool is_added = append_number(&state->tree->text_parent, innermost(state)) &&
                    append_number(&state->tree->text_tag, state->depth ? -1 : state->last_tag);
    return is_added ? DONE : MEMORY;
}

static Outcome on_comment(void *opaque, Slice text)
{
    (void)text;
    Building *state = opaque;
    state->in_text = false;
    return DONE;
}

static bool add_end(TextsOfElements *texts)
{
    return append_number(&texts->starts, (int64_t)texts->text.used);
}

Outcome tree_of(Tree *tree, Slice markup, const TagIds *ids, bool alt_text)
{
    Building state = {.tree = tree, .ids = ids, .alt_text = alt_text};
    Sink sink = {&state, on_start, on_end, on_text, on_comment, NULL};
    Outcome outcome = append_number(&tree->of_table, -1) ? tokenise(markup, &sink) : MEMORY;
    if (outcome == DONE &&
        !(add_end(&tree->names) && add_end(&tree->ids) && add_end(&tree->addresses)))
        outcome = MEMORY;
    tree->n_tags = state.last_tag + 2;
    growing_free(&state.open);
    growing_free(&state.scratch);
    return outcome;
}

static void texts_free(TextsOfElements *texts)
{
    growing_free(&texts->elements);
    growing_free(&texts->text);
    growing_free(&texts->starts);
}

void tree_free(Tree *tree)
{
    Growing *columns[] = {&tree->tags,       &tree->parent,   &tree->last,
                          &tree->dropped,    &tree->first_text, &tree->end_text,
                          &tree->text_parent, &tree->text_tag, &tree->of_table};
    for (size_t column = 0; column < sizeof columns / sizeof *columns; column++)
        growing_free(columns[column]);
    texts_free(&tree->names);
    texts_free(&tree->ids);
    texts_free(&tree->addresses);
}
