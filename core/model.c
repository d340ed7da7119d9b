/* Stage: columns to codes, potentials, marginals and labels. */
#include "core.h"

PyMethodDef model_methods[] = {
    {NULL, NULL, 0, NULL},
};
