/* Tables without tables in them that may hold data. */
#ifndef VICTOR_FIND_LEAVES_H
#define VICTOR_FIND_LEAVES_H

#include "table/table.h"

/* Has some table with a kept block rows and cells enough; roles are of tables (N_TAG_IDS). */
Outcome may_hold_data(const Table *table, const uint16_t *roles, const uint8_t *kept, Arena *arena,
                      bool *may);

#endif
