/* Characters of markup: UTF-8, references, and what the parser makes of texts and names. */
#ifndef VICTOR_CHARACTERS_H
#define VICTOR_CHARACTERS_H

#include "base/core.h"

/* Bytes of the page, or of a table of names. */
typedef struct {
    const uint8_t *text;
    size_t length;
} Slice;

/* The bytes of a Python object; false with TypeError set. */
static inline bool bytes_slice(PyObject *object, Slice *slice)
{
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(object, &text, &length) < 0)
        return false;
    *slice = (Slice){(const uint8_t *)text, (size_t)length};
    return true;
}

/* What bytes are, with more in them than ASCII if they are UTF8, and with U+FFFD if REPLACED. */
typedef enum { NO_UTF8, ASCII, UTF8, REPLACED } Encoding;
Encoding encoding_of(Slice bytes);

static inline bool is_utf8(Slice bytes)
{
    return encoding_of(bytes) != NO_UTF8;
}

/* The length of the reference that `text` begins with (at its `&`), 0 if it is none. What it stands
 * for goes to `codes`; the second is 0 where there is but one. In the value of an attribute a
 * reference without a semicolon is none where an equals sign, a letter or a digit follows. */
size_t read_reference(Slice text, bool in_value, uint32_t codes[2]);

/* A code point as UTF-8; returns what follows it. */
uint8_t *put_utf8(uint8_t *out, uint32_t code);

/* Append text as the parser gives it: references resolved, CR LF and CR as LF, U+0000 as U+FFFD. In
 * the value of an attribute ambiguous references stay as they are. False if there is no memory. */
bool append_text(Growing *bytes, Slice text, bool has_references);
bool append_value(Growing *bytes, Slice value);

/* The name of an element or attribute as the parser gives it: ASCII letters in lower case, U+0000
 * as U+FFFD, and no character that does not fit into NAME_ROOM bytes. Returns the length. */
enum { NAME_ROOM = 100 };
size_t resolve_name(Slice name, uint8_t out[NAME_ROOM]);

static inline uint8_t lower_byte(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 32) : byte;
}

/* Is a name as written the same as one in lower case, of `length` ASCII characters. */
static inline bool is_name(Slice name, const char *wanted, size_t length)
{
    if (name.length != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower_byte(name.text[i]) != (uint8_t)wanted[i])
            return false;
    return true;
}

/* Does a text begin with a word in lower case, of ASCII characters, whatever its case there. */
static inline bool begins_with_name(Slice text, const char *word)
{
    size_t length = strlen(word);
    return text.length >= length && is_name((Slice){text.text, length}, word, length);
}

/* Is such a word anywhere in a text. */
static inline bool holds_name(Slice text, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= text.length; at++)
        if (is_name((Slice){text.text + at, length}, word, length))
            return true;
    return false;
}

#endif
