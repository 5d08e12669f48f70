/* The smaller model and the way back. */
#include "simplify/simplify-priv.h"

#include "terms/message.h"

struct DaeSimplified {
  DaeTerms *terms;
  const DaeModel *original;
  DaeModel *model;
  DaeRecovery *recovery; /* by variable of the original */
  GArray *equations;     /* uint32_t: numbers as written */
  DaeSubst *values;      /* parameters to numbers, or NULL */
  DaeSubst *subst;       /* solved variables of the orders met so far */
  GHashTable *known;     /* atoms that subst has */
  GArray *atoms;         /* scratch */
  uint32_t n_eliminated;
  uint64_t work;
  bool is_sound;
};

void
dae_simplified_free(DaeSimplified *simplified)
{
  if (simplified == NULL) {
    return;
  }
  dae_model_free(simplified->model);
  g_free(simplified->recovery);
  g_array_free(simplified->equations, TRUE);
  dae_subst_free(simplified->values);
  dae_subst_free(simplified->subst);
  g_hash_table_destroy(simplified->known);
  g_array_free(simplified->atoms, TRUE);
  g_free(simplified);
}

bool
dae_simplified_is_sound(const DaeSimplified *simplified)
{
  return simplified->is_sound;
}

const DaeModel *
dae_simplified_model(const DaeSimplified *simplified)
{
  return simplified->model;
}

const DaeModel *
dae_simplified_original(const DaeSimplified *simplified)
{
  return simplified->original;
}

uint32_t
dae_simplified_n_eliminated(const DaeSimplified *simplified)
{
  return simplified->n_eliminated;
}

uint64_t
dae_simplified_work(const DaeSimplified *simplified)
{
  return simplified->work;
}

const DaeRecovery *
dae_simplified_recovery(const DaeSimplified *simplified, uint32_t j)
{
  DAE_ASSERT(j < dae_model_n_variables(simplified->original));
  return &simplified->recovery[j];
}

uint32_t
dae_simplified_equation(const DaeSimplified *simplified, uint32_t i)
{
  DAE_ASSERT(i + 1 < simplified->equations->len);
  return g_array_index(simplified->equations, uint32_t, i);
}

/* The recovery of the variable behind an atom enters the substitution at its first use. */
static DaeTerm
replace_variables(DaeSimplified *simplified, DaeTerm t)
{
  if (t == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  DaeTerms *terms = simplified->terms;
  g_array_set_size(simplified->atoms, 0);
  dae_term_collect_variables(terms, t, simplified->atoms);
  for (guint i = 0; i < simplified->atoms->len; i++) {
    DaeTerm atom = g_array_index(simplified->atoms, DaeTerm, i);
    uint32_t j = 0;
    if (!dae_model_find_variable(simplified->original, dae_term_get_symbol(terms, atom), &j) ||
        simplified->recovery[j].kind == DAE_RECOVER_KEPT ||
        !g_hash_table_add(simplified->known, GUINT_TO_POINTER(atom))) {
      continue;
    }
    DaeTerm value = simplified->recovery[j].term;
    for (uint32_t k = dae_term_order(terms, atom); k > 0 && value != DAE_NO_TERM; k--) {
      value = dae_term_total(terms, value);
    }
    if (value == DAE_NO_TERM) {
      g_hash_table_remove(simplified->known, GUINT_TO_POINTER(atom));
      return DAE_NO_TERM;
    }
    dae_subst_set(simplified->subst, atom, value);
  }
  return dae_subst_apply(simplified->subst, t);
}

/* What divides by zero with the values keeps its parameters. */
DaeTerm
dae_simplified_replace(DaeSimplified *simplified, DaeTerm t)
{
  DaeTerm closed = t != DAE_NO_TERM && simplified->values != NULL
                       ? dae_subst_apply(simplified->values, t)
                       : t;
  return replace_variables(simplified, closed != DAE_NO_TERM ? closed : t);
}

/* +kept or -kept? */
static void
recognize_alias(const DaeSimplified *simplified, DaeRecovery *recovery)
{
  const DaeTerms *terms = simplified->terms;
  uint32_t n = 0;
  int64_t sign = 1;
  const DaeTerm *factors = dae_term_parts(terms, DAE_KIND_PRODUCT, &recovery->term, &n);
  if (n > 2 || dae_term_kind(terms, factors[n - 1]) != DAE_KIND_VARIABLE ||
      dae_term_order(terms, factors[n - 1]) > 0 ||
      (n == 2 && !(dae_term_get_int64(terms, factors[0], &sign) && sign == -1)) ||
      !dae_model_find_variable(simplified->model, dae_term_get_symbol(terms, factors[n - 1]),
                               &recovery->kept)) {
    return;
  }
  recovery->kind = DAE_RECOVER_ALIAS;
  recovery->sign = (int)sign;
}

/* From the last one solved to the first: values hold kept variables
 * and such as were solved later. */
static void
recover_all(DaeSimplified *simplified, const DaeSimplifier *s)
{
  uint32_t n_kept = 0;
  for (uint32_t j = 0; j < s->n; j++) {
    DaeTerm x = dae_term_variable(s->terms, s->variables[j].symbol, 0);
    bool is_kept = s->replacement[j] == DAE_NO_TERM;
    simplified->recovery[j] = (DaeRecovery){is_kept ? DAE_RECOVER_KEPT : DAE_RECOVER_TERM,
                                            is_kept ? n_kept : UINT32_MAX, 1,
                                            is_kept ? x : s->replacement[j], s->definition[j]};
    n_kept += is_kept;
  }
  for (guint k = s->order->len; k > 0; k--) {
    uint32_t j = g_array_index(s->order, uint32_t, k - 1);
    DaeTerm value = replace_variables(simplified, s->replacement[j]);
    if (value == DAE_NO_TERM) {
      simplified->is_sound = false;
      return;
    }
    simplified->recovery[j].term = dae_terms_rewrite(s->terms, value);
  }
}

static DaeTerm
closed(DaeSimplified *simplified, DaeTerm t)
{
  DaeTerm value = dae_simplified_replace(simplified, t);
  if (t != DAE_NO_TERM && value == DAE_NO_TERM) {
    simplified->is_sound = false;
    return t;
  }
  return value == t || value == DAE_NO_TERM ? value
                                            : dae_terms_rewrite(simplified->terms, value);
}

static GArray *
make_equations(DaeSimplified *simplified, const DaeSimplifier *s)
{
  GArray *equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  for (uint32_t i = 0; i < s->m; i++) {
    if (s->residual[i] == DAE_NO_TERM) {
      continue;
    }
    DaeEquation equation = *dae_model_equation(s->model, i);
    if (s->changed[i] != 0) {
      const bool is_led = s->lead[i] != DAE_NO_TERM;
      equation.lhs = is_led ? s->lead[i] : s->residual[i];
      equation.rhs = is_led ? s->residual[i] : dae_term_int(s->terms, 0);
    }
    g_array_append_val(equations, equation);
    g_array_append_val(simplified->equations, i);
  }
  uint32_t none = UINT32_MAX; /* so that the array exists also for no equation */
  g_array_append_val(simplified->equations, none);
  return equations;
}

static GArray *
make_initial_equations(DaeSimplified *simplified, const DaeSimplifier *s)
{
  GArray *equations = g_array_new(FALSE, FALSE, sizeof(DaeEquation));
  for (uint32_t i = 0; i < dae_model_n_initial_equations(s->model); i++) {
    DaeEquation equation = *dae_model_initial_equation(s->model, i);
    equation.lhs = closed(simplified, equation.lhs);
    equation.rhs = closed(simplified, equation.rhs);
    g_array_append_val(equations, equation);
  }
  return equations;
}

static DaeTerm
closed_value(void *user, DaeTerm t)
{
  return closed(user, t);
}

/* texts: keeps the messages. */
static GArray *
make_assertions(DaeSimplified *simplified, const DaeSimplifier *s, GStringChunk *texts)
{
  GArray *assertions = g_array_new(FALSE, FALSE, sizeof(DaeAssertion));
  for (uint32_t i = 0; i < dae_model_n_assertions(s->model); i++) {
    DaeAssertion assertion = *dae_model_assertion(s->model, i);
    assertion.condition = closed(simplified, assertion.condition);
    g_autofree char *message =
        dae_message_map(simplified->terms, assertion.message, closed_value, simplified);
    assertion.message = g_string_chunk_insert(texts, message);
    g_array_append_val(assertions, assertion);
  }
  return assertions;
}

static void
make_model(DaeSimplified *simplified, const DaeSimplifier *s)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeVariable));
  g_autoptr(GArray) parameters = g_array_new(FALSE, FALSE, sizeof(DaeParameter));
  for (uint32_t j = 0; j < s->n; j++) {
    if (s->replacement[j] == DAE_NO_TERM) {
      g_array_append_val(variables, s->variables[j]);
    }
  }
  for (uint32_t k = 0; k < dae_model_n_parameters(s->model); k++) {
    g_array_append_val(parameters, *dae_model_parameter(s->model, k));
  }
  g_autoptr(GArray) equations = make_equations(simplified, s);
  g_autoptr(GArray) initial = make_initial_equations(simplified, s);
  g_autoptr(GStringChunk) texts = g_string_chunk_new(1024);
  g_autoptr(GArray) assertions = make_assertions(simplified, s, texts);
  DaeModelParts parts = dae_model_parts(s->model, variables, parameters, equations, initial);
  parts.assertions = (const DaeAssertion *)(void *)assertions->data;
  parts.n_assertions = assertions->len;
  parts.written = (const uint32_t *)(void *)simplified->equations->data;
  simplified->model = dae_model_new(&parts);
}

DaeSimplified *
dae_simplified_new(DaeSimplifier *s)
{
  DaeSimplified *simplified = g_new0(DaeSimplified, 1);
  simplified->terms = s->terms;
  simplified->original = s->model;
  simplified->recovery = g_new0(DaeRecovery, s->n + 1);
  simplified->equations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
  simplified->values = g_steal_pointer(&s->values);
  simplified->subst = dae_subst_new(s->terms);
  simplified->known = g_hash_table_new(NULL, NULL);
  simplified->atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  simplified->n_eliminated = s->order->len;
  simplified->work = s->work;
  simplified->is_sound = s->is_sound;
  if (!s->is_sound) {
    return simplified;
  }
  recover_all(simplified, s);
  make_model(simplified, s);
  for (uint32_t j = 0; j < s->n; j++) {
    if (simplified->recovery[j].kind == DAE_RECOVER_TERM) {
      recognize_alias(simplified, &simplified->recovery[j]);
    }
  }
  return simplified;
}
