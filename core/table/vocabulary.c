/* What all batches are cut and read by: classes and kinds of all code points, roles of tags, names. */
#include "table/blocks.h"

enum { CLASS_RUNS, CASES, UNSPACED_SPANS, TAG_ROLES, SHARES, ROLES, NAMES };
enum { CLASS_BITS = 4 }; /* of a class, below those of the code point that its run begins with */
enum { ZERO_WIDTH_SPACE = 0x200B, SOFT_HYPHEN = 0xAD, WORD_JOINER = 0x2060, BYTE_ORDER_MARK = 0xFEFF };

static const uint8_t kind_of_class[1 << CLASS_BITS] = {[SPACE] = SPACE_CODE, [JOINER] = JOINER_CODE};

/* First and last of the joiners that shape what stands before them, as variation selectors do. */
static const uint32_t shapers[][2] = {
    {0x180E, 0x180E},   {0x200C, 0x200D},   {0xFE00, 0xFE0F},
    {0x13430, 0x13438}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
};

/* Classes and what follows from them, from the first code points of runs of one class. */
static bool read_classes(Vocabulary *vocabulary, const Array *runs)
{
    const uint32_t *starts = runs->items;
    for (int64_t i = 0; i < runs->length; i++) {
        uint32_t start = starts[i] >> CLASS_BITS, end = N_CODE_POINTS;
        uint8_t class = starts[i] & ((1 << CLASS_BITS) - 1), kind = kind_of_class[class];
        if (i + 1 < runs->length)
            end = starts[i + 1] >> CLASS_BITS;
        if (start > end || end > N_CODE_POINTS)
            return false;
        memset(vocabulary->characters.classes + start, class, end - start);
        memset(vocabulary->token_classes + start, class, end - start);
        if (kind)
            memset(vocabulary->code_kinds + start, kind, end - start);
    }
    return true;
}

/* Lower cases, from the code points that have another one and these. */
static bool read_cases(Characters *characters, const Array *cases)
{
    int64_t count = cases->length / 2;
    const uint32_t *upper = cases->items, *lower = upper + count;
    for (uint32_t code = 0; code < N_TABULATED; code++)
        characters->lower[code] = code;
    for (int64_t i = 0; i < count; i++) {
        if (upper[i] >= N_TABULATED || lower[i] >= N_CODE_POINTS)
            return false;
        characters->lower[upper[i]] = lower[i];
    }
    return true;
}

/* Letters and marks of scripts without spaces, from the first and last code points of these. */
static bool read_unspaced(Vocabulary *vocabulary, const Array *spans)
{
    const int64_t *ends = spans->items;
    for (int64_t i = 0; i + 1 < spans->length; i += 2) {
        if (ends[i] < 0 || ends[i + 1] >= N_CODE_POINTS)
            return false;
        for (int64_t code = ends[i]; code <= ends[i + 1]; code++)
            if (vocabulary->characters.classes[code] == CASELESS) {
                vocabulary->token_classes[code] = UNSPACED;
                vocabulary->code_kinds[code] = UNSPACED_CODE;
            }
    }
    return true;
}

static void add_single_kinds(uint8_t *kinds)
{
    for (size_t i = 0; i < sizeof shapers / sizeof *shapers; i++)
        for (uint32_t code = shapers[i][0]; code <= shapers[i][1]; code++)
            kinds[code] = kinds[code] == JOINER_CODE ? SHAPER_CODE : kinds[code];
    memset(kinds + TAG_BASE, TAG_CODE, N_TAG_CODES);
    kinds[LINE_BREAK] = BREAK_CODE;
    kinds[ZERO_WIDTH_SPACE] = ZERO_WIDTH_CODE;
    kinds[SOFT_HYPHEN] = kinds[WORD_JOINER] = kinds[BYTE_ORDER_MARK] = UNSEEN_CODE;
}

static bool read_vocabulary(void *what, const Array *arrays)
{
    Vocabulary *vocabulary = what;
    vocabulary->tag_roles = arrays[TAG_ROLES].items;
    vocabulary->n_tag_roles = arrays[TAG_ROLES].length;
    vocabulary->shares = arrays[SHARES].items;
    vocabulary->n_shares = arrays[SHARES].length;
    vocabulary->roles = arrays[ROLES].items;
    if (!read_classes(vocabulary, &arrays[CLASS_RUNS]) ||
        !read_cases(&vocabulary->characters, &arrays[CASES]) ||
        !read_unspaced(vocabulary, &arrays[UNSPACED_SPANS]))
        return false;
    add_single_kinds(vocabulary->code_kinds);
    return read_patterns(&vocabulary->names, arrays + NAMES) &&
           vocabulary->n_tag_roles <= N_TAG_CODES / N_TAG_KINDS && vocabulary->n_shares > 0 &&
           arrays[ROLES].length == N_TAG_IDS;
}

static const Keeping vocabulary_kept = {
    "victor._core.vocabulary", "u4u4i8u1u1u1" PATTERN_TYPES, sizeof(Vocabulary), read_vocabulary,
};

const Vocabulary *vocabulary_of(PyObject *capsule)
{
    return what_is_kept(capsule, &vocabulary_kept);
}

/* vocabulary(arrays) -> what `read`, `segment`, `batch` and `tokenize` are given */
static PyObject *vocabulary(PyObject *module, PyObject *arrays)
{
    return keep_arrays(module, arrays, &vocabulary_kept);
}

PyMethodDef vocabulary_methods[] = {
    {"vocabulary", vocabulary, METH_O, "What tags and characters are, checked once for all."},
    {NULL, NULL, 0, NULL},
};
