/* Stage: bytes of pages to event codes and heads. */
#include "core.h"

PyMethodDef events_methods[] = {
    {NULL, NULL, 0, NULL},
};
