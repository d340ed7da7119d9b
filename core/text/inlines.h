/* The inline content of paragraphs. */
#ifndef VICTOR_INLINES_H
#define VICTOR_INLINES_H

#include "base/core.h"

PyObject *inline_texts(PyObject *module, PyObject *arguments);

#endif
