/* Stage: bytes of a page to columns of all its markup, and to HTML again. */
#include "core.h"

PyMethodDef markup_methods[] = {
    {NULL, NULL, 0, NULL},
};
