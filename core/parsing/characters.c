/* Characters of markup: UTF-8, references, and what the parser makes of texts and names. */
#include "base/codes.h"
#include "entities.h"
#include "parsing/characters.h"

/* --- Eight bytes looked at together ---------------------------------------------------------------- */

/* Runs of text without a byte of interest are passed over several times faster than byte by byte. */
static uint64_t eight_bytes(const uint8_t *from)
{
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

/* The same byte eight times. */
static uint64_t all_eight(uint8_t byte)
{
    return UINT64_C(0x0101010101010101) * byte;
}

/* Not zero if one of the bytes is a value: a byte less that value is 0 there, and only taking 1 from
 * 0 sets a high bit that was not set before. */
static uint64_t any_is(uint64_t bytes, uint8_t value)
{
    uint64_t differences = bytes ^ all_eight(value);
    return (differences - all_eight(1)) & ~differences & all_eight(0x80);
}

/* --- UTF-8 ---------------------------------------------------------------------------------------- */

/* The length of the character at the beginning of some bytes, 0 if they are none. */
static size_t character_length(const uint8_t *at, size_t length)
{
    uint8_t lead = at[0];
    size_t size = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (lead < 0x80)
        return 1;
    if (!size || size > length)
        return 0;
    for (size_t i = 1; i < size; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    /* Forms that are too long, surrogates, and what lies beyond U+10FFFF. */
    if ((lead == 0xE0 && at[1] < 0xA0) || (lead == 0xED && at[1] >= 0xA0) ||
        (lead == 0xF0 && at[1] < 0x90) || (lead == 0xF4 && at[1] >= 0x90))
        return 0;
    return size;
}

enum { STRETCH = 64 };

/* Are all bytes of a stretch ASCII. Its length is fixed, so that the loop is vectorised. */
static bool is_ascii_stretch(const uint8_t *bytes)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < STRETCH; i += 8)
        bits |= eight_bytes(bytes + i);
    return !(bits & all_eight(0x80));
}

/* The first byte from a place on that is not ASCII, or the end. */
static size_t after_ascii(const uint8_t *bytes, size_t at, size_t count)
{
    while (count - at >= 8 && !(eight_bytes(bytes + at) & all_eight(0x80))) {
        at += 8;
        while (count - at >= STRETCH && is_ascii_stretch(bytes + at))
            at += STRETCH;
    }
    while (at < count && bytes[at] < 0x80)
        at++;
    return at;
}

Encoding encoding_of(Slice slice)
{
    size_t count = slice.length, at = after_ascii(slice.text, 0, count);
    if (at == count)
        return ASCII;
    bool is_replaced = false;
    while (at < count) {
        size_t length = character_length(slice.text + at, count - at);
        if (!length)
            return NO_UTF8;
        is_replaced |= length == 3 && memcmp(slice.text + at, "\xEF\xBF\xBD", 3) == 0;
        at = after_ascii(slice.text, at + length, count);
    }
    return is_replaced ? REPLACED : UTF8;
}

uint8_t *put_utf8(uint8_t *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (uint8_t)code;
    } else if (code < 0x800) {
        *out++ = (uint8_t)(0xC0 | code >> 6);
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else if (code < 0x10000) {
        *out++ = (uint8_t)(0xE0 | code >> 12);
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    } else {
        *out++ = (uint8_t)(0xF0 | code >> 18);
        *out++ = (uint8_t)(0x80 | (code >> 12 & 63));
        *out++ = (uint8_t)(0x80 | (code >> 6 & 63));
        *out++ = (uint8_t)(0x80 | (code & 63));
    }
    return out;
}

/* --- References ----------------------------------------------------------------------------------- */

static bool is_alphanumeric(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
}

/* The entity of a name, whose semicolon belongs to it; NULL if there is none. */
static const Entity *find_entity(const uint8_t *name, size_t length)
{
    uint32_t hash = UINT32_C(2166136261);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ name[i]) * UINT32_C(16777619);
    uint32_t slot = (hash ^ hash >> 15) % N_ENTITY_SLOTS;
    for (; entity_slots[slot]; slot = (slot + 1) % N_ENTITY_SLOTS) {
        const Entity *entity = &entities[entity_slots[slot] - 1];
        if (entity->length == length && !memcmp(entity_names + entity->start, name, length))
            return entity;
    }
    return NULL;
}

static size_t read_named(Slice text, bool in_value, uint32_t codes[2])
{
    const uint8_t *name = text.text + 1;
    size_t room = text.length - 1, length = 0;
    while (length < room && length < LONGEST_ENTITY && is_alphanumeric(name[length]))
        length++;
    const Entity *entity = NULL;
    if (length && length < room && name[length] == ';')
        entity = find_entity(name, length + 1);
    size_t used = length < LONGEST_UNENDED ? length : LONGEST_UNENDED;
    for (; !entity && used >= 2; used--) {
        bool goes_on = used < room && (name[used] == '=' || is_alphanumeric(name[used]));
        if (!(in_value && goes_on))
            entity = find_entity(name, used);
    }
    if (!entity)
        return 0;
    codes[0] = entity->codes[0];
    codes[1] = entity->codes[1];
    return 1 + (size_t)entity->length;
}

/* What a number stands for: Windows-1252 where ISO 8859-1 has control characters. */
static uint32_t numbered(uint32_t number)
{
    static const uint16_t windows[32] = {
        0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160,
        0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E, 0x178,
    };
    if (number >= 0x80 && number < 0xA0)
        return windows[number - 0x80];
    if (number == 0 || number >= N_CODE_POINTS || (number >= 0xD800 && number < 0xE000))
        return 0xFFFD;
    return number;
}

static size_t read_number(Slice text, uint32_t codes[2])
{
    size_t at = 2;
    uint32_t base = 10, number = 0;
    if (at < text.length && (text.text[at] | 0x20) == 'x') {
        base = 16;
        at++;
    }
    size_t first = at;
    for (; at < text.length; at++) {
        uint8_t byte = text.text[at], letter = byte | 0x20;
        uint32_t digit = 16;
        if (byte >= '0' && byte <= '9')
            digit = (uint32_t)(byte - '0');
        else if (letter >= 'a' && letter <= 'f')
            digit = (uint32_t)(letter - 'a' + 10);
        if (digit >= base)
            break;
        number = number * base + digit;
        if (number > N_CODE_POINTS)
            number = N_CODE_POINTS;
    }
    if (at == first)
        return 0;
    codes[0] = numbered(number);
    codes[1] = 0;
    return at + (at < text.length && text.text[at] == ';');
}

size_t read_reference(Slice text, bool in_value, uint32_t codes[2])
{
    if (text.length < 2)
        return 0;
    return text.text[1] == '#' ? read_number(text, codes) : read_named(text, in_value, codes);
}

/* --- Texts and names ------------------------------------------------------------------------------ */

/* What the bytes up to a place stand for; a reference may reach beyond it. */
static uint8_t *resolve_bytes(const uint8_t **from, const uint8_t *stop, const uint8_t *end,
                              bool has_references, bool in_value, uint8_t *next)
{
    const uint8_t *at = *from;
    while (at < stop) {
        uint32_t codes[2];
        size_t used;
        if (*at == '&' && has_references &&
            (used = read_reference((Slice){at, (size_t)(end - at)}, in_value, codes)) > 0) {
            next = put_utf8(next, codes[0]);
            if (codes[1])
                next = put_utf8(next, codes[1]);
            at += used;
        } else if (*at == '\r') {
            at++;
            if (at == end || *at != '\n')
                *next++ = '\n';
        } else if (*at == 0) {
            next = put_utf8(next, 0xFFFD);
            at++;
        } else {
            *next++ = *at++;
        }
    }
    *from = at;
    return next;
}

static size_t resolve(Slice text, bool has_references, bool in_value, uint8_t *out)
{
    const uint8_t *at = text.text, *end = at + text.length;
    uint8_t *next = out;
    while (at < end) {
        uint64_t word;
        for (; (size_t)(end - at) >= sizeof word; at += sizeof word, next += sizeof word) {
            word = eight_bytes(at);
            if (any_is(word, '&') | any_is(word, '\r') | any_is(word, 0))
                break;
            memcpy(next, &word, sizeof word);
        }
        const uint8_t *stop = end - at > (ptrdiff_t)sizeof word ? at + sizeof word : end;
        next = resolve_bytes(&at, stop, end, has_references, in_value, next);
    }
    return (size_t)(next - out);
}

static bool append_resolved(Growing *bytes, Slice text, bool has_references, bool in_value)
{
    enum { RESOLVED = 3 }; /* bytes at most for one: a reference may be shorter than what it stands for */
    if (text.length > SIZE_MAX / 8 || !growing_reserve(bytes, text.length * RESOLVED + 8))
        return false;
    bytes->used += resolve(text, has_references, in_value, bytes->items + bytes->used);
    return true;
}

bool append_text(Growing *bytes, Slice text, bool has_references)
{
    return append_resolved(bytes, text, has_references, false);
}

bool append_value(Growing *bytes, Slice value)
{
    return append_resolved(bytes, value, true, true);
}

size_t resolve_name(Slice name, uint8_t out[NAME_ROOM])
{
    size_t used = 0, at = 0;
    while (at < name.length && used < NAME_ROOM) {
        uint8_t lead = name.text[at];
        size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        size_t written = lead ? size : 3;
        if (used + written <= NAME_ROOM) {
            if (!lead)
                put_utf8(out + used, 0xFFFD);
            else
                for (size_t i = 0; i < size; i++)
                    out[used + i] = lower_byte(name.text[at + i]);
            used += written;
        }
        at += size;
    }
    return used;
}
