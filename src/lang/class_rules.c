/* Rules on the text of one class that need no instance of it: external functions and objects
 * [MLS, section 12.9], constructors of operator records [MLS, section 14.3], tuples
 * [MLS, section 8.3.1] and when-statements [MLS, section 11.2.7.1]. */
#include <string.h>

#include "lang/instance.h"

static const char *
text_of(const DaeText *text, uint32_t name)
{
  return dae_names_text(text->names, name);
}

/* The declaration of this name in the text of the class itself; NULL: none. */
static const DaeDeclaration *
own_declaration(const DaeText *text, uint32_t class, uint32_t name)
{
  for (uint32_t i = 1; i < text->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(text->syntax, i);
    if (declaration->owner == class && declaration->name == name &&
        (declaration->flags & DAE_FLAG_IN_MODIFIER) == 0) {
      return declaration;
    }
  }
  return NULL;
}

/* ---- external functions ---------------------------------------------------------------------- */

static bool
is_language(const char *language)
{
  static const char *const known[] = {"C", "C89", "C99", "C11", "FORTRAN 77", "builtin"};
  for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
    if (strcmp(language, known[i]) == 0) {
      return true;
    }
  }
  return false;
}

/* size(x, n): n is known at translation, so that it is no argument of the function. */
static bool
is_varying_size(const DaeText *text, uint32_t class, uint32_t pc)
{
  const DaeInstruction *call = dae_syntax_code(text->syntax, pc);
  const DaeInstruction *last = call - 1;
  if (call->op != DAE_OP_CALL || call->n != 2 || last->op != DAE_OP_NAME ||
      strcmp(text_of(text, call->arg), "size") != 0) {
    return false;
  }
  const DaeDeclaration *which = own_declaration(text, class, last->arg);
  return which != NULL && (which->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) == 0;
}

static void
check_arguments(const DaeText *text, uint32_t class, const DaeExternal *external)
{
  for (uint32_t pc = external->code;
       pc != 0 && dae_syntax_code(text->syntax, pc)->op != DAE_OP_RETURN; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(text->syntax, pc);
    if (is_varying_size(text, class, pc)) {
      dae_source_error(text->source, instruction->pos,
                       "the dimension in 'size' is a constant where a function is external");
      return;
    }
  }
}

void
dae_check_external(const DaeText *text, uint32_t class)
{
  uint32_t index = dae_syntax_class(text->syntax, class)->external;
  if (index == 0) {
    return;
  }
  const DaeExternal *external = &g_array_index(text->syntax->externals, DaeExternal, index);
  if (external->language != 0 && !is_language(text_of(text, external->language))) {
    dae_source_error(text->source, external->pos,
                     "'%s' is no language of external functions: \"C\", \"FORTRAN 77\" and "
                     "\"builtin\" are",
                     text_of(text, external->language));
    return;
  }
  const DaeDeclaration *result =
      external->result != 0 ? own_declaration(text, class, external->result) : NULL;
  if (result != NULL && result->n_dims + result->n_type_dims > 0) {
    dae_source_error(text->source, external->pos,
                     "'%s' is an array: an external function returns scalars, arrays are "
                     "arguments of it",
                     text_of(text, external->result));
    return;
  }
  check_arguments(text, class, external);
}

/* ---- external objects ------------------------------------------------------------------------ */

static bool
is_external_object(const DaeLang *lang, uint32_t class)
{
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_EXTENDS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_EXTENDS)) {
    uint32_t base = g_array_index(lang->syntax->extends, DaeExtends, i - 1).base;
    if (base != 0 && strcmp(dae_names_text(lang->names, base), "ExternalObject") == 0) {
      return true;
    }
  }
  return false;
}

static bool
is_life_function(const DaeLang *lang, const DaeClass *class)
{
  const char *name = dae_names_text(lang->names, class->name);
  return class->kind == DAE_CLASS_FUNCTION &&
         (class->flags & (DAE_FLAG_REPLACEABLE | DAE_FLAG_PARTIAL)) == 0 &&
         (strcmp(name, "constructor") == 0 || strcmp(name, "destructor") == 0);
}

/* The two functions and nothing else [MLS, section 12.9.7]. */
static void
check_external_object(DaeLang *lang, uint32_t class)
{
  uint32_t n = 0;
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_CLASSES); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_CLASSES)) {
    const DaeClass *inner = dae_syntax_class(lang->syntax, i - 1);
    if (!is_life_function(lang, inner)) {
      dae_error_once(lang, inner->pos,
                     "'%s' is in an external object: that has the functions constructor and "
                     "destructor, not replaceable, and nothing else",
                     inner->name);
      return;
    }
    n++;
  }
  uint32_t first = dae_library_first(lang->library, class, DAE_LIST_DECLARATIONS);
  if (first != 0) {
    const DaeDeclaration *declaration = dae_syntax_declaration(lang->syntax, first - 1);
    dae_error_once(lang, declaration->pos,
                   "'%s' is in an external object: that has no components", declaration->name);
    return;
  }
  if (n != 2) {
    const DaeClass *own = dae_syntax_class(lang->syntax, class);
    dae_error_once(lang, own->pos,
                   "the external object '%s' needs the functions constructor and destructor",
                   own->name);
  }
}

/* ---- operators ------------------------------------------------------------------------------- */

void
dae_check_operator(const DaeText *text, uint32_t class)
{
  const DaeClass *own = dae_syntax_class(text->syntax, class);
  bool is_member = own->parent != 0 && /* of operator '+' ... end '+' */
                   dae_syntax_class(text->syntax, own->parent)->kind == DAE_CLASS_OPERATOR;
  if (own->kind != DAE_CLASS_FUNCTION ||
      ((own->flags & DAE_FLAG_OPERATOR) == 0 && !is_member) ||
      (own->flags & DAE_FLAG_SHORT) != 0) {
    return;
  }
  uint32_t n_outputs = 0;
  for (uint32_t i = 1; i < text->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(text->syntax, i);
    n_outputs += declaration->owner == class && (declaration->flags & DAE_FLAG_OUTPUT) != 0;
  }
  for (uint32_t i = 0; i < text->syntax->extends->len; i++) { /* may bring its result */
    if (g_array_index(text->syntax->extends, DaeExtends, i).owner == class) {
      return;
    }
  }
  if (n_outputs != 1) {
    dae_source_error(text->source, own->pos, "the operator %s has %u results: it has one",
                     text_of(text, own->name), n_outputs);
  }
}

/* An operator has functions, nothing else [MLS, section 4.6]. */
void
dae_check_in_operator(const DaeText *text, uint32_t class)
{
  const DaeClass *own = dae_syntax_class(text->syntax, class);
  if (own->parent != 0 && own->kind != DAE_CLASS_FUNCTION &&
      (own->flags & DAE_FLAG_IN_MODIFIER) == 0 &&
      dae_syntax_class(text->syntax, own->parent)->kind == DAE_CLASS_OPERATOR) {
    dae_source_error(text->source, own->pos, "'%s' is in an operator: there are functions only",
                     text_of(text, own->name));
  }
}

/* ---- base classes ---------------------------------------------------------------------------- */

/* Nothing of a connector, record or type is protected [MLS, section 4.7]. */
static void
check_protected_bases(DaeLang *lang, uint32_t class)
{
  DaeClassKind kind = dae_syntax_class(lang->syntax, class)->kind;
  if (kind != DAE_CLASS_CONNECTOR && kind != DAE_CLASS_RECORD && kind != DAE_CLASS_TYPE) {
    return;
  }
  for (uint32_t i = dae_library_first(lang->library, class, DAE_LIST_EXTENDS); i != 0;
       i = dae_library_next(lang->library, i, DAE_LIST_EXTENDS)) {
    const DaeExtends *clause = &g_array_index(lang->syntax->extends, DaeExtends, i - 1);
    if ((clause->flags & DAE_FLAG_PROTECTED) != 0) {
      dae_error_once(lang, clause->pos,
                     "'%s' is protected here: in connectors, records and types nothing is",
                     clause->base);
    }
  }
}

void
dae_check_class_rules(DaeLang *lang, uint32_t class)
{
  check_protected_bases(lang, class);
  if (is_external_object(lang, class)) {
    check_external_object(lang, class);
  }
}

/* ---- statements ------------------------------------------------------------------------------ */

static bool
is_variable(const DaeInstruction *instruction)
{
  return instruction->op == DAE_OP_NAME || instruction->op == DAE_OP_ELEMENT ||
         instruction->op == DAE_OP_PATH || instruction->op == DAE_OP_HOLE ||
         instruction->op == DAE_OP_TARGET;
}

/* (1, 2) on the right: OpenModelica's flat text has the results of a call that it has executed. */
static bool
check_list(const DaeText *text, uint32_t pc, bool is_flat)
{
  const DaeInstruction *tuple = dae_syntax_code(text->syntax, pc);
  uint32_t end = pc;
  bool good = is_flat;
  for (uint32_t k = 0; k < tuple->n; k++) {
    good = good && dae_syntax_code(text->syntax, end - 1)->op != DAE_OP_HOLE;
    end = dae_syntax_skip_back(text->syntax, end, 1);
  }
  if (!good || dae_syntax_code(text->syntax, end - 1)->op != DAE_OP_TUPLE) {
    dae_source_error(text->source, tuple->pos,
                     "a list in parentheses stands on the left of a call only");
    return false;
  }
  return true;
}

/* (a, b) = f(x): variables on the left, in flat text also {x[1], x[2]}; a call on the right. */
static bool
check_tuple(const DaeText *text, uint32_t pc, bool is_flat)
{
  const DaeInstruction *tuple = dae_syntax_code(text->syntax, pc);
  if (tuple[1].op == DAE_OP_EQUATION) {
    return check_list(text, pc, is_flat);
  }
  uint32_t end = pc;
  for (uint32_t k = 0; k < tuple->n; k++) {
    const DaeInstruction *member = dae_syntax_code(text->syntax, end - 1);
    if (!is_variable(member) && !(is_flat && member->op == DAE_OP_ARRAY)) {
      dae_source_error(text->source, member->pos,
                       "results of a call are given to variables, this is none");
      return false;
    }
    end = dae_syntax_skip_back(text->syntax, end, 1);
  }
  return true;
}

void
dae_check_statements(const DaeText *text, const DaeSection *section)
{
  uint32_t whiles = 0;
  bool is_flat = dae_syntax_class(text->syntax, section->owner)->kind == DAE_CLASS_CLASS;
  for (uint32_t pc = section->code;; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(text->syntax, pc);
    if (instruction->op == DAE_OP_RETURN) {
      return;
    }
    whiles += instruction->op == DAE_OP_WHILE ? 1 : 0;
    whiles -= instruction->op == DAE_OP_ENDWHILE ? 1 : 0;
    if (instruction->op == DAE_OP_WHEN && whiles > 0) {
      dae_source_error(text->source, instruction->pos,
                       "a when-clause inside a while-loop: events do not wait for a loop");
      return;
    }
    if (instruction->op == DAE_OP_TUPLE && !check_tuple(text, pc, is_flat)) {
      return;
    }
  }
}
