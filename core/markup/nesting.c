/* Whether the tags of a page are closed in order, by a look at the tags alone. */
#include "markup/nesting.h"

enum { NONE = -1 };

typedef struct {
    NestingOfTags *nesting;
    const NestedNames *names;
    Growing open; /* bytes: the containers that are open */
    int heading;  /* that is open, NONE if none is */
    bool in_paragraph;
} State;

static bool ends_name(uint8_t byte)
{
    return byte == '>' || byte == '/' || byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static int order_of(const uint8_t *name, size_t length, Slice other)
{
    int order = memcmp(name, other.text, length < other.length ? length : other.length);
    return order ? order : (length > other.length) - (length < other.length);
}

/* The number of the name that a text begins with, NONE if something else stands there. */
static int name_at(const NestedNames *names, Slice text)
{
    uint8_t name[LONGEST_NESTED_NAME];
    size_t length = 0;
    while (length < text.length && !ends_name(text.text[length])) {
        if (length == LONGEST_NESTED_NAME)
            return NONE;
        name[length] = lower_byte(text.text[length]);
        length++;
    }
    if (length == 0 || length == text.length)
        return NONE;
    size_t first = 0, end = names->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        int order = order_of(name, length, names->names[middle]);
        if (order == 0)
            return (int)middle;
        if (order > 0)
            first = middle + 1;
        else
            end = middle;
    }
    return NONE;
}

/* What a tag of a block says of headings and paragraphs. */
static void add_block(State *state, int name, bool is_end)
{
    uint8_t role = state->names->roles[name];
    bool is_paragraph = (role & NESTED_PARAGRAPH) != 0;
    if (state->heading != NONE && !(is_end && name == state->heading))
        state->nesting->is_shaky[state->heading] = true;
    state->heading = is_end || !(role & NESTED_HEADING) ? NONE : name;
    state->nesting->stray_end |= is_paragraph && is_end && !state->in_paragraph;
    state->in_paragraph = is_paragraph && !is_end;
}

static bool add_container(State *state, int name, bool is_end)
{
    if (!is_end)
        return growing_append(&state->open, (uint8_t)name);
    bool is_innermost = state->open.used && state->open.items[state->open.used - 1] == name;
    state->open.used -= state->open.used > 0;
    state->nesting->in_order &= is_innermost;
    return true;
}

Outcome nesting_of(NestingOfTags *nesting, Slice markup, const NestedNames *names)
{
    State state = {.nesting = nesting, .names = names, .heading = NONE};
    Outcome outcome = DONE;
    const uint8_t *at = markup.text, *end = markup.text + markup.length;
    memset(nesting, 0, sizeof *nesting);
    nesting->in_order = true;
    while (outcome == DONE && at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
        at++;
        bool is_end = at < end && *at == '/';
        Slice rest = {at + is_end, (size_t)(end - at) - is_end};
        int name = name_at(names, rest);
        if (name == NONE)
            continue;
        uint8_t role = names->roles[name];
        if (!(role & NESTED_INLINE))
            add_block(&state, name, is_end);
        if (role & NESTED_CONTAINER && !add_container(&state, name, is_end))
            outcome = MEMORY;
    }
    nesting->in_order &= state.open.used == 0;
    growing_free(&state.open);
    return outcome;
}
