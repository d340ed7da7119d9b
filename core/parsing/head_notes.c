/* Notes of what the elements of pages declare: which attributes are noted, and which links are not. */
#include "parsing/head_notes.h"
#include "base/code_points.h"

const char *const noted_names[N_NOTED] = {
    "property", "name",  "itemprop", "http-equiv", "content",  "rel",     "href",    "type",
    "hreflang", "title", "lang",     "xml:lang",   "datetime", "border",
    "width",    "role",  "colspan",  "rowspan",    "text",
};

bool only_loads(Slice relation)
{
    static const char *const loading[] = {
        "stylesheet", "preload", "preconnect", "dns-prefetch", "prefetch", "modulepreload",
        "manifest", "prerender",
    };
    for (size_t at = 0; at < relation.length; at++) {
        size_t start = at;
        while (at < relation.length && !is_space(relation.text[at]))
            at++;
        for (size_t i = 0; i < sizeof loading / sizeof *loading; i++)
            if (is_name((Slice){relation.text + start, at - start}, loading[i], strlen(loading[i])))
                return true;
    }
    return false;
}
