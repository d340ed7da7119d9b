/* Stage: block table to the columns of feature modules. */
#include "core.h"

PyMethodDef columns_methods[] = {
    {NULL, NULL, 0, NULL},
};
