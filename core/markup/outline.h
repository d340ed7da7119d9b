/* The elements and text nodes of a page: what `victor.page.places.outline.Outline` holds. */
#ifndef VICTOR_MARKUP_OUTLINE_H
#define VICTOR_MARKUP_OUTLINE_H

#include "base/keys.h"
#include "markup/markup.h"

/* An element, in the order of their start tags. */
typedef struct {
    int64_t name;       /* row in `names` */
    int64_t id;         /* row in `ids`, -1 if it has none */
    int64_t parent;     /* itself for a root */
    int64_t last;       /* the last element inside, itself if there is none */
    int64_t first, end; /* the text nodes inside are those from `first` to before `end` */
    int64_t outer;      /* the outermost hidden element around it, or itself; -1 if it is shown */
} OutlinedElement;

/* A text node with more than white space in it. */
typedef struct {
    int64_t tag;   /* ordinal of the tag before it */
    int64_t outer; /* as of an element */
} OutlinedText;

typedef struct {
    GROWING(OutlinedElement) elements;
    GROWING(OutlinedText) texts;
    GROWING(int64_t) of_table; /* the elements that a block table has, but for its root of the page */
    Keys names, ids;           /* those that differ */
    int64_t n_tags;            /* in the lean stream of the page */
} Outline;

/* Outline a page of valid UTF-8. Elements that are dropped before blocks are cut are hidden, and so
 * are shadow roots. */
Outcome outline_markup(Outline *outline, Slice markup, bool alt_text);
void outline_free(Outline *outline);

#endif
