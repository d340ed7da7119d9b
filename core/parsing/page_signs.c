#include "parsing/page_signs.h"
#include "element_rules.h"

/* Is the reference at a place one to an ASCII character, but for those that have to be written so. */
static bool hides_character(Slice value, size_t at)
{
    uint32_t codes[2];
    Slice rest = {value.text + at, value.length - at};
    return read_reference(rest, true, codes) && codes[0] < 0x80 && !strchr("&\"'<>", (int)codes[0]);
}

/* May a value hold a backslash, with which every command of TeX begins: as it is, as %5C, or
 * through a reference. */
static bool may_hold_tex(Slice value)
{
    for (size_t at = 0; at < value.length; at++) {
        const uint8_t *byte = value.text + at;
        if (*byte == '\\' || (*byte == '&' && hides_character(value, at)))
            return true;
        if (*byte == '%' && at + 2 < value.length && byte[1] == '5' && (byte[2] | 32) == 'c')
            return true;
    }
    return false;
}

/* May an attribute of an image be that of one which draws a formula. */
static bool is_of_formula(const Attribute *attribute)
{
    Slice name = attribute->name, value = attribute->value;
    if (is_name(name, "alt", 3) || is_name(name, "src", 3))
        return may_hold_tex(value);
    if (is_name(name, "class", 5))
        return may_hold_tex(value) || holds_name(value, "latex") || holds_name(value, "mathtex") ||
               holds_name(value, "texrender") || holds_name(value, "math-fallback") ||
               holds_name(value, "ql-img") || is_name(value, "tex", 3);
    return is_name(name, "eeimg", 5);
}

/* Is the name of an element, without its prefix, that of one which holds formulas. */
static bool is_formula(Slice name)
{
    if (name.length >= NAME_ROOM)
        return true; /* the parser cuts it off somewhere */
    for (size_t at = name.length; at > 0; at--)
        if (name.text[at - 1] == ':') {
            name = (Slice){name.text + at, name.length - at};
            break;
        }
    return is_name(name, "math", 4) || is_name(name, "math-renderer", 13) ||
           is_name(name, "annotation", 10);
}

bool may_show_formula(const Name *name, const Attribute *attributes, size_t count)
{
    bool is_image = name->element == ELEMENT_IMG;
    for (size_t i = 0; i < count; i++) {
        Slice attribute = attributes[i].name;
        if (is_image && is_of_formula(&attributes[i]))
            return true;
        if (attribute.length > 4 && attribute.text[4] == '-' &&
            (is_name(attribute, "data-math", 9) || is_name(attribute, "data-tex", 8) ||
             is_name(attribute, "data-latex", 10) || is_name(attribute, "data-entry", 10)))
            return true;
    }
    return (name->element == N_ELEMENTS || name->element == ELEMENT_MATH ||
            name->element == ELEMENT_ANNOTATION) &&
           is_formula(name->name);
}

bool leads_to_note(Slice address)
{
    enum { LONGEST_NAME = 124 };
    static const char *const words[] = {
        "note", "Note", "FOOT", "fn", "ftn", "edn", "cite", "Cite", "ref", "Ref", "bib", "Bib",
    };
    const uint8_t *sign = address.length ? memchr(address.text, '#', address.length) : NULL;
    if (!sign)
        return false;
    const char *name = (const char *)sign + 1;
    size_t length = (size_t)(address.text + address.length - sign) - 1;
    bool found = false;
    if (length > LONGEST_NAME || (length && memchr(name, ' ', length)))
        return false;
    for (size_t at = 0; !found && at < length; at++) {
        found = name[at] == 'r' && at + 1 < length && name[at + 1] >= '0' && name[at + 1] <= '9';
        for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++)
            found = length - at >= strlen(words[i]) && !memcmp(name + at, words[i], strlen(words[i]));
    }
    return found;
}
