/* What the segmenter and the tokeniser of blocks are told of code points and tags. */
#ifndef VICTOR_BLOCKS_H
#define VICTOR_BLOCKS_H

#include "base/results.h"
#include "names/name_groups.h"
#include "table/table.h"

/* What a code of an event stream is, as `victor.page.table.segment` has it for every code point. */
enum CodeKind {
    TEXT_CODE,
    UNSPACED_CODE, /* a letter or mark of a script without spaces */
    SPACE_CODE,    /* from here on nothing is seen */
    BREAK_CODE,    /* white space that stands for a <br> */
    ZERO_WIDTH_CODE,
    JOINER_CODE,
    SHAPER_CODE, /* a joiner that shapes what stands before it, whatever follows */
    UNSEEN_CODE, /* no text */
    TAG_CODE,
};

/* Bits of what a tag is. */
enum TagRole {
    VOID_TAG = 1,
    SPLITTING_TAG = 2,
    PRE_TAG = 4,
    BREAK_TAG = 8,
    IMAGE_TAG = 16,
};

enum { UNSPACED = N_CLASSES }; /* one more class, while text is cut into tokens */

/* Tables that every batch needs, of all code points or all tag ids (vocabulary.c). */
typedef struct {
    Characters characters;
    uint8_t code_kinds[N_CODE_POINTS];    /* enum CodeKind */
    uint8_t token_classes[N_CODE_POINTS]; /* classes, `UNSPACED` among them */
    const uint8_t *tag_roles;             /* (n_tag_roles) bits of enum TagRole */
    int64_t n_tag_roles;
    const uint8_t *shares; /* (n_shares) of a word; the last is that of all code points beyond */
    int64_t n_shares;
    const uint8_t *roles;  /* (N_TAG_IDS) of columns.h */
    Patterns names;        /* the shipped ones */
} Vocabulary;

/* What the capsule of `vocabulary` holds; NULL with an exception set if it is another one. */
const Vocabulary *vocabulary_of(PyObject *capsule);

/* How pages are cut into blocks. */
typedef struct {
    const Vocabulary *vocabulary;
    bool every_tag_splits, pre_lines;
} Cuts;

enum { N_BLOCK_COLUMNS = 20, N_TOKEN_COLUMNS = 8 };

/* Fill the columns of the blocks of an event stream, or of the tokens of a table. */
Outcome cut_pages(const uint32_t *codes, int64_t n_codes, const Cuts *cuts, Column *columns);
Outcome cut_tokens(const Vocabulary *vocabulary, const Table *table, Column *columns);

#endif
