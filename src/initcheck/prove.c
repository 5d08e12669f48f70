/* Lines of the elimination to proofs: premises on first use, then one step per line that is
 * behind the end of a row. The last step is what a reader checks at a glance: an equation of
 * the model with the values put in, `10 = 5 + 5`. */
#include "initcheck/initcheck-priv.h"

enum { LONGEST_PART = 120 }; /* characters of an expression in a note */

typedef struct {
  IcEngine *engine;
  GArray *steps;            /* DaeInitStep */
  GHashTable *step_of_line; /* line + 1 -> step + 1 */
  GHashTable *step_of_premise;
  bool has_cases; /* several runs, whose common steps are written once */
} Writer;

/* ---- steps ------------------------------------------------------------------------------- */

static bool
is_same_step(const DaeInitStep *a, const DaeInitStep *b)
{
  if (a->rule != b->rule || a->lhs != b->lhs || a->rhs != b->rhs || a->atom != b->atom ||
      a->condition != b->condition || a->holds != b->holds || a->part != b->part ||
      a->n_from != b->n_from || a->is_premise || b->is_premise || a->numeric != NULL ||
      b->numeric != NULL || (a->factors == NULL) != (b->factors == NULL)) {
    return false;
  }
  for (uint32_t i = 0; i < a->n_from; i++) {
    if (a->from[i] != b->from[i]) {
      return false;
    }
  }
  uint32_t n_factors = a->rule == DAE_RULE_COMBINE ? a->n_from : 1;
  for (uint32_t i = 0; a->factors != NULL && i < n_factors; i++) {
    if (a->factors[i] != b->factors[i]) {
      return false;
    }
  }
  return true;
}

/* A step that an earlier case has as well. */
static uint32_t
same_step(const Writer *writer, const DaeInitStep *step)
{
  for (guint s = 0; s < writer->steps->len; s++) {
    if (is_same_step(&g_array_index(writer->steps, DaeInitStep, s), step)) {
      return s;
    }
  }
  return IC_NONE;
}

static uint32_t
append_step(Writer *writer, DaeInitStep *step, const GArray *from, const char *note)
{
  step->note = g_strdup(note);
  if (from != NULL) {
    /* the base stays first, the others in order, each once */
    g_autoptr(GArray) rest = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    uint32_t base = from->len == 0 ? 0 : g_array_index(from, uint32_t, 0);
    g_array_append_vals(rest, from->data, from->len);
    if (from->len > 0 && step->rule != DAE_RULE_COMBINE && step->rule != DAE_RULE_NUMERIC) {
      g_array_set_size(rest, 0);
      g_array_append_vals(rest, &g_array_index(from, uint32_t, 1), from->len - 1);
      ic_sort_numbers(rest);
      guint kept = 0;
      for (guint i = 0; i < rest->len; i++) {
        uint32_t value = g_array_index(rest, uint32_t, i);
        if (value != base && (kept == 0 || g_array_index(rest, uint32_t, kept - 1) != value)) {
          g_array_index(rest, uint32_t, kept++) = value;
        }
      }
      g_array_set_size(rest, kept);
      g_array_prepend_val(rest, base);
    }
    step->n_from = rest->len;
    step->from = g_memdup2(rest->data, sizeof(uint32_t) * rest->len);
    uint32_t known = writer->has_cases ? same_step(writer, step) : IC_NONE;
    if (known != IC_NONE) {
      dae_proof_step_clear(step);
      return known;
    }
  }
  g_array_append_val(writer->steps, *step);
  return writer->steps->len - 1;
}

static uint32_t
premise_step(Writer *writer, uint32_t premise)
{
  IcSystem *sys = writer->engine->sys;
  gpointer known = g_hash_table_lookup(writer->step_of_premise, GUINT_TO_POINTER(premise + 1));
  if (known != NULL) {
    return GPOINTER_TO_UINT(known) - 1;
  }
  const IcPremise *what = &g_array_index(sys->premises, IcPremise, premise);
  DaeInitStep step = {
      .lhs = what->lhs, .rhs = what->rhs, .is_premise = true, .premise = what->id};
  step.rule = DAE_RULE_PREMISE;
  bool names_unknown = what->lhs != DAE_NO_TERM && what->rhs != DAE_NO_TERM &&
                       g_hash_table_contains(sys->index, GUINT_TO_POINTER(what->lhs));
  if (names_unknown && !dae_term_contains(sys->terms, what->rhs, what->lhs)) {
    step.atom = what->lhs;
  }
  uint32_t number = append_step(writer, &step, NULL, NULL);
  g_hash_table_insert(writer->step_of_premise, GUINT_TO_POINTER(premise + 1),
                      GUINT_TO_POINTER(number + 1));
  return number;
}

static uint32_t
step_of_line(const Writer *writer, uint32_t line)
{
  gpointer known = g_hash_table_lookup(writer->step_of_line, GUINT_TO_POINTER(line + 1));
  DAE_ASSERT(known != NULL);
  return GPOINTER_TO_UINT(known) - 1;
}

static uint32_t
base_step(Writer *writer, const IcLine *line)
{
  return line->base == IC_NONE
             ? premise_step(writer, ic_engine_row(writer->engine, line->row)->premise)
             : step_of_line(writer, line->base);
}

static GArray *
sources_of(Writer *writer, const IcLine *line)
{
  GArray *from = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  uint32_t step = base_step(writer, line);
  g_array_append_val(from, step);
  for (uint32_t i = 0; i < line->n_subs; i++) {
    step = step_of_line(writer, line->subs[i].line);
    g_array_append_val(from, step);
  }
  for (uint32_t i = 0; i < line->n_with; i++) {
    step = (line->with[i] & IC_PREMISE_BIT) != 0
               ? premise_step(writer, line->with[i] & ~IC_PREMISE_BIT)
               : step_of_line(writer, line->with[i]);
    g_array_append_val(from, step);
  }
  return from;
}

static DaeInitRule
rule_of(IcLineKind kind)
{
  switch (kind) {
  case IC_LINE_SOLVE:
    return DAE_RULE_SOLVE;
  case IC_LINE_BRANCH:
    return DAE_RULE_BRANCH;
  case IC_LINE_SCALE:
    return DAE_RULE_SUBSTITUTE;
  case IC_LINE_VALUES:
    return DAE_RULE_VALUES;
  case IC_LINE_NUMERIC:
    return DAE_RULE_NUMERIC;
  case IC_LINE_COMBINE:
    return DAE_RULE_COMBINE;
  case IC_LINE_END:
    return DAE_RULE_IDENTITY;
  }
  return DAE_RULE_SUBSTITUTE;
}

/* A premise that already says z = expression needs no step of its own when z is solved from
 * it. */
static bool
says_it_already(Writer *writer, const IcLine *line, DaeTerm rhs)
{
  const IcEngine *engine = writer->engine;
  const IcPremise *premise = &g_array_index(engine->sys->premises, IcPremise,
                                            ic_engine_row(engine, line->row)->premise);
  return line->kind == IC_LINE_SOLVE && line->base == IC_NONE && line->n_subs == 0 &&
         premise->lhs == line->lhs &&
         (premise->rhs == rhs || dae_algebra_equal(engine->sys->algebra, premise->rhs, rhs));
}

static void
write_line(Writer *writer, uint32_t l)
{
  IcEngine *engine = writer->engine;
  const IcLine *line = ic_engine_line(engine, l);
  DaeTerm rhs = ic_line_rhs(engine, l);
  uint32_t number = 0;
  if (says_it_already(writer, line, rhs)) {
    number = premise_step(writer, ic_engine_row(engine, line->row)->premise);
  } else {
    g_autoptr(GArray) from = sources_of(writer, line);
    DaeInitStep step = {.lhs = line->lhs, .rhs = rhs, .rule = rule_of(line->kind)};
    step.atom = line->z != IC_NONE ? line->lhs : DAE_NO_TERM;
    if (line->factors != NULL) {
      step.factors = g_memdup2(line->factors, sizeof(DaeTerm) * (line->n_with + 1));
    }
    step.numeric = dae_proof_numeric_copy(line->numeric);
    step.condition = line->condition;
    step.holds = line->holds;
    bool is_case = writer->has_cases && line->kind == IC_LINE_BRANCH && line->note != NULL;
    number = append_step(writer, &step, from, is_case ? "a case" : line->note);
  }
  g_hash_table_insert(writer->step_of_line, GUINT_TO_POINTER(l + 1),
                      GUINT_TO_POINTER(number + 1));
}

/* ---- the last step ----------------------------------------------------------------------- */

/* Values as they stand in the place of atoms. */
typedef struct {
  GHashTable *in[DAE_N_PRINT_STYLES]; /* atom -> text */
} Values;

static void
values_init(Values *values)
{
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    values->in[style] = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  }
}

static void
values_clear(Values *values)
{
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    g_hash_table_unref(values->in[style]);
  }
}

/* In parentheses unless it is a primary: u1 + u2 with values is 5 + (-5). */
static void
values_set(Values *values, DaeTerms *terms, DaeTerm atom, DaeTerm value)
{
  bool is_primary = dae_term_precedence(terms, value) == DAE_BINDS_PRIMARY;
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    DaePrinting how = {.style = (DaePrintStyle)style};
    GString *text = g_string_new(is_primary ? "" : "(");
    dae_term_print_styled(terms, value, &how, text);
    g_string_append(text, is_primary ? "" : ")");
    g_hash_table_insert(values->in[style], GUINT_TO_POINTER(atom), g_string_free(text, FALSE));
  }
}

/* A side with the values put in but not worked out: 5 + 5. */
static void
append_with_values(DaeStyledString *out, DaeTerms *terms, DaeTerm side, const Values *values,
                   DaeTerm value)
{
  if (g_hash_table_contains(values->in[DAE_PRINT_MODELICA], GUINT_TO_POINTER(side))) {
    dae_styled_append_term(out, terms, value, 0); /* the side is an atom */
    return;
  }
  for (int style = 0; style < DAE_N_PRINT_STYLES; style++) {
    DaePrinting how = {.style = (DaePrintStyle)style, .names = values->in[style]};
    dae_term_print_styled(terms, side, &how, out->in[style]);
  }
}

/* The values of all unknowns of the premise; false if one of them has none. */
static bool
find_values(Writer *writer, const IcPremise *what, GArray *used, Values *values,
            DaeSubst *subst)
{
  IcSystem *sys = writer->engine->sys;
  const GArray *inside = ic_unknowns_inside(sys, what->residual);
  for (guint i = 0; i < inside->len; i++) {
    DaeTerm atom =
        g_array_index(sys->unknowns, IcUnknown, g_array_index(inside, uint32_t, i)).atom;
    DaeTerm value = ic_engine_reduce(writer->engine, atom, used);
    if (value == DAE_NO_TERM || ic_has_unknown(sys, value)) {
      return false;
    }
    dae_subst_set(subst, atom, value);
    values_set(values, sys->terms, atom, value);
  }
  return true;
}

/* The equation of a step as it is shown. (transfer full) */
static DaeStyled *
sides_of(DaeStyledString *text)
{
  DaeStyled sides = dae_styled_string_end(text);
  return g_memdup2(&sides, sizeof sides);
}

/* The premise with all its unknowns replaced by their values; false if one of them has none. */
static bool
write_values(Writer *writer, uint32_t premise, GArray *from, DaeInitStep *step)
{
  IcSystem *sys = writer->engine->sys;
  const IcPremise *what = &g_array_index(sys->premises, IcPremise, premise);
  if (what->residual == DAE_NO_TERM) {
    return false;
  }
  Values values;
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  g_autoptr(DaeSubst) subst = dae_subst_new(sys->terms);
  values_init(&values);
  bool found = find_values(writer, what, used, &values, subst);
  if (found) {
    step->lhs = dae_subst_apply(subst, what->lhs);
    step->rhs = dae_subst_apply(subst, what->rhs);
    found = step->lhs != DAE_NO_TERM && step->rhs != DAE_NO_TERM;
  }
  if (found) {
    DaeStyledString text = dae_styled_string_new();
    append_with_values(&text, sys->terms, what->lhs, &values, step->lhs);
    dae_styled_append(&text, " = ");
    append_with_values(&text, sys->terms, what->rhs, &values, step->rhs);
    step->sides = sides_of(&text);
  }
  values_clear(&values);
  if (!found) {
    return false;
  }
  uint32_t first = premise_step(writer, premise);
  g_array_append_val(from, first);
  for (guint i = 0; i < used->len; i++) {
    uint32_t l = g_array_index(used, uint32_t, i);
    if (!g_hash_table_contains(writer->step_of_line, GUINT_TO_POINTER(l + 1))) {
      return false; /* a value that the proof does not have: the plain ending does */
    }
    uint32_t number = step_of_line(writer, l);
    g_array_append_val(from, number);
  }
  return true;
}

/* Which premise to show in the end: the row's own, unless that would read `5 = 5`; then the one
 * that the unknown was found from. */
static uint32_t
premise_to_show(IcEngine *engine, uint32_t r)
{
  IcSystem *sys = engine->sys;
  uint32_t own = ic_engine_row(engine, r)->premise;
  const IcPremise *what = &g_array_index(sys->premises, IcPremise, own);
  gpointer z = g_hash_table_lookup(sys->index, GUINT_TO_POINTER(what->lhs));
  if (z == NULL || what->rhs == DAE_NO_TERM || ic_has_unknown(sys, what->rhs)) {
    return own;
  }
  uint32_t line = engine->solved_by[GPOINTER_TO_UINT(z) - 1];
  if (line == IC_NONE) {
    return own;
  }
  g_autoptr(GArray) used = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (ic_engine_reduce(engine, what->lhs, used) != what->rhs) {
    return own; /* `1/i = 0.5*sqrt(2)` says what is left to see */
  }
  uint32_t source = ic_engine_row(engine, ic_engine_line(engine, line)->row)->premise;
  DaeTerm lhs = g_array_index(sys->premises, IcPremise, source).lhs;
  return lhs == what->lhs ? own : source; /* a definition of the unknown would be a tautology */
}

/* What the two sides of the step differ by, at the given values: the row
 * may have been multiplied since. */
static DaeTerm
difference_of_sides(IcSystem *sys, const DaeInitStep *step, DaeTerm otherwise)
{
  DaeTerm value = ic_at_values(sys, dae_term_sub(sys->terms, step->lhs, step->rhs));
  if (value == DAE_NO_TERM || dae_algebra_equal(sys->algebra, value, otherwise) ||
      dae_algebra_equal(sys->algebra, dae_term_neg(sys->terms, value), otherwise)) {
    return otherwise;
  }
  value = ic_tidy(sys, value);
  bool is_negative =
      dae_term_is_number(sys->terms, value) && dae_term_sign(sys->terms, value) < 0;
  return is_negative ? dae_term_neg(sys->terms, value) : value;
}

/* Coefficients that were taken as nonzero leave no trace in the lines: the end of the chain
 * names them all. */
static void
append_assumed(Writer *writer, GArray *from)
{
  const IcEngine *engine = writer->engine;
  for (guint k = 0; engine->used_assumption && k < engine->assumed->len; k++) {
    uint32_t line = g_array_index(engine->assumed, IcAssumption, k).line;
    uint32_t number = step_of_line(writer, line);
    g_array_append_val(from, number);
  }
}

/* Returns the number of the last step. */
static uint32_t
write_end(Writer *writer, uint32_t r)
{
  IcEngine *engine = writer->engine;
  IcSystem *sys = engine->sys;
  const IcRow *row = ic_engine_row(engine, r);
  bool is_conflict = row->state == IC_ROW_CONFLICT;
  const IcLine *line = ic_engine_line(engine, row->line);
  uint32_t premise = is_conflict ? row->premise : premise_to_show(engine, r);
  DaeInitStep step = {.rule = is_conflict ? DAE_RULE_SUBSTITUTE : DAE_RULE_IDENTITY};
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool shown = write_values(writer, premise, from, &step);
  if (shown) {
    uint32_t number = append_step(writer, &step, from, NULL);
    g_array_set_size(from, 0);
    g_array_append_val(from, number);
  } else {
    dae_proof_step_clear(&step);
  }
  if (shown && !is_conflict) {
    return writer->steps->len - 1;
  }
  g_autoptr(GArray) sources = shown ? g_array_ref(from) : sources_of(writer, line);
  append_assumed(writer, sources);
  DaeInitStep last = {.lhs = dae_term_int(sys->terms, 0)};
  last.rule = is_conflict ? DAE_RULE_CONTRADICTION : DAE_RULE_IDENTITY;
  last.rhs = is_conflict ? row->residual : last.lhs;
  if (shown && is_conflict && row->residual != DAE_NO_TERM) {
    last.rhs = difference_of_sides(sys, &step, row->residual);
  }
  if (is_conflict && row->residual == DAE_NO_TERM) {
    DaeStyledString end = dae_styled_string_new();
    dae_styled_append(&end, "0 = 1/0");
    last.sides = sides_of(&end);
  }
  return append_step(writer, &last, sources, line->note);
}

/* ---- whole proofs ------------------------------------------------------------------------ */

static void
write_lines_behind(Writer *writer, uint32_t line, bool itself)
{
  g_autoptr(GArray) behind = ic_engine_lines_behind(writer->engine, line);
  for (guint i = 0; i + (itself ? 0 : 1) < behind->len; i++) {
    uint32_t l = g_array_index(behind, uint32_t, i);
    if (!g_hash_table_contains(writer->step_of_line, GUINT_TO_POINTER(l + 1))) {
      write_line(writer, l);
    }
  }
}

static uint32_t
write_chain(Writer *writer, uint32_t r)
{
  const IcEngine *engine = writer->engine;
  for (guint k = 0; engine->used_assumption && k < engine->assumed->len; k++) {
    write_lines_behind(writer, g_array_index(engine->assumed, IcAssumption, k).line, true);
  }
  write_lines_behind(writer, ic_engine_row(engine, r)->line, false);
  return write_end(writer, r);
}

/* A condition that turns out the other way, a discrete value that is none, or a part of a premise
 * outside of its domain. */
static uint32_t
write_failure(Writer *writer, const IcFailure *failure)
{
  IcSystem *sys = writer->engine->sys;
  g_autoptr(GArray) from = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  if (failure->premise != IC_NONE) {
    uint32_t number = premise_step(writer, failure->premise);
    g_array_append_val(from, number);
  }
  for (guint i = 0; i < failure->lines->len; i++) {
    uint32_t l = g_array_index(failure->lines, uint32_t, i);
    write_lines_behind(writer, l, true);
    uint32_t number = step_of_line(writer, l);
    g_array_append_val(from, number);
  }
  append_assumed(writer, from);
  DaeInitStep last = {.lhs = dae_term_int(sys->terms, 0),
                      .rhs = dae_term_int(sys->terms, 1),
                      .rule = DAE_RULE_CONTRADICTION,
                      .condition = failure->condition,
                      .holds = failure->holds,
                      .part = failure->part};
  g_autofree char *note = NULL;
  if (failure->premise != IC_NONE) {
    g_autoptr(GString) text = g_string_new(NULL);
    dae_term_print_limited(sys->terms, failure->part, text, LONGEST_PART);
    g_string_append(text, " is outside of its domain");
    note = g_string_free(g_steal_pointer(&text), FALSE);
  }
  if (failure->z != IC_NONE) {
    last.atom = g_array_index(sys->unknowns, IcUnknown, failure->z).atom;
    g_autofree char *name = dae_term_to_string(sys->terms, last.atom);
    note = g_strdup_printf("no value of the type of %s", name);
  }
  return append_step(writer, &last, from, note);
}

static void
writer_init(Writer *writer, IcEngine *engine)
{
  writer->engine = engine;
  writer->steps = g_array_new(FALSE, TRUE, sizeof(DaeInitStep));
  writer->step_of_line = g_hash_table_new(NULL, NULL);
  writer->step_of_premise = g_hash_table_new(NULL, NULL);
}

static DaeInitStep *
writer_finish(Writer *writer, uint32_t *n_steps)
{
  g_hash_table_unref(writer->step_of_line);
  g_hash_table_unref(writer->step_of_premise);
  *n_steps = writer->steps->len;
  DaeInitStep *steps = (DaeInitStep *)(void *)g_array_free(writer->steps, FALSE);
  return g_renew(DaeInitStep, steps, MAX(*n_steps, 1)); /* without what it grew for */
}

DaeInitStep *
ic_prove(IcEngine *engine, uint32_t r, uint32_t *n_steps)
{
  Writer writer = {.has_cases = false};
  writer_init(&writer, engine);
  write_chain(&writer, r);
  return writer_finish(&writer, n_steps);
}

DaeInitStep *
ic_prove_cases(IcEngine *engine, const GArray *premises, uint32_t *n_steps)
{
  Writer writer = {.has_cases = true};
  writer_init(&writer, engine);
  g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  bool is_case = engine->failed->len > 1;
  for (guint i = 0; i < engine->failed->len; i++) {
    const GArray *script = g_ptr_array_index(engine->failed, i);
    g_autoptr(IcEngine) run = ic_run_script(engine->sys, premises, NULL, script);
    g_autoptr(IcFailure) failure = ic_find_failure(run);
    DAE_ASSERT(failure != NULL); /* the same choices, the same end */
    is_case |= failure->blame->len > 0;
    writer.engine = run;
    g_hash_table_remove_all(writer.step_of_line);
    uint32_t end = failure->row != IC_NONE ? write_chain(&writer, failure->row)
                                           : write_failure(&writer, failure);
    g_array_append_val(ends, end);
  }
  writer.engine = engine;
  if (is_case) {
    DaeTerms *terms = engine->sys->terms;
    DaeInitStep last = {
        .lhs = dae_term_int(terms, 0), .rhs = dae_term_int(terms, 1), .rule = DAE_RULE_CASE};
    append_step(&writer, &last, ends, NULL);
  }
  return writer_finish(&writer, n_steps);
}
