/* What the heads of pages say, for columns and judgments; `victor.page.parsing.heads` has the rest. */
#ifndef VICTOR_HEADS_H
#define VICTOR_HEADS_H

#include "columns/columns.h"
#include "parsing/attributes.h"
#include "parsing/head_notes.h"

/* The texts of a head that are read, in the order of `Head.texts`; those without bytes are not there. */
enum {
    OWN_TITLE, SHARED_TITLE, SITE_NAME, KIND_OF_PAGE, DESCRIPTION, ADDRESS, GENERATOR, JSON_LD,
    N_HEAD_TEXTS,
};

/* The notes of a batch as the parser took them. */
typedef struct {
    const Note *notes;
    const NotedValue *values;
    const uint8_t *bytes;
    const int64_t *starts; /* (n_pages + 1) notes */
} HeadNotes;

/* The texts (n_pages, N_HEAD_TEXTS) by the notes; of several JSON-LD scripts the signs alone are
 * known, which go to the bits (n_pages) of `HeadBits`. */
void read_notes(const HeadNotes *notes, int64_t n_pages, Value *texts, uint8_t *bits);

/* Compute the columns of heads; memory is of the arena, as are the bits, to which others are added. */
Outcome share_heads(Shared *shared, const Value *texts, uint8_t *bits, int64_t n_pages,
                    Arena *arena);

/* Take the columns of some pages of a batch. */
Outcome pick_heads(Shared *shared, const Shared *whole, const int64_t *pages, int64_t n_pages,
                   Arena *arena);

#endif
