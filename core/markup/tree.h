/* The tree of a page as columns: what `victor.page.markup.dom.Dom` holds. */
#ifndef VICTOR_MARKUP_TREE_H
#define VICTOR_MARKUP_TREE_H

#include "parsing/tokeniser.h"

/* Texts of some elements: the bytes one after the other, where each begins, and whose it is. */
typedef struct {
    Growing elements; /* (k) int64 */
    Growing text;     /* bytes */
    Growing starts;   /* (k + 1) int64 */
} TextsOfElements;

/* Columns of E elements and X texts. */
typedef struct {
    Growing tags;                  /* (E) int64 tag id; -1 of dropped elements */
    Growing parent, last;          /* (E) int64 */
    Growing dropped;               /* (E) uint8 0 or 1 */
    Growing first_text, end_text;  /* (E) int64 */
    Growing text_parent, text_tag; /* (X) int64 */
    Growing of_table;              /* int64, the root of the page first */
    TextsOfElements names;         /* of elements whose tag id does not name them */
    TextsOfElements ids, addresses;
    int64_t n_tags;
} Tree;

/* What the caller knows of tag ids; all arrays have `count` items of 0 or 1. */
typedef struct {
    int64_t count;
    const uint8_t *is_void;  /* a point in the stream */
    const uint8_t *is_named; /* all elements of the id have its name */
} TagIds;

/* Columns of the tree of a page of valid UTF-8; with `alt_text` images are no points. */
Outcome tree_of(Tree *tree, Slice markup, const TagIds *ids, bool alt_text);
void tree_free(Tree *tree);

#endif
