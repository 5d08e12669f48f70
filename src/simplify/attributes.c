/* What an alias set knows together [Modelica 3.6, section 4.9 and 8.6]. */
#include "simplify/simplify-priv.h"

uint32_t
dae_keep_rank(const DaeSimplifier *s, uint32_t j)
{
  const DaeVariable *variable = &s->variables[j];
  uint32_t rank = (uint32_t)(variable->state_select + 2) << 3;
  rank |= s->is_differentiated[j] != 0 ? 4u : 0u;
  rank |= variable->fixed ? 2u : 0u;
  return rank | (variable->start != DAE_NO_TERM ? 1u : 0u);
}

/* A value of the other variable as one of the kept: kept = (other - offset)/factor. */
static DaeTerm
as_kept(DaeSimplifier *s, DaeTerm value, DaeTerm factor, DaeTerm offset)
{
  if (value == DAE_NO_TERM || !dae_term_is_parametric(s->terms, offset)) {
    return DAE_NO_TERM;
  }
  return dae_term_div(s->terms, dae_term_sub(s->terms, value, offset), factor);
}

/* The tighter of two bounds, where both are numbers; else the one that is there. */
static DaeTerm
tighter(DaeSimplifier *s, DaeTerm a, DaeTerm b, int direction)
{
  if (a == DAE_NO_TERM || b == DAE_NO_TERM) {
    return a == DAE_NO_TERM ? b : a;
  }
  DaeTerm difference = dae_term_sub(s->terms, a, b);
  return dae_term_is_number(s->terms, difference) &&
                 dae_term_sign(s->terms, difference) * direction < 0
             ? b
             : a;
}

void
dae_merge_attributes(DaeSimplifier *s, uint32_t kept, uint32_t other, DaeTerm factor,
                     DaeTerm offset)
{
  DaeVariable *to = &s->variables[kept];
  const DaeVariable *from = &s->variables[other];
  DaeTerm start = as_kept(s, from->start, factor, offset);
  if (start != DAE_NO_TERM && (to->start == DAE_NO_TERM || (from->fixed && !to->fixed))) {
    to->start = start;
  }
  to->fixed = to->fixed || from->fixed;
  to->state_select = MAX(to->state_select, from->state_select);
  if (to->nominal == DAE_NO_TERM && from->nominal != DAE_NO_TERM) {
    to->nominal = dae_term_div(s->terms, from->nominal, factor);
  }
  bool is_reversed = dae_term_sign(s->terms, factor) < 0;
  DaeTerm low = as_kept(s, is_reversed ? from->max : from->min, factor, offset);
  DaeTerm high = as_kept(s, is_reversed ? from->min : from->max, factor, offset);
  to->min = tighter(s, to->min, low, 1);
  to->max = tighter(s, to->max, high, -1);
}
