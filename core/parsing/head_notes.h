/* Notes of what the elements of pages declare, for `victor.page.parsing.heads`. */
#ifndef VICTOR_HEAD_NOTES_H
#define VICTOR_HEAD_NOTES_H

#include "base/core.h"
#include "parsing/characters.h"

/* The elements that declare something, and their attributes, as `victor.page.parsing.events` has them. */
enum {
    NOTE_OF_BASE, NOTE_OF_HTML, NOTE_OF_LINK, NOTE_OF_META, NOTE_OF_SCRIPT, NOTE_OF_TABLE,
    NOTE_OF_CELL, NOTE_OF_TIME, NOTE_OF_TITLE,
};

/* Their attributes that a note may have, in any order. */
enum {
    NOTED_PROPERTY, NOTED_NAME, NOTED_ITEMPROP, NOTED_HTTP_EQUIV, NOTED_CONTENT, NOTED_REL,
    NOTED_HREF, NOTED_TYPE, NOTED_HREFLANG, NOTED_TITLE, NOTED_LANG, NOTED_XML_LANG,
    NOTED_DATETIME,
    NOTED_BORDER, NOTED_WIDTH, NOTED_ROLE, NOTED_COLSPAN, NOTED_ROWSPAN, /* of tables and cells */
    NOTED_TEXT, /* no attribute, but the text of a title or a script */
    N_NOTED,
};
enum { N_META_KEYS = 4 }; /* the first attributes name what a meta element declares */

extern const char *const noted_names[N_NOTED];

/* What one element declares. */
typedef struct {
    int64_t element;
    int64_t tag; /* ordinal on the page; of a table or a cell that among these */
    int64_t end; /* of its values among all values; they begin where those of the note before end */
} Note;

typedef struct {
    int64_t name;
    int64_t start, end; /* of its bytes among those of all values */
} NotedValue;

/* Has the relation of a link a word that only says what a browser is to load. */
bool only_loads(Slice relation);

#endif
