/* The lines of preformatted text. */
#ifndef VICTOR_PREFORMATTED_H
#define VICTOR_PREFORMATTED_H

#include "base/core.h"

PyObject *code_text(PyObject *module, PyObject *arguments);

#endif
