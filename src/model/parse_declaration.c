/* Declarations, types, modifications, annotations. */
#include "model/model-priv.h"

#include <string.h>

/* ---- annotations --------------------------------------------------------------------------------- */

static uint32_t
depth_after(uint32_t depth, DaeTokenKind kind)
{
  if (kind == DAE_TOKEN_LPAREN || kind == DAE_TOKEN_LBRACE || kind == DAE_TOKEN_LBRACKET) {
    return depth + 1;
  }
  bool closes =
      kind == DAE_TOKEN_RPAREN || kind == DAE_TOKEN_RBRACE || kind == DAE_TOKEN_RBRACKET;
  return closes ? depth - 1 : depth;
}

/* At `(`: skips to behind the matching `)`. */
static bool
skip_parentheses(DaeParser *parser)
{
  uint32_t pos = parser->token.pos;
  uint32_t depth = 0;
  do {
    DaeTokenKind kind = parser->token.kind;
    if (kind == DAE_TOKEN_EOF) {
      dae_source_error(parser->source, pos, "this '(' is never closed");
      return false;
    }
    depth = depth_after(depth, kind);
    dae_parser_advance(parser);
  } while (depth > 0);
  return true;
}

static bool
token_is_word(const DaeParser *parser, const char *word)
{
  return parser->token.kind == DAE_TOKEN_NAME &&
         strcmp(dae_names_text(parser->names, parser->token.name), word) == 0;
}

/* At `(` of experiment(StopTime = 1, ...). Whatever is not `name = expression` is skipped. */
static bool
parse_experiment(DaeParser *parser, uint32_t owner)
{
  static const char *const words[] = {"StartTime", "StopTime", "Tolerance", "Interval"};
  dae_parser_advance(parser);
  while (parser->token.kind != DAE_TOKEN_RPAREN) {
    int which = -1;
    for (int i = 0; i < 4; i++) {
      which = token_is_word(parser, words[i]) ? i : which;
    }
    dae_parser_advance(parser);
    if (parser->token.kind == DAE_TOKEN_LPAREN && !skip_parentheses(parser)) {
      return false;
    }
    if (dae_parser_accept(parser, DAE_TOKEN_EQUALS)) {
      uint32_t code = dae_parse_expression_code(parser);
      if (code == 0) {
        return false;
      }
      if (which >= 0) {
        g_array_index(parser->syntax->classes, DaeClass, owner).experiment[which] = code;
      }
    }
    if (parser->token.kind != DAE_TOKEN_RPAREN &&
        !dae_parser_expect(parser, DAE_TOKEN_COMMA, "',' or ')'")) {
      return false;
    }
  }
  dae_parser_advance(parser);
  return true;
}

/* At `(` of the annotation of a class. */
static bool
parse_class_annotation(DaeParser *parser, uint32_t owner)
{
  uint32_t open = parser->token.pos;
  dae_parser_advance(parser);
  uint32_t depth = 1;
  while (depth > 0) {
    DaeTokenKind kind = parser->token.kind;
    bool experiment = depth == 1 && token_is_word(parser, "experiment");
    bool ours = depth == 1 && token_is_word(parser, "__daetool");
    if (kind == DAE_TOKEN_EOF) {
      dae_source_error(parser->source, open, "this '(' is never closed");
      return false;
    }
    depth = depth_after(depth, kind);
    dae_parser_advance(parser);
    if (ours) {
      g_array_index(parser->syntax->classes, DaeClass, owner).elements = true;
    }
    if (experiment && parser->token.kind == DAE_TOKEN_LPAREN &&
        !parse_experiment(parser, owner)) {
      return false;
    }
  }
  return true;
}

void
dae_parse_annotation(DaeParser *parser, uint32_t owner)
{
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_LPAREN) {
    dae_parser_unexpected(parser, "'(' after 'annotation'");
    dae_parser_recover(parser);
    return;
  }
  bool good = owner != 0 ? parse_class_annotation(parser, owner) : skip_parentheses(parser);
  if (!good && owner != 0) {
    dae_parser_recover(parser);
  } else if (owner != 0) {
    dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';' after the annotation");
  }
}

/* ---- modifications ----------------------------------------------------------------------------------- */

static bool
parse_modification(DaeParser *parser, bool *keep, DaeModification *modification)
{
  *keep = true;
  while (parser->token.kind == DAE_TOKEN_EACH || parser->token.kind == DAE_TOKEN_FINAL) {
    dae_parser_advance(parser);
  }
  if (parser->token.kind == DAE_TOKEN_REDECLARE ||
      parser->token.kind == DAE_TOKEN_REPLACEABLE) {
    dae_source_error(parser->source, parser->token.pos,
                     "'redeclare' is not flat Modelica: flatten the model first (OpenModelica: "
                     "omc FILE.mo)");
    return false;
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of an attribute");
    return false;
  }
  *modification = (DaeModification){parser->token.name, 0, parser->token.pos};
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_LPAREN) {
    dae_source_unsupported(parser->source, parser->token.pos,
                           "modifications of members (records are not supported)");
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS || parser->token.kind == DAE_TOKEN_ASSIGN) {
    dae_parser_advance(parser);
    modification->code = dae_parse_expression_code(parser);
    if (modification->code == 0) {
      return false;
    }
  } else {
    *keep = false;
  }
  dae_parser_optional_strings(parser);
  return true;
}

bool
dae_parse_modifications(DaeParser *parser, uint32_t *first, uint32_t *n)
{
  GArray *modifications = parser->syntax->modifications;
  *first = modifications->len;
  uint32_t open = parser->token.pos;
  dae_parser_advance(parser);
  if (parser->token.kind != DAE_TOKEN_RPAREN) {
    do {
      bool keep = true;
      DaeModification modification;
      if (!parse_modification(parser, &keep, &modification)) {
        return false;
      }
      if (keep) {
        g_array_append_val(modifications, modification);
      }
    } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  }
  *n = modifications->len - *first;
  if (parser->token.kind != DAE_TOKEN_RPAREN) {
    DaeSpan span = dae_source_span(parser->source, open);
    g_autofree char *wanted = g_strdup_printf(
        "',' or ')' to close what was opened in line %u, column %u", span.line, span.column);
    dae_parser_unexpected(parser, wanted);
    return false;
  }
  dae_parser_advance(parser);
  return true;
}

uint32_t
dae_parse_dimensions(DaeParser *parser, uint32_t *n)
{
  uint32_t start = parser->syntax->code->len;
  *n = 0;
  dae_parser_advance(parser);
  do {
    if (parser->token.kind == DAE_TOKEN_COLON) {
      dae_parser_emit(parser, DAE_OP_COLON, 0, 0, parser->token.pos);
      dae_parser_advance(parser);
    } else if (!dae_parse_expression(parser)) {
      return 0;
    }
    (*n)++;
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  if (!dae_parser_expect(parser, DAE_TOKEN_RBRACKET, "',' or ']'")) {
    return 0;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, parser->token.pos);
  return start;
}

/* ---- types --------------------------------------------------------------------------------------------- */

/* At `(` of an enumeration. */
static bool
parse_literals(DaeParser *parser, DaeTypeDefinition *type)
{
  GArray *literals = parser->syntax->literals;
  type->first_literal = literals->len;
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_COLON) {
    dae_source_unsupported(parser->source, parser->token.pos, "enumeration(:)");
    return false;
  }
  if (parser->token.kind != DAE_TOKEN_RPAREN) {
    do {
      if (parser->token.kind != DAE_TOKEN_NAME) {
        dae_parser_unexpected(parser, "a literal of the enumeration");
        return false;
      }
      g_array_append_val(literals, parser->token.name);
      dae_parser_advance(parser);
      dae_parser_optional_strings(parser);
      if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
        dae_parse_annotation(parser, 0);
      }
    } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  }
  type->n_literals = literals->len - type->first_literal;
  return dae_parser_expect(parser, DAE_TOKEN_RPAREN, "',' or ')'");
}

static bool
parse_type_body(DaeParser *parser, DaeTypeDefinition *type)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of the new type");
    return false;
  }
  type->name = parser->token.name;
  type->pos = parser->token.pos;
  dae_parser_advance(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'='")) {
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_ENUMERATION) {
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_LPAREN) {
      dae_parser_unexpected(parser, "'('");
      return false;
    }
    return parse_literals(parser, type);
  }
  while (parser->token.kind == DAE_TOKEN_INPUT || parser->token.kind == DAE_TOKEN_OUTPUT) {
    dae_parser_advance(parser);
  }
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "a type");
    return false;
  }
  type->base = parser->token.name;
  dae_parser_advance(parser);
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    type->dims_code = dae_parse_dimensions(parser, &type->n_dims);
    if (type->dims_code == 0) {
      return false;
    }
  }
  return parser->token.kind != DAE_TOKEN_LPAREN ||
         dae_parse_modifications(parser, &type->first_mod, &type->n_mods);
}

void
dae_parse_type(DaeParser *parser, uint32_t owner)
{
  dae_parser_advance(parser);
  DaeTypeDefinition type = {.owner = owner};
  if (!parse_type_body(parser, &type)) {
    parser->syntax->lost_names = true;
    dae_parser_recover(parser);
    return;
  }
  g_array_append_val(parser->syntax->types, type);
  dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
    dae_parse_annotation(parser, 0);
  }
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';' after the type")) {
    dae_parser_recover(parser);
  }
}

/* ---- components ------------------------------------------------------------------------------------------ */

/* Names with subscripts in the middle (a.b[1].c) are plain names: integer literals only. */
static bool
append_literal_subscripts(DaeParser *parser, DaeDeclaration *declaration)
{
  g_autoptr(GString) text = g_string_new(dae_names_text(parser->names, declaration->name));
  for (uint32_t i = 0; i < declaration->n_dims; i++) {
    const DaeInstruction *code = dae_syntax_code(parser->syntax, declaration->dims_code + i);
    int64_t value = 0;
    if (code->op != DAE_OP_NUMBER || !dae_term_get_int64(parser->terms, code->arg, &value)) {
      dae_source_error(parser->source, code->pos, "a number is needed here");
      return false;
    }
    g_string_append_printf(text, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',', value);
  }
  g_string_append_printf(text, "].%s", dae_names_text(parser->names, parser->token.name));
  declaration->name = dae_names_intern(parser->names, text->str, text->len);
  declaration->dims_code = declaration->n_dims = 0;
  return true;
}

static void
mark_literal_dimensions(DaeParser *parser, DaeDeclaration *declaration)
{
  for (uint32_t i = 0; i < declaration->n_dims; i++) {
    const DaeInstruction *code = dae_syntax_code(parser->syntax, declaration->dims_code + i);
    if (code->op != DAE_OP_NUMBER || code->n != 0) {
      return;
    }
  }
  declaration->flags |= DAE_FLAG_LITERAL_DIMS;
}

static bool
parse_component_name(DaeParser *parser, DaeDeclaration *declaration)
{
  if (parser->token.kind != DAE_TOKEN_NAME) {
    dae_parser_unexpected(parser, "the name of a variable");
    return false;
  }
  declaration->name = parser->token.name;
  declaration->pos = parser->token.pos;
  dae_parser_advance(parser);
  while (parser->token.kind == DAE_TOKEN_LBRACKET) {
    declaration->dims_code = dae_parse_dimensions(parser, &declaration->n_dims);
    if (declaration->dims_code == 0) {
      return false;
    }
    if (!dae_parser_accept(parser, DAE_TOKEN_DOT)) {
      mark_literal_dimensions(parser, declaration);
      break;
    }
    if (parser->token.kind != DAE_TOKEN_NAME) {
      dae_parser_unexpected(parser, "a name after '.'");
      return false;
    }
    if (!append_literal_subscripts(parser, declaration)) {
      return false;
    }
    dae_parser_advance(parser);
  }
  return true;
}

/* Modifiers, value, condition, description, annotation of one component. */
static bool
parse_component_rest(DaeParser *parser, DaeDeclaration *declaration)
{
  if (parser->token.kind == DAE_TOKEN_LPAREN &&
      !dae_parse_modifications(parser, &declaration->first_mod, &declaration->n_mods)) {
    return false;
  }
  if (parser->token.kind == DAE_TOKEN_EQUALS || parser->token.kind == DAE_TOKEN_ASSIGN) {
    dae_parser_advance(parser);
    declaration->binding = dae_parse_expression_code(parser);
    if (declaration->binding == 0) {
      return false;
    }
  }
  if (parser->token.kind == DAE_TOKEN_IF) {
    dae_source_error(parser->source, parser->token.pos,
                     "conditional components are not flat Modelica: flatten the model first");
    return false;
  }
  declaration->description = dae_parser_optional_strings(parser);
  if (parser->token.kind == DAE_TOKEN_ANNOTATION) {
    dae_parse_annotation(parser, 0);
  }
  return true;
}

static void
parse_components(DaeParser *parser, const DaeDeclaration *common)
{
  do {
    DaeDeclaration declaration = *common;
    if (!parse_component_name(parser, &declaration)) {
      parser->syntax->lost_names = true;
      dae_parser_recover(parser);
      return;
    }
    if (!parse_component_rest(parser, &declaration)) {
      declaration.flags |= DAE_FLAG_BROKEN;
      parser->syntax->lost_names = true; /* of the components behind it */
      g_array_append_val(parser->syntax->declarations, declaration);
      dae_parser_recover(parser);
      return;
    }
    g_array_append_val(parser->syntax->declarations, declaration);
  } while (dae_parser_accept(parser, DAE_TOKEN_COMMA));
  if (parser->token.kind == DAE_TOKEN_SEMICOLON) {
    dae_parser_advance(parser);
  } else if (parser->token.kind != DAE_TOKEN_ERROR && parser->token.kind != DAE_TOKEN_RPAREN &&
             parser->token.kind != DAE_TOKEN_EQUALS && parser->token.kind != DAE_TOKEN_NUMBER) {
    dae_source_error(parser->source, parser->previous.pos + parser->previous.length - 1,
                     "expected ';' after the declaration");
  } else {
    dae_parser_unexpected(parser, "',' or ';'");
    dae_parser_recover(parser);
  }
}

static uint32_t
flag_of(DaeTokenKind kind)
{
  switch ((int)kind) {
  case DAE_TOKEN_CONSTANT:
    return DAE_FLAG_CONSTANT;
  case DAE_TOKEN_PARAMETER:
    return DAE_FLAG_PARAMETER;
  case DAE_TOKEN_DISCRETE:
    return DAE_FLAG_DISCRETE;
  case DAE_TOKEN_INPUT:
    return DAE_FLAG_INPUT;
  case DAE_TOKEN_OUTPUT:
    return DAE_FLAG_OUTPUT;
  case DAE_TOKEN_FINAL:
    return DAE_FLAG_FINAL;
  default:
    return 0;
  }
}

static bool
is_prefix(DaeTokenKind kind)
{
  return flag_of(kind) != 0 || kind == DAE_TOKEN_FLOW || kind == DAE_TOKEN_STREAM ||
         kind == DAE_TOKEN_EACH;
}

/* parameter equation guess('x') = expr; at `equation` */
static void
parse_guess(DaeParser *parser, uint32_t owner)
{
  DaeSection section = {.owner = owner, .code = parser->syntax->code->len, .is_guess = true};
  uint32_t pos = parser->previous.pos;
  dae_parser_advance(parser);
  uint32_t place = parser->token.pos;
  GArray *code = parser->syntax->code;
  if (!dae_parse_expression(parser)) {
    dae_parser_recover(parser);
    return;
  }
  DaeInstruction last = g_array_index(code, DaeInstruction, code->len - 1);
  if (last.op != DAE_OP_CALL || last.n != 1 ||
      strcmp(dae_names_text(parser->names, last.arg), "guess") != 0) {
    dae_source_error(parser->source, place,
                     "a parameter equation has the form guess(x) = value");
    dae_parser_recover(parser);
    return;
  }
  g_array_set_size(code, code->len - 1); /* what stays on the stack is the variable itself */
  if (!dae_parser_expect(parser, DAE_TOKEN_EQUALS, "'='") || !dae_parse_expression(parser)) {
    dae_parser_recover(parser);
    return;
  }
  dae_parser_emit(parser, DAE_OP_RETURN, 0, 0, pos);
  g_array_append_val(parser->syntax->sections, section);
  dae_parser_optional_strings(parser);
  if (!dae_parser_expect(parser, DAE_TOKEN_SEMICOLON, "';'")) {
    dae_parser_recover(parser);
  }
}

void
dae_parse_declaration(DaeParser *parser, uint32_t owner, bool is_protected)
{
  DaeDeclaration common = {.owner = owner, .flags = is_protected ? DAE_FLAG_PROTECTED : 0};
  while (is_prefix(parser->token.kind)) {
    common.flags |= flag_of(parser->token.kind);
    dae_parser_advance(parser);
  }
  if (parser->token.kind == DAE_TOKEN_EQUATION && (common.flags & DAE_FLAG_PARAMETER) != 0) {
    parse_guess(parser, owner);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_ENUMERATION) { /* a type without a name of its own */
    DaeTypeDefinition type = {.owner = owner, .pos = parser->token.pos};
    dae_parser_advance(parser);
    if (parser->token.kind != DAE_TOKEN_LPAREN || !parse_literals(parser, &type)) {
      parser->syntax->lost_names = true;
      dae_parser_recover(parser);
      return;
    }
    g_autofree char *name = g_strdup_printf(".enumeration.%u", parser->syntax->types->len);
    type.name = dae_names_intern(parser->names, name, strlen(name));
    g_array_append_val(parser->syntax->types, type);
    common.type = type.name;
  } else if (parser->token.kind == DAE_TOKEN_NAME) {
    common.type = parser->token.name;
    common.type_pos = parser->token.pos;
    dae_parser_advance(parser);
  } else {
    dae_parser_unexpected(parser, "a declaration");
    parser->syntax->lost_names = true;
    if (parser->token.kind != DAE_TOKEN_SEMICOLON) {
      dae_parser_advance(parser);
    }
    dae_parser_recover(parser);
    return;
  }
  if (parser->token.kind == DAE_TOKEN_LBRACKET) {
    common.type_dims_code = dae_parse_dimensions(parser, &common.n_type_dims);
    if (common.type_dims_code == 0) {
      parser->syntax->lost_names = true;
      dae_parser_recover(parser);
      return;
    }
  }
  parse_components(parser, &common);
}
