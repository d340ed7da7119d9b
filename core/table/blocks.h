/* What the segmenter and the tokeniser of blocks are told of code points and tags. */
#ifndef VICTOR_BLOCKS_H
#define VICTOR_BLOCKS_H

#include "base/codes.h"
#include "base/core.h"

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

PyObject *tokenize(PyObject *module, PyObject *arguments);
PyObject *table_tokens(PyObject *module, PyObject *arguments);

#endif
