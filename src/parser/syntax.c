/* DaeSyntax: making, freeing, small questions. */
#include "parser/syntax.h"

#include <errno.h>
#include <stdlib.h>

void
dae_syntax_init(DaeSyntax *syntax)
{
  *syntax = (DaeSyntax){0};
  syntax->code = g_array_new(FALSE, FALSE, sizeof(DaeInstruction)); /* room is not touched */
  syntax->declarations = g_array_new(FALSE, TRUE, sizeof(DaeDeclaration));
  syntax->rests = g_array_new(FALSE, TRUE, sizeof(DaeDeclarationRest));
  syntax->modifications = g_array_new(FALSE, TRUE, sizeof(DaeModification));
  syntax->types = g_array_new(FALSE, TRUE, sizeof(DaeTypeDefinition));
  syntax->literals = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  syntax->classes = g_array_new(FALSE, TRUE, sizeof(DaeClass));
  syntax->extends = g_array_new(FALSE, TRUE, sizeof(DaeExtends));
  syntax->imports = g_array_new(FALSE, TRUE, sizeof(DaeImport));
  syntax->externals = g_array_new(FALSE, TRUE, sizeof(DaeExternal));
  syntax->sections = g_array_new(FALSE, TRUE, sizeof(DaeSection));
  syntax->instances = g_array_new(FALSE, TRUE, sizeof(DaeInstance));
  syntax->faces = g_array_new(FALSE, TRUE, sizeof(DaeFace));
  syntax->paths = g_array_new(FALSE, TRUE, sizeof(uint32_t));
  dae_syntax_emit(syntax, DAE_OP_RETURN, 0, 0, 0);
  g_array_set_size(syntax->declarations, 1);
  g_array_set_size(syntax->rests, 1);
  g_array_set_size(syntax->types, 1);
  g_array_set_size(syntax->classes, 1);
  g_array_set_size(syntax->externals, 1);
}

void
dae_syntax_clear(DaeSyntax *syntax)
{
  GArray *all[] = {syntax->code,          syntax->declarations, syntax->rests,
                   syntax->modifications, syntax->types,        syntax->literals,
                   syntax->classes,       syntax->extends,      syntax->imports,
                   syntax->externals,     syntax->sections,     syntax->paths,
                   syntax->instances,     syntax->faces};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  *syntax = (DaeSyntax){0};
}

uint32_t
dae_syntax_begin_of(const DaeSyntax *syntax, uint32_t code)
{
  while (dae_syntax_code(syntax, code)->op != DAE_OP_RETURN) {
    code++;
  }
  return dae_syntax_code(syntax, code)->pos;
}

guint
dae_array_widen(GArray *array)
{
  guint length = array->len;
  guint room = MAX(2 * length, 64u);
  DAE_ASSERT(room > length);
  g_array_set_size(array, room);
  array->len = length;
  return room;
}

bool
dae_syntax_integer(const DaeNames *names, const DaeInstruction *instruction, int64_t *value)
{
  if (instruction->op != DAE_OP_NUMBER || instruction->n != 0) {
    return false;
  }
  char *end = NULL;
  errno = 0;
  long long number = strtoll(dae_names_text(names, instruction->arg), &end, 10);
  *value = number;
  return errno == 0 && *end == '\0';
}

const DaeModification *
dae_syntax_modification(const DaeSyntax *syntax, uint32_t first, uint32_t n, uint32_t name)
{
  for (uint32_t i = first; i < first + n; i += 1 + dae_syntax_modifier(syntax, i)->n_inner) {
    if (dae_syntax_modifier(syntax, i)->name == name) {
      return dae_syntax_modifier(syntax, i);
    }
  }
  return NULL;
}

/* Values that an instruction of an expression takes from the stack; all but ELSE and ITERATOR
 * leave one. TEST counts as one that leaves its condition: with the two branches of the
 * if-expression it is an operand of ENDIF, as they lie in the text. LOOP likewise leaves its
 * range, which is an operand of NEXT together with the body. */
static uint32_t
operands_of(const DaeInstruction *instruction)
{
  switch ((int)instruction->op) {
  case DAE_OP_ELEMENT:
  case DAE_OP_PATH:
  case DAE_OP_TARGET:
  case DAE_OP_CALL:
  case DAE_OP_FUNCTION_VALUE:
  case DAE_OP_ARRAY:
  case DAE_OP_ROW:
  case DAE_OP_MATRIX:
  case DAE_OP_TUPLE:
  case DAE_OP_RANGE:
    return instruction->n;
  case DAE_OP_INDEX:
    return instruction->n + 1;
  case DAE_OP_NEGATE:
  case DAE_OP_PLUS:
  case DAE_OP_NOT:
  case DAE_OP_NAMED:
  case DAE_OP_MEMBER:
  case DAE_OP_TEST:
  case DAE_OP_LOOP:
    return 1;
  case DAE_OP_NEXT:
    return 2;
  case DAE_OP_ENDIF:
    return 3;
  default:
    return instruction->op >= DAE_OP_ADD && instruction->op <= DAE_OP_OR ? 2 : 0;
  }
}

static bool
leaves_value(uint32_t op)
{
  return op != DAE_OP_ELSE && op != DAE_OP_ITERATOR;
}

bool
dae_syntax_encloses(const DaeSyntax *syntax, uint32_t class, uint32_t inner)
{
  while (inner != 0 && inner != class) {
    inner = dae_syntax_class(syntax, inner)->parent;
  }
  return inner == class;
}

uint32_t
dae_syntax_skip_back(const DaeSyntax *syntax, uint32_t at, uint32_t n)
{
  uint64_t wanted = n;
  while (wanted > 0 && at > 1) {
    const DaeInstruction *instruction = dae_syntax_code(syntax, --at);
    wanted -= leaves_value(instruction->op) ? 1 : 0;
    wanted += operands_of(instruction);
  }
  return at;
}
