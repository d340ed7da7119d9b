/* What is hidden, and what may be a copy or data, as `victor.kinds.copies` asks. */
#include "kinds/kinds.h"

enum { PIECE = 20 };      /* characters that are looked for together, letters of a hidden copy */
enum { DATA_WORDS = 20 }; /* of a block of data, at least */
#define IN_DOUBT 0.6      /* p(other) below which a block that is not kept may still be */

void find_hidden(const Table *table, const uint8_t roles[N_TAG_IDS], const uint8_t *rows,
                 uint8_t *hidden)
{
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e], bundle = table->elements.bundle[e];
        uint8_t role = roles[table->elements.tag[e]];
        bool is_named = rows && bundle >= 0 && rows[bundle] && !(role & IS_WHOLE_PAGE);
        hidden[e] = (role & HIDES) || is_named || (parent != e && hidden[parent]);
    }
}

static bool is_kept(const Thought *thought, int64_t block)
{
    return thought->labels[block] != OTHER;
}

/* Is there an outermost hidden element with enough characters that may be kept. */
static Outcome look_for_unseen(const Table *table, const Shared *shared, const Thought *thought,
                               Arena *arena, int *doubts)
{
    if (!table->n_elements || !memchr(thought->hidden, 1, (size_t)table->n_elements))
        return DONE;
    int64_t *outermost = TAKE(arena, int64_t, (size_t)table->n_elements);
    int64_t *size = ZEROS(arena, int64_t, (size_t)table->n_elements);
    if (!outermost || !size)
        return MEMORY;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e];
        bool is_inside = parent != e && thought->hidden[parent];
        outermost[e] = is_inside ? outermost[parent] : e;
    }
    for (int64_t i = 0; i < table->n_blocks; i++) {
        if (!is_kept(thought, i) && !(thought->p_other[i] < IN_DOUBT))
            continue;
        for (int64_t s = table->segment_starts[i]; s < table->segment_starts[i + 1]; s++) {
            int64_t element = shared->segment_element[s];
            if (!thought->hidden[element])
                continue;
            size[outermost[element]] += table->segments.end[s] - table->segments.start[s];
            if (size[outermost[element]] >= PIECE)
                *doubts |= MAY_BE_UNSEEN;
        }
    }
    return DONE;
}

/* A character as far as is needed to see that nothing stands twice. */
static uint8_t folded(uint32_t code)
{
    return (uint8_t)code | 0x20;
}

/* Characters, and how far to move on from where the last of them is another one (Horspool, 1980). */
typedef struct {
    const uint32_t *chars;
    int64_t length;
    int64_t shift[256];
} Piece;

static void read_piece(Piece *piece, const uint32_t *chars, int64_t length)
{
    piece->chars = chars;
    piece->length = length;
    for (int code = 0; code < 256; code++)
        piece->shift[code] = length;
    for (int64_t i = 0; i + 1 < length; i++)
        piece->shift[folded(chars[i])] = length - 1 - i;
}

/* Where a piece stands first from a place on; the end if it does not. */
static int64_t find_piece(const Piece *piece, const uint32_t *chars, int64_t start, int64_t end)
{
    int64_t last = piece->length - 1;
    for (int64_t at = start; end - at > last; at += piece->shift[folded(chars[at + last])]) {
        int64_t same = 0;
        while (same <= last && folded(chars[at + same]) == folded(piece->chars[same]))
            same++;
        if (same > last)
            return at;
    }
    return end;
}

/* Does the middle of the longest of the kept blocks of a page stand twice among them. */
static bool stands_twice(const Table *table, const Shared *shared, const Thought *thought,
                         int64_t first, int64_t end)
{
    int64_t longest = -1, from = -1, until = -1, most = -1;
    for (int64_t i = first; i < end; i++) {
        if (!is_kept(thought, i))
            continue;
        from = from < 0 ? shared->start[i] : from;
        until = shared->end[i];
        if (until - shared->start[i] > most) {
            most = until - shared->start[i];
            longest = i;
        }
    }
    if (longest < 0)
        return false;
    int64_t middle = (shared->start[longest] + shared->end[longest] - PIECE) / 2;
    middle = middle > 0 ? middle : 0;
    int64_t length = table->n_chars - middle;
    Piece piece;
    read_piece(&piece, table->chars + middle, length < PIECE ? length : PIECE);
    int64_t at = find_piece(&piece, table->chars, from, until);
    return at < until && find_piece(&piece, table->chars, at + piece.length, until) < until;
}

static bool ends_like_data(const Table *table, const Shared *shared, int64_t block)
{
    uint32_t last = table->chars[shared->end[block] - 1];
    return shared->words[block] >= DATA_WORDS && (last == '}' || last == ']' || last == ';');
}

Outcome find_doubts(const Table *table, const Shared *shared, const Thought *thought,
                    Arena *arena, int *doubts)
{
    *doubts = 0;
    for (int64_t page = 0; page < table->n_pages && !(*doubts & MAY_BE_TWICE); page++)
        if (stands_twice(table, shared, thought, table->page_starts[page],
                         table->page_starts[page + 1]))
            *doubts |= MAY_BE_TWICE;
    for (int64_t i = 0; i < table->n_blocks && !(*doubts & MAY_BE_DATA); i++)
        if (is_kept(thought, i) && ends_like_data(table, shared, i))
            *doubts |= MAY_BE_DATA;
    return look_for_unseen(table, shared, thought, arena, doubts);
}
