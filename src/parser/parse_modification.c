/* Modifiers: (a = 1, b(c = 2), redeclare R d(e = 3) constrainedby S(f = 4)). Open lists are on
 * an explicit stack, the entries come out in preorder. */
#include <string.h>

#include "parser/parse.h"

typedef enum {
  LIST_BASE,      /* the outermost */
  LIST_INNER,     /* of an entry name(...) */
  LIST_COMPONENT, /* of a redeclared component */
  LIST_CLASS,     /* of a redeclared short class */
  LIST_CONSTRAINT /* of constrainedby */
} ListKind;

typedef struct {
  ListKind kind;
  uint32_t entry; /* index in modifications */
  uint32_t open;  /* place of the bracket */
  uint32_t first;
} List;

typedef enum { STEP_FAIL, STEP_ARGUMENT, STEP_AFTER, STEP_DONE } Step;

static DaeModification *
entry_at(const DaeParser *parser, uint32_t i)
{
  return dae_syntax_modifier(parser->syntax, i);
}

static void
push_list(DaeParser *parser, GArray *lists, ListKind kind, uint32_t entry)
{
  List list = {kind, entry, parser->token.pos, parser->syntax->modifications->len};
  g_array_append_val(lists, list);
}

static uint32_t
append_entry(DaeParser *parser, uint32_t name, uint32_t pos)
{
  DaeModification entry = {.name = name, .pos = pos};
  g_array_append_val(parser->syntax->modifications, entry);
  return parser->syntax->modifications->len - 1;
}

/* ---- redeclarations ---------------------------------------------------------------------- */

static bool
begin_component(DaeParser *parser, uint32_t flags, uint32_t *entry)
{
  DaeDeclaration declaration = {.owner = UINT32_MAX, .flags = flags | DAE_FLAG_IN_MODIFIER};
  while (dae_parse_prefix(parser->token.kind) != 0) {
    declaration.flags |= dae_parse_prefix(parser->token.kind);
    dae_parser_advance(parser);
  }
  declaration.type_pos = parser->token.pos;
  declaration.type = dae_parse_name(parser, "the type of the redeclared component");
  uint32_t n = 0;
  if (declaration.type != 0 && parser->token.kind == DAE_TOKEN_LBRACKET) {
    declaration.type_dims_code = dae_parse_dimensions(parser, &n);
    declaration.n_type_dims = n & 0xffffu;
    if (declaration.type_dims_code == 0) {
      return false;
    }
  }
  if (declaration.type == 0 || parser->token.kind != DAE_TOKEN_NAME) {
    if (declaration.type != 0) {
      dae_parser_unexpected(parser, "the name of the redeclared component");
    }
    return false;
  }
  declaration.name = parser->token.name;
  declaration.pos = parser->token.pos;
  dae_parser_advance(parser);
  if (!dae_parse_component_dimensions(parser, &declaration)) {
    return false;
  }
  *entry = append_entry(parser, declaration.name, declaration.pos);
  entry_at(parser, *entry)->is_component = 1;
  entry_at(parser, *entry)->code = parser->syntax->declarations->len;
  g_array_append_val(parser->syntax->declarations, declaration);
  return true;
}

static bool
begin_class(DaeParser *parser, uint32_t flags, DaeClassKind kind, uint32_t *entry)
{
  dae_parser_advance(parser);
  if (kind == DAE_CLASS_OPERATOR && dae_parse_is_class(parser->token.kind, &kind)) {
    flags |= DAE_FLAG_OPERATOR;
    dae_parser_advance(parser);
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of the class");
    return false;
  }
  DaeClass class = {.name = parser->token.name, .pos = parser->token.pos, .kind = kind};
  class.flags = flags | DAE_FLAG_IN_MODIFIER | DAE_FLAG_SHORT;
  DaeTypeDefinition type = {.name = class.name, .pos = class.pos};
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'='") ||
      !dae_parse_short_head(parser, &class, &type)) {
    return false;
  }
  *entry = append_entry(parser, class.name, class.pos);
  entry_at(parser, *entry)->is_class = 1;
  entry_at(parser, *entry)->code = parser->syntax->classes->len;
  type.class = parser->syntax->classes->len;
  class.definition = parser->syntax->types->len;
  g_array_append_val(parser->syntax->classes, class);
  g_array_append_val(parser->syntax->types, type);
  return true;
}

static DaeTypeDefinition *
definition_of(const DaeParser *parser, uint32_t entry)
{
  uint32_t class = entry_at(parser, entry)->code;
  return dae_syntax_type(parser->syntax, dae_syntax_class(parser->syntax, class)->definition);
}

/* ---- after the bracket or the name ------------------------------------------------------- */

static void
keep_list(DaeParser *parser, const List *list)
{
  uint32_t n = parser->syntax->modifications->len - list->first;
  uint32_t index = entry_at(parser, list->entry)->code;
  if (list->kind == LIST_COMPONENT) {
    DaeDeclaration *declaration = dae_syntax_declaration(parser->syntax, index);
    declaration->first_mod = list->first;
    declaration->n_mods = n;
  } else if (list->kind == LIST_CLASS) {
    DaeTypeDefinition *type = definition_of(parser, list->entry);
    type->first_mod = list->first;
    type->n_mods = n;
  } else if (list->kind == LIST_CONSTRAINT && entry_at(parser, list->entry)->is_class) {
    DaeClass *class = dae_syntax_class(parser->syntax, index);
    class->first_constraint_mod = list->first;
    class->n_constraint_mods = n;
  } else if (list->kind == LIST_CONSTRAINT) {
    DaeDeclarationRest *rest =
        dae_parse_rest_of(parser, dae_syntax_declaration(parser->syntax, index));
    rest->first_constraint_mod = list->first;
    rest->n_constraint_mods = n;
  }
}

/* Literals whose value is nothing to complain about: of long numbers the place is told. */
static bool
is_plain_literal(const DaeParser *parser, const DaeInstruction *literal)
{
  enum { LONGEST = 5 };

  return literal->op == DAE_OP_STRING || literal->op == DAE_OP_BOOLEAN ||
         (literal->op == DAE_OP_NUMBER &&
          dae_names_length(parser->names, literal->arg) <= LONGEST);
}

/* Large flat texts have the same units, limits and the like in every declaration: their code is
 * there once. Messages about an attribute name the place of the modifier; only the start value of a
 * parameter may become its value, of which the place is told. */
static uint32_t
share_literal(DaeParser *parser, uint32_t entry, uint32_t code)
{
  GArray *all = parser->syntax->code;
  const DaeInstruction literal = *dae_syntax_code(parser->syntax, code);
  if (code == 0 || all->len - code != 2 || !is_plain_literal(parser, &literal) ||
      strcmp(dae_names_text(parser->names, entry_at(parser, entry)->name), "start") == 0) {
    return code;
  }
  DaeSharedLiteral *known = &parser->shared[(literal.op + literal.arg) % DAE_N_SHARED_LITERALS];
  if (known->code == 0 || known->literal.op != literal.op || known->literal.n != literal.n ||
      known->literal.arg != literal.arg) {
    *known = (DaeSharedLiteral){literal, code};
    return code;
  }
  dae_array_cut(all, code);
  return known->code;
}

static bool
parse_value(DaeParser *parser, uint32_t entry)
{
  if (parser->token.kind != DAE_TOKEN_EQUALS && parser->token.kind != DAE_TOKEN_ASSIGN) {
    return true;
  }
  dae_parser_advance(parser);
  if (dae_parse_at_word(parser, "break")) {
    entry_at(parser, entry)->is_break = 1;
    dae_parser_advance(parser);
    return true;
  }
  uint32_t code = dae_parse_expression_code(parser);
  DaeModification *modification = entry_at(parser, entry);
  if (parser->is_flat && !modification->is_component && !modification->is_class) {
    code = share_literal(parser, entry, code);
  }
  if (modification->is_component) {
    dae_syntax_declaration(parser->syntax, modification->code)->binding = code;
  } else if (!modification->is_class) {
    modification->code = code;
  }
  return code != 0;
}

/* constrainedby NAME; true with *opened if a list of modifiers follows. */
static bool
parse_constraint(DaeParser *parser, GArray *lists, uint32_t entry, bool *opened)
{
  dae_parser_advance(parser);
  uint32_t pos = parser->token.pos;
  uint32_t name = dae_parse_name(parser, "a class after 'constrainedby'");
  const DaeModification *modification = entry_at(parser, entry);
  if (modification->is_class) {
    DaeClass *class = dae_syntax_class(parser->syntax, modification->code);
    class->constraint = name;
    class->constraint_pos = pos;
  } else if (modification->is_component) {
    DaeDeclarationRest *rest =
        dae_parse_rest_of(parser, dae_syntax_declaration(parser->syntax, modification->code));
    rest->constraint = name;
    rest->constraint_pos = pos;
  }
  *opened = parser->token.kind == DAE_TOKEN_LPAREN;
  if (*opened) {
    dae_parser_advance(parser);
    push_list(parser, lists, LIST_CONSTRAINT, entry);
  }
  return name != 0;
}

/* Everything behind name or name(...) up to the next comma. */
static Step
finish_argument(DaeParser *parser, GArray *lists, uint32_t entry, bool after_constraint)
{
  if (!after_constraint && !parse_value(parser, entry)) {
    return STEP_FAIL;
  }
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION && !dae_parse_skip_annotation(parser)) {
    return STEP_FAIL;
  }
  if (!after_constraint && dae_parse_at_word(parser, "constrainedby")) {
    bool opened = false;
    if (!parse_constraint(parser, lists, entry, &opened)) {
      return STEP_FAIL;
    }
    if (opened) {
      return STEP_ARGUMENT;
    }
    return finish_argument(parser, lists, entry, true); /* once: the flag is set now */
  }
  DaeModification *modification = entry_at(parser, entry);
  uint32_t n = parser->syntax->modifications->len - entry - 1;
  if (n > DAE_MAX_OPERANDS) {
    dae_source_error(parser->source, modification->pos, "too many modifiers");
    return STEP_FAIL;
  }
  modification->n_inner = n & 0xffffffu;
  bool is_empty =
      n == 0 && modification->code == 0 && !modification->is_break && !modification->is_final;
  if (is_empty) {
    g_array_set_size(parser->syntax->modifications, entry);
  }
  return STEP_AFTER;
}

/* ---- one argument ------------------------------------------------------------------------ */

static Step
begin_redeclaration(DaeParser *parser, GArray *lists, DaeModification marks)
{
  uint32_t flags = (marks.is_redeclare ? DAE_FLAG_REDECLARE : 0) |
                   (marks.is_replaceable ? DAE_FLAG_REPLACEABLE : 0) |
                   (marks.is_final ? DAE_FLAG_FINAL : 0);
  DaeClassKind kind = DAE_CLASS_MODEL;
  uint32_t entry = 0;
  while (parser->token.kind == DAE_TOKEN_PARTIAL || parser->token.kind == DAE_TOKEN_PURE ||
         parser->token.kind == DAE_TOKEN_IMPURE || parser->token.kind == DAE_TOKEN_EXPANDABLE ||
         parser->token.kind == DAE_TOKEN_ENCAPSULATED) {
    flags |= dae_parse_prefix(parser->token.kind);
    dae_parser_advance(parser);
  }
  bool is_class = dae_parse_is_class(parser->token.kind, &kind);
  bool good = is_class ? begin_class(parser, flags, kind, &entry)
                       : begin_component(parser, flags, &entry);
  if (!good) {
    return STEP_FAIL;
  }
  DaeModification *modification = entry_at(parser, entry);
  modification->is_redeclare = marks.is_redeclare;
  modification->is_replaceable = marks.is_replaceable;
  modification->is_final = marks.is_final;
  modification->is_each = marks.is_each;
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    push_list(parser, lists, is_class ? LIST_CLASS : LIST_COMPONENT, entry);
    dae_parser_advance(parser);
    return STEP_ARGUMENT;
  }
  return finish_argument(parser, lists, entry, false);
}

/* break x, break connect(a, b) [MLS, section 7.4]: of extends-clauses only. */
static Step
parse_deselection(DaeParser *parser, const GArray *lists)
{
  uint32_t begin = parser->token.pos;
  if (!parser->may_deselect || lists->len > 1) {
    dae_source_error(parser->source, begin, "'break' of an element stands in extends only");
    return STEP_FAIL;
  }
  dae_parser_advance(parser);
  DaeModification modification = {.name = parser->token.name, .is_deselected = 1};
  modification.pos = parser->token.pos;
  if (parser->token.kind == DAE_TOKEN_CONNECT) {
    modification.code = parser->syntax->code->len;
    if (!dae_parse_connect(parser)) {
      return STEP_FAIL;
    }
    dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, begin);
  } else {
    dae_parser_advance(parser);
  }
  g_array_append_val(parser->syntax->modifications, modification);
  return STEP_AFTER;
}

static Step
begin_argument(DaeParser *parser, GArray *lists)
{
  DaeModification marks = {0};
  uint32_t begin = parser->token.pos;
  while (parser->token.kind == DAE_TOKEN_EACH || parser->token.kind == DAE_TOKEN_FINAL ||
         parser->token.kind == DAE_TOKEN_REDECLARE ||
         parser->token.kind == DAE_TOKEN_REPLACEABLE) {
    marks.is_each |= parser->token.kind == DAE_TOKEN_EACH;
    marks.is_final |= parser->token.kind == DAE_TOKEN_FINAL;
    marks.is_redeclare |= parser->token.kind == DAE_TOKEN_REDECLARE;
    marks.is_replaceable |= parser->token.kind == DAE_TOKEN_REPLACEABLE;
    dae_parser_advance(parser);
  }
  if (marks.is_redeclare || marks.is_replaceable) {
    dae_parse_mark(parser, begin, (uint32_t)(DAE_TOKEN_REDECLARE - DAE_TOKEN_ALGORITHM) + 1);
    return begin_redeclaration(parser, lists, marks);
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an attribute");
    return STEP_FAIL;
  }
  if (dae_parse_at_word(parser, "break") && (dae_parser_peek(parser) == DAE_TOKEN_NAME ||
                                             dae_parser_peek(parser) == DAE_TOKEN_CONNECT)) {
    return parse_deselection(parser, lists);
  }
  DaeModification modification = marks;
  modification.name = parser->token.name;
  modification.pos = parser->token.pos;
  uint32_t entry = parser->syntax->modifications->len;
  g_array_append_val(parser->syntax->modifications, modification);
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    push_list(parser, lists, LIST_INNER, entry);
    dae_parser_advance(parser);
    return STEP_ARGUMENT;
  }
  return finish_argument(parser, lists, entry, false);
}

/* After an argument: a comma, or the bracket that closes its list and with it an
 * argument of the list around. */
static Step
after_argument(DaeParser *parser, GArray *lists)
{
  List list = g_array_index(lists, List, lists->len - 1);
  if (list.kind == LIST_BASE && list.open == DAE_NO_PLACE) {
    return STEP_DONE; /* one alone */
  }
  if (dae_parser_accept(parser, DAE_TOKEN_COMMA)) {
    return STEP_ARGUMENT;
  }
  if (parser->token.kind != DAE_TOKEN_RPAREN) {
    DaeSpan span = dae_source_span(parser->source, list.open);
    g_autofree char *wanted = g_strdup_printf(
        "',' or ')' to close what was opened in line %u, column %u", span.line, span.column);
    dae_parser_unexpected(parser, wanted);
    return STEP_FAIL;
  }
  dae_parser_advance(parser);
  if (list.kind == LIST_BASE) {
    return STEP_DONE;
  }
  dae_array_cut(lists, lists->len - 1);
  keep_list(parser, &list);
  return finish_argument(parser, lists, list.entry, list.kind == LIST_CONSTRAINT);
}

static bool
run(DaeParser *parser, GArray *lists)
{
  Step step = STEP_ARGUMENT;
  while (step == STEP_ARGUMENT || step == STEP_AFTER) {
    if (step == STEP_ARGUMENT &&
        (parser->token.kind != DAE_TOKEN_RPAREN || parser->previous.kind == DAE_TOKEN_COMMA)) {
      step = begin_argument(parser, lists);
    } else {
      step = after_argument(parser, lists);
    }
  }
  return step == STEP_DONE;
}

/* The stack is kept from one list to the next: most declarations have one. */
static GArray *
begin_lists(DaeParser *parser)
{
  if (parser->lists == NULL) {
    parser->lists = g_array_new(FALSE, TRUE, sizeof(List));
  }
  g_array_set_size(parser->lists, 0);
  push_list(parser, parser->lists, LIST_BASE, 0);
  return parser->lists;
}

bool
dae_parse_modifications(DaeParser *parser, uint32_t *first, uint32_t *n)
{
  GArray *lists = begin_lists(parser);
  *first = parser->syntax->modifications->len;
  dae_parser_advance(parser);
  bool good = run(parser, lists);
  *n = parser->syntax->modifications->len - *first;
  return good;
}

bool
dae_parse_one_modification(DaeParser *parser)
{
  GArray *lists = begin_lists(parser);
  g_array_index(lists, List, 0).open = DAE_NO_PLACE;
  return run(parser, lists);
}
