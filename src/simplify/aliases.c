/* Equations in one or two variables: constants and aliases. */
#include "simplify/simplify-priv.h"

static bool
is_nonzero(DaeSimplifier *s, DaeTerm t)
{
  return dae_term_is_number(s->terms, t)
             ? !dae_term_is_zero(s->terms, t)
             : (dae_term_possible_signs(s->terms, t) & DAE_MAY_BE_ZERO) == 0;
}

/* A derivative of the value may be needed: it must exist, also where events are. */
static bool
can_be_differentiated(DaeSimplifier *s, uint32_t j, DaeTerm value)
{
  return s->is_differentiated[j] == 0 ||
         (dae_term_total(s->terms, value) != DAE_NO_TERM && !dae_simplify_may_jump(s, value));
}

/* Its jumps have to stay events where the value is put in; a kink is none that matters there. */
static bool
keeps_events(DaeSimplifier *s, uint32_t j, DaeTerm value)
{
  return s->is_literal[j] == 0 || !dae_simplify_makes_events(s, value) ||
         !dae_simplify_may_jump(s, value);
}

/* 0 = c*x + rest */
static void
take_constant(DaeSimplifier *s, uint32_t equation, const DaeLinearPart *part, DaeTerm rest)
{
  if (!is_nonzero(s, part->coefficient)) {
    return;
  }
  DaeTerm value = dae_term_neg(s->terms, dae_term_div(s->terms, rest, part->coefficient));
  if (value != DAE_NO_TERM) {
    value = dae_terms_rewrite(s->terms, value);
  }
  if (value != DAE_NO_TERM && can_be_differentiated(s, part->variable, value) &&
      keeps_events(s, part->variable, value)) {
    dae_simplifier_eliminate(s, equation, part->variable, value);
  }
}

/* 0 = c*x + d*y + rest: the one that goes must have a coefficient that cannot vanish, and so
 * must the other one if it is to take over start values. */
static void
take_alias(DaeSimplifier *s, uint32_t equation, const DaeLinearPart *parts, DaeTerm rest)
{
  if (!dae_term_is_number(s->terms, parts[0].coefficient) ||
      !dae_term_is_number(s->terms, parts[1].coefficient)) {
    return;
  }
  uint32_t a = parts[0].variable;
  uint32_t b = parts[1].variable;
  uint32_t rank_a = dae_keep_rank(s, a);
  uint32_t rank_b = dae_keep_rank(s, b);
  bool keeps_a = rank_a != rank_b ? rank_a > rank_b : a < b;
  const DaeLinearPart *gone = &parts[keeps_a ? 1 : 0];
  const DaeLinearPart *kept = &parts[keeps_a ? 0 : 1];
  DaeTerm factor =
      dae_term_neg(s->terms, dae_term_div(s->terms, kept->coefficient, gone->coefficient));
  DaeTerm offset = dae_term_neg(s->terms, dae_term_div(s->terms, rest, gone->coefficient));
  DaeTerm y =
      dae_term_variable(s->terms, dae_model_variable(s->model, kept->variable)->symbol, 0);
  DaeTerm value = dae_term_add(s->terms, dae_term_mul(s->terms, factor, y), offset);
  if (!can_be_differentiated(s, gone->variable, value) ||
      !keeps_events(s, gone->variable, offset)) {
    return;
  }
  dae_merge_attributes(s, kept->variable, gone->variable, factor, offset);
  s->is_differentiated[kept->variable] |= s->is_differentiated[gone->variable];
  dae_simplifier_eliminate(s, equation, gone->variable, value);
}

static void
look_at(DaeSimplifier *s, uint32_t equation)
{
  DaeLinearPart parts[2];
  uint32_t n_parts = 0;
  DaeTerm rest = DAE_NO_TERM;
  if (!dae_simplifier_refresh(s, equation)) {
    s->is_sound = false; /* divides by zero: the stages on the model as written say where */
    return;
  }
  if (s->lead[equation] != DAE_NO_TERM ||
      !dae_split_linear(s, s->residual[equation], parts, 2, &n_parts, &rest)) {
    return;
  }
  if (n_parts == 2) {
    take_alias(s, equation, parts, rest);
  } else if (n_parts == 1) {
    take_constant(s, equation, &parts[0], rest);
  } else {
    s->is_sound = false; /* 0 = 0, 0 = 1, or a condition on parameters */
  }
}

/* The next equation to look at. One with a derivative that is out of date waits until the others
 * are done: all aliases that they give are put into it at once. */
static bool
next_equation(DaeSimplifier *s, uint32_t *equation)
{
  while (!g_queue_is_empty(s->queue)) {
    gpointer head = g_queue_pop_head(s->queue);
    *equation = GPOINTER_TO_UINT(head);
    DaeTerm residual = s->residual[*equation];
    if (residual == DAE_NO_TERM || s->stale[*equation] == 0 ||
        !dae_simplifier_has_derivatives(s, *equation)) {
      return true;
    }
    g_queue_push_tail(s->later, head);
  }
  bool is_left = !g_queue_is_empty(s->later);
  if (is_left) {
    *equation = GPOINTER_TO_UINT(g_queue_pop_head(s->later));
  }
  return is_left;
}

void
dae_simplify_aliases(DaeSimplifier *s)
{
  uint32_t equation = 0;
  while (s->is_sound && next_equation(s, &equation)) {
    s->queued[equation] = 0;
    if (s->residual[equation] != DAE_NO_TERM) {
      look_at(s, equation);
    }
  }
}
