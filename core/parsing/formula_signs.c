#include "parsing/formula_signs.h"
#include "parsing/element_rules.h"

static bool has_word(const uint8_t *at, const uint8_t *end, const char *word)
{
    for (; *word && at < end && *at == (uint8_t)*word; at++)
        word++;
    return !*word;
}

bool may_name_formula(const uint8_t *classes, size_t length)
{
    static const char *const words[] = {"katex", "MathJax", "MJXc-", "mwe-math-", "hurmet-tex"};
    const uint8_t *end = classes + length;
    uint8_t before = ' ';
    for (const uint8_t *at = classes; at < end; before = *at++)
        if (before <= ' ' || before >= 0x80) /* all white space there is */
            for (size_t word = 0; word < sizeof words / sizeof *words; word++)
                if (*at == (uint8_t)words[word][0] && has_word(at, end, words[word]))
                    return true;
    return false;
}

static bool has(Slice value, const char *word)
{
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= value.length; at++)
        if (is_name((Slice){value.text + at, length}, word, length))
            return true;
    return false;
}

/* Is the reference at a place one to an ASCII character, but for those that have to be written so. */
static bool hides_character(Slice value, size_t at)
{
    uint32_t codes[2];
    Slice rest = {value.text + at, value.length - at};
    return read_reference(rest, true, codes) && codes[0] < 0x80 && !strchr("&\"'<>", (int)codes[0]);
}

/* May a value hold a backslash, with which every command of TeX begins: as it is or as %5C, also
 * through a reference or the control characters that Python drops from an address. */
static bool may_hold_tex(Slice value)
{
    for (size_t at = 0; at < value.length; at++) {
        uint8_t byte = value.text[at];
        if (byte == '\\' || byte < ' ' || (byte == '&' && hides_character(value, at)))
            return true;
        if (byte == '%' && at + 1 < value.length && value.text[at + 1] == '5')
            return true;
    }
    return false;
}

/* May the parameters of an address name TeX or a service that draws it. */
static bool may_ask_for_formula(Slice address)
{
    return memchr(address.text, '?', address.length) &&
           (has(address, "tex") || has(address, "cht") || has(address, "%6") || has(address, "%7"));
}

/* May the classes of an image be those of a formula: "text" says nothing. */
static bool may_class_formula(Slice classes)
{
    for (size_t at = 0; at + 3 <= classes.length; at++)
        if (!memcmp(classes.text + at, "tex", 3) &&
            (at + 3 == classes.length || classes.text[at + 3] != 't'))
            return true;
    return may_hold_tex(classes) || has(classes, "math") || has(classes, "formula") ||
           has(classes, "equat");
}

/* May an attribute of an image be that of one which draws a formula. */
static bool is_of_formula(const Attribute *attribute)
{
    Slice name = attribute->name, value = attribute->value;
    if (is_name(name, "alt", 3))
        return may_hold_tex(value);
    if (is_name(name, "src", 3))
        return may_hold_tex(value) || may_ask_for_formula(value);
    if (is_name(name, "class", 5))
        return may_class_formula(value);
    return is_name(name, "eeimg", 5);
}

/* May the name of an element, without its prefix, be that of a formula. */
static bool may_be_formula(Slice name)
{
    if (name.length >= NAME_ROOM)
        return true; /* the parser cuts it off somewhere */
    for (size_t at = name.length; at > 0; at--)
        if (name.text[at - 1] == ':') {
            name = (Slice){name.text + at, name.length - at};
            break;
        }
    return is_name(name, "math", 4) || is_name(name, "mjx-container", 13) ||
           is_name(name, "math-renderer", 13);
}

bool may_show_formula(const Name *name, const Attribute *attributes, size_t count)
{
    if (name->element == ELEMENT_IMG) {
        for (size_t i = 0; i < count; i++)
            if (is_of_formula(&attributes[i]))
                return true;
        return false;
    }
    if ((name->element == N_ELEMENTS || name->element == ELEMENT_MATH) && may_be_formula(name->name))
        return true;
    for (size_t i = 0; i < count; i++) {
        Slice attribute = attributes[i].name;
        if (attribute.length > 4 && attribute.text[4] == '-' &&
            (is_name(attribute, "data-math", 9) || is_name(attribute, "data-tex", 8) ||
             is_name(attribute, "data-latex", 10)))
            return true;
    }
    return false;
}
