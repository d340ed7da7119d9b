/* What the heads of pages say: whom they are by, what they declare, and where the page is. */
#include "columns/heads.h"
#include "base/code_points.h"
#include "parsing/characters.h"

/* --- Texts ------------------------------------------------------------------------------------ */

/* Is something in a text. It is looked for by its first capital letter, which is rare in markup. */
static bool holds(const Value *text, const char *wanted)
{
    size_t length = strlen(wanted), before = 0;
    while (wanted[before] < 'A' || wanted[before] > 'Z')
        before++;
    const uint8_t *at = text->text, *end = text->text + text->length;
    while (at && (at = memchr(at, wanted[before], (size_t)(end - at)))) {
        bool fits = (size_t)(at - text->text) >= before && (size_t)(end - at) >= length - before;
        if (fits && !memcmp(at - before, wanted, length))
            return true;
        at++;
    }
    return false;
}

/* Is a text, or what it has at a place, a word in lower case, whatever its own case. */
static bool is_text(const Value *text, const char *wanted)
{
    return is_name((Slice){text->text, (size_t)text->length}, wanted, strlen(wanted));
}

static bool has_at(const Value *text, int64_t at, const char *wanted)
{
    int64_t length = (int64_t)strlen(wanted);
    Value part = {text->text + at, length};
    return text->length - at >= length && is_text(&part, wanted);
}

/* A text without white space at its ends. */
static Value trimmed(Value text)
{
    while (text.length && text.text[0] <= ' ') {
        text.text++;
        text.length--;
    }
    while (text.length && text.text[text.length - 1] <= ' ')
        text.length--;
    return text;
}

/* A text up to one of some characters. */
static Value up_to(Value text, const char *ends)
{
    int64_t at = 0;
    while (at < text.length && !(text.text[at] && strchr(ends, text.text[at])))
        at++;
    return (Value){text.text, at};
}

static bool is_blank(const Value *text)
{
    int64_t at = 0;
    while (at < text->length)
        if (!is_space(next_code(text, &at)))
            return false;
    return true;
}

/* --- Notes ------------------------------------------------------------------------------------ */

static Value value_of(const HeadNotes *notes, int64_t note, int name)
{
    Value found = {0};
    for (int64_t i = note ? notes->notes[note - 1].end : 0; i < notes->notes[note].end; i++)
        if (notes->values[i].name == name)
            found = (Value){notes->bytes + notes->values[i].start,
                            notes->values[i].end - notes->values[i].start};
    return found;
}

/* What a meta element says belongs to the first text of its name that is there. */
static void read_meta(const HeadNotes *notes, int64_t note, Value *texts, Value *description)
{
    static const char *const names[N_HEAD_TEXTS] = {
        [SHARED_TITLE] = "og:title",     [SITE_NAME] = "og:site_name", [KIND_OF_PAGE] = "og:type",
        [DESCRIPTION] = "description",   [ADDRESS] = "og:url",         [GENERATOR] = "generator",
    };
    Value name = {0}, content = value_of(notes, note, NOTED_CONTENT);
    for (int key = 0; !name.length && key < N_META_KEYS; key++)
        name = value_of(notes, note, key);
    if (!name.length || !content.text)
        return;
    if (!description->text && is_text(&name, "og:description"))
        *description = content;
    for (int text = 0; text < N_HEAD_TEXTS; text++)
        if (names[text] && !texts[text].text && is_text(&name, names[text]))
            texts[text] = content;
}

/* The target of a link that leads to the page itself and loads nothing. */
static Value canonical_of(const HeadNotes *notes, int64_t note)
{
    Value relation = value_of(notes, note, NOTED_REL);
    bool is_canonical = false;
    for (int64_t at = 0; at < relation.length; at++) {
        Value word = up_to((Value){relation.text + at, relation.length - at}, " \t\n\v\f\r");
        is_canonical |= is_text(&word, "canonical");
        at += word.length;
    }
    if (!is_canonical || only_loads((Slice){relation.text, (size_t)relation.length}))
        return (Value){0};
    return trimmed(value_of(notes, note, NOTED_HREF));
}

/* Is a script JSON-LD, or one of Next.js that puts such a script into the page. */
static bool is_json_ld(const HeadNotes *notes, int64_t note, const Value *text)
{
    static const char pushes[] = "(self.__next_s=self.__next_s||[]).push(";
    static const char json_ld[] = "application/ld+json";
    Value type = trimmed(up_to(value_of(notes, note, NOTED_TYPE), ";"));
    if (is_text(&type, json_ld))
        return true;
    if (!has_at(text, 0, pushes))
        return false;
    int64_t start = sizeof pushes - 1;
    return holds_name((Slice){text->text + start, (size_t)(text->length - start)}, json_ld);
}

static uint8_t bits_of_json(const Value *text)
{
    uint8_t bits = 0;
    if (holds(text, "DiscussionForumPosting") || holds(text, "QAPage"))
        bits |= HAS_POSTS;
    if (holds(text, "recipeIngredient") || holds(text, "FAQPage"))
        bits |= DECLARES_TEXTS;
    return bits;
}

static void read_page(const HeadNotes *notes, int64_t page, Value *texts, uint8_t *bits)
{
    Value canonical = {0}, description = {0};
    for (int64_t note = notes->starts[page]; note < notes->starts[page + 1]; note++) {
        int64_t element = notes->notes[note].element;
        Value text = {0};
        if (element == NOTE_OF_TITLE || element == NOTE_OF_SCRIPT)
            text = value_of(notes, note, NOTED_TEXT);
        if (element == NOTE_OF_META)
            read_meta(notes, note, texts, &description);
        else if (element == NOTE_OF_LINK && !canonical.length)
            canonical = canonical_of(notes, note);
        else if (element == NOTE_OF_TITLE && !texts[OWN_TITLE].text && !is_blank(&text))
            texts[OWN_TITLE] = text;
        else if (element == NOTE_OF_SCRIPT && is_json_ld(notes, note, &text))
            *bits |= bits_of_json(&text);
    }
    if (canonical.length)
        texts[ADDRESS] = canonical;
    if (!texts[DESCRIPTION].length && description.text)
        texts[DESCRIPTION] = description;
}

void read_notes(const HeadNotes *notes, int64_t n_pages, Value *texts, uint8_t *bits)
{
    for (int64_t page = 0; page < n_pages; page++)
        read_page(notes, page, texts + page * N_HEAD_TEXTS, bits + page);
}

/* --- Columns ---------------------------------------------------------------------------------- */

/* Is a page by a system of forums, as it names what made it. */
static bool is_of_forums(const Value *generator)
{
    static const char *const systems[] = {
        "phpbb", "vbulletin", "discourse", "xenforo", "mybb", "simple machines", "smf", "invision",
        "flarum", "vanilla", "nodebb", "discuz", "ubb.threads", "woltlab", "burning board", "punbb",
        "fluxbb", "kunena",
    };
    const Slice text = {generator->text, (size_t)generator->length};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        if (holds_name(text, systems[i]))
            return true;
    return false;
}

/* 0 none, 1 website, 2 product, 3 another one, 4 article. */
static int64_t kind_of(Value text)
{
    static const char *const kinds[] = {"", "website", "product", NULL, "article"};
    Value kind = up_to(trimmed(text), ":.");
    for (int64_t i = 0; i < (int64_t)(sizeof kinds / sizeof *kinds); i++)
        if (kinds[i] && is_text(&kind, kinds[i]))
            return i;
    return 3;
}

static int64_t count_words(const Value *text, const uint8_t *classes)
{
    int64_t count = 0;
    bool in_word = false;
    for (int64_t at = 0; at < text->length;) {
        uint8_t class = classes[next_code(text, &at)];
        bool is_word = class >= LOWER && class <= OTHER_WORD;
        count += is_word && !in_word;
        in_word = is_word;
    }
    return count;
}

/* The path of an address; without text where it has neither that nor a host. */
static Value path_of(Value address)
{
    Value rest = trimmed(address), scheme = up_to(rest, ":/?#");
    uint8_t first = scheme.length ? lower_byte(scheme.text[0]) : 0;
    bool is_word = first >= 'a' && first <= 'z';
    if (is_word && scheme.length < rest.length && rest.text[scheme.length] == ':') {
        rest.text += scheme.length + 1;
        rest.length -= scheme.length + 1;
    }
    bool has_host = false;
    if (has_at(&rest, 0, "//")) {
        Value host = up_to((Value){rest.text + 2, rest.length - 2}, "/?#");
        rest.text += 2 + host.length;
        rest.length -= 2 + host.length;
        has_host = host.length > 0;
        if (host.text && memchr(host.text, '[', (size_t)host.length) &&
            !memchr(host.text, ']', (size_t)host.length))
            return (Value){0};
    }
    Value path = up_to(rest, "?#");
    return path.length || has_host ? path : (Value){0};
}

/* The parts of a path, the words of the part that joins the most, its digits; -1 without a path. */
static void measure_address(const Value *address, int64_t measures[3])
{
    Value path = path_of(*address);
    int64_t words = 0;
    bool in_word = false;
    measures[0] = measures[1] = measures[2] = path.text ? 0 : -1;
    for (int64_t at = 0; at < path.length; at++) {
        uint8_t byte = path.text[at];
        bool is_first = byte != '/' && (at == 0 || path.text[at - 1] == '/');
        bool is_word = byte != '/' && byte != '-' && byte != '_' && byte != '+';
        words = is_first ? is_word : words + (is_word && !in_word);
        in_word = is_word;
        measures[0] += is_first;
        measures[1] = words > measures[1] ? words : measures[1];
        measures[2] += byte >= '0' && byte <= '9';
    }
}

static void measure_head(const Value *texts, const uint8_t *classes, int64_t *declared,
                         uint8_t *bits)
{
    declared[0] = kind_of(texts[KIND_OF_PAGE]);
    declared[1] = count_words(&texts[OWN_TITLE], classes);
    declared[2] = count_words(&texts[DESCRIPTION], classes);
    measure_address(&texts[ADDRESS], declared + 3);
    *bits |= bits_of_json(&texts[JSON_LD]) | (is_of_forums(&texts[GENERATOR]) ? BY_FORUM : 0);
}

/* The characters of the titles, one after the other, and where each begins. */
static bool share_titles(Shared *shared, const Value *texts, int64_t n_pages, Arena *arena)
{
    int64_t n_bytes = 0, used = 0;
    for (int64_t page = 0; page < n_pages; page++)
        for (int i = 0; i < N_TITLES; i++)
            n_bytes += texts[page * N_HEAD_TEXTS + i].length;
    uint32_t *titles = TAKE(arena, uint32_t, (size_t)n_bytes);
    int64_t *offsets = TAKE(arena, int64_t, (size_t)n_pages * N_TITLES + 1);
    if (!titles || !offsets)
        return false;
    offsets[0] = 0;
    for (int64_t i = 0; i < n_pages * N_TITLES; i++) {
        const Value *text = &texts[i / N_TITLES * N_HEAD_TEXTS + i % N_TITLES];
        for (int64_t at = 0; at < text->length;)
            titles[used++] = next_code(text, &at);
        offsets[i + 1] = used;
    }
    shared->titles = titles;
    shared->title_offsets = offsets;
    return true;
}

Outcome share_heads(Shared *shared, const Value *texts, uint8_t *bits, int64_t n_pages, Arena *arena)
{
    size_t n = (size_t)n_pages;
    int64_t *declared = TAKE(arena, int64_t, n * N_DECLARED);
    int64_t *signs = TAKE(arena, int64_t, n);
    if (!declared || !signs || !share_titles(shared, texts, n_pages, arena))
        return MEMORY;
    for (int64_t page = 0; page < n_pages; page++) {
        measure_head(texts + page * N_HEAD_TEXTS, shared->characters->classes, declared + page * N_DECLARED,
                     bits + page);
        signs[page] = ((bits[page] & HAS_POSTS) != 0) + ((bits[page] & BY_FORUM) != 0);
    }
    shared->head_texts = texts;
    shared->declared = declared;
    shared->head_bits = bits;
    shared->head_signs = signs;
    return DONE;
}

Outcome pick_heads(Shared *shared, const Shared *whole, const int64_t *pages, int64_t n_pages,
                   Arena *arena)
{
    Value *texts = TAKE(arena, Value, (size_t)n_pages * N_HEAD_TEXTS);
    uint8_t *bits = TAKE(arena, uint8_t, (size_t)n_pages);
    if (!texts || !bits)
        return MEMORY;
    for (int64_t i = 0; i < n_pages; i++) {
        memcpy(texts + i * N_HEAD_TEXTS, whole->head_texts + pages[i] * N_HEAD_TEXTS,
               N_HEAD_TEXTS * sizeof *texts);
        bits[i] = whole->head_bits[pages[i]];
    }
    return share_heads(shared, texts, bits, n_pages, arena);
}
