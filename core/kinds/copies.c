/* What is hidden, and where there may be copies, as `victor.kinds.copies` asks. */
#include "base/sorting.h"
#include "kinds/kinds.h"

enum { PIECE = 20 };      /* characters that are looked for together, as in Python */
#define IN_DOUBT 0.6      /* p(other) below which a block that is not kept may still be */

/* Roles of tags. */
enum { HIDES = 1, IS_WHOLE_PAGE = 2 };

Outcome judge_hidden(const Request *request, uint8_t *elements)
{
    const Table *table = request->table;
    const uint8_t *roles = input(request, 0), *hides = request->shared->hides;
    if (!has_length(request, 0, N_TAG_IDS))
        return WRONG;
    for (int64_t e = 0; e < table->n_elements; e++) {
        int64_t parent = table->elements.parent[e], bundle = table->elements.bundle[e];
        uint8_t role = roles[table->elements.tag[e]];
        bool is_named = hides && bundle >= 0 && hides[bundle] && !(role & IS_WHOLE_PAGE);
        elements[e] = (role & HIDES) || is_named || (parent != e && elements[parent]);
    }
    return DONE;
}

/* --- Copies ----------------------------------------------------------------------------------- */

enum { LABELS, P_OTHER, HIDDEN }; /* inputs */

/* Is a part of a block hidden that may be kept. */
static bool may_be_unseen(const Request *request, int64_t block)
{
    const int64_t *segments = request->table->segment_starts + block;
    const uint8_t *hidden = input(request, HIDDEN);
    if (!is_kept(request, block) && !(((const double *)input(request, P_OTHER))[block] < IN_DOUBT))
        return false;
    for (int64_t s = segments[0]; s < segments[1]; s++)
        if (hidden[request->shared->segment_element[s]])
            return true;
    return false;
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

/* The longest of the kept blocks of a page if its middle stands in two of them, else -1. */
static int64_t repeated_block(const Request *request, int64_t page)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    int64_t longest = -1, from = -1, until = -1, most = -1;
    for (int64_t i = table->page_starts[page]; i < table->page_starts[page + 1]; i++) {
        if (!is_kept(request, i))
            continue;
        from = from < 0 ? shared->start[i] : from;
        until = shared->end[i];
        if (until - shared->start[i] > most) {
            most = until - shared->start[i];
            longest = i;
        }
    }
    if (longest < 0)
        return -1;
    int64_t middle = (shared->start[longest] + shared->end[longest] - PIECE) / 2;
    middle = middle > 0 ? middle : 0;
    int64_t length = table->n_chars - middle;
    Piece piece;
    read_piece(&piece, table->chars + middle, length < PIECE ? length : PIECE);
    int64_t first = -1; /* the first kept block with the piece */
    for (int64_t at = find_piece(&piece, table->chars, from, until); at < until;
         at = find_piece(&piece, table->chars, at + piece.length, until)) {
        int64_t block = count_below(shared->start, table->n_blocks, at + 1) - 1;
        if (first >= 0 && block != first && is_kept(request, block))
            return longest;
        first = first < 0 && is_kept(request, block) ? block : first;
    }
    return -1;
}

Outcome judge_copies(const Request *request, uint8_t *blocks)
{
    const Table *table = request->table;
    if (!has_length(request, LABELS, table->n_blocks) ||
        !has_length(request, P_OTHER, table->n_blocks) ||
        !has_length(request, HIDDEN, table->n_elements))
        return WRONG;
    for (int64_t i = 0; i < table->n_blocks; i++)
        blocks[i] = may_be_unseen(request, i) ? MAY_BE_UNSEEN : 0;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t block = repeated_block(request, page);
        if (block >= 0)
            blocks[block] |= MAY_BE_TWICE;
    }
    return DONE;
}
