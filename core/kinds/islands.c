/* Islands: units that stand between two kept blocks.
 *
 * A short block is seldom as sure as the prose around it. So a decision that is strict about unsure
 * blocks, as expected F is on a page of much prose, drops a listing out of the middle of its text.
 * The neighbours tell more: on development pages two of three units that a chain drops between kept
 * blocks, whole or in part, are in the gold text.
 */
#include "kinds/units.h"

enum { NONE = -1, MOST_WRAPPERS = 8 };

/* Mark the outermost units that may be raised and are parts of their pages. Code is part of a text
 * whatever its size. */
static void choose(const Units *units)
{
    int64_t reach = 0;
    for (Unit *unit = units->items; unit < units->items + units->count; unit++) {
        if (!unit->may_be_raised || unit->is_mixed || !(unit->is_part || unit->role & IS_CODE))
            continue;
        unit->is_island = unit->start >= reach;
        reach = unit->stop > reach ? unit->stop : reach;
    }
}

/* The nearest blocks with words on the page of each that are in none of them: units in a row have
 * the same neighbours. */
static void find_neighbours(const Table *table, const Shared *shared, const Units *units)
{
    int64_t nearest = NONE, block = 0;
    for (int64_t i = 0; i < units->count; i++) {
        Unit *unit = &units->items[i];
        if (!unit->is_island)
            continue;
        for (; block < unit->start; block++)
            nearest = shared->words[block] > 0 ? block : nearest;
        block = unit->stop;
        bool is_on_page = nearest >= table->page_starts[shared->page[unit->start]];
        unit->before = is_on_page ? nearest : NONE;
    }
    nearest = block = table->n_blocks;
    for (int64_t i = units->count - 1; i >= 0; i--) {
        Unit *unit = &units->items[i];
        if (!unit->is_island)
            continue;
        while (block > unit->stop)
            if (shared->words[--block] > 0)
                nearest = block;
        block = unit->start;
        bool is_on_page = nearest < table->page_starts[shared->page[unit->start] + 1];
        unit->after = is_on_page ? nearest : NONE;
    }
}

/* Are both neighbours in the innermost element that holds more words than the unit. Of many
 * wrappers around it only the inner ones are looked through. Code may be in any frame of its own. */
static bool is_between(const Table *table, const Shared *shared, const Unit *unit)
{
    if (unit->before == NONE || unit->after == NONE)
        return false;
    if (unit->role & IS_CODE)
        return true;
    int64_t around = table->elements.parent[unit->element];
    for (int i = 0; i < MOST_WRAPPERS && shared->element_words[around] == unit->words; i++)
        around = table->elements.parent[around];
    return shared->tag[unit->before] >= table->elements.open[around] &&
           shared->tag[unit->after] < table->elements.close[around];
}

void find_islands(const Table *table, const Shared *shared, const Units *units)
{
    choose(units);
    find_neighbours(table, shared, units);
    for (Unit *unit = units->items; unit < units->items + units->count; unit++)
        unit->is_island = unit->is_island && is_between(table, shared, unit);
}
