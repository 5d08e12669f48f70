/* Routines (terms/routines.h) as functions, so that a text that calls them can be read:
 *
 *     function 'root.loop#1'
 *       input Integer k;
 *       input Real $1, ...;
 *       output Real y;
 *
 * with output number k as its value. States are local variables; all of them change at once. */
#include "model/flat.h"

#include <string.h>

#include "terms/message.h"
#include "terms/routines.h"

typedef struct {
  DaeTerms *terms;
  DaeSharedTerms *shared;
  GString *out;
  const DaeRoutine *routine;
  uint32_t number;
} Writer;

static void
append(const Writer *w, const char *before, DaeTerm t, const char *after)
{
  g_string_append(w->out, before);
  dae_print_shared(w->terms, t, w->shared, w->out);
  g_string_append(w->out, after);
}

static void
write_header(const Writer *w)
{
  const DaeRoutine *r = w->routine;
  g_string_append(w->out, "function ");
  dae_terms_print_routine(w->terms, w->number, w->out);
  g_string_append(w->out, "\n  input Integer k;\n");
  for (uint32_t i = 0; i < r->n_inputs; i++) {
    append(w, "  input Real ", r->inputs[i], ";\n");
  }
  g_string_append(w->out, "  output Real y;\n");
}

/* What reads the text back takes it as the routine that it is (printed.c); for others it is a
 * function. */
static void
write_end(const Writer *w)
{
  const DaeMethod *method = dae_terms_routine_method(w->terms, w->number);
  g_string_append_printf(w->out, "  annotation(Inline = false, __daetool(routine = %u",
                         w->routine->n_outputs);
  if (method != NULL) {
    g_string_append_printf(w->out, ", method = \"%s", method->name);
    for (uint32_t i = 0; i < DAE_METHOD_SIZES; i++) {
      g_string_append_printf(w->out, " %d", method->sizes[i]);
    }
    for (uint32_t k = 0; k < w->routine->n_outputs; k++) {
      if (dae_terms_routine_is_step(w->terms, w->number, k)) {
        g_string_append_printf(w->out, " %u", k + 1);
      }
    }
    g_string_append_c(w->out, '"');
  }
  g_string_append(w->out, "));\nend ");
  dae_terms_print_routine(w->terms, w->number, w->out);
  g_string_append(w->out, ";\n\n");
}

static void
write_loop(const Writer *w)
{
  const DaeRoutine *r = w->routine;
  for (uint32_t s = 0; s < r->n_states; s++) {
    append(w, "  ", r->states[s], " := ");
    append(w, "", r->initial[s], ";\n");
  }
  append(w, "  while ", r->condition, " loop\n");
  for (uint32_t s = 0; s < r->n_states; s++) {
    g_string_append_printf(w->out, "    next%u := ", s + 1);
    append(w, "", r->next[s], ";\n");
  }
  for (uint32_t s = 0; s < r->n_states; s++) {
    append(w, "    ", r->states[s], " := ");
    g_string_append_printf(w->out, "next%u;\n", s + 1);
  }
  g_string_append(w->out, "  end while;\n");
}

static void
write_routine(const Writer *w)
{
  const DaeRoutine *r = w->routine;
  uint32_t order = 0;
  write_header(w);
  if (dae_terms_routine_is_unknown(w->terms, w->number, &order)) {
    g_string_append(w->out, "external \"C\";\n");
    write_end(w);
    return;
  }
  g_string_append(w->out, r->n_states > 0 ? "protected\n" : "");
  for (uint32_t s = 0; s < r->n_states; s++) {
    append(w, "  Real ", r->states[s], ";\n");
    g_string_append_printf(w->out, "  Real next%u;\n", s + 1);
  }
  g_string_append(w->out, "algorithm\n");
  if (r->n_states > 0) {
    write_loop(w);
  }
  for (uint32_t k = 0; k < r->n_outputs; k++) {
    g_string_append_printf(w->out, "  %s k == %u then\n", k == 0 ? "if" : "elseif", k + 1);
    append(w, "    y := ", r->outputs[k], ";\n");
  }
  g_string_append(w->out, "  end if;\n");
  write_end(w);
}

static void
collect(DaeTerms *terms, DaeTerm t, GArray *numbers)
{
  if (t != DAE_NO_TERM) {
    dae_term_collect_routines(terms, t, numbers);
  }
}

static void
collect_in_message(DaeTerms *terms, const char *message, GArray *numbers)
{
  g_autoptr(GString) form = g_string_new(NULL);
  DaeMessagePart part;
  while (message != NULL && dae_message_next(terms, &message, &part, form)) {
    if (part.length == 0) {
      collect(terms, part.term, numbers);
      collect(terms, part.format.when, numbers);
    }
  }
}

static void
collect_in_equations(const DaeModel *model, DaeTerms *terms, GArray *numbers)
{
  uint32_t n = dae_model_n_equations(model);
  for (uint32_t i = 0; i < n + dae_model_n_initial_equations(model); i++) {
    const DaeEquation *equation =
        i < n ? dae_model_equation(model, i) : dae_model_initial_equation(model, i - n);
    collect(terms, equation->lhs, numbers);
    collect(terms, equation->rhs, numbers);
  }
  for (uint32_t i = 0; i < dae_model_n_assertions(model); i++) {
    collect(terms, dae_model_assertion(model, i)->condition, numbers);
    collect_in_message(terms, dae_model_assertion(model, i)->message, numbers);
  }
}

static void
collect_in_declarations(const DaeModel *model, DaeTerms *terms, GArray *numbers)
{
  for (uint32_t i = 0; i < dae_model_n_parameters(model); i++) {
    const DaeParameter *parameter = dae_model_parameter(model, i);
    const DaeTerm all[] = {parameter->value, parameter->min, parameter->max,
                           parameter->nominal};
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
      collect(terms, all[k], numbers);
    }
  }
  for (uint32_t j = 0; j < dae_model_n_variables(model); j++) {
    const DaeVariable *variable = dae_model_variable(model, j);
    const DaeTerm all[] = {variable->start, variable->min, variable->max, variable->nominal};
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
      collect(terms, all[k], numbers);
    }
  }
}

static void
collect_in_whens(const DaeModel *model, DaeTerms *terms, GArray *numbers)
{
  for (uint32_t i = 0; i < dae_model_n_whens(model); i++) {
    const DaeWhen *when = dae_model_when(model, i);
    for (uint32_t b = 0; b < when->n_branches; b++) {
      const DaeWhenBranch *branch = &when->branches[b];
      for (uint32_t k = 0; k < branch->n_conditions; k++) {
        collect(terms, branch->conditions[k], numbers);
      }
      for (uint32_t k = 0; k < branch->n_actions; k++) {
        collect(terms, branch->actions[k].value, numbers);
        collect(terms, branch->actions[k].condition, numbers);
        collect_in_message(terms, branch->actions[k].message, numbers);
      }
    }
  }
}

void
dae_print_routines(const DaeModel *model, DaeTerms *terms, DaeSharedTerms *shared, GString *out)
{
  if (dae_terms_routine_count(terms) == 0) {
    return;
  }
  g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  collect_in_equations(model, terms, numbers);
  collect_in_declarations(model, terms, numbers);
  collect_in_whens(model, terms, numbers);
  for (uint32_t i = 0; i < numbers->len; i++) {
    uint32_t number = g_array_index(numbers, uint32_t, i);
    const DaeRoutine parts = *dae_terms_routine(terms, number);
    write_routine(&(Writer){terms, shared, out, &parts, number});
  }
}
