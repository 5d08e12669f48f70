/* `for i loop` without a range: it follows from the use of i as a subscript [Modelica 3.6,
 * 11.2.2.2]. Where a loop ends, its code is known, and the range becomes 1:max(size(a, 1),
 * size(b, 2) ...) of all dimensions that i alone is a subscript of: if they are not the same, a
 * subscript is outside of the smaller ones, which is told. */
#include <string.h>

#include "lang/parse.h"

typedef struct {
  DaeParser *parser;
  uint32_t name; /* of the iterator */
  uint32_t pos;
  GArray *sizes;  /* DaeInstruction: the code of size(a, d) */
  GArray *starts; /* uint32_t: where each of them begins */
} Uses;

static void
append(Uses *uses, DaeOp op, uint32_t n, uint32_t arg)
{
  DaeInstruction instruction = {
      .op = (uint32_t)op & 0xffu, .n = n & 0xffffffu, .arg = arg, .pos = uses->pos};
  g_array_append_val(uses->sizes, instruction);
}

static uint32_t
intern(const Uses *uses, const char *text)
{
  return dae_names_intern(uses->parser->names, text, strlen(text));
}

/* The code behind `first` is that of another size? */
static bool
is_new(const Uses *uses, uint32_t first)
{
  uint32_t length = uses->sizes->len - first;
  const DaeInstruction *code = (const DaeInstruction *)(const void *)uses->sizes->data;
  for (uint32_t i = 0; i < uses->starts->len; i++) {
    uint32_t start = g_array_index(uses->starts, uint32_t, i);
    uint32_t end =
        i + 1 < uses->starts->len ? g_array_index(uses->starts, uint32_t, i + 1) : first;
    bool same = end - start == length;
    for (uint32_t k = 0; same && k < length; k++) {
      const DaeInstruction *a = &code[start + k];
      const DaeInstruction *b = &code[first + k];
      same = a->op == b->op && a->n == b->n && (a->arg == b->arg || a->op == DAE_OP_PATH);
    }
    if (same) {
      return false;
    }
  }
  return true;
}

/* The reference up to `part`, which has no subscripts then; those of the parts before it are the
 * code from `begin` to `end`. */
static void
append_array(Uses *uses, const uint32_t *path, uint32_t part, uint32_t begin, uint32_t end)
{
  GArray *paths = uses->parser->syntax->paths;
  if (part == 0) {
    append(uses, DAE_OP_NAME, 0, path[1]);
    return;
  }
  if (end > begin) {
    g_array_append_vals(uses->sizes, dae_syntax_code(uses->parser->syntax, begin), end - begin);
  }
  g_autofree uint32_t *own = g_memdup2(path, (3 + 2 * (size_t)part) * sizeof *own);
  uint32_t n = 0;
  own[0] = part + 1;
  own[2 + 2 * part] = 0;
  for (uint32_t i = 0; i < part; i++) {
    n += own[2 + 2 * i];
  }
  append(uses, DAE_OP_PATH, n, paths->len);
  g_array_append_vals(paths, own, 3 + 2 * part);
}

static void
add_size(Uses *uses, const uint32_t *path, uint32_t part, uint32_t dimension, uint32_t begin,
         uint32_t end)
{
  uint32_t first = uses->sizes->len;
  g_autofree char *number = g_strdup_printf("%u", dimension);
  append_array(uses, path, part, begin, end);
  append(uses, DAE_OP_NUMBER, 0, intern(uses, number));
  append(uses, DAE_OP_CALL, 2, intern(uses, "size"));
  if (is_new(uses, first)) {
    g_array_append_val(uses->starts, first);
  } else {
    g_array_set_size(uses->sizes, first);
  }
}

/* The subscripts of the reference at pc. */
static void
look_at_reference(Uses *uses, uint32_t pc)
{
  const DaeSyntax *syntax = uses->parser->syntax;
  const DaeInstruction reference = *dae_syntax_code(syntax, pc);
  bool is_element = reference.op == DAE_OP_ELEMENT;
  const uint32_t one[] = {1, reference.arg, reference.n};
  const uint32_t *found =
      is_element ? one : &g_array_index(syntax->paths, uint32_t, reference.arg);
  g_autofree uint32_t *path = g_memdup2(found, (1 + 2 * (size_t)found[0]) * sizeof *path);
  uint32_t left = reference.n;
  uint32_t begin = dae_syntax_skip_back(syntax, pc, reference.n);
  for (uint32_t part = 0; part < path[0]; part++) {
    uint32_t at = dae_syntax_skip_back(syntax, pc, left);
    for (uint32_t d = 1; d <= path[2 + 2 * part]; d++, left--) {
      uint32_t from = dae_syntax_skip_back(syntax, pc, left);
      uint32_t to = dae_syntax_skip_back(syntax, pc, left - 1);
      const DaeInstruction *subscript = dae_syntax_code(syntax, from);
      if (to == from + 1 && subscript->op == DAE_OP_NAME && subscript->arg == uses->name) {
        add_size(uses, path, part, d, begin, at);
      }
    }
  }
}

static void
find_uses(Uses *uses, uint32_t begin, uint32_t end)
{
  const DaeSyntax *syntax = uses->parser->syntax;
  for (uint32_t pc = begin; pc < end;) {
    const DaeInstruction *code = dae_syntax_code(syntax, pc);
    bool is_loop = (code->op == DAE_OP_FOR || code->op == DAE_OP_LOOP) && pc + 1 < end;
    if (is_loop && code[1].arg == uses->name && pc + code->arg <= end) {
      pc += code->arg; /* another iterator of this name */
      continue;
    }
    if ((code->op == DAE_OP_ELEMENT || code->op == DAE_OP_PATH || code->op == DAE_OP_TARGET) &&
        code->n > 0) {
      look_at_reference(uses, pc);
    }
    pc++;
  }
}

/* 1:max(...); max takes two. */
static void
build_range(const Uses *uses, GArray *range)
{
  const DaeInstruction *code = (const DaeInstruction *)(const void *)uses->sizes->data;
  DaeInstruction one = {.op = DAE_OP_NUMBER, .arg = intern(uses, "1"), .pos = uses->pos};
  DaeInstruction larger = {
      .op = DAE_OP_CALL, .n = 2, .arg = intern(uses, "max"), .pos = uses->pos};
  DaeInstruction to = {.op = DAE_OP_RANGE, .n = 2, .pos = uses->pos};
  g_array_append_val(range, one);
  for (uint32_t i = 0; i < uses->starts->len; i++) {
    uint32_t start = g_array_index(uses->starts, uint32_t, i);
    uint32_t end = i + 1 < uses->starts->len ? g_array_index(uses->starts, uint32_t, i + 1)
                                             : uses->sizes->len;
    g_array_append_vals(range, code + start, end - start);
    if (i > 0) {
      g_array_append_val(range, larger);
    }
  }
  g_array_append_val(range, to);
}

/* FOR or LOOP at *loop, its code up to the end of the code so far. */
static bool
deduce_range(DaeParser *parser, uint32_t *loop)
{
  GArray *code = parser->syntax->code;
  const DaeInstruction *at = dae_syntax_code(parser->syntax, *loop);
  if (at[-1].op != DAE_OP_COLON) {
    return true;
  }
  Uses uses = {.parser = parser,
               .name = at[1].arg,
               .pos = at->pos,
               .sizes = g_array_new(FALSE, FALSE, sizeof(DaeInstruction)),
               .starts = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
  g_autoptr(GArray) range = g_array_new(FALSE, FALSE, sizeof(DaeInstruction));
  find_uses(&uses, *loop + 2, code->len);
  bool good = uses.starts->len > 0;
  if (good) {
    build_range(&uses, range);
    g_array_remove_index(code, *loop - 1);
    g_array_insert_vals(code, *loop - 1, range->data, range->len);
    parser->moved += code->len - *loop;
    *loop += range->len - 1;
  } else {
    dae_source_error(parser->source, uses.pos,
                     "'%s' is no subscript in this loop: its range has to be given",
                     dae_names_text(parser->names, uses.name));
  }
  g_array_free(uses.sizes, TRUE);
  g_array_free(uses.starts, TRUE);
  return good;
}

bool
dae_parse_deduce_ranges(DaeParser *parser, uint32_t *loops, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++) {
    uint32_t before = parser->syntax->code->len;
    if (!deduce_range(parser, &loops[i])) {
      return false;
    }
    for (uint32_t k = 0; k < i; k++) {
      loops[k] += parser->syntax->code->len - before;
    }
  }
  return true;
}
