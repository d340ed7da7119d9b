/* The cells of a table, read from the tags and texts of a block table.
 *
 * `victor.tables.leaf_tables` reads tables in tables, and those of all markup.
 */
#include "base/code_points.h"
#include "tables/leaf.h"

/* Text and counts of one cell, of the caption, or of all outside of both. */
typedef struct {
    int64_t length, lines; /* of the lines that ended */
    int64_t line_length;
    bool after_space;
    int64_t letters, digits, bold, linked, images, controls;
    int64_t bold_depth, link_depth;
} CellText;

typedef struct {
    const uint16_t *roles;
    const CharacterBits *bits;
    const Spans *spans;
    int64_t next_span;
    Leaf *leaf;
    CellText cell, caption, outside;
    CellText *text; /* where text goes */
    bool in_cell, is_header, in_row, in_head;
    int64_t section, first_cell; /* of the open row */
} Reader;

void leaf_free(Leaf *leaf)
{
    growing_free(&leaf->cells);
    growing_free(&leaf->rows);
    growing_free(&leaf->places);
    growing_free(&leaf->hanging);
    growing_free(&leaf->next_hanging);
    growing_free(&leaf->numbers);
}

static void end_line(CellText *text)
{
    if (text->line_length) {
        text->length += text->line_length + (text->lines > 0); /* a space between two lines */
        text->lines++;
    }
    text->line_length = 0;
    text->after_space = false;
}

static void write_text(Reader *reader, const uint32_t *chars, int64_t count)
{
    CellText *text = reader->text;
    const CharacterBits *bits = reader->bits;
    int64_t first = -1, last = -1;
    for (int64_t i = 0; i < count; i++) {
        uint32_t c = chars[i];
        if (is_space(c)) {
            text->after_space = true;
            continue;
        }
        if (first < 0)
            first = i;
        last = i;
        text->line_length += 1 + (text->after_space && text->line_length);
        text->after_space = false;
        if (c >= bits->count) {
            reader->leaf->beyond = c;
            continue;
        }
        text->letters += bits->bits[c] & IS_LETTER;
        text->digits += (bits->bits[c] & IS_DIGIT) != 0;
    }
    int64_t stripped = first < 0 ? 0 : last - first + 1;
    text->bold += text->bold_depth > 0 ? stripped : 0;
    text->linked += text->link_depth > 0 ? stripped : 0;
}

static bool end_cell(Reader *reader)
{
    reader->text = &reader->outside;
    if (!reader->in_cell)
        return true;
    reader->in_cell = false;
    CellText *text = &reader->cell;
    end_line(text);
    Cell cell = {
        .length = text->length,
        .letters = text->letters,
        .digits = text->digits,
        .bold = text->bold,
        .linked = text->linked,
        .lines = text->lines,
        .images = text->images,
        .controls = text->controls,
        .columns = reader->spans->columns[reader->next_span],
        .rows = reader->spans->rows[reader->next_span],
        .is_header = reader->is_header,
    };
    reader->next_span++;
    reader->leaf->has_form |= text->controls > 0;
    return growing_append(&reader->leaf->cells, cell);
}

static bool end_row(Reader *reader)
{
    if (!end_cell(reader))
        return false;
    if (!reader->in_row)
        return true;
    reader->in_row = false;
    Row row = {
        .first_cell = reader->first_cell,
        .n_cells = (int64_t)reader->leaf->cells.used - reader->first_cell,
        .section = reader->section,
    };
    reader->leaf->has_head |= reader->in_head;
    return growing_append(&reader->leaf->rows, row);
}

static void begin_row(Reader *reader)
{
    reader->in_row = true;
    reader->first_cell = (int64_t)reader->leaf->cells.used;
}

/* A start tag inside of a cell, of the caption, or of neither. */
static void start_in_text(CellText *text, uint16_t role)
{
    text->bold_depth += (role & IS_BOLD) != 0;
    text->link_depth += (role & IS_LINK) != 0;
    if (role & IS_BREAK)
        end_line(text);
    text->images += (role & IS_IMAGE) != 0;
    text->controls += (role & IS_CONTROL) != 0;
}

static void end_in_text(CellText *text, uint16_t role)
{
    text->bold_depth -= (role & IS_BOLD) != 0;
    text->link_depth -= (role & IS_LINK) != 0;
    if (role & IS_BREAK)
        end_line(text);
}

static Outcome start_tag(Reader *reader, uint16_t role)
{
    bool has_memory = true;
    if (role & IS_CELL) {
        has_memory = end_cell(reader);
        if (reader->next_span >= reader->spans->count)
            return WRONG;
        if (!reader->in_row)
            begin_row(reader);
        memset(&reader->cell, 0, sizeof reader->cell);
        reader->in_cell = true;
        reader->is_header = (role & IS_HEADER) != 0;
        reader->text = &reader->cell;
    } else if (role & IS_ROW) {
        has_memory = end_row(reader);
        begin_row(reader);
    } else if (role & IS_SECTION) {
        has_memory = end_row(reader);
        reader->section++;
        reader->in_head = (role & IS_HEAD) != 0;
    } else if (role & IS_CAPTION) {
        has_memory = end_cell(reader);
        reader->text = &reader->caption;
    } else {
        start_in_text(reader->text, role);
    }
    return has_memory ? DONE : MEMORY;
}

static Outcome end_tag(Reader *reader, uint16_t role)
{
    bool has_memory = true;
    if (role & IS_CELL) {
        has_memory = end_cell(reader);
    } else if (role & IS_ROW) {
        has_memory = end_row(reader);
    } else if (role & IS_SECTION) {
        has_memory = end_row(reader);
        reader->section++;
        reader->in_head = false;
    } else if (role & IS_CAPTION) {
        reader->text = &reader->outside;
    } else {
        end_in_text(reader->text, role);
    }
    return has_memory ? DONE : MEMORY;
}

static void clear_leaf(Leaf *leaf)
{
    leaf->cells.used = leaf->rows.used = leaf->places.used = 0;
    leaf->n_columns = leaf->tags = leaf->outside = 0;
    leaf->has_head = leaf->has_caption = leaf->has_form = false;
}

Outcome read_leaf(const Table *table, const uint16_t *roles, int64_t element, int64_t end,
                  const Spans *spans, int64_t first_cell, const CharacterBits *bits, Leaf *leaf)
{
    Reader reader = {
        .roles = roles, .bits = bits, .spans = spans, .next_span = first_cell, .leaf = leaf};
    reader.text = &reader.outside;
    clear_leaf(leaf);
    int64_t first = table->elements.open[element];
    for (int64_t tag = first; tag < end; tag++) {
        uint16_t role = roles[table->tags.id[tag]];
        bool is_end = table->tags.step[tag] < 0;
        if (tag > first && !(role & IS_TABLE)) { /* of the table itself, its end comes last */
            Outcome outcome = is_end ? end_tag(&reader, role) : start_tag(&reader, role);
            if (outcome != DONE)
                return outcome;
            leaf->tags += !is_end;
        }
        if (bits && tag + 1 < end) { /* the text behind the last tag is outside */
            int64_t start = table->tags.text_start[tag], stop = table->tags.text_start[tag + 1];
            if (start < 0 || stop < start || stop > table->n_chars)
                return WRONG;
            write_text(&reader, table->chars + start, stop - start);
        }
    }
    if (!end_row(&reader))
        return MEMORY;
    end_line(&reader.caption);
    end_line(&reader.outside);
    leaf->has_caption = reader.caption.length > 0;
    leaf->outside = reader.outside.length;
    leaf->has_form |= reader.caption.controls > 0 || reader.outside.controls > 0;
    return DONE;
}
