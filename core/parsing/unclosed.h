/* Comments, raw-text elements, ends of line breaks, preformatted text and tables in a page, and
 * whether they are in order.
 *
 * `victor.page.parsing.unclosed` defines what a mark is, by its function `marks`.
 */
#ifndef VICTOR_UNCLOSED_H
#define VICTOR_UNCLOSED_H

#include "parsing/tokeniser.h"

enum { MARK_COMMENT, MARK_BREAK_END, FIRST_RAW_MARK };

/* The first mark at or after a place, which moves on to it; -1 if there is none. Its kind is one of
 * the above, or of a raw-text element, <pre>, or a table or its parts, whose starts are even and
 * whose ends are odd. */
int next_mark(Slice markup, size_t *at);

/* Is there an end of a line break, a <div> in preformatted text, or a cell without a row, or does a
 * raw-text element or a comment lack an end before the next one of its kind. */
bool needs_repair(Slice markup);

PyObject *marks_of_page(PyObject *module, PyObject *page);
PyObject *pages_to_repair(PyObject *module, PyObject *pages);

#endif
