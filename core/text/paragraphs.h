/* Kept blocks to paragraphs. */
#ifndef VICTOR_PARAGRAPHS_H
#define VICTOR_PARAGRAPHS_H

#include "base/core.h"

PyObject *group_paragraphs(PyObject *module, PyObject *arguments);

#endif
