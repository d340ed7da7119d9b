/* A libFuzzer target: any bytes through the tokeniser, with every text, name and value resolved.
 *
 * Beside what the sanitizers see it holds that starts and ends are balanced, that all that is told
 * lies in the page, and that what is resolved fits the room that is asked for. `fuzz/build.sh` builds it.
 */
#include "parsing/element_rules.h"
#include "parsing/tokeniser.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    Slice page;
    uint8_t *room;
    int64_t depth;
} Reader;

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

static void check_inside(const Reader *reader, Slice text)
{
    if (text.length)
        check(text.text >= reader->page.text &&
                  text.text + text.length <= reader->page.text + reader->page.length,
              "what is told lies in the page");
}

static void check_resolved(Reader *reader, size_t used, Slice text)
{
    check(used <= text.length * RESOLVED + 8, "it fits the room");
    check(is_utf8((Slice){reader->room, used}), "it is UTF-8");
}

static Outcome on_start(void *state, const Name *name, const Attribute *attributes, size_t count)
{
    Reader *reader = state;
    uint8_t written[NAME_ROOM];
    check(++reader->depth <= DEEPEST, "the depth has a bound");
    check(resolve_name(name->name, written) <= NAME_ROOM, "a name fits its room");
    for (size_t i = 0; i < count; i++) {
        check_inside(reader, attributes[i].name);
        check_inside(reader, attributes[i].value);
        resolve_name(attributes[i].name, written);
        check_resolved(reader, resolve_value(attributes[i].value, reader->room),
                       attributes[i].value);
    }
    return DONE;
}

static Outcome on_end(void *state, const Name *name)
{
    Reader *reader = state;
    (void)name;
    check(reader->depth-- > 0, "an end has a start");
    return DONE;
}

static Outcome on_text(void *state, Slice text, bool has_references)
{
    Reader *reader = state;
    check_inside(reader, text);
    check(text.length > 0, "a text is not empty");
    check_resolved(reader, resolve_text(text, has_references, reader->room), text);
    return DONE;
}

static Outcome on_comment(void *state, Slice text)
{
    check_inside(state, text);
    return DONE;
}

static Outcome on_doctype(void *state, const Doctype *doctype)
{
    check_inside(state, doctype->name);
    check_inside(state, doctype->public_id);
    check_inside(state, doctype->system_id);
    return DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Slice page = {data, size};
    if (!is_utf8(page))
        return 0;
    Reader reader = {page, malloc(size * RESOLVED + 8), 0};
    Sink sink = {&reader, on_start, on_end, on_text, on_comment, on_doctype};
    check(reader.room != NULL, "there is memory");
    check(tokenise(page, &sink) == DONE, "every page comes to its end");
    check(reader.depth == 0, "every start has an end");
    free(reader.room);
    return 0;
}
