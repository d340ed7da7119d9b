/* Stage: event codes to block table and tokens. */
#include "core.h"

PyMethodDef blocks_methods[] = {
    {NULL, NULL, 0, NULL},
};
