/* Memory of one call, and arrays that grow. */
#include "core.h"
#include <stdlib.h>

typedef struct ArenaPiece {
    struct ArenaPiece *next;
    size_t padding; /* keeps what follows aligned to 16 bytes */
} ArenaPiece;

static void *piece_of(Arena *arena, size_t count, size_t size, bool zeros)
{
    if (size && count > (SIZE_MAX - sizeof(ArenaPiece)) / size)
        return NULL;
    size_t bytes = sizeof(ArenaPiece) + count * size;
    ArenaPiece *piece = zeros ? calloc(1, bytes) : malloc(bytes);
    if (!piece)
        return NULL;
    piece->next = arena->pieces;
    arena->pieces = piece;
    return piece + 1;
}

void *arena_take(Arena *arena, size_t count, size_t size)
{
    return piece_of(arena, count, size, false);
}

void *arena_zeros(Arena *arena, size_t count, size_t size)
{
    return piece_of(arena, count, size, true);
}

void arena_free(Arena *arena)
{
    for (ArenaPiece *piece = arena->pieces; piece;) {
        ArenaPiece *next = piece->next;
        free(piece);
        piece = next;
    }
    arena->pieces = NULL;
}

bool growing_reserve(Growing *array, size_t more)
{
    if (array->capacity - array->used >= more)
        return true;
    if (more > SIZE_MAX / 4 || array->used > SIZE_MAX / 4)
        return false;
    size_t capacity = array->used + array->used / 2 + more + 64;
    uint8_t *items = realloc(array->items, capacity);
    if (!items)
        return false;
    array->items = items;
    array->capacity = capacity;
    return true;
}

void growing_free(Growing *array)
{
    free(array->items);
    array->items = NULL;
    array->used = array->capacity = 0;
}
