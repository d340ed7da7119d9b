/* The tokeniser and the builder of the tree, in one pass over the bytes of a page.
 *
 * The builder keeps a stack of open elements. An end tag has to find the innermost element of its
 * name and whether one of a higher rank stands above it, so each name and each rank knows its
 * topmost element, and an element the one below it: no tag costs more than what it ends.
 *
 * The sink sees no more than DEEPEST open elements. One that is deeper ends the one around it, which
 * begins again after it without attributes. The stack knows nothing of that, so end tags pair.
 */
#include "base/keys.h"
#include "element_rules.h"
#include "parsing/tokeniser.h"

enum { BASE_HTML, IN_HEAD, IN_BODY };              /* how far the implied elements are */
enum { ESCAPED_SCRIPT = PLAIN + 1, TWICE_ESCAPED }; /* a script inside <!--, and one inside that */
enum { NONE = -1, FEW_ATTRIBUTES = 12 };

typedef struct {
    Name name;
    int64_t row;        /* in `topmost` */
    int64_t same_name;  /* the next one below of that name, or NONE */
    int64_t same_rank;
} Open;

typedef struct {
    const uint8_t *at, *end;
    const Sink *sink;
    GROWING(Open) stack; /* those that are open; `used` is their depth */
    size_t hidden; /* too deep and in one that is dropped: the sink does not see them */
    int progress;  /* BASE_HTML, IN_HEAD or IN_BODY */
    int raw;       /* what the innermost element holds, ESCAPED_SCRIPT and TWICE_ESCAPED, too */
    int64_t ignored; /* start tags of html, head and body that count for nothing */
    Attributes attributes;
    Keys others;              /* names that no rule has */
    GROWING(int64_t) topmost; /* of every element of the rules, then of the others */
    int64_t topmost_of_rank[N_RANKS];
} Page;

/* --- Small things --------------------------------------------------------------------------------- */

enum { WHITE = 1, ENDS_NAME = 2, ENDS_ATTRIBUTE = 4, ENDS_VALUE = 8, ENDS_ALL = 15 };
static const uint8_t byte_kinds[256] = {
    ['\t'] = ENDS_ALL, ['\n'] = ENDS_ALL, ['\f'] = ENDS_ALL, ['\r'] = ENDS_ALL, [' '] = ENDS_ALL,
    ['/'] = ENDS_NAME | ENDS_ATTRIBUTE,   ['='] = ENDS_ATTRIBUTE,
    ['>'] = ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE,
};

static bool is_space(uint8_t byte)
{
    return byte_kinds[byte] & WHITE;
}

static bool is_letter(uint8_t byte)
{
    return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
}

static size_t left(const Page *page)
{
    return (size_t)(page->end - page->at);
}

static Slice slice(const uint8_t *from, const uint8_t *to)
{
    return (Slice){from, (size_t)(to - from)};
}

static void skip_space(Page *page)
{
    while (page->at < page->end && is_space(*page->at))
        page->at++;
}

/* The next byte of a value, or the end. */
static const uint8_t *find(const uint8_t *from, const uint8_t *end, uint8_t byte)
{
    const uint8_t *hit = from < end ? memchr(from, byte, (size_t)(end - from)) : NULL;
    return hit ? hit : end;
}

/* Do the bytes at a place begin with a word in lower case, whatever their case. */
static bool begins(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word; word++, at++)
        if (at >= end || lower_byte(*at) != (uint8_t)*word)
            return false;
    return true;
}

/* --- Names ---------------------------------------------------------------------------------------- */

int element_of(Slice name)
{
    if (name.length >= sizeof element_rules[0].name)
        return N_ELEMENTS;
    unsigned first = lower_byte(name.text[0]), middle = lower_byte(name.text[name.length / 2]);
    unsigned last = lower_byte(name.text[name.length - 1]);
    unsigned slot = (unsigned)name.length + FIRST_FACTOR * first + MIDDLE_FACTOR * middle +
                    LAST_FACTOR * last;
    int element = element_slots[slot % N_ELEMENT_SLOTS];
    const ElementRule *rule = &element_rules[element];
    return is_name(name, rule->name, rule->length) ? element : N_ELEMENTS;
}

/* Read the name at the place: the name, and the row in `topmost` of one that the rules have. */
static Name read_name(Page *page)
{
    const uint8_t *from = page->at++;
    while (page->at < page->end && !(byte_kinds[*page->at] & ENDS_NAME))
        page->at++;
    Slice name = slice(from, page->at);
    int element = element_of(name);
    return (Name){element, element_rules[element].tag, name};
}

/* The row in `topmost` of a name that starts an element. */
static Outcome find_row(Page *page, Name *name, int64_t *row)
{
    *row = name->element;
    if (name->element < N_ELEMENTS)
        return DONE;
    uint8_t bytes[NAME_ROOM];
    size_t length = resolve_name(name->name, bytes);
    if (memchr(bytes, '-', length))
        name->tag = TAG_CUSTOM;
    if (keys_add(&page->others, bytes, length, row) != DONE)
        return MEMORY;
    *row += N_ELEMENTS;
    bool is_there = (size_t)*row < page->topmost.used;
    return is_there || growing_append(&page->topmost, NONE) ? DONE : MEMORY;
}

/* The place in the stack of the innermost element of a name, NONE if none is open. */
static int64_t innermost(Page *page, const Name *name)
{
    if (name->element < N_ELEMENTS)
        return page->topmost.items[name->element];
    uint8_t bytes[NAME_ROOM];
    int64_t row;
    if (!keys_find(&page->others, bytes, resolve_name(name->name, bytes), &row))
        return NONE;
    return page->topmost.items[N_ELEMENTS + row];
}

/* --- The stack of open elements ------------------------------------------------------------------- */

/* The row in the rules of the innermost open element; NONE if there is none. */
static int top_element(Page *page)
{
    return page->stack.used ? page->stack.items[page->stack.used - 1].name.element : NONE;
}

/* Does a template declare the shadow root of the element around it. */
static bool is_shadow_root(const Name *name, const Attribute *attributes, size_t count)
{
    for (size_t i = 0; name->element == ELEMENT_TEMPLATE && i < count; i++)
        if (is_name(attributes[i].name, "shadowrootmode", 14) ||
            is_name(attributes[i].name, "shadowroot", 10))
            return true;
    return false;
}

static Outcome send_start(Page *page, const Name *name, const Attribute *attributes, size_t count)
{
    return page->sink->start ? page->sink->start(page->sink->state, name, attributes, count) : DONE;
}

static Outcome send_end(Page *page, const Name *name)
{
    return page->sink->end ? page->sink->end(page->sink->state, name) : DONE;
}

static Outcome push(Page *page, Name name, const Attribute *attributes, size_t count)
{
    int64_t row;
    if (find_row(page, &name, &row) != DONE || !growing_reserve(&page->stack, 1))
        return MEMORY;
    if (is_shadow_root(&name, attributes, count)) {
        static const char shadow_root[] = "shadow-root"; /* as in victor.page.parsing.tags */
        name.name = (Slice){(const uint8_t *)shadow_root, sizeof shadow_root - 1};
        name.tag = TAG_CUSTOM;
    }
    if (name.element == ELEMENT_HEAD && page->progress < IN_HEAD)
        page->progress = IN_HEAD;
    if (name.element == ELEMENT_BODY)
        page->progress = IN_BODY;
    int64_t *same_name = &page->topmost.items[row];
    int64_t *same_rank = &page->topmost_of_rank[element_rules[name.element].rank];
    page->stack.items[page->stack.used] = (Open){name, row, *same_name, *same_rank};
    *same_name = *same_rank = (int64_t)page->stack.used++;
    if (page->stack.used > DEEPEST) {
        const Name *around = &page->stack.items[page->stack.used - 2].name;
        if (page->hidden || around->tag < 0) {
            page->hidden++;
            return DONE;
        }
        Outcome outcome = send_end(page, around);
        if (outcome != DONE)
            return outcome;
    }
    return send_start(page, &name, attributes, count);
}

static Outcome pop(Page *page)
{
    Open open = page->stack.items[--page->stack.used];
    page->topmost.items[open.row] = open.same_name;
    page->topmost_of_rank[element_rules[open.name.element].rank] = open.same_rank;
    if (page->hidden) {
        page->hidden--;
        return DONE;
    }
    Outcome outcome = send_end(page, &open.name);
    if (outcome == DONE && page->stack.used >= DEEPEST)
        outcome = send_start(page, &page->stack.items[page->stack.used - 1].name, NULL, 0);
    return outcome;
}

static Outcome push_implied(Page *page, int element)
{
    const ElementRule *rule = &element_rules[element];
    Name name = {element, rule->tag, {(const uint8_t *)rule->name, rule->length}};
    return push(page, name, NULL, 0);
}

/* End what the start tag of an element ends. */
static Outcome end_before(Page *page, int element)
{
    Outcome outcome = DONE;
    while (outcome == DONE && page->stack.used && start_closes[top_element(page)][element])
        outcome = pop(page);
    return outcome;
}

/* Start what an element has around it. */
static Outcome start_implied(Page *page, int element)
{
    const ElementRule *rule = &element_rules[element];
    Outcome outcome = DONE;
    if (element == ELEMENT_HTML)
        return DONE;
    if (!page->stack.used)
        outcome = push_implied(page, ELEMENT_HTML);
    if (outcome != DONE || element == ELEMENT_BODY || element == ELEMENT_HEAD)
        return outcome;
    if (page->stack.used <= 1 && rule->is_of_head)
        return page->progress < IN_HEAD ? push_implied(page, ELEMENT_HEAD) : DONE;
    if (rule->implies_no_body || page->progress == IN_BODY ||
        page->topmost.items[ELEMENT_BODY] != NONE || page->topmost.items[ELEMENT_HEAD] != NONE)
        return DONE;
    return push_implied(page, ELEMENT_BODY);
}

/* --- Texts ---------------------------------------------------------------------------------------- */

static Outcome send_text(Page *page, Slice text, bool has_references)
{
    if (!text.length || !page->sink->text)
        return DONE;
    return page->sink->text(page->sink->state, text, has_references);
}

/* Text that is no white space is in a body. */
static Outcome start_text(Page *page)
{
    Outcome outcome = DONE;
    if (top_element(page) == ELEMENT_HEAD)
        outcome = end_before(page, ELEMENT_P);
    return outcome == DONE ? start_implied(page, ELEMENT_P) : outcome;
}

/* The end of the white space, written or as references, that a text begins with. */
static const uint8_t *after_space(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        uint32_t codes[2];
        size_t used = 1;
        if (*at == '&') {
            used = read_reference(slice(at, end), false, codes);
            if (!used || codes[1] || codes[0] >= 128 || !is_space((uint8_t)codes[0]))
                break;
        } else if (!is_space(*at)) {
            break;
        }
        at += used;
    }
    return at;
}

static Outcome text(Page *page)
{
    const uint8_t *from = page->at, *end = find(from, page->end, '<');
    page->at = end;
    int top = top_element(page);
    if (top == NONE || top == ELEMENT_HTML || top == ELEMENT_HEAD) {
        const uint8_t *first = after_space(from, end);
        Outcome outcome = send_text(page, slice(from, first), true);
        if (first == end || outcome != DONE)
            return outcome;
        from = first;
        outcome = start_text(page);
        if (outcome != DONE)
            return outcome;
    }
    return send_text(page, slice(from, end), true);
}

/* Bytes that look like markup but are text. */
static Outcome stray(Page *page, size_t length)
{
    Outcome outcome = start_text(page);
    const uint8_t *from = page->at;
    page->at += length;
    return outcome == DONE ? send_text(page, slice(from, page->at), true) : outcome;
}

/* --- Comments and declarations -------------------------------------------------------------------- */

static Outcome send_comment(Page *page, const uint8_t *from, const uint8_t *to, size_t end)
{
    page->at = to + end;
    return page->sink->comment ? page->sink->comment(page->sink->state, slice(from, to)) : DONE;
}

/* What counts as a comment and ends with the next `>`. */
static Outcome bogus_comment(Page *page)
{
    const uint8_t *end = find(page->at, page->end, '>');
    return send_comment(page, page->at, end, end < page->end);
}

/* A comment whose content begins here; one that does not end goes to the end of the page. */
static Outcome comment(Page *page)
{
    const uint8_t *from = page->at;
    if (begins(from, page->end, ">"))
        return send_comment(page, from, from, 1);
    if (begins(from, page->end, "->"))
        return send_comment(page, from, from, 2);
    const uint8_t *at = find(from, page->end, '-');
    for (; at < page->end; at = find(at + 1, page->end, '-')) {
        size_t rest = (size_t)(page->end - at);
        if (begins(at, page->end, "-->"))
            return send_comment(page, from, at, 3);
        if (begins(at, page->end, "--!>"))
            return send_comment(page, from, at, 4);
        bool is_cut = rest == 1 || (rest == 2 && at[1] == '-') ||
                      (rest == 3 && at[1] == '-' && at[2] == '!');
        if (is_cut)
            return send_comment(page, from, at, rest);
    }
    return send_comment(page, from, page->end, 0);
}

/* A literal of a document type declaration; false if there is none. */
static bool read_literal(Page *page, Slice *literal)
{
    skip_space(page);
    if (page->at >= page->end || (*page->at != '"' && *page->at != '\''))
        return false;
    uint8_t quote = *page->at++;
    const uint8_t *from = page->at;
    while (page->at < page->end && *page->at != quote && *page->at != '>')
        page->at++;
    *literal = slice(from, page->at);
    if (page->at < page->end && *page->at == quote)
        page->at++;
    return true;
}

/* A document type declaration, after its keyword. */
static Outcome doctype(Page *page)
{
    Doctype declared = {{page->at, 0}, false, false, {page->at, 0}, {page->at, 0}};
    skip_space(page);
    const uint8_t *from = page->at;
    while (page->at < page->end && !is_space(*page->at) && *page->at != '>')
        page->at++;
    declared.name = slice(from, page->at);
    skip_space(page);
    if (begins(page->at, page->end, "public")) {
        page->at += 6;
        declared.has_public = read_literal(page, &declared.public_id);
        declared.has_system = declared.has_public && read_literal(page, &declared.system_id);
    } else if (begins(page->at, page->end, "system")) {
        page->at += 6;
        declared.has_system = read_literal(page, &declared.system_id);
    }
    const uint8_t *end = find(page->at, page->end, '>');
    page->at = end + (end < page->end);
    return page->sink->doctype ? page->sink->doctype(page->sink->state, &declared) : DONE;
}

/* What begins with `<!`. */
static Outcome declaration(Page *page)
{
    page->at += 2;
    if (begins(page->at, page->end, "doctype")) {
        page->at += 7;
        return doctype(page);
    }
    if (!begins(page->at, page->end, "--"))
        return bogus_comment(page);
    page->at += 2;
    return comment(page);
}

/* --- Attributes ----------------------------------------------------------------------------------- */

static Attribute read_attribute(Page *page)
{
    const uint8_t *from = page->at++; /* the first character belongs to the name whatever it is */
    while (page->at < page->end && !(byte_kinds[*page->at] & ENDS_ATTRIBUTE))
        page->at++;
    Attribute attribute = {slice(from, page->at), {page->at, 0}};
    skip_space(page);
    if (page->at >= page->end || *page->at != '=')
        return attribute;
    page->at++;
    skip_space(page);
    from = page->at;
    if (from < page->end && (*from == '"' || *from == '\'')) {
        const uint8_t *end = find(from + 1, page->end, *from);
        attribute.value = slice(from + 1, end);
        page->at = end + (end < page->end);
    } else {
        while (page->at < page->end && !(byte_kinds[*page->at] & ENDS_VALUE))
            page->at++;
        attribute.value = slice(from, page->at);
    }
    return attribute;
}

/* Go to the end of a tag, that is to `>`, `/>` or the end of the page, with or without reading. */
static Outcome read_attributes(Page *page)
{
    page->attributes.used = 0;
    skip_space(page);
    while (page->at < page->end && *page->at != '>') {
        if (*page->at == '/') {
            if (left(page) > 1 && page->at[1] == '>')
                break;
            page->at++;
        } else {
            if (!growing_append(&page->attributes, read_attribute(page)))
                return MEMORY;
        }
        skip_space(page);
    }
    return DONE;
}

/* Is a name resolved by writing it in lower case. */
static bool is_plain(Slice name)
{
    return name.length <= NAME_ROOM && !memchr(name.text, 0, name.length);
}

/* Are two names of attributes the same. */
static bool is_same_name(Slice a, Slice b)
{
    uint8_t first = lower_byte(a.text[0]), other = lower_byte(b.text[0]);
    if (first != other && first && other)
        return false;
    if (is_plain(a) && is_plain(b)) {
        size_t same = 0;
        while (same < a.length && same < b.length && lower_byte(a.text[same]) == lower_byte(b.text[same]))
            same++;
        return same == a.length && same == b.length;
    }
    uint8_t bytes[2][NAME_ROOM];
    size_t length = resolve_name(a, bytes[0]);
    return length == resolve_name(b, bytes[1]) && !memcmp(bytes[0], bytes[1], length);
}

/* Leave out attributes with a name that was there; few of them are compared with each other. */
static Outcome drop_repeated(Page *page)
{
    Attribute *attributes = page->attributes.items;
    size_t count = page->attributes.used, kept = 0;
    Keys names = {0};
    Outcome outcome = DONE;
    for (size_t i = 0; i < count && outcome == DONE; i++) {
        bool is_new = true;
        if (count <= FEW_ATTRIBUTES) {
            for (size_t k = 0; k < kept && is_new; k++)
                is_new = !is_same_name(attributes[k].name, attributes[i].name);
        } else {
            uint8_t bytes[NAME_ROOM];
            int64_t row, n_names = (int64_t)names.keys.used;
            outcome = keys_add(&names, bytes, resolve_name(attributes[i].name, bytes), &row);
            is_new = outcome == DONE && row == n_names;
        }
        if (is_new)
            attributes[kept++] = attributes[i];
    }
    keys_free(&names);
    page->attributes.used = kept;
    return outcome;
}

Outcome attributes_at(Slice markup, size_t place, Attributes *attributes)
{
    Page page = {.at = markup.text + place, .end = markup.text + markup.length,
                 .attributes = *attributes};
    Outcome outcome = read_attributes(&page);
    *attributes = page.attributes;
    return outcome;
}

/* --- Tags ----------------------------------------------------------------------------------------- */

/* Does a start tag of html, head or body count for nothing; each counts for one end tag, too. */
static bool is_ignored(Page *page, int element)
{
    bool is_one_too_many = (element == ELEMENT_HTML && page->stack.used > 0) ||
                           (element == ELEMENT_HEAD && page->stack.used != 1) ||
                           (element == ELEMENT_BODY && page->topmost.items[ELEMENT_BODY] != NONE);
    page->ignored += is_one_too_many;
    return is_one_too_many;
}

/* A start tag, at its `<`. */
static Outcome start_tag(Page *page)
{
    page->at++;
    Name name = read_name(page);
    Outcome outcome = end_before(page, name.element);
    if (outcome == DONE)
        outcome = start_implied(page, name.element);
    if (outcome != DONE)
        return outcome;
    bool is_dropped = is_ignored(page, name.element);
    outcome = read_attributes(page);
    if (outcome == DONE && page->at < page->end && !is_dropped) {
        outcome = drop_repeated(page);
        if (outcome == DONE)
            outcome = push(page, name, page->attributes.items, page->attributes.used);
    }
    if (outcome != DONE || page->at >= page->end || !page->stack.used)
        return outcome;
    if (*page->at == '/') { /* that of a tag that counts for nothing, too, ends what is open */
        page->at += 2;
        return pop(page);
    }
    page->at++;
    const ElementRule *rule = &element_rules[top_element(page)];
    page->raw = rule->raw;
    return rule->is_empty ? pop(page) : DONE;
}

/* End the innermost element of a name with all inside it, if nothing of a higher rank is there. */
static Outcome end_element(Page *page, const Name *name)
{
    bool is_of_page = name->element == ELEMENT_HTML || name->element == ELEMENT_HEAD ||
                      name->element == ELEMENT_BODY;
    if (is_of_page && page->ignored > 0) {
        page->ignored--;
        return DONE;
    }
    int64_t place = innermost(page, name);
    if (place == NONE)
        return DONE;
    for (int rank = element_rules[name->element].rank + 1; rank < N_RANKS; rank++)
        if (page->topmost_of_rank[rank] > place)
            return DONE;
    Outcome outcome = DONE;
    while (outcome == DONE && (int64_t)page->stack.used > place)
        outcome = pop(page);
    return outcome;
}

/* Is the end tag at a place that of a line break, which is one to browsers. */
static bool is_break(Page *page)
{
    const uint8_t *end = page->at + 4;
    return begins(page->at, page->end, "</br") && end < page->end && (byte_kinds[*end] & ENDS_NAME);
}

/* An end tag, at its `<`. */
static Outcome end_tag(Page *page)
{
    if (left(page) == 2)
        return stray(page, 2);
    if (is_break(page)) {
        page->at++;
        return start_tag(page);
    }
    page->at += 2;
    if (*page->at == '>') {
        page->at++;
        return DONE;
    }
    if (!is_letter(*page->at))
        return bogus_comment(page);
    Name name = read_name(page);
    Outcome outcome = read_attributes(page);
    if (outcome != DONE || page->at >= page->end)
        return outcome;
    page->at += *page->at == '/' ? 2 : 1;
    return end_element(page, &name);
}

/* --- Raw text ------------------------------------------------------------------------------------- */

/* Does the name of the innermost element, and what ends a name, stand at a place. */
static bool has_own_name(Page *page, const uint8_t *at)
{
    const ElementRule *rule = &element_rules[top_element(page)];
    if (!begins(at, page->end, rule->name))
        return false;
    at += rule->length;
    return at < page->end && (byte_kinds[*at] & ENDS_NAME);
}

/* What the `<` of a script does to it: its end, or another state. Returns true for its end. */
static bool script_step(Page *page, const uint8_t *at)
{
    bool is_end = at + 1 < page->end && at[1] == '/';
    if (page->raw == SCRIPT && begins(at, page->end, "<!--")) {
        page->raw = ESCAPED_SCRIPT;
    } else if (is_end && has_own_name(page, at + 2)) {
        if (page->raw != TWICE_ESCAPED)
            return true;
        page->raw = ESCAPED_SCRIPT;
    } else if (page->raw == ESCAPED_SCRIPT && has_own_name(page, at + 1)) {
        page->raw = TWICE_ESCAPED;
    }
    return false;
}

/* The next `<` of a script, or the end of the page; an escape may end before it. */
static const uint8_t *next_in_script(Page *page, const uint8_t *at)
{
    while (page->raw != SCRIPT && at < page->end && *at != '<') {
        if (*at == '-' && begins(at, page->end, "-->"))
            page->raw = SCRIPT;
        at++;
    }
    return find(at, page->end, '<');
}

/* Raw text of the innermost element up to its end tag. */
static Outcome raw_text(Page *page)
{
    const uint8_t *from = page->at, *at = page->end;
    bool has_references = page->raw == ESCAPABLE;
    if (page->raw == SCRIPT) {
        at = next_in_script(page, from);
        while (at < page->end && !script_step(page, at))
            at = next_in_script(page, at + 1);
    } else if (page->raw != PLAIN) {
        at = find(from, page->end, '<');
        while (at < page->end && !(begins(at, page->end, "</") && has_own_name(page, at + 2)))
            at = find(at + 1, page->end, '<');
    }
    page->at = at;
    page->raw = NOT_RAW;
    return send_text(page, slice(from, at), has_references);
}

/* --- The page ------------------------------------------------------------------------------------- */

/* Comments and processing instructions, and the white space around them. */
static Outcome comments(Page *page)
{
    Outcome outcome = DONE;
    skip_space(page);
    while (outcome == DONE && left(page) > 1 && *page->at == '<') {
        if (begins(page->at, page->end, "<!--")) {
            page->at += 4;
            outcome = comment(page);
        } else if (page->at[1] == '?') {
            page->at++;
            outcome = bogus_comment(page);
        } else {
            break;
        }
        skip_space(page);
    }
    return outcome;
}

/* What comes before the first element or text. */
static Outcome before_all(Page *page)
{
    /* A page that is a byte order mark and nothing else is text to the parser. */
    if (left(page) > 3 && begins(page->at, page->end, "\xEF\xBB\xBF"))
        page->at += 3;
    Outcome outcome = comments(page);
    if (outcome == DONE && begins(page->at, page->end, "<!doctype"))
        outcome = declaration(page);
    return outcome == DONE ? comments(page) : outcome;
}

static Outcome next(Page *page)
{
    if (page->raw != NOT_RAW)
        return raw_text(page);
    if (*page->at != '<')
        return text(page);
    uint8_t after = left(page) > 1 ? page->at[1] : 0;
    if (is_letter(after))
        return start_tag(page);
    if (after == '/')
        return end_tag(page);
    if (after == '!')
        return declaration(page);
    if (after != '?')
        return stray(page, 1);
    page->at++;
    return bogus_comment(page);
}

static Outcome all(Page *page)
{
    for (int rank = 0; rank < N_RANKS; rank++)
        page->topmost_of_rank[rank] = NONE;
    for (int element = 0; element < N_ELEMENTS; element++)
        if (!growing_append(&page->topmost, NONE))
            return MEMORY;
    Outcome outcome = before_all(page);
    while (outcome == DONE && page->at < page->end)
        outcome = next(page);
    while (outcome == DONE && page->stack.used)
        outcome = pop(page);
    return outcome;
}

Outcome tokenise(Slice markup, const Sink *sink)
{
    Page page = {.at = markup.text, .end = markup.text + markup.length, .sink = sink};
    Outcome outcome = all(&page);
    growing_free(&page.stack);
    growing_free(&page.attributes);
    growing_free(&page.topmost);
    keys_free(&page.others);
    return outcome;
}
