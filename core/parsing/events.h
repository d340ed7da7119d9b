/* Pages to an event stream, which `victor.page.parsing.events` describes. */
#ifndef VICTOR_EVENTS_H
#define VICTOR_EVENTS_H

#include "base/keys.h"
#include "parsing/head_notes.h"
#include "parsing/tokeniser.h"

/* The event stream of some pages, and how it is read. */
typedef struct {
    /* asked for */
    Slice *pages;
    int64_t *page_starts; /* (n_pages + 1) */
    int64_t n_pages;
    Slice *wanted; /* (n_wanted) names of attributes that make a bundle */
    const Attribute **given; /* (n_wanted) those of one tag, NULL for none */
    int64_t n_wanted;
    uint64_t wanted_lengths; /* bit by length */
    int64_t length_column; /* of the wanted one that is LENGTH_OF_ALL, -1 for none */
    int64_t max_bundles;
    int alt_text; /* ALT_* */
    /* found */
    GROWING(uint32_t) codes;
    Keys bundles;
    bool has_overflow; /* there were more bundles than codes */
    GROWING(uint8_t) page_signs; /* by page: bits of `PageSigns` */
    /* Of the start tags that are no line breaks: where their attributes are (`place_of`); after those
     * of a page its length. */
    GROWING(int64_t) places;
    GROWING(int64_t) place_starts; /* (n_pages + 1) */
    Growing row_values; /* bytes of the bundles, and where each value begins in them */
    GROWING(int64_t) row_offsets;
    GROWING(Note) notes;
    GROWING(NotedValue) values;
    Growing bytes; /* of the noted values */
    int64_t *note_starts;            /* (n_pages + 1) */
    Growing scratch;
    int64_t length_of_all; /* of the tag that is read */
    Arena arena;
} Stream;

/* Begin with a tuple of pages and one of the names of attributes, both of which have to stay; -1 with
 * an exception set. It is to be closed anyway. */
int stream_open(Stream *stream, PyObject *pages, PyObject *names);
void stream_close(Stream *stream);
/* Read all pages, without the interpreter. */
Outcome read_stream(Stream *stream);

#endif
