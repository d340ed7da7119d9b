/* Tables without tables in them that may hold data. */
#ifndef VICTOR_FIND_LEAVES_H
#define VICTOR_FIND_LEAVES_H

#include "table/table.h"

/* Set the bytes of the pages of which some table with a kept block has rows and cells enough; roles are of
 * tables (N_TAG_IDS). */
Outcome may_hold_data(const Table *table, const uint16_t *roles, const uint8_t *kept,
                      const int64_t *element_page, Arena *arena, uint8_t *pages);

#endif
