/* `for i loop` without a range: it follows from the use of i as a subscript [Modelica 3.6,
 * 11.2.2.2]. Where a loop ends, its code is known, and the range becomes 1:max(size(a, 1),
 * size(b, 2) ...) of all dimensions that i alone is a subscript of: if they are not the same, a
 * subscript is outside of the smaller ones, which is told. Where the class of the loop declares
 * such a dimension as Boolean, or as one of its own enumerations E, the range is false:true or E.
 */
#include <string.h>

#include "parser/parse.h"

typedef struct {
  DaeParser *parser;
  uint32_t name; /* of the iterator */
  uint32_t pos;
  GArray *sizes;  /* DaeInstruction: the code of size(a, d) */
  GArray *starts; /* uint32_t: where each of them begins */
  uint32_t type;  /* name of the type that is a dimension; 0: it is a number */
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

/* ---- dimensions that are types [MLS, section 10.1] ------------------------------------------- */

/* Boolean, or an enumeration of the class or of one around it, as far as the text has been read. */
static bool
is_type(const DaeParser *parser, uint32_t name)
{
  if (strcmp(dae_names_text(parser->names, name), "Boolean") == 0) {
    return true;
  }
  for (uint32_t i = 1; i < parser->syntax->classes->len; i++) {
    const DaeClass *class = dae_syntax_class(parser->syntax, i);
    if (class->name == name && (class->flags & DAE_FLAG_SHORT) != 0 &&
        dae_syntax_encloses(parser->syntax, class->parent, parser->owner) &&
        dae_syntax_type(parser->syntax, class->definition)->base == 0) {
      return true;
    }
  }
  return false;
}

static const DaeDeclaration *
declaration_of(const DaeParser *parser, uint32_t name)
{
  for (guint i = parser->syntax->declarations->len; i-- > 1;) {
    const DaeDeclaration *declaration = dae_syntax_declaration(parser->syntax, i);
    if (declaration->name == name && declaration->owner == parser->owner) {
      return declaration;
    }
  }
  return NULL;
}

/* The type that dimension d of the variable is declared with; 0: none. */
static uint32_t
type_of_dimension(const DaeParser *parser, uint32_t name, uint32_t d)
{
  const DaeDeclaration *declaration = declaration_of(parser, name);
  if (declaration == NULL || d > declaration->n_dims) {
    return 0;
  }
  uint32_t end = declaration->dims_code;
  while (dae_syntax_code(parser->syntax, end)->op != DAE_OP_RETURN) {
    end++;
  }
  uint32_t n = declaration->n_dims;
  uint32_t from = dae_syntax_skip_back(parser->syntax, end, n - d + 1);
  uint32_t to = dae_syntax_skip_back(parser->syntax, end, n - d);
  const DaeInstruction *dimension = dae_syntax_code(parser->syntax, from);
  return to == from + 1 && dimension->op == DAE_OP_NAME && is_type(parser, dimension->arg)
             ? dimension->arg
             : 0;
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
        uint32_t type = path[0] == 1 ? type_of_dimension(uses->parser, path[1], d) : 0;
        uses->type = type != 0 ? type : uses->type;
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

/* false:true, or the enumeration. */
static void
build_typed(const Uses *uses, GArray *range)
{
  DaeInstruction code = {.op = DAE_OP_NAME, .arg = uses->type, .pos = uses->pos};
  if (strcmp(dae_names_text(uses->parser->names, uses->type), "Boolean") != 0) {
    g_array_append_val(range, code);
    return;
  }
  for (uint32_t value = 0; value < 2; value++) {
    code.op = DAE_OP_BOOLEAN;
    code.arg = value;
    g_array_append_val(range, code);
  }
  code.op = DAE_OP_RANGE;
  code.n = 2;
  code.arg = 0;
  g_array_append_val(range, code);
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
    (uses.type != 0 ? build_typed : build_range)(&uses, range);
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
