/* Does a text hold one of a few words. */
#ifndef VICTOR_WORD_SEARCH_H
#define VICTOR_WORD_SEARCH_H

#include "parsing/tokeniser.h"

enum { MOST_WORDS = 64, LEAST_LETTERS = 4 };

/* Is one of `count` words in a text, whatever the case of its ASCII letters. The words are in lower
 * case, no more than `MOST_WORDS`, and each has `LEAST_LETTERS` bytes or more; else WRONG. Takes
 * time by the length of the text, times that of the words where many of their beginnings are. */
Outcome holds_word(Slice text, const Slice *words, size_t count, bool *answer);

#endif
