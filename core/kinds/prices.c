/* Prices: short blocks that name a sum of money, where they are few on their page. */
#include "base/code_points.h"
#include "kinds/kinds.h"

enum { SHORT = 8 };        /* words of a block that is a price, at most */
enum { MOST_PRICES = 12 }; /* blocks of a page that are prices, at most; a page with more lists goods */
enum { LONGEST = 12 };     /* characters of a sum between its first figure and the currency, at most */

enum { MONEY, PAGES }; /* inputs */

/* The text that is read, and what currencies are called. */
typedef struct {
    const uint32_t *chars;
    int64_t end; /* of the block */
    const uint8_t *classes;
    const uint32_t *money; /* names, a zero after each */
    int64_t n_money;
    bool begins[0x80]; /* does one begin with an ASCII character */
} Text;

static bool is_word(const Text *text, int64_t at)
{
    uint8_t class = at < text->end ? text->classes[text->chars[at]] : SPACE;
    return class >= LOWER && class <= OTHER_WORD;
}

static bool is_figure(const Text *text, int64_t at)
{
    uint8_t class = at < text->end ? text->classes[text->chars[at]] : SPACE;
    return class == DIGIT || (class == OTHER_WORD && text->chars[at] != '_');
}

/* The length of the currency at a place, 0 for none; one of letters is a word to its end. */
static int64_t money_at(const Text *text, int64_t at)
{
    if (at >= text->end || (text->chars[at] < 0x80 && !text->begins[text->chars[at]]))
        return 0;
    for (int64_t i = 0; i < text->n_money; i++) {
        int64_t length = 0;
        bool fits = true;
        for (; text->money[i + length]; length++)
            fits &= at + length < text->end && text->chars[at + length] == text->money[i + length];
        if (fits && !(is_word(text, at) && is_word(text, at + length)))
            return length;
        i += length;
    }
    return 0;
}

/* Does a currency before a figure begin at a place, or a sum with one behind it. */
static bool is_sum(const Text *text, int64_t at)
{
    int64_t next = at + money_at(text, at);
    if (next > at) {
        next += next < text->end && text->chars[next] == '.';
        next += next < text->end && is_space(text->chars[next]);
        return is_figure(text, next);
    }
    if (!is_figure(text, at))
        return false;
    for (next = at + 1; next <= at + 1 + LONGEST && next < text->end; next++) {
        uint32_t code = text->chars[next];
        if (money_at(text, next))
            return true;
        if (!is_figure(text, next) && code != '.' && code != ',' && code != '\'' && code != ' ' &&
            code != 0xA0 && code != '-')
            return false;
    }
    return false;
}

/* Is a sum in a block; where no offer is declared its currency has to be a sign, no word. */
static bool is_price(Text *text, int64_t start, int64_t end, bool is_offered)
{
    bool found = false, has_sign = is_offered, has_figure = false;
    text->end = end;
    for (int64_t at = start; at < end; at++)
        has_figure |= is_figure(text, at);
    for (int64_t at = start; has_figure && at < end; at++) {
        has_sign |= !is_word(text, at) && money_at(text, at);
        found |= is_sum(text, at);
    }
    return found && has_sign;
}

Outcome judge_prices(const Request *request, uint8_t *blocks)
{
    const Table *table = request->table;
    const Shared *shared = request->shared;
    const uint8_t *pages = input(request, PAGES);
    Text text = {.chars = table->chars, .classes = shared->classes, .money = input(request, MONEY),
                 .n_money = request->inputs[MONEY].length};
    if (!has_length(request, PAGES, table->n_pages) || text.n_money < 1 ||
        text.money[text.n_money - 1])
        return WRONG;
    for (int64_t i = 0; i < text.n_money; i++)
        if (text.money[i] < 0x80 && (i == 0 || !text.money[i - 1]))
            text.begins[text.money[i]] = true;
    for (int64_t page = 0; page < table->n_pages; page++) {
        int64_t first = table->page_starts[page], end = table->page_starts[page + 1], count = 0;
        for (int64_t i = first; pages[page] && i < end; i++) {
            blocks[i] = shared->words[i] <= SHORT &&
                        is_price(&text, shared->start[i], shared->end[i],
                                 shared->head_bits[page] & OFFERS);
            count += blocks[i];
        }
        if (count > MOST_PRICES)
            memset(blocks + first, 0, (size_t)(end - first));
    }
    return DONE;
}
