/* Whether the tags of a page are closed in order, by a look at the tags alone. */
#include "element_rules.h"
#include "markup/nesting.h"

enum { NONE = -1 };

typedef struct {
    NestingOfTags *nesting;
    const uint8_t *roles;
    Growing open; /* bytes: tag ids of the containers that are open */
    int heading;  /* tag id of the one that is open, NONE if none is */
    bool in_paragraph;
} State;

static bool ends_name(uint8_t byte)
{
    return byte == '>' || byte == '/' || byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The tag id of the element whose name a text begins with, NONE if something else stands there. An
 * object is no div here. */
static int tag_at(Slice text)
{
    size_t length = 0;
    while (length < text.length && length < sizeof element_rules[0].name &&
           !ends_name(text.text[length]))
        length++;
    if (length == 0 || length == text.length)
        return NONE;
    int element = element_of((Slice){text.text, length});
    return element == ELEMENT_OBJECT ? NONE : element_rules[element].tag;
}

/* What a tag of a block says of headings and paragraphs. */
static void add_block(State *state, int tag, bool is_end)
{
    uint8_t role = state->roles[tag];
    bool is_paragraph = (role & NESTED_PARAGRAPH) != 0;
    if (state->heading != NONE && !(is_end && tag == state->heading))
        state->nesting->is_shaky[state->heading] = true;
    state->heading = is_end || !(role & NESTED_HEADING) ? NONE : tag;
    state->nesting->stray_end |= is_paragraph && is_end && !state->in_paragraph;
    state->in_paragraph = is_paragraph && !is_end;
}

static bool add_container(State *state, int tag, bool is_end)
{
    if (!is_end)
        return growing_append(&state->open, (uint8_t)tag);
    bool is_innermost = state->open.used && state->open.items[state->open.used - 1] == tag;
    state->open.used -= state->open.used > 0;
    state->nesting->in_order &= is_innermost;
    return true;
}

Outcome nesting_of(NestingOfTags *nesting, Slice markup, const uint8_t *roles)
{
    State state = {.nesting = nesting, .roles = roles, .heading = NONE};
    Outcome outcome = DONE;
    const uint8_t *at = markup.text, *end = markup.text + markup.length;
    memset(nesting, 0, sizeof *nesting);
    nesting->in_order = true;
    while (outcome == DONE && at < end && (at = memchr(at, '<', (size_t)(end - at)))) {
        at++;
        bool is_end = at < end && *at == '/';
        Slice rest = {at + is_end, (size_t)(end - at) - is_end};
        int tag = tag_at(rest);
        uint8_t role = tag < 0 ? 0 : roles[tag];
        if (role & NESTED_BLOCK)
            add_block(&state, tag, is_end);
        if (role & NESTED_CONTAINER && !add_container(&state, tag, is_end))
            outcome = MEMORY;
    }
    nesting->in_order &= state.open.used == 0;
    growing_free(&state.open);
    return outcome;
}
