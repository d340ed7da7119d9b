/* Units of a batch, and what the labeler thinks of them. */
#include "base/sorting.h"
#include "kinds/units.h"
#include <math.h>

/* Mean p(keep) of the words of a unit that others raise, at least. */
static const double LEAST_TO_RAISE = 0.15;
static const double SURE = 0.7;
/* Where so many blocks are surely to be kept and so many surely to be dropped, as shares, a table
 * or a list serves the layout, for instance of posts, and preformatted text is more than code. */
static const double MIXED = 0.2;
/* Words of a table or a list that does not serve the layout, whatever its blocks seem to be: of a
 * few short ones the chain is sure by chance. */
enum { FEW_WORDS = 60 };

/* Sums over the blocks before one. */
typedef struct {
    int64_t words, expected, sure, unsure;
} Sums;

/* Sums before every block, and of all. */
static Outcome sum_blocks(const Table *table, const Shared *shared, const double *p_other,
                          Sums *sums)
{
    Sums sum = {0};
    for (int64_t i = 0; i < table->n_blocks; i++) {
        sums[i] = sum;
        double p_keep = 1 - p_other[i];
        if (!(p_keep > -1 && p_keep < 2))
            return WRONG; /* no probability, however it is rounded */
        sum.words += shared->words[i];
        sum.expected += (int64_t)rint(p_keep * SCALE) * shared->words[i];
        sum.sure += p_keep >= SURE;
        sum.unsure += p_other[i] >= SURE;
    }
    sums[table->n_blocks] = sum;
    return DONE;
}

static void judge(const Table *table, const Shared *shared, const Sums *sums,
                  double largest_part, Unit *unit)
{
    const Sums *first = &sums[unit->start], *end = &sums[unit->stop];
    const int64_t *page = &table->page_starts[shared->page[unit->start]];
    int64_t expected = end->expected - first->expected;
    int64_t of_page = sums[page[1]].expected - sums[page[0]].expected;
    double least = MIXED * (double)(unit->stop - unit->start);
    unit->may_be_raised = (double)expected >= LEAST_TO_RAISE * SCALE * (double)unit->words;
    unit->is_part = (double)unit->words <= largest_part * (double)of_page / SCALE;
    unit->is_mixed = (double)(end->sure - first->sure) > least &&
                     (double)(end->unsure - first->unsure) > least && unit->words > FEW_WORDS;
}

Outcome find_units(const Table *table, const Shared *shared, const Labelled *labelled,
                   Arena *arena, Units *units)
{
    int64_t room = 0;
    for (int64_t e = 0; e < table->n_elements; e++)
        room += labelled->roles[table->elements.tag[e]] & IS_UNIT;
    Sums *sums = TAKE(arena, Sums, (size_t)table->n_blocks + 1);
    units->items = TAKE(arena, Unit, (size_t)room);
    units->count = 0;
    if (!sums || !units->items)
        return MEMORY;
    Outcome outcome = sum_blocks(table, shared, labelled->p_other, sums);
    for (int64_t e = 0; outcome == DONE && e < table->n_elements; e++) {
        uint8_t role = labelled->roles[table->elements.tag[e]];
        if (!(role & IS_UNIT))
            continue;
        int64_t start = count_below(shared->tag, table->n_blocks, table->elements.open[e]);
        int64_t stop = count_below(shared->tag, table->n_blocks, table->elements.close[e]);
        if (start >= stop || sums[stop].words <= sums[start].words)
            continue;
        Unit *unit = &units->items[units->count++];
        *unit = (Unit){.element = e, .start = start, .stop = stop, .role = role,
                       .words = sums[stop].words - sums[start].words};
        judge(table, shared, sums, labelled->largest_part, unit);
    }
    return outcome;
}
