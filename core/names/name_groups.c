/* Stage: values of attributes to bits of the groups that they name, as `victor.page.names.name_groups`.
 *
 * A value is cut into names at white space, and names into words; the hashes of names and of runs
 * of words are looked up among those of the patterns. */
#include "base/hash_groups.h"
#include "names/name_groups.h"

enum { READ = MAX_LENGTH + 3 }; /* what has to be seen to know how names end before that */
enum { MAX_WORDS = 4 };
#define INVERSE UINT64_C(0xF1DE83E19937733D) /* of `GOLDEN` modulo 2^64 */

/* Bits of one row. */
typedef struct {
    uint64_t groups, parts;
} Bits;

/* A run of words of one name that may go on. */
typedef struct {
    uint64_t hash;
    int64_t words, longest;
} Run;

/* Runs that began with one of the last words; those have at most `MAX_WORDS` words. */
typedef struct {
    Run items[MAX_WORDS];
    int count;
} Runs;

/* What names are read by. */
typedef struct {
    const Patterns *patterns;
    const Characters *characters;
} Reader;

/* The number of a character in a hash. */
static uint64_t weight_of(const Characters *characters, uint32_t code)
{
    uint64_t bits = ((uint64_t)lower_case(characters, code) + 1) * UINT64_C(0xBF58476D1CE4E5B9);
    return bits ^ bits >> 29;
}

/* Can a hash be among the known ones; most cannot. */
static inline bool may_be_known(const Known *known, uint64_t hash)
{
    return known->slots[hash >> 51] >> (hash >> 48 & 7) & 1;
}

/* The place of a hash among the known ones, -1 if it is not there. */
static int64_t find(const Known *known, uint64_t hash)
{
    int64_t first = 0;
    for (int64_t left = known->count; left > 1;) { /* steps without a branch to be foreseen */
        int64_t half = left / 2;
        first += (known->hashes[first + half - 1] < hash) * half;
        left -= half;
    }
    return first < known->count && known->hashes[first] == hash ? first : -1;
}

/* Add the bits of a hash if it is known. Returns its place, or -1. */
static inline int64_t add_known(Bits *bits, const Known *known, uint64_t hash)
{
    int64_t number = may_be_known(known, hash) ? find(known, hash) : -1;
    if (number >= 0) {
        bits->groups |= known->bits[number];
        bits->parts |= known->part_bits[number];
    }
    return number;
}

/* A word of a name ends: it may be a pattern, and goes on with runs that words before it began. */
static void add_word(Bits *bits, Runs *runs, const Patterns *patterns, uint64_t hash)
{
    int kept = 0;
    for (int k = 0; k < runs->count; k++) {
        Run run = runs->items[k];
        run.hash = run.hash * GOLDEN + hash;
        run.words++;
        add_known(bits, &patterns->runs, run.hash);
        if (run.words < run.longest)
            runs->items[kept++] = run;
    }
    int64_t number = add_known(bits, &patterns->first, hash);
    uint64_t longest = number < 0 ? 0 : patterns->longest[number];
    if (longest > 1)
        runs->items[kept++] = (Run){hash, 1, longest < MAX_WORDS ? (int64_t)longest : MAX_WORDS};
    runs->count = kept;
}

static bool is_letter(uint8_t class)
{
    return class >= LOWER && class <= IDEOGRAPH;
}

/* Does a letter begin a word: after what is no letter, as a capital after a small letter, and
 * after a capital before a small letter. */
static bool is_begin(uint8_t before, uint8_t class, uint8_t after)
{
    if (!is_letter(before))
        return true;
    return class == UPPER && (before == LOWER || (before == UPPER && after == LOWER));
}

/* Where a span begins, and the sum of the weights before it. */
typedef struct {
    int64_t at;
    uint64_t sum;
} SpanStart;

/* The hash of a span, as `victor.page.table.hashes.span_hashes` has it. */
static uint64_t hash_of(const Patterns *patterns, SpanStart start, uint64_t sum)
{
    return (sum - start.sum) * patterns->inverse[start.at];
}

static bool is_s(uint32_t code)
{
    return (code | 0x20) == 's';
}

/* The hash of a word that ends before a place, without the s of a plural; `sum_before` is the sum
 * before its last character. */
static uint64_t hash_of_word(const Patterns *patterns, const uint32_t *chars, SpanStart word,
                             int64_t end, uint64_t sum_before, uint64_t sum)
{
    bool is_plural = end - word.at > 2 && is_s(chars[end - 1]) && !is_s(chars[end - 2]);
    return hash_of(patterns, word, is_plural ? sum_before : sum);
}

/* A code point as Python reads it, which replaces halves of pairs. */
static uint32_t whole(uint32_t code)
{
    return (code & 0xFFFFF800) == 0xD800 ? '?' : code;
}

/* Bits of the names in one value, whose attribute is of a kind; a space stands behind it. */
static void read_value(Bits *bits, const Reader *reader, const uint32_t *chars, int64_t length,
                       uint64_t kind)
{
    const Patterns *patterns = reader->patterns;
    const uint8_t *classes = reader->characters->classes;
    SpanStart name = {0, 0}, word = {0, 0};
    uint64_t sum = 0, sum_before = 0, power = 1;
    Runs runs = {.count = 0};
    bool in_name = false, in_word = false;
    uint32_t code = whole(chars[0]);
    uint8_t before = SPACE, class = classes[code];
    int64_t last = length < MAX_LENGTH ? length : MAX_LENGTH;
    for (int64_t at = 0; at <= last; at++) {
        uint32_t next = whole(at < length ? chars[at + 1] : ' ');
        uint8_t after = classes[next];
        if (!in_word || class != LOWER) { /* a small letter only goes on with its word */
            bool letter = is_letter(class), begins = letter && is_begin(before, class, after);
            if (in_word && (!letter || begins))
                add_word(bits, &runs, patterns,
                         hash_of_word(patterns, chars, word, at, sum_before, sum));
            if (in_name && class == SPACE)
                add_known(bits, &patterns->wholes, hash_of(patterns, name, sum) + kind);
            if (!in_name) {
                name = (SpanStart){at, sum};
                runs.count = 0;
            }
            if (begins)
                word = (SpanStart){at, sum};
            in_name = class != SPACE;
            in_word = letter;
        }
        sum_before = sum;
        sum += weight_of(reader->characters, code) * power;
        power *= GOLDEN;
        code = next;
        before = class;
        class = after;
    }
}

/* Copy the first characters of a value that have to be seen, and a space; returns how many. */
static int64_t copy_chars(uint32_t chars[READ + 1], const Value *value)
{
    int64_t count = value->length < READ ? value->length : READ;
    uint8_t bits = 0;
    for (int64_t i = 0; i < count; i++) {
        bits |= value->text[i];
        chars[i] = value->text[i];
    }
    if (bits >= 0x80) {
        int64_t at = 0;
        for (count = 0; at < value->length && count < READ; count++)
            chars[count] = next_code(value, &at);
    }
    chars[count] = ' ';
    return count;
}

/* Bits of a value, or of names of it that a blank ends. */
static Bits bits_of(const Reader *reader, const Value *value, uint64_t kind)
{
    uint32_t chars[READ + 1];
    Bits bits = {0, 0};
    int64_t length = copy_chars(chars, value);
    read_value(&bits, reader, chars, length, kind);
    return bits;
}

/* Names that were read: half of all were before on the same page. One that comes to the slot of
 * another takes it, so nothing is ever searched for. */
enum { FEWEST_SEEN = 64, MOST_SEEN = 1024 };
typedef struct {
    Value name;
    uint64_t kind;
    Bits bits;
} SeenName;

/* As many slots as a batch has rows, at most what the nearest memory holds. */
typedef struct {
    SeenName *slots;
    size_t mask; /* of the number of a slot */
} Seen;

static Seen take_seen(int64_t n_rows, Arena *arena)
{
    size_t n_slots = FEWEST_SEEN;
    while (n_slots < MOST_SEEN && (int64_t)n_slots < n_rows)
        n_slots *= 2;
    return (Seen){ZEROS(arena, SeenName, n_slots), n_slots - 1};
}

static size_t slot_of(const Value *name, uint64_t kind)
{
    uint64_t hash = kind ^ (uint64_t)name->length, bytes = 0;
    int64_t at = 0;
    for (; name->length - at >= 8; at += 8) {
        memcpy(&bytes, name->text + at, 8);
        hash = (hash ^ bytes) * GOLDEN;
        hash ^= hash >> 32;
    }
    for (bytes = 0; at < name->length; at++)
        bytes = bytes << 8 | name->text[at];
    return (size_t)(((hash ^ bytes) * GOLDEN) >> 54);
}

/* Add the bits of a name, which stays where it is while names are read. */
static void add_name(Bits *bits, const Seen *seen, const Reader *reader, Value name,
                     uint64_t kind)
{
    SeenName *known = &seen->slots[slot_of(&name, kind) & seen->mask];
    if (known->name.length != name.length || known->kind != kind ||
        memcmp(known->name.text, name.text, (size_t)name.length) != 0)
        *known = (SeenName){name, kind, bits_of(reader, &name, kind)};
    bits->groups |= known->bits.groups;
    bits->parts |= known->bits.parts;
}

/* Add the bits of all names of a value. */
static void add_value(Bits *bits, const Seen *seen, const Reader *reader, const Value *value,
                      uint64_t kind)
{
    if (value->length > MAX_LENGTH) { /* names end where reading does */
        Bits all = bits_of(reader, value, kind);
        bits->groups |= all.groups;
        bits->parts |= all.parts;
        return;
    }
    const uint8_t *end = value->text + value->length;
    for (const uint8_t *at = value->text; at < end; at++) {
        const uint8_t *blank = memchr(at, ' ', (size_t)(end - at));
        Value name = {at, (blank ? blank : end) - at};
        if (name.length)
            add_name(bits, seen, reader, name, kind);
        at += name.length;
    }
}

static void read_rows(uint64_t *masks, const Seen *seen, const Bundles *bundles,
                      const Reader *reader)
{
    const Patterns *patterns = reader->patterns;
    for (int64_t row = 0; row < bundles->n_rows; row++) {
        Bits bits = {0, 0};
        for (int64_t column = 0; column < bundles->n_columns; column++) {
            Value value = value_at(bundles, row, column);
            if (value.length)
                add_value(&bits, seen, reader, &value, patterns->kinds[column]);
        }
        for (int64_t k = 0; bits.parts && k < patterns->n_together; k++) {
            const uint64_t *together = patterns->together + 3 * k;
            if ((bits.parts & together[0]) == together[1])
                bits.groups |= together[2];
        }
        masks[row] = bits.groups;
    }
}

Outcome find_names(uint64_t *masks, const Bundles *bundles, const Patterns *patterns,
                   const Characters *characters)
{
    const Reader reader = {patterns, characters};
    Arena arena = {0};
    Seen seen = take_seen(bundles->n_rows, &arena);
    if (seen.slots)
        read_rows(masks, &seen, bundles, &reader);
    arena_free(&arena);
    return seen.slots ? DONE : MEMORY;
}

/* --- Patterns as Python gives them ------------------------------------------------------------ */

enum { HASHES, BITS, PART_BITS, N_OF_KNOWN };
enum { LONGEST = 3 * N_OF_KNOWN, KINDS, TOGETHER };

static bool read_known(Known *known, const Array *arrays)
{
    known->hashes = arrays[HASHES].items;
    known->bits = arrays[BITS].items;
    known->part_bits = arrays[PART_BITS].items;
    known->count = arrays[HASHES].length;
    for (int64_t i = 0; i < known->count; i++)
        known->slots[known->hashes[i] >> 51] |= (uint8_t)(1 << (known->hashes[i] >> 48 & 7));
    return arrays[BITS].length == known->count && arrays[PART_BITS].length == known->count;
}

bool read_patterns(void *what, const Array *arrays)
{
    Patterns *patterns = what;
    patterns->longest = arrays[LONGEST].items;
    patterns->kinds = arrays[KINDS].items;
    patterns->together = arrays[TOGETHER].items;
    patterns->n_together = arrays[TOGETHER].length / 3;
    patterns->inverse[0] = 1;
    for (int i = 1; i <= MAX_LENGTH; i++)
        patterns->inverse[i] = patterns->inverse[i - 1] * INVERSE;
    return read_known(&patterns->first, arrays) &&
           read_known(&patterns->runs, arrays + N_OF_KNOWN) &&
           read_known(&patterns->wholes, arrays + 2 * N_OF_KNOWN) &&
           arrays[LONGEST].length == patterns->first.count && arrays[TOGETHER].length % 3 == 0 &&
           arrays[KINDS].length == N_NAMING;
}
