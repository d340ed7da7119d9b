/* Ordinals of tags as the lean stream of a page counts them. */
#include "markup/start_tags.h"
#include "markup/texts.h"

Outcome lean_start(LeanTags *tags, const Name *name, const Attribute *attributes, size_t count,
                   int64_t *tag)
{
    if (name->tag >= tags->n_ids)
        return WRONG;
    if (name->tag < 0) {
        bool tex = false;
        if (!tags->depth && !is_tex(name->name, attributes, count, &tags->scratch, &tex))
            return MEMORY;
        tags->in_tex |= tex;
        tags->depth += !tex;
    }
    tags->last_tag += !tags->depth;
    *tag = tags->last_tag;
    if (!tags->depth && tags->alt_text && is_name(name->name, "img", 3))
        tags->last_tag++;
    return DONE;
}

Outcome lean_end(LeanTags *tags, const Name *name, bool *is_tag)
{
    if (name->tag >= tags->n_ids)
        return WRONG;
    *is_tag = name->tag < 0 || !tags->is_void[name->tag];
    tags->last_tag += *is_tag && !tags->depth;
    return DONE;
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
