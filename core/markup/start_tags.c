/* Ordinals of tags as the lean stream of a page counts them. */
#include "element_rules.h"
#include "markup/markup.h"

/* Is an element the script of a formula, which is shown and not dropped. The value is resolved in
 * `scratch`; returns false if there is no memory for it. */
static bool is_tex(Slice name, const Attribute *attributes, size_t count, Growing *scratch, bool *answer)
{
    *answer = false;
    for (size_t a = 0; is_name(name, "script", 6) && a < count; a++) {
        if (!is_name(attributes[a].name, "type", 4))
            continue;
        scratch->used = 0;
        if (!append_value(scratch, attributes[a].value))
            return false;
        *answer = begins_with_name((Slice){scratch->items, scratch->used}, "math/tex");
        break;
    }
    return true;
}

bool lean_start(LeanTags *tags, const Name *name, const Attribute *attributes, size_t count,
                int64_t *tag)
{
    bool tex = false;
    if (name->tag < 0) {
        if (!tags->depth && !is_tex(name->name, attributes, count, &tags->scratch, &tex))
            return false;
        tags->in_tex |= tex;
        tags->depth += !tex;
    }
    tags->last_tag += !tags->depth;
    *tag = tags->last_tag;
    if (!tags->depth && tags->alt_text && is_name(name->name, "img", 3))
        tags->last_tag++;
    return true;
}

bool is_point(const Name *name)
{
    return element_rules[name->element].is_void;
}

bool lean_end(LeanTags *tags, const Name *name)
{
    bool is_tag = !is_point(name);
    tags->last_tag += is_tag && !tags->depth;
    return is_tag;
}

void lean_ended(LeanTags *tags, const Name *name)
{
    if (name->tag >= 0)
        return;
    if (tags->in_tex)
        tags->in_tex = false;
    else
        tags->depth--;
}
