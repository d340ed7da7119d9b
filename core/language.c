/* Stage: n-grams of texts. */
#include "core.h"

PyMethodDef language_methods[] = {
    {NULL, NULL, 0, NULL},
};
