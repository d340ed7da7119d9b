/* Stage: data tables and what is kept or dropped whole. */
#include "core.h"

PyMethodDef units_methods[] = {
    {NULL, NULL, 0, NULL},
};
