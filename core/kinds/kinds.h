/* Judgments on labelled blocks: what is kept that is no text of its page, and what may be. */
#ifndef VICTOR_KINDS_H
#define VICTOR_KINDS_H

#include "columns/sharing.h"
#include "model/model.h"

/* --- Hidden elements and copies (copies.c) ---------------------------------------------------- */

/* Roles of tags. */
enum { HIDES = 1, IS_WHOLE_PAGE = 2 };

/* Which elements are hidden, or stand in one that is: by their tag, or by the row of their
 * attributes, which does not count for the whole page; `rows` may be NULL. */
void find_hidden(const Table *table, const uint8_t roles[N_TAG_IDS], const uint8_t *rows,
                 uint8_t *hidden);

/* What may be no text of its own: hidden text that may be kept, a piece of a page that stands twice
 * among what is kept, a block that ends like data. */
enum { MAY_BE_UNSEEN = 1, MAY_BE_TWICE = 2, MAY_BE_DATA = 4 };

/* What the model thinks of the blocks. */
typedef struct {
    const uint8_t *labels;  /* (n_blocks) */
    const double *p_other;  /* (n_blocks) */
    const uint8_t *hidden;  /* (n_elements) */
} Thought;

Outcome find_doubts(const Table *table, const Shared *shared, const Thought *thought,
                    Arena *arena, int *doubts);

/* --- Links of headings (heading_links.c) ------------------------------------------------------ */

/* Roles of tags. */
enum { IS_TERM = 1, IS_LINK = 2, IS_RAISED = 4 };

/* Where links around the text of headings may be. */
typedef struct {
    int64_t *blocks;   /* (n_blocks at most) headings, and what stands alone beside one */
    uint8_t *is_alone; /* of each of these: is it no heading */
    int64_t *links;    /* (n_elements) the link that each element is or stands in, -1 for none */
    uint8_t *linked;   /* (n_segments) does each stand in one and is not raised */
    int64_t n_found;   /* blocks */
} HeadingLinks;

Outcome find_heading_links(const Table *table, const Shared *shared, const uint8_t *labels,
                           const uint8_t roles[N_TAG_IDS], Arena *arena, HeadingLinks *found);

/* --- The parts of a page (parts.c) ------------------------------------------------------------ */

/* A block that may be the headline of its page. */
typedef struct {
    int64_t block;
    double score;   /* without what its likeness to the title adds */
    bool is_before; /* the text, or but a little after it begins */
} Candidate;

typedef GROWING(Candidate) Candidates;

/* Which blocks may be headlines, ascending.
 *
 * If `by_names` is NULL these are h1, h2 and headers, but those of `no_text` (which may be NULL), of
 * pages that keep one of them; else it is what names add to the score of each block, and any may be
 * one. */
Outcome find_headlines(const Table *table, const Shared *shared, const uint8_t *labels,
                       const uint8_t *no_text, const double *by_names, Candidates *found);

/* Bits of the groups that elements are named as. */
typedef struct {
    const uint64_t *masks; /* (n_masks) by row of attributes, the last for none */
    int64_t n_masks;
    uint64_t bits;         /* that are asked for */
    const uint8_t *roles;  /* (N_TAG_IDS) `IS_WHOLE_PAGE` where names do not count; may be NULL */
} Named;

/* Which pages have an element that is named so; with labels, which keep a block inside one. */
Outcome find_named(const Table *table, const Shared *shared, const Named *named,
                   const uint8_t *labels, Arena *arena, uint8_t *pages);

/* The headings that are the last kept block of their page, right after kept text; returns how many.
 * There is room for one a page. */
int64_t find_dangling(const Table *table, const Shared *shared, const uint8_t *labels,
                      int64_t *blocks);

#endif
