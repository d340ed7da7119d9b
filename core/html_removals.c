/* What of a page is left out of its HTML: elements of which no text is kept, but for those that
 * alone separate two kept blocks. */
#include "html_removals.h"

typedef struct {
    const KeptPage *page;
    uint8_t *removed;    /* (n_elements) 0 or 1 */
    int64_t *change;     /* (n_tags + 1) scratch of `cover` */
    uint8_t *covered;    /* (n_tags) is the tag in a removed element */
    int64_t *n_splits;   /* (n_tags) tags that stay and split, up to each */
    int64_t *n_breaks;   /* (n_tags) line breaks that stay, up to each */
} Removals;

/* Numbers from 0 to the number of tags that are before a tag of the page. */
static int64_t on_page(const KeptPage *page, int64_t tag)
{
    return tag - page->first_tag;
}

static bool are_ids(const KeptPage *page, const int64_t *ids, int64_t count)
{
    bool in_bounds = true;
    for (int64_t row = 0; row < count; row++)
        in_bounds &= ids[row] >= 0 && ids[row] < page->n_ids;
    return in_bounds;
}

/* Are all numbers in their bounds and in order. */
static bool is_sound(const KeptPage *page)
{
    int64_t last = page->n_tags - 1;
    if (page->n_elements < 1 || on_page(page, page->open[0]) != 0 ||
        on_page(page, page->close[0]) != last || !are_ids(page, page->ids, page->n_tags) ||
        !are_ids(page, page->element_ids, page->n_elements))
        return false;
    int64_t before = -1;
    for (int64_t element = 0; element < page->n_elements; element++) {
        int64_t open = on_page(page, page->open[element]);
        int64_t close = on_page(page, page->close[element]);
        if (open <= before || close < open || close > last)
            return false;
        before = open;
    }
    before = 0;
    for (int64_t segment = 0; segment < page->n_segments; segment++) {
        int64_t tag = on_page(page, page->segment_tags[segment]);
        if (tag < before || tag >= last)
            return false;
        before = tag;
    }
    return true;
}

/* Elements that have text of which none is kept. `n_before` and `kept_before` count the segments,
 * and those that are kept, before each tag. */
static void remove_emptied(Removals *removals, int64_t *n_before, int64_t *kept_before)
{
    const KeptPage *page = removals->page;
    int64_t segment = 0, n_kept = 0;
    for (int64_t tag = 0; tag < page->n_tags; tag++) {
        n_before[tag] = segment;
        kept_before[tag] = n_kept;
        while (segment < page->n_segments && on_page(page, page->segment_tags[segment]) == tag)
            n_kept += page->kept[segment++];
    }
    for (int64_t element = 0; element < page->n_elements; element++) {
        int64_t open = on_page(page, page->open[element]);
        int64_t close = on_page(page, page->close[element]);
        removals->removed[element] = n_before[close] > n_before[open] &&
                                     kept_before[close] == kept_before[open] &&
                                     !page->is_frame[page->element_ids[element]];
    }
}

/* Which tags are in a removed element, the tag of its end included or not. */
static void cover(Removals *removals, bool with_end)
{
    const KeptPage *page = removals->page;
    memset(removals->change, 0, (size_t)(page->n_tags + 1) * sizeof(int64_t));
    for (int64_t element = 0; element < page->n_elements; element++) {
        removals->change[on_page(page, page->open[element])] += removals->removed[element];
        removals->change[on_page(page, page->close[element]) + with_end] -=
            removals->removed[element];
    }
    int64_t depth = 0;
    for (int64_t tag = 0; tag < page->n_tags; tag++) {
        depth += removals->change[tag];
        removals->covered[tag] = depth > 0;
    }
}

/* Count the tags that stay and separate blocks. */
static void count_separators(Removals *removals)
{
    const KeptPage *page = removals->page;
    int64_t n_splits = 0, n_breaks = 0;
    for (int64_t tag = 0; tag < page->n_tags; tag++) {
        if (!removals->covered[tag]) {
            n_splits += page->splits[page->ids[tag]];
            n_breaks += page->ids[tag] == page->break_id;
        }
        removals->n_splits[tag] = n_splits;
        removals->n_breaks[tag] = n_breaks;
    }
}

/* The removed elements `first` to `end` in a gap: keep the few that must stay to separate it. */
static void keep_separator(Removals *removals, int64_t first, int64_t end)
{
    const KeptPage *page = removals->page;
    uint8_t *removed = removals->removed;
    int64_t chosen = first;
    while (chosen < end && !(removed[chosen] && page->splits[page->element_ids[chosen]]))
        chosen++;
    /* Where line breaks or void elements separate, these stay, with all elements around them. */
    for (int64_t element = first; element < end; element++)
        if (chosen == end || (page->open[element] <= page->open[chosen] &&
                              page->close[element] >= page->close[chosen]))
            removed[element] = 0;
}

/* Keep elements that alone separate two kept blocks. */
static void keep_separators(Removals *removals)
{
    enum { BREAKS_THAT_SPLIT = 2 };
    const KeptPage *page = removals->page;
    int64_t before = -1, element = 0;
    for (int64_t after = 0; after < page->n_segments; after++) {
        if (!page->kept[after])
            continue;
        if (before >= 0 && after - before > 1 && page->blocks[after] > page->blocks[before]) {
            int64_t from = page->segment_tags[before], to = page->segment_tags[after];
            int64_t a = on_page(page, from), b = on_page(page, to);
            while (element < page->n_elements && page->open[element] <= from)
                element++;
            int64_t first = element;
            while (element < page->n_elements && page->open[element] <= to)
                element++;
            if (removals->n_splits[b] == removals->n_splits[a] &&
                removals->n_breaks[b] - removals->n_breaks[a] < BREAKS_THAT_SPLIT)
                keep_separator(removals, first, element);
        }
        before = after;
    }
}

static void set_flags(Removals *removals, uint8_t *flags)
{
    const KeptPage *page = removals->page;
    cover(removals, true);
    for (int64_t tag = 0; tag < page->n_tags; tag++)
        flags[tag] = removals->covered[tag] ? TAG_REMOVED : 0;
    cover(removals, false);
    for (int64_t tag = 0; tag < page->n_tags; tag++)
        flags[tag] |= removals->covered[tag] ? TEXT_REMOVED : 0;
    for (int64_t segment = 0; segment < page->n_segments; segment++) {
        uint8_t *flag = &flags[on_page(page, page->segment_tags[segment])];
        *flag &= TAG_REMOVED | TEXT_REMOVED;
        if (!page->kept[segment])
            *flag |= page->block_kept[segment] ? TEXT_CUT | TEXT_IS_PART : TEXT_CUT;
    }
}

Outcome find_removals(const KeptPage *page, Arena *arena, uint8_t *flags)
{
    size_t n_tags = (size_t)page->n_tags;
    if (!is_sound(page))
        return WRONG;
    Removals removals = {
        .page = page,
        .removed = TAKE(arena, uint8_t, (size_t)page->n_elements),
        .change = TAKE(arena, int64_t, n_tags + 1),
        .covered = TAKE(arena, uint8_t, n_tags),
        .n_splits = TAKE(arena, int64_t, n_tags),
        .n_breaks = TAKE(arena, int64_t, n_tags),
    };
    if (!removals.removed || !removals.change || !removals.covered || !removals.n_splits ||
        !removals.n_breaks)
        return MEMORY;
    remove_emptied(&removals, removals.n_splits, removals.n_breaks);
    cover(&removals, true);
    count_separators(&removals);
    keep_separators(&removals);
    set_flags(&removals, flags);
    return DONE;
}
