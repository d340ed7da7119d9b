/* Values of attributes by bundle row, columns as `victor.page.parsing.events` has them. */
#ifndef VICTOR_ATTRIBUTES_H
#define VICTOR_ATTRIBUTES_H

#include "base/core.h"

typedef struct {
    int64_t n_rows, width;
    const uint8_t *bytes;   /* of all values, in UTF-8, a space after each */
    const int64_t *offsets; /* (n_rows * width + 1) where each begins; none has no bytes at all */
    int64_t n_bytes, n_values;
    int64_t n_columns;
    const int64_t *columns; /* (n_columns) those asked for */
} Bundles;

/* Attributes that hold names, and those that hide an element, in the order of bundles.c. */
enum { N_NAMING = 5, N_HIDING = 3 };

typedef struct {
    const uint8_t *text; /* NULL for none */
    int64_t length;
} Value;

/* The value of a row in one of the columns asked for. */
static inline Value value_at(const Bundles *bundles, int64_t row, int64_t column)
{
    const int64_t *at = bundles->offsets + row * bundles->width + bundles->columns[column];
    if (at[0] == at[1])
        return (Value){NULL, 0};
    return (Value){bundles->bytes + at[0], at[1] - at[0] - 1};
}

/* The code point of several bytes at a place before the end; moves on to what follows. Whatever the
 * bytes are it is one that exists, and they lie before the end. */
uint32_t long_code(const Value *value, int64_t *at);

/* The code point at a place before the end; moves on to what follows. */
static inline uint32_t next_code(const Value *value, int64_t *at)
{
    if (value->text[*at] < 0x80)
        return value->text[(*at)++];
    return long_code(value, at);
}

/* Does a style say `name: value` at a place, with white space around the colon or not. */
bool is_declared(const Value *style, int64_t at, const char *name, const char *value);

/* Number the first words of all rows in the first column from 1 on; rows without one have 0. */
Outcome number_words(int64_t *numbers, const Bundles *bundles);
/* Which rows hide their element, by style, hidden and aria-hidden in this order. */
void fill_hides(uint8_t *hides, const Bundles *bundles);

#endif
