/* Stage: kept blocks to paragraphs and text. */
#include "core.h"

PyMethodDef text_methods[] = {
    {NULL, NULL, 0, NULL},
};
