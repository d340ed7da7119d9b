/* The data layout: a block table as the stages after the segmenter read it.
 *
 * The arrays are those of `victor.page.table.blocks.BlockTable`, of whose docstrings the meaning of
 * each is; a batch owns them (columns/batch.h).
 */
#ifndef VICTOR_TABLE_H
#define VICTOR_TABLE_H

#include "base/codes.h"
#include "base/core.h"

typedef struct {
    int64_t n_pages, n_blocks, n_segments, n_tags, n_elements, n_chars, n_tokens;
    const uint32_t *chars;         /* (n_chars) code points */
    const int64_t *page_starts;    /* (n_pages + 1) blocks */
    const int64_t *segment_starts; /* (n_blocks + 1) segments */
    const int64_t *page_roots;     /* (n_pages) elements */
    struct {
        const int64_t *tag, *start, *end; /* (n_segments) */
    } segments;
    struct {
        const int64_t *id;                                    /* (n_tags) */
        const int8_t *step;                                   /* +1 start, -1 end, 0 void */
        const int64_t *element, *text_start, *text_length, *text_space, *bundle;
    } tags;
    struct {
        const int64_t *tag, *parent, *depth, *open, *close, *bundle; /* (n_elements) */
    } elements;
    struct {
        const int64_t *start, *end;                       /* (n_tokens) */
        const uint8_t *kind, *first_class, *last_class;   /* (n_tokens) */
        const uint8_t *word;                              /* (n_tokens) 0 or 1 */
        const int64_t *block_offsets, *segment_offsets;   /* (n_blocks + 1), (n_segments + 1) */
    } tokens;
} Table;

#endif
