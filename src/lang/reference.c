/* References in code: from the name as written to the flat name. Arrays of components that are
 * not subscripted by single numbers become array constructors of their elements. */
#include <string.h>

#include "base/suggest.h"
#include "lang/instance.h"

typedef struct {
  uint32_t name;
  uint32_t n;          /* subscripts */
  uint32_t begin, end; /* their code in the library; for literals in the name: both 0 */
  uint32_t literals[8];
  bool has_literals;
} Part;

typedef struct {
  DaeTranslator *translator;
  GArray *parts; /* Part */
  uint32_t pos, pc;
  bool is_target;
  DaeStreamUse stream;
} Reference;

typedef struct {      /* the flat reference so far */
  GArray *path;       /* DaePart: parts that are closed by variable subscripts */
  GArray *ranges;     /* Part: whose subscripts are to be emitted, in order */
  GString *text;      /* of the part that is open */
  DaeComponent *leaf; /* the variable that it leads to; NULL: none yet */
} Output;

static const Part *
part_at(const Reference *reference, guint i)
{
  return &g_array_index(reference->parts, Part, i);
}

/* ---- splitting --------------------------------------------------------------------------- */

/* The last part of the name has n of the `remaining` values before pc as its subscripts. */
static void
split_name(Reference *reference, uint32_t name, uint32_t n, uint32_t pc, uint32_t *remaining)
{
  DaeLang *lang = reference->translator->lang;
  uint32_t rest = name;
  while (rest != 0) {
    Part part = {0};
    part.name = dae_name_bare(lang, dae_name_split(lang, rest, &rest), part.literals, &part.n);
    part.has_literals = part.n > 0;
    if (rest == 0 && n > 0) {
      part.n = n;
      part.has_literals = false;
      part.begin = dae_syntax_skip_back(lang->syntax, pc, *remaining);
      *remaining -= n;
      part.end = dae_syntax_skip_back(lang->syntax, pc, *remaining);
    }
    g_array_append_val(reference->parts, part);
  }
}

static void
split(Reference *reference, uint32_t pc)
{
  const DaeLang *lang = reference->translator->lang;
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  uint32_t n = instruction.op == DAE_OP_NAME ? 0 : instruction.n;
  if (instruction.op == DAE_OP_NAME || instruction.op == DAE_OP_ELEMENT) {
    split_name(reference, instruction.arg, n, pc, &n);
    return;
  }
  uint32_t n_parts = g_array_index(lang->syntax->paths, uint32_t, instruction.arg);
  for (uint32_t i = 0; i < n_parts; i++) {
    uint32_t name = g_array_index(lang->syntax->paths, uint32_t, instruction.arg + 1 + 2 * i);
    uint32_t count = g_array_index(lang->syntax->paths, uint32_t, instruction.arg + 2 + 2 * i);
    split_name(reference, name, count, pc, &n);
  }
}

/* ---- writing ----------------------------------------------------------------------------- */

static void
output_init(Output *output, const Output *like)
{
  output->path = g_array_new(FALSE, FALSE, sizeof(DaePart));
  output->ranges = g_array_new(FALSE, FALSE, sizeof(Part));
  output->text = g_string_new(like != NULL ? like->text->str : "");
  output->leaf = like != NULL ? like->leaf : NULL;
  if (like != NULL) {
    g_array_append_vals(output->path, like->path->data, like->path->len);
    g_array_append_vals(output->ranges, like->ranges->data, like->ranges->len);
  }
}

static void
output_clear(Output *output)
{
  g_array_free(output->path, TRUE);
  g_array_free(output->ranges, TRUE);
  g_string_free(output->text, TRUE);
}

static void
append_member(Output *output, const char *name)
{
  if (output->text->len > 0) {
    g_string_append_c(output->text, '.');
  }
  g_string_append(output->text, name);
}

/* The open part ends with variable subscripts. */
static void
close_part(DaeLang *lang, Output *output, const Part *part)
{
  DaePart closed = {dae_names_intern(lang->names, output->text->str, output->text->len),
                    part->n};
  g_array_append_val(output->path, closed);
  g_array_append_val(output->ranges, *part);
  g_string_truncate(output->text, 0);
}

static void
emit_subscripts(const Reference *reference, const Output *output)
{
  DaeTranslator *translator = reference->translator;
  DaeLang *lang = translator->lang;
  for (guint i = 0; i < output->ranges->len; i++) {
    const Part *part = &g_array_index(output->ranges, Part, i);
    for (uint32_t k = 0; part->has_literals && k < part->n; k++) {
      uint32_t number = dae_name_format(lang, "%u", part->literals[k]);
      dae_syntax_emit(&lang->flat, DAE_OP_NUMBER, 0, number, reference->pos);
    }
    if (!part->has_literals) {
      dae_translate_range(translator, part->begin, part->end);
    }
  }
}

/* The reference as a name, an element or a path of parts. */
static void
emit_parts(const Reference *reference, const DaePart *parts, uint32_t n)
{
  DaeSyntax *flat = &reference->translator->lang->flat;
  uint32_t total = 0;
  for (uint32_t i = 0; i < n; i++) {
    total += parts[i].n;
  }
  if (n == 1 && !reference->is_target) {
    dae_syntax_emit(flat, total > 0 ? DAE_OP_ELEMENT : DAE_OP_NAME, total, parts[0].name,
                    reference->pos);
    return;
  }
  uint32_t index = flat->paths->len;
  g_array_append_val(flat->paths, n);
  for (uint32_t i = 0; i < n; i++) {
    g_array_append_val(flat->paths, parts[i].name);
    g_array_append_val(flat->paths, parts[i].n);
  }
  dae_syntax_emit(flat, reference->is_target ? DAE_OP_TARGET : DAE_OP_PATH, total, index,
                  reference->pos);
}

/* Characters of the stream variable's name: of v, of r.v with a record r. */
static size_t
length_in_connector(const DaeLang *lang, const DaeComponent *leaf)
{
  const DaeNode *connector = dae_stream_connector(leaf);
  size_t length = dae_names_length(lang->names, leaf->element->name);
  for (const DaeNode *node = leaf->parent; node != connector; node = node->component->parent) {
    length += 1 + dae_names_length(lang->names, node->component->element->name);
  }
  return length;
}

/* The reference with another variable of the same connector in the place of the last one;
 * without subscripts of that if it is the flow. */
static void
emit_sibling(const Reference *reference, const Output *output, uint32_t sibling, bool is_flow)
{
  DaeLang *lang = reference->translator->lang;
  Output other;
  output_init(&other, output);
  DaePart *last = &g_array_index(other.path, DaePart, other.path->len - 1);
  const char *text = dae_names_text(lang->names, last->name);
  size_t own = is_flow ? length_in_connector(lang, output->leaf)
                       : dae_names_length(lang->names, output->leaf->element->name);
  size_t length = dae_names_length(lang->names, last->name);
  DAE_ASSERT(length >= own);
  g_string_truncate(other.text, 0);
  g_string_append_len(other.text, text, (gssize)(length - own));
  g_string_append(other.text, dae_names_text(lang->names, sibling));
  last->name = dae_names_intern(lang->names, other.text->str, other.text->len);
  if (is_flow && last->n > 0) {
    last->n = 0;
    g_array_set_size(other.ranges, other.ranges->len - 1);
  }
  emit_subscripts(reference, &other);
  emit_parts(reference, (const DaePart *)(void *)other.path->data, other.path->len);
  output_clear(&other);
}

/* inStream(v): a variable of its own; actualStream(v): that, or v where the
 * flow leaves [MLS, section 15.3]. */
static void
emit_stream(const Reference *reference, const Output *output)
{
  DaeLang *lang = reference->translator->lang;
  DaeSyntax *flat = &lang->flat;
  const DaeComponent *flow = output->leaf != NULL ? dae_stream_flow(lang, output->leaf) : NULL;
  if (flow == NULL) {
    dae_source_error(
        lang->source, reference->pos,
        "the argument of inStream and actualStream is a stream variable of a connector");
    return;
  }
  uint32_t inside = dae_stream_inside_name(lang, output->leaf);
  if (reference->stream == DAE_STREAM_IN) {
    emit_sibling(reference, output, inside, false);
    return;
  }
  emit_sibling(reference, output, flow->element->name, true);
  dae_syntax_emit(flat, DAE_OP_NUMBER, 0, dae_name_intern(lang, "0"), reference->pos);
  dae_syntax_emit(flat, DAE_OP_GT, 0, 0, reference->pos);
  uint32_t test = dae_syntax_emit(flat, DAE_OP_TEST, 0, 0, reference->pos);
  emit_sibling(reference, output, inside, false);
  uint32_t middle = dae_syntax_emit(flat, DAE_OP_ELSE, 0, 0, reference->pos);
  dae_syntax_code(flat, test)->arg = middle + 1 - test;
  emit_subscripts(reference, output);
  emit_parts(reference, (const DaePart *)(void *)output->path->data, output->path->len);
  uint32_t end = dae_syntax_emit(flat, DAE_OP_ENDIF, 0, 0, reference->pos);
  dae_syntax_code(flat, middle)->arg = end - middle;
  dae_syntax_emit(flat, DAE_OP_CALL, 1, dae_name_intern(lang, "noEvent"), reference->pos);
}

static void
emit_reference(const Reference *reference, Output *output)
{
  DaeLang *lang = reference->translator->lang;
  if (output->text->len > 0) {
    DaePart last = {dae_names_intern(lang->names, output->text->str, output->text->len), 0};
    g_array_append_val(output->path, last);
  }
  if (reference->stream != DAE_STREAM_NONE) {
    emit_stream(reference, output);
    return;
  }
  emit_subscripts(reference, output);
  emit_parts(reference, (const DaePart *)(void *)output->path->data, output->path->len);
}

/* ---- descending -------------------------------------------------------------------------- */

static bool
fail_member(const Reference *reference, DaeNode *node, uint32_t name)
{
  DaeLang *lang = reference->translator->lang;
  DaeSuggest suggest;
  const char *text = dae_names_text(lang->names, name);
  dae_suggest_begin(&suggest, text);
  for (guint i = 0; i < node->elements->len; i++) {
    const DaeElement *element = node->elements->pdata[i];
    dae_suggest_try(&suggest, dae_names_text(lang->names, element->name));
  }
  uint32_t class = node->class;
  const char *type =
      class != 0 ? dae_names_text(lang->names, dae_syntax_class(lang->syntax, class)->name)
                 : "this type";
  dae_source_error(lang->source, reference->pos, "there is no '%s' in %s%s%s%s", text, type,
                   suggest.best != NULL ? "; did you mean '" : "",
                   suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
  return false;
}

static bool descend(const Reference *reference, Output *output, DaeComponent *component,
                    guint i, uint32_t depth);

/* The part behind an outer component, which part i names, is one of its own type. */
static bool
checks_outer(const Reference *reference, const DaeElement *element, guint i)
{
  return i + 1 >= reference->parts->len ||
         dae_check_outer_member(reference->translator->lang, element,
                                part_at(reference, i + 1)->name, reference->pos);
}

/* Into the member that part i + 1 names, of one node. */
static bool
descend_node(const Reference *reference, Output *output, DaeNode *node, guint i, uint32_t depth)
{
  DaeLang *lang = reference->translator->lang;
  if (i + 1 == reference->parts->len) {
    if (!dae_check_value(lang, node, reference->pc)) {
      return false;
    }
    emit_reference(reference, output);
    return true;
  }
  uint32_t name = part_at(reference, i + 1)->name;
  DaeElement *element = dae_node_element(lang, node, name);
  if (element == NULL) {
    return fail_member(reference, node, name);
  }
  const DaeNode *scope = reference->translator->scope;
  if (node->component != NULL ? !dae_check_public(lang, element, reference->pos)
                              : !dae_check_visible(lang, scope, element, reference->pos)) {
    return false;
  }
  if (element->kind == DAE_ELEMENT_CLASS) {
    DaeNode *class = dae_element_node(lang, element, NULL);
    if (class == NULL) {
      return false;
    }
    if (node->component != NULL) { /* a.B.c; of b.C.f, a function, others tell it */
      dae_error_once(lang, reference->pos,
                     "'%s' is a class in a component: only components are found there", name);
      return false;
    }
    g_string_assign(output->text, dae_names_text(lang->names, dae_node_name(lang, class)));
    return descend_node(reference, output, class, i + 1, depth + 1);
  }
  DaeComponent *component = dae_component_of(lang, element);
  if (component == NULL || !checks_outer(reference, element, i + 1)) {
    return false;
  }
  if (component->is_outer) {
    component = component->inner;
    g_string_assign(output->text, dae_names_text(lang->names, component->flat_name));
    g_array_set_size(output->path, 0);
    g_array_set_size(output->ranges, 0);
  } else {
    append_member(output, dae_names_text(lang->names, name));
  }
  return descend(reference, output, component, i + 1, depth + 1);
}

/* The rest of the reference inside a variable of builtin or record type. */
static bool
descend_leaf(const Reference *reference, Output *output, guint i)
{
  DaeLang *lang = reference->translator->lang;
  for (; i < reference->parts->len; i++) {
    const Part *part = part_at(reference, i);
    bool is_last = i + 1 == reference->parts->len;
    if (part->n > 0) {
      close_part(lang, output, part);
    }
    if (!is_last) {
      append_member(output, dae_names_text(lang->names, part_at(reference, i + 1)->name));
    }
  }
  emit_reference(reference, output);
  return true;
}

/* Positions that the subscripts of a part choose in one dimension. */
static bool
choose(const Reference *reference, const DaeEval *value, uint32_t size, GArray *chosen)
{
  bool is_all = value->type == DAE_EVAL_COLON;
  uint32_t n = is_all ? size : value->n_dims > 0 ? value->count : 1;
  for (uint32_t k = 0; k < n; k++) {
    int64_t at = is_all ? (int64_t)k + 1 : dae_eval_element(value, k)->integer;
    if (at < 1 || at > (int64_t)size) {
      dae_source_error(reference->translator->lang->source, reference->pos,
                       "subscript %" G_GINT64_FORMAT " is not in 1 to %u", at, size);
      return false;
    }
    uint32_t position = (uint32_t)at - 1;
    g_array_append_val(chosen, position);
  }
  return true;
}

/* The array of no elements that dimension d on is. */
static void
emit_nothing(const Reference *reference, DaeComponent *component, guint i, const bool *keeps,
             GArray *const *chosen, uint32_t d)
{
  DaeLang *lang = reference->translator->lang;
  g_autoptr(GArray) dims = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(GArray) names = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  for (uint32_t e = d; e < component->n_dims; e++) {
    if (keeps[e]) {
      g_array_append_val(dims, chosen[e]->len);
    }
  }
  for (guint k = i + 1; k < reference->parts->len; k++) {
    g_array_append_val(names, part_at(reference, k)->name);
    if (part_at(reference, k)->n > 0) { /* c.v[1]: its dimensions are not all of them */
      g_array_set_size(dims, 0);
      break;
    }
  }
  dae_emit_nothing(lang, component, (const uint32_t *)(void *)names->data, names->len, dims,
                   reference->pos);
}

/* Dimension d of an array of components on; base is the position so far. */
static bool
expand(const Reference *reference, const Output *output, DaeComponent *component, guint i,
       GArray *const *chosen, const bool *keeps, uint32_t d, uint32_t base, uint32_t depth)
{
  DaeLang *lang = reference->translator->lang;
  if (d == component->n_dims) {
    Output one;
    output_init(&one, output);
    uint32_t name = dae_component_element_name(lang, component, base);
    const char *text = dae_names_text(lang->names, name);
    const char *own = dae_names_text(lang->names, component->flat_name);
    g_string_append(one.text, text + strlen(own)); /* only the subscripts */
    bool good = descend_node(reference, &one, component->nodes[base], i, depth + 1);
    output_clear(&one);
    return good;
  }
  for (guint k = 0; k < chosen[d]->len; k++) {
    if (!expand(reference, output, component, i, chosen, keeps, d + 1,
                base * component->dims[d] + g_array_index(chosen[d], uint32_t, k), depth)) {
      return false;
    }
  }
  if (keeps[d] && chosen[d]->len == 0) {
    emit_nothing(reference, component, i, keeps, chosen, d);
  } else if (keeps[d]) {
    dae_syntax_emit(&lang->flat, DAE_OP_ARRAY, chosen[d]->len, 0, reference->pos);
  }
  return true;
}

/* Values of the subscripts of a part; UNKNOWN ones depend on iterators. */
static void
subscript_values(const Reference *reference, const Part *part, DaeEval *values)
{
  DaeLang *lang = reference->translator->lang;
  for (uint32_t k = 0; k < part->n; k++) {
    if (part->has_literals) {
      values[k] = dae_eval_integer(part->literals[k]);
      continue;
    }
    uint32_t begin = dae_syntax_skip_back(lang->syntax, part->end, part->n - k);
    uint32_t end = dae_syntax_skip_back(lang->syntax, part->end, part->n - k - 1);
    values[k] = dae_evaluate_range(reference->translator, begin, end);
  }
}

static bool
is_iterator(const DaeTranslator *translator, uint32_t name)
{
  for (guint i = 0; i < translator->iterators->len; i++) {
    if (g_array_index(translator->iterators, uint32_t, i) == name) {
      return true;
    }
  }
  return false;
}

/* Do the subscripts of a part speak of iterators? Loops are written out, and these are numbers
 * then. */
static bool
names_iterator(const Reference *reference, const Part *part)
{
  const DaeTranslator *translator = reference->translator;
  const DaeLang *lang = translator->lang;
  for (uint32_t pc = part->begin; pc < part->end; pc++) {
    const DaeInstruction *instruction = dae_syntax_code(lang->syntax, pc);
    bool is_name = instruction->op == DAE_OP_NAME || instruction->op == DAE_OP_ELEMENT;
    if (is_name && is_iterator(translator, instruction->arg)) {
      return true;
    }
  }
  return false;
}

static bool
descend_array(const Reference *reference, Output *output, DaeComponent *component, guint i,
              uint32_t depth)
{
  DaeLang *lang = reference->translator->lang;
  const Part *part = part_at(reference, i);
  DaeEval values[8];
  GArray *chosen[8] = {NULL};
  bool keeps[8];
  if (part->n > component->n_dims || component->n_dims > 8) {
    dae_source_error(lang->source, reference->pos, "'%s' has %u dimensions",
                     dae_names_text(lang->names, component->flat_name), component->n_dims);
    return false;
  }
  subscript_values(reference, part, values);
  bool is_known = true;
  for (uint32_t d = 0; d < part->n; d++) {
    is_known = is_known && values[d].type != DAE_EVAL_UNKNOWN;
  }
  bool is_variable = !is_known && part->n == component->n_dims && component->count > 0;
  /* c[k].w with a k that varies: {c[1].w, c[2].w, ...}[k] */
  bool selects = is_variable && !reference->is_target && reference->stream == DAE_STREAM_NONE &&
                 !names_iterator(reference, part);
  if (is_variable && !selects) {
    close_part(lang, output, part);
    return descend_node(reference, output, component->nodes[0], i, depth + 1);
  }
  bool good = is_known || selects;
  for (uint32_t d = 0; d < component->n_dims; d++) {
    static const DaeEval colon = {.type = DAE_EVAL_COLON};
    const DaeEval *value = d < part->n && !selects ? &values[d] : &colon;
    keeps[d] = value->type == DAE_EVAL_COLON || value->n_dims > 0;
    chosen[d] = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    good = good && choose(reference, value, component->dims[d], chosen[d]);
  }
  good = good && expand(reference, output, component, i, chosen, keeps, 0, 0, depth);
  if (good && selects) {
    dae_translate_range(reference->translator, part->begin, part->end);
    dae_syntax_emit(&lang->flat, DAE_OP_INDEX, part->n, 0, reference->pos);
  }
  for (uint32_t d = 0; d < component->n_dims; d++) {
    g_array_free(chosen[d], TRUE);
  }
  return good;
}

/* Subscripts of the part that are written as numbers. */
static bool
checks_numbers(const Reference *reference, const DaeComponent *component, const Part *part)
{
  DaeLang *lang = reference->translator->lang;
  for (uint32_t k = 0; k < part->n; k++) {
    bool is_number = part->has_literals;
    if (!is_number) {
      uint32_t begin = dae_syntax_skip_back(lang->syntax, part->end, part->n - k);
      uint32_t end = dae_syntax_skip_back(lang->syntax, part->end, part->n - k - 1);
      is_number = end == begin + 1 && dae_syntax_code(lang->syntax, begin)->op == DAE_OP_NUMBER;
    }
    if (is_number && !dae_check_number_subscript(lang, component, k, reference->pos)) {
      return false;
    }
  }
  return true;
}

/* The text of the output names the component; part i is the one that named it. */
static bool
descend(const Reference *reference, Output *output, DaeComponent *component, guint i,
        uint32_t depth)
{
  DaeLang *lang = reference->translator->lang;
  if (component->is_absent || depth > DAE_MAX_NESTING) {
    dae_source_error(lang->source, reference->pos, "'%s' is not there: its condition is false",
                     dae_names_text(lang->names, component->flat_name));
    return false;
  }
  if (!checks_numbers(reference, component, part_at(reference, i))) {
    return false;
  }
  dae_warn_conditional(lang, component, reference->pos);
  if (component->parent->component == NULL && component != lang->model &&
      (!component->parent->is_function ||
       dae_node_is_kind(lang, component->parent, DAE_CLASS_FUNCTION))) {
    dae_use_constant(lang, component);
  }
  dae_bus_reference(lang, component);
  output->leaf = component->is_leaf ? component : NULL;
  if (component->is_leaf && !component->is_record) {
    return descend_leaf(reference, output, i);
  }
  if (component->n_dims > 0) {
    return descend_array(reference, output, component, i, depth);
  }
  return descend_node(reference, output, component->nodes[0], i, depth);
}

/* ---- the beginning ----------------------------------------------------------------------- */

/* An iterator that has one value here. */
static bool
emit_known(const Reference *reference, uint32_t name)
{
  DaeTranslator *translator = reference->translator;
  for (guint i = translator->knowns->len; i-- > 0;) {
    const DaeLocal *local = &g_array_index(translator->knowns, DaeLocal, i);
    if (local->name == name) {
      uint32_t number =
          dae_name_format(translator->lang, "%" G_GINT64_FORMAT, local->value.integer);
      dae_syntax_emit(&translator->lang->flat, DAE_OP_NUMBER, 0, number, reference->pos);
      return true;
    }
  }
  return false;
}

static void
copy_as_written(const Reference *reference, uint32_t pc)
{
  DaeLang *lang = reference->translator->lang;
  DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  if (instruction.op == DAE_OP_PATH || instruction.op == DAE_OP_TARGET) {
    uint32_t index = instruction.arg;
    uint32_t n = 1 + 2 * g_array_index(lang->syntax->paths, uint32_t, index);
    instruction.arg = lang->flat.paths->len;
    g_array_append_vals(lang->flat.paths, &g_array_index(lang->syntax->paths, uint32_t, index),
                        n);
  }
  g_array_append_val(lang->flat.code, instruction);
}

static void
report_unknown(const Reference *reference, uint32_t name)
{
  DaeTranslator *translator = reference->translator;
  DaeLang *lang = translator->lang;
  DaeSuggest suggest;
  const char *text = dae_names_text(lang->names, name);
  if (dae_lookup_is_told(lang, name) ||
      dae_lookup_report_closed(lang, translator->scope, name, reference->pos)) {
    return;
  }
  dae_suggest_begin_word(&suggest, text);
  for (const DaeNode *node = translator->scope; node != NULL && node->elements != NULL;
       node = node->scope) {
    for (guint i = 0; i < node->elements->len; i++) {
      const DaeElement *element = node->elements->pdata[i];
      dae_suggest_try(&suggest, dae_names_text(lang->names, element->name));
    }
  }
  dae_source_error(lang->source, reference->pos, "unknown name '%s'%s%s%s", text,
                   suggest.best != NULL ? "; did you mean '" : "",
                   suggest.best != NULL ? suggest.best : "", suggest.best != NULL ? "'?" : "");
}

/* A class: an enumeration literal, a function as a value, a constant of a package. */
static bool
from_class(const Reference *reference, Output *output, DaeElement *element)
{
  DaeLang *lang = reference->translator->lang;
  guint i = 0;
  const DaeElement *redeclared = NULL;
  while (true) {
    redeclared = element->replaced != NULL ? element : redeclared;
    DaeNode *node = dae_element_node(lang, element, NULL);
    if (node == NULL) {
      return false;
    }
    bool is_enumeration = node->builtin == DAE_BUILTIN_ENUMERATION;
    if (is_enumeration || i + 1 == reference->parts->len) {
      uint32_t name = dae_use_class(lang, node);
      g_string_assign(output->text, dae_names_text(lang->names, name));
      for (i++; i < reference->parts->len; i++) {
        append_member(output, dae_names_text(lang->names, part_at(reference, i)->name));
      }
      emit_reference(reference, output);
      return true;
    }
    i++;
    uint32_t name = part_at(reference, i)->name;
    element = dae_node_element(lang, node, name);
    if (element == NULL && redeclared != NULL && redeclared->index != 0) {
      dae_error_once(lang, dae_syntax_class(lang->syntax, redeclared->index)->pos,
                     "this class is redeclared outside its constraint: there is no '%s' in it",
                     name);
      return false;
    }
    if (element == NULL) {
      return fail_member(reference, node, name);
    }
    if (!dae_check_visible(lang, reference->translator->scope, element, reference->pos)) {
      return false;
    }
    if (element->kind == DAE_ELEMENT_COMPONENT) {
      DaeComponent *component = dae_component_of(lang, element);
      if (component == NULL) {
        return false;
      }
      if ((component->flags & (DAE_FLAG_CONSTANT | DAE_FLAG_PARAMETER)) == 0) {
        dae_source_error(lang->source, reference->pos,
                         "'%s' is no constant: it is there in components of this class only",
                         dae_names_text(lang->names, name));
        return false;
      }
      g_string_assign(output->text, dae_names_text(lang->names, component->flat_name));
      return descend(reference, output, component, i, 0);
    }
  }
}

/* A constant of a function in which another one is declared, seen from that one. */
static bool
is_constant_around(const DaeTranslator *translator, const DaeElement *element)
{
  const DaeLang *lang = translator->lang;
  return (element->flags & DAE_FLAG_CONSTANT) != 0 &&
         dae_node_is_kind(lang, element->owner, DAE_CLASS_FUNCTION) &&
         (lang->outside == element->owner || translator->scope->whole != element->owner);
}

static bool
resolve(const Reference *reference, uint32_t pc, uint32_t first_new)
{
  DaeTranslator *translator = reference->translator;
  DaeLang *lang = translator->lang;
  uint32_t name = part_at(reference, 0)->name;
  if (reference->parts->len == 1 && part_at(reference, 0)->n == 0 &&
      emit_known(reference, name)) {
    return true;
  }
  if (is_iterator(translator, name)) {
    copy_as_written(reference, pc);
    return true;
  }
  DaeNode *where = NULL;
  uint32_t errors = lang->source->n_errors;
  DaeElement *element = dae_lookup_simple(lang, translator->scope, name, &where);
  if (element == NULL) {
    if (lang->source->n_errors > errors) {
      return false; /* an import that leads nowhere was reported */
    }
    if (strcmp(dae_names_text(lang->names, name), "time") == 0) {
      copy_as_written(reference, pc);
      return true;
    }
    report_unknown(reference, name);
    return false;
  }
  if (element->kind == DAE_ELEMENT_COMPONENT && element->owner->is_function &&
      !is_constant_around(translator, element)) {
    copy_as_written(reference, pc); /* local names of functions and records */
    return true;
  }
  if (!dae_check_enclosing(lang, element, translator->scope, where, reference->pos)) {
    return false;
  }
  dae_translate_truncate(translator, first_new); /* the subscripts are written again */
  Output output;
  output_init(&output, NULL);
  bool good = false;
  if (element->kind == DAE_ELEMENT_CLASS) {
    good = from_class(reference, &output, element);
  } else {
    DaeComponent *component = dae_component_meant(lang, element);
    if (component != NULL && checks_outer(reference, element, 0)) {
      g_string_assign(output.text, dae_names_text(lang->names, component->flat_name));
      good = descend(reference, &output, component, 0, 0);
    }
  }
  output_clear(&output);
  return good;
}

static bool
translate(DaeTranslator *translator, uint32_t pc, uint32_t first_new, DaeStreamUse stream)
{
  const DaeInstruction *instruction = dae_syntax_code(translator->lang->syntax, pc);
  Reference reference = {
      .translator = translator, .pos = instruction->pos, .pc = pc, .stream = stream};
  reference.is_target = instruction->op == DAE_OP_TARGET;
  reference.parts = g_array_new(FALSE, TRUE, sizeof(Part));
  split(&reference, pc);
  bool good = resolve(&reference, pc, first_new);
  g_array_free(reference.parts, TRUE);
  return good;
}

bool
dae_translate_reference(DaeTranslator *translator, uint32_t pc, uint32_t first_new)
{
  return translate(translator, pc, first_new, DAE_STREAM_NONE);
}

bool
dae_translate_whole_target(DaeTranslator *translator, uint32_t pc)
{
  Reference reference = {.translator = translator, .pc = pc, .is_target = true};
  reference.pos = dae_syntax_code(translator->lang->syntax, pc)->pos;
  reference.parts = g_array_new(FALSE, TRUE, sizeof(Part));
  split(&reference, pc);
  uint32_t n_subscripts = 0; /* of components around the variable */
  for (guint i = 0; i + 1 < reference.parts->len; i++) {
    n_subscripts += part_at(&reference, i)->n;
  }
  g_array_index(reference.parts, Part, reference.parts->len - 1).n = 0;
  bool good = n_subscripts == 0 && resolve(&reference, pc, translator->lang->flat.code->len);
  g_array_free(reference.parts, TRUE);
  return good;
}

bool
dae_translate_stream(DaeTranslator *translator, uint32_t pc, uint32_t first_new)
{
  DaeLang *lang = translator->lang;
  const DaeInstruction instruction = *dae_syntax_code(lang->syntax, pc);
  const char *name = dae_names_text(lang->names, instruction.arg);
  bool is_in = strcmp(name, "inStream") == 0;
  if (instruction.n != 1 || (!is_in && strcmp(name, "actualStream") != 0)) {
    return false;
  }
  DaeOp op = dae_syntax_code(lang->syntax, pc - 1)->op;
  if (op != DAE_OP_NAME && op != DAE_OP_ELEMENT && op != DAE_OP_PATH) {
    dae_source_error(lang->source, instruction.pos,
                     "the argument of %s is a stream variable of a connector", name);
    return true;
  }
  dae_translate_truncate(translator, first_new);
  translate(translator, pc - 1, first_new, is_in ? DAE_STREAM_IN : DAE_STREAM_ACTUAL);
  return true;
}
