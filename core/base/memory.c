/* Memory of one call, and arrays that grow. */
#include "base/core.h"

typedef struct ArenaPiece {
    struct ArenaPiece *next;
    size_t padding; /* keeps what follows aligned to 16 bytes */
} ArenaPiece;

enum { SMALL = 1 << 12, SHARED = 1 << 15, ALIGNED = 16 }; /* bytes */

/* A piece of memory for a large request, or for many small ones. */
static void *take_piece(Arena *arena, size_t bytes, bool zeros)
{
    ArenaPiece *piece =
        zeros ? calloc(1, sizeof *piece + bytes) : malloc(sizeof *piece + bytes);
    if (!piece)
        return NULL;
    piece->next = arena->pieces;
    arena->pieces = piece;
    return piece + 1;
}

/* A page of usual size makes some hundred small requests, each of which would cost as much as what
 * is then done with the memory. */
static void *take_small(Arena *arena, size_t bytes)
{
    bytes = (bytes / ALIGNED + 1) * ALIGNED; /* never nothing */
    if (bytes > arena->left) {
        arena->room = take_piece(arena, SHARED, false);
        arena->left = arena->room ? SHARED : 0;
        if (!arena->room)
            return NULL;
    }
    void *memory = arena->room;
    arena->room += bytes;
    arena->left -= bytes;
    return memory;
}

static void *memory_of(Arena *arena, size_t count, size_t size, bool zeros)
{
    if (size && count > (SIZE_MAX - sizeof(ArenaPiece)) / size)
        return NULL;
    size_t bytes = count * size;
    if (bytes > SMALL)
        return take_piece(arena, bytes, zeros);
    void *memory = take_small(arena, bytes);
    return memory && zeros ? memset(memory, 0, bytes) : memory;
}

void *arena_take(Arena *arena, size_t count, size_t size)
{
    return memory_of(arena, count, size, false);
}

void *arena_zeros(Arena *arena, size_t count, size_t size)
{
    return memory_of(arena, count, size, true);
}

void arena_free(Arena *arena)
{
    for (ArenaPiece *piece = arena->pieces; piece;) {
        ArenaPiece *next = piece->next;
        free(piece);
        piece = next;
    }
    *arena = (Arena){0};
}

bool growing_enlarge(void *items, size_t size, size_t used, size_t *capacity, size_t more)
{
    const size_t most = SIZE_MAX / 4 / size;
    if (more > most || used > most)
        return false;
    size_t room = used + used / 2 + more + 1024 / size;
    void *memory;
    memcpy(&memory, items, sizeof memory); /* a pointer of whatever type */
    memory = realloc(memory, room * size);
    if (!memory)
        return false;
    memcpy(items, &memory, sizeof memory);
    *capacity = room;
    return true;
}
