/* Patterns of the names that authors give to elements, as `victor.page.names.name_groups` has them. */
#ifndef VICTOR_NAME_GROUPS_H
#define VICTOR_NAME_GROUPS_H

#include "base/codes.h"
#include "parsing/attributes.h"

enum { MAX_LENGTH = 1000 }; /* characters of a value that are read */

/* Hashes that are known, ascending, and what each means. */
typedef struct {
    uint8_t slots[1 << 13]; /* a bit for each value of the highest 16: does a hash have it */
    const uint64_t *hashes;
    const uint64_t *bits, *part_bits; /* of groups, and of parts of patterns with spaces */
    int64_t count;
} Known;

typedef struct {
    Known first, runs, wholes;
    const uint64_t *longest;  /* words of the longest run that begins with each known first word */
    const uint64_t *kinds;    /* (N_NAMING) what is added to the hash of a whole name */
    const uint64_t *together; /* (3 * n) bits looked at, those of them needed, bits of a group */
    int64_t n_together;
    uint64_t inverse[MAX_LENGTH + 1]; /* powers of the inverse of the base of hashes */
} Patterns;

#define PATTERN_TYPES "u8u8u8" "u8u8u8" "u8u8u8" "u8u8u8"

/* Read patterns from the arrays that Python gives; false if they do not fit each other. */
bool read_patterns(void *patterns, const Array *arrays);
/* The bits of the groups that the values of each row name, in masks (n_rows). */
Outcome find_names(uint64_t *masks, const Bundles *bundles, const Patterns *patterns,
                   const Characters *characters);

#endif
