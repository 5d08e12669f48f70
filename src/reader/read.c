/* dae_model_read: the stages in order. dae_model_parse_expression. */
#include <string.h>

#include "lang/lang.h"
#include "model/flat.h"
#include "reader/calls.h"
#include "reader/claims.h"
#include "reader/inverse.h"

void
dae_reader_init(DaeReader *reader, DaeTerms *terms, DaeSource *source, DaeNames *names,
                DaeSyntax *syntax)
{
  *reader = (DaeReader){.terms = terms, .source = source, .names = names, .syntax = syntax};
  reader->entities = g_array_new(FALSE, TRUE, sizeof(DaeEntity));
  g_array_set_size(reader->entities, 1);
  reader->overrides = g_array_new(FALSE, TRUE, sizeof(DaeOverride));
  reader->stack = g_array_new(FALSE, TRUE, sizeof(DaeValue));
  reader->ifs = g_array_new(FALSE, TRUE, sizeof(DaeIfFrame));
  reader->loops = g_array_new(FALSE, TRUE, sizeof(DaeLoopFrame));
  reader->closed_of_symbol = g_array_new(FALSE, TRUE, sizeof(DaeTerm));
  reader->integer_symbol = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  reader->structural = g_array_new(FALSE, TRUE, sizeof(uint8_t));
  reader->arena = dae_arena_new();
  reader->scratch = dae_arena_new();
  reader->text = g_string_new(NULL);
  reader->types = g_hash_table_new(NULL, NULL);
  reader->boolean_symbols = g_hash_table_new(NULL, NULL);
  reader->functions = g_hash_table_new(NULL, NULL);
  reader->records = g_hash_table_new(NULL, NULL);
  reader->scopes = g_array_new(FALSE, TRUE, sizeof(DaeScope));
  reader->n_taken = UINT32_MAX;
  reader->locals = g_array_new(FALSE, TRUE, sizeof(DaeLocal));
  reader->changes = g_array_new(FALSE, FALSE, sizeof(DaeChange));
  reader->whiles = g_array_new(FALSE, FALSE, sizeof(DaeWhileFrame));
  reader->actions = g_array_new(FALSE, TRUE, sizeof(DaeAction));
  reader->pre_places = g_array_new(FALSE, TRUE, sizeof(DaePlacedTerm));
  reader->atom_of_symbol = g_hash_table_new(NULL, NULL);
  reader->clocked_symbols = g_hash_table_new(NULL, NULL);
  reader->when = dae_when_reader_new();
  dae_cases_init(&reader->cases);
  reader->routine_cases = g_ptr_array_new_with_free_func(dae_routine_case_free);
  reader->recursive = g_hash_table_new(NULL, NULL);
  reader->opaque = dae_opaque_table_new();
  reader->printed = g_hash_table_new(NULL, NULL);
  reader->unknown_functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

void
dae_reader_clear(DaeReader *reader)
{
  for (uint32_t i = 0; i < reader->overrides->len; i++) {
    g_free(g_array_index(reader->overrides, DaeOverride, i).text);
  }
  GArray *all[] = {reader->entities,       reader->overrides,
                   reader->stack,          reader->ifs,
                   reader->loops,          reader->closed_of_symbol,
                   reader->integer_symbol, reader->structural,
                   reader->scopes,         reader->locals,
                   reader->changes,        reader->actions,
                   reader->pre_places,     reader->whiles};
  for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
    g_array_free(all[i], TRUE);
  }
  if (reader->delays != NULL) {
    g_hash_table_destroy(reader->delays);
    g_array_free(reader->delay_equations, TRUE);
  }
  if (reader->hoisted != NULL) {
    g_hash_table_destroy(reader->hoisted);
    g_array_free(reader->hoisted_equations, TRUE);
  }
  dae_arena_free(reader->arena);
  dae_arena_free(reader->scratch);
  g_string_free(reader->text, TRUE);
  g_free(reader->places);
  g_hash_table_destroy(reader->types);
  g_hash_table_destroy(reader->boolean_symbols);
  g_clear_pointer(&reader->initial_targets, g_hash_table_destroy);
  g_hash_table_destroy(reader->functions);
  g_hash_table_destroy(reader->records);
  if (reader->shared != NULL) {
    g_hash_table_destroy(reader->shared);
  }
  if (reader->literal_types != NULL) {
    g_hash_table_destroy(reader->literal_types);
  }
  if (reader->elements != NULL) {
    g_hash_table_destroy(reader->elements);
  }
  if (reader->uses != NULL) {
    g_hash_table_destroy(reader->uses);
  }
  dae_cases_clear(&reader->cases);
  g_ptr_array_free(reader->routine_cases, TRUE);
  g_hash_table_destroy(reader->recursive);
  g_clear_pointer(&reader->unit_functions, g_hash_table_destroy);
  dae_opaque_table_free(reader->opaque);
  g_hash_table_destroy(reader->printed);
  g_hash_table_destroy(reader->unknown_functions);
  if (reader->trace_formals != NULL) {
    g_array_free(reader->trace_formals, TRUE);
  }
  dae_texts_free(reader->texts);
  if (reader->inverses != NULL) {
    g_array_free(reader->inverses, TRUE);
  }
  if (reader->tables != NULL) {
    g_ptr_array_free(reader->tables, TRUE);
  }
  if (reader->operators != NULL) {
    g_hash_table_destroy(reader->operators);
  }
  if (reader->members != NULL) {
    g_ptr_array_free(reader->members, TRUE);
  }
  g_hash_table_destroy(reader->atom_of_symbol);
  g_hash_table_destroy(reader->clocked_symbols);
  dae_when_reader_free(reader->when);
}

static void
begin_result(DaeReader *reader)
{
  const DaeClass *class = &g_array_index(reader->syntax->classes, DaeClass, reader->model);
  DaeModel *model = dae_flat_new(dae_names_text(reader->names, class->name),
                                 dae_source_file_of(reader->source, class->pos)->file);
  if (class->description != 0) {
    model->description =
        dae_flat_string(model, dae_names_text(reader->names, class->description));
  }
  reader->result = model;
  reader->assertions = model->assertions;
  reader->strings = model->strings;
}

/* The closed values are known from stage 1. */
static void
keep_closed(DaeReader *reader)
{
  DaeModel *model = reader->result;
  for (uint32_t k = 0; k < model->parameters->len; k++) {
    DaeSymbol symbol = dae_model_parameter(model, k)->symbol;
    if (symbol < reader->closed_of_symbol->len && !dae_model_parameter(model, k)->is_free) {
      g_array_index(model->closed, DaeTerm, k) =
          g_array_index(reader->closed_of_symbol, DaeTerm, symbol);
    }
    if (symbol < reader->structural->len &&
        g_array_index(reader->structural, uint8_t, symbol) != 0) {
      g_array_index(model->parameters, DaeParameter, k).is_structural = true;
    }
  }
}

/* Sets the error that fits what was reported; false: nothing was. */
static bool
take_errors(const DaeSource *source, GError **error)
{
  if (source->first_message != NULL) {
    bool unsupported = source->n_errors == source->n_unsupported;
    g_set_error(error, DAE_ERROR, unsupported ? DAE_ERROR_UNSUPPORTED : DAE_ERROR_MODEL, "%s",
                source->first_message);
    return true;
  }
  if (source->option_message != NULL) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_USAGE, "%s", source->option_message);
    return true;
  }
  return false;
}

/* Is the declared type something that only instantiation understands? */
static bool
is_component_type(const DaeReader *reader, const DaeDeclaration *declaration,
                  bool has_libraries)
{
  const DaeSyntax *syntax = reader->syntax;
  const char *text = dae_names_text(reader->names, declaration->type);
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    const DaeClass *class = dae_syntax_class(syntax, i);
    if (class->name == declaration->type) {
      bool is_prefixed = (class->flags & DAE_FLAG_SHORT) != 0 &&
                         dae_syntax_type(syntax, class->definition)->flags != 0;
      return (class->kind != DAE_CLASS_TYPE && class->kind != DAE_CLASS_RECORD) || is_prefixed;
    }
  }
  return strchr(text, '.') != NULL && *text != '.' &&
         !g_str_has_prefix(text, "Modelica.SIunits.") &&
         (has_libraries || !g_str_has_prefix(text, "Modelica.Units.SI."));
}

/* Of a package that the model is not in, a class inside a function, a record inside a record. */
static bool
is_beside(const DaeSyntax *syntax, uint32_t class, uint32_t model)
{
  DaeClassKind kind = dae_syntax_class(syntax, class)->kind;
  uint32_t parent = dae_syntax_class(syntax, class)->parent;
  DaeClassKind around = parent != 0 ? dae_syntax_class(syntax, parent)->kind : kind;
  return (kind == DAE_CLASS_PACKAGE && !dae_syntax_encloses(syntax, class, model)) ||
         (parent != 0 && (around == DAE_CLASS_FUNCTION ||
                          (kind == DAE_CLASS_RECORD && around == DAE_CLASS_RECORD)));
}

/* A constant of a class around the model or beside it, which may stand under its long name:
 * P.c. */
static bool
is_constant_of_class(const DaeSyntax *syntax, const DaeDeclaration *declaration, uint32_t model)
{
  if ((declaration->flags & DAE_FLAG_CONSTANT) == 0 || declaration->owner == 0 ||
      declaration->owner == model) {
    return false;
  }
  DaeClassKind kind = dae_syntax_class(syntax, declaration->owner)->kind;
  return kind != DAE_CLASS_FUNCTION && kind != DAE_CLASS_RECORD;
}

/* A name that two classes have means one here and the other there. */
static bool
has_classes_of_one_name(const DaeSyntax *syntax)
{
  g_autoptr(GHashTable) names = g_hash_table_new(NULL, NULL);
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    if (!g_hash_table_add(names, GUINT_TO_POINTER(dae_syntax_class(syntax, i)->name))) {
      return true;
    }
  }
  return false;
}

/* record C = R(k = 3), type In = input Real: what is declared with it has more than R or Real. */
static bool
adds_to_base(const DaeSyntax *syntax, uint32_t class)
{
  const DaeClass *own = dae_syntax_class(syntax, class);
  if ((own->flags & DAE_FLAG_SHORT) == 0 || own->definition == 0) {
    return false;
  }
  const DaeTypeDefinition *type = dae_syntax_type(syntax, own->definition);
  return (own->kind == DAE_CLASS_RECORD && type->n_mods > 0) || type->flags != 0;
}

/* Names of other classes that only instantiation finds, and classes that only it understands. */
static bool
has_names_of_classes(const DaeSyntax *syntax, uint32_t model)
{
  for (uint32_t i = 1; i < syntax->classes->len; i++) {
    if (is_beside(syntax, i, model) || adds_to_base(syntax, i)) {
      return true;
    }
  }
  for (uint32_t i = 1; i < syntax->declarations->len; i++) {
    if (is_constant_of_class(syntax, dae_syntax_declaration(syntax, i), model)) {
      return true;
    }
  }
  return false;
}

static bool
needs_instantiation(const DaeReader *reader)
{
  bool has_libraries = reader->options != NULL && reader->options->libraries != NULL &&
                       reader->options->libraries[0] != NULL;
  if (reader->syntax->nonflat_word != 0 ||
      (dae_syntax_class(reader->syntax, reader->model)->flags &
       (DAE_FLAG_SHORT | DAE_FLAG_ENCAPSULATED | DAE_FLAG_PARTIAL)) != 0) {
    return true;
  }
  bool may_be_flat = !has_libraries || reader->syntax->is_base;
  uint32_t last = 0; /* most declarations have the type of their neighbour */
  for (uint32_t i = 1; i < reader->syntax->declarations->len; i++) {
    const DaeDeclaration *declaration = dae_syntax_declaration(reader->syntax, i);
    if (declaration->owner != reader->model) {
      continue;
    }
    if (strpbrk(dae_names_text(reader->names, declaration->name), ".[") != NULL) {
      return false; /* a flat name */
    }
    if (declaration->type != last) {
      last = declaration->type;
      if (is_component_type(reader, declaration, has_libraries)) {
        return true;
      }
    }
  }
  /* names in expressions may mean something in libraries or packages */
  return !may_be_flat ||
         (!reader->syntax->is_base && (has_names_of_classes(reader->syntax, reader->model) ||
                                       has_classes_of_one_name(reader->syntax)));
}

static char *
full_name(const DaeReader *reader, uint32_t class)
{
  const DaeClass *entry = dae_syntax_class(reader->syntax, class);
  g_autoptr(GString) name = g_string_new(dae_names_text(reader->names, entry->name));
  while (entry->parent != 0) {
    entry = dae_syntax_class(reader->syntax, entry->parent);
    g_string_prepend_c(name, '.');
    g_string_prepend(name, dae_names_text(reader->names, entry->name));
  }
  return g_string_free(g_steal_pointer(&name), FALSE);
}

/* The class under its full name as a flat model; false: reported. */
static bool
flatten(DaeReader *reader, const char *name)
{
  DaeFlattenOptions options = {.matrix_size = dae_table_matrix_size};
  if (reader->options != NULL) {
    options.overrides = reader->options->overrides;
    options.keep_loops = reader->options->keep_loops;
  }
  reader->flat = dae_flatten(reader->library, name, &options);
  if (reader->flat == NULL) {
    return false;
  }
  reader->syntax = dae_flat_syntax(reader->flat);
  reader->model = 1;
  return true;
}

static bool
choose(DaeReader *reader, const char *class, GError **error)
{
  if (class != NULL) {
    return flatten(reader, class) || (take_errors(reader->source, error), false);
  }
  if (!dae_scope_choose_model(reader, error)) {
    return false;
  }
  bool is_flat = reader->model == 0 || !needs_instantiation(reader);
  if (reader->model != 0 && reader->source->n_errors == 0 && !reader->syntax->is_base) {
    bool is_printed = dae_syntax_class(reader->syntax, reader->model)->kind == DAE_CLASS_CLASS;
    const DaeText text = {reader->syntax, reader->names, reader->source, is_printed};
    dae_check_text(&text, (uint32_t)MIN(reader->source->length, UINT32_MAX), is_flat);
  }
  if (!is_flat) {
    /* of a text with mistakes nothing is instantiated: classes would seem to be missing */
    g_autofree char *name = full_name(reader, reader->model);
    reader->model = reader->source->n_errors == 0 && flatten(reader, name) ? 1 : 0;
  }
  if (reader->model == 0) {
    take_errors(reader->source, error);
  }
  return reader->model != 0;
}

/* Components and their faces, for balances. */
static void
keep_ledger(DaeReader *reader)
{
  DaeModel *model = reader->result;
  for (guint i = 0; i < reader->syntax->instances->len; i++) {
    const DaeInstance *from = &g_array_index(reader->syntax->instances, DaeInstance, i);
    DaeModelInstance instance = {.name = "",
                                 .span = dae_source_span(reader->source, from->pos)};
    if (i > 0) {
      instance.name = dae_flat_string(model, dae_names_text(reader->names, from->name));
    }
    instance.class_name = dae_flat_string(model, dae_names_text(reader->names, from->class));
    g_array_append_val(model->instances, instance);
  }
  for (guint i = 0; i < reader->syntax->faces->len; i++) {
    const DaeFace *from = &g_array_index(reader->syntax->faces, DaeFace, i);
    DaeModelFace face = {.name =
                             dae_flat_string(model, dae_names_text(reader->names, from->name)),
                         .is_potential = from->kind == DAE_FACE_POTENTIAL,
                         .is_flow = from->kind == DAE_FACE_FLOW,
                         .is_input = from->kind == DAE_FACE_INPUT,
                         .is_internal = from->is_internal,
                         .n_outside = from->n_outside,
                         .n_given = from->n_given};
    g_array_append_val(model->faces, face);
  }
}

static DaeModel *
read_model(DaeReader *reader, const char *class, GError **error)
{
  if (!choose(reader, class, error)) {
    return NULL;
  }
  begin_result(reader);
  dae_call_register(reader);
  dae_scope_build(reader);
  dae_derivative_check_names(reader);
  GError *usage = NULL;
  if (!dae_overrides_parse(reader, &usage)) {
    if (reader->source->first_message != NULL) { /* the model comes first */
      g_clear_error(&usage);
      take_errors(reader->source, error);
    } else {
      g_propagate_error(error, usage);
    }
    return NULL;
  }
  dae_structure_evaluate(reader);
  if (!dae_source_is_full(reader->source)) {
    dae_instantiate(reader);
    dae_impure_finish(reader);
    dae_text_finish(reader);
  }
  if (take_errors(reader->source, error)) {
    return NULL;
  }
  dae_inverse_apply(reader);
  dae_when_late_clauses(reader);
  if (reader->options != NULL && reader->options->check_annotations) {
    dae_claims_collect(reader);
  }
  dae_flat_finish(reader->result);
  keep_closed(reader);
  keep_ledger(reader);
  return g_steal_pointer(&reader->result);
}

DaeModel *
dae_model_read(DaeTerms *terms, const char *file, const char *text, size_t length,
               const DaeReadOptions *options, const DaeReporter *reporter, GError **error)
{
  if (length >= UINT32_MAX) {
    g_set_error(error, DAE_ERROR, DAE_ERROR_MODEL, "%s: a text of more than 4 GiB", file);
    return NULL;
  }
  DaeReader reader;
  g_autoptr(DaeLibrary) library =
      dae_library_new(options != NULL ? options->libraries : NULL, reporter);
  if (text != NULL) {
    dae_library_add_text(library, file, text, length);
  }
  dae_reader_init(&reader, terms, dae_library_source(library), dae_library_names(library),
                  dae_library_syntax(library));
  reader.options = options;
  reader.library = library;
  DaeModel *model = read_model(&reader, text == NULL ? file : NULL, error);
  dae_model_free(reader.result);
  dae_reader_clear(&reader);
  dae_flat_free(reader.flat);
  return model;
}

DaeTerm
dae_model_parse_expression(const DaeModel *model, DaeTerms *terms, const char *text,
                           const DaeReporter *reporter, GError **error)
{
  DaeSource source;
  DaeSyntax syntax;
  DaeParser parser;
  DaeReader reader;
  DaeTerm result = DAE_NO_TERM;
  g_autoptr(DaeNames) names = dae_names_new();
  dae_source_init(&source, "expression", text, strlen(text), reporter);
  dae_syntax_init(&syntax);
  dae_parser_init(&parser, &source, names, &syntax, text, strlen(text), 0);
  dae_reader_init(&reader, terms, &source, names, &syntax);
  reader.lookup = model;
  uint32_t code = dae_parse_expression_code(&parser);
  if (code != 0 && parser.token.kind != DAE_TOKEN_EOF) {
    dae_parser_unexpected(&parser, "the end of the expression");
  } else if (code != 0) {
    DaeValue value = dae_reader_evaluate(&reader, code);
    if (value.type != DAE_VALUE_POISON &&
        (value.n_dims > 0 || value.type > DAE_VALUE_BOOLEAN)) {
      dae_source_error(&source, 0, "a scalar is needed, this is %s",
                       dae_value_type_text(&value));
    } else if (value.type != DAE_VALUE_POISON) {
      result = value.term;
    }
  }
  if (take_errors(&source, error)) {
    result = DAE_NO_TERM;
  }
  DAE_ASSERT(result != DAE_NO_TERM || error == NULL || *error != NULL);
  dae_parser_clear(&parser);
  dae_reader_clear(&reader);
  dae_syntax_clear(&syntax);
  dae_source_clear(&source);
  return result;
}
