/* Is everything that the premises say defined at the solution? Rows are solved for what makes
 * their numerators zero, factor by factor: x = 0 solves sin(x)/x = 0 and x*log(x) = 0 only as long
 * as nobody asks for the other factor. What is not active (branches) is not asked. */
#include "initcheck/initcheck-priv.h"

enum { MOST_ASKED = 20000 };

static bool
is_entered(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  if (kind != DAE_KIND_CALL) {
    return kind == DAE_KIND_SUM || kind == DAE_KIND_PRODUCT || kind == DAE_KIND_POWER;
  }
  const DaeFunctionFacts *facts = dae_function_facts(dae_term_function(terms, t));
  return facts->kind == DAE_CLASS_ANALYTIC || facts->picks;
}

/* The sign of t where all unknowns in it are solved; false: it is open. */
static bool
sign_at_solution(IcEngine *engine, DaeTerm t, int *sign)
{
  IcSystem *sys = engine->sys;
  DaeTerm reduced = ic_has_unknown(sys, t) ? ic_engine_reduce(engine, t, NULL) : t;
  if (reduced == DAE_NO_TERM || ic_has_unknown(sys, reduced)) {
    return false;
  }
  DaeTerm value = ic_at_values(sys, reduced);
  return value != DAE_NO_TERM && dae_algebra_sign(sys->algebra, value, sign);
}

static bool
is_defined(IcEngine *engine, DaeTerm t)
{
  DaeTerms *terms = engine->sys->terms;
  DaeTerm argument = dae_term_operand(terms, t, 0);
  int sign = 1;
  if (dae_term_kind(terms, t) == DAE_KIND_CALL) {
    uint8_t domain = dae_function_facts(dae_term_function(terms, t))->domain;
    if (domain == DAE_DOMAIN_UNIT) {
      DaeTerm inside =
          dae_term_sub(terms, dae_term_int(terms, 1), dae_term_pow_int(terms, argument, 2));
      return !sign_at_solution(engine, inside, &sign) || sign >= 0;
    }
    return domain != DAE_DOMAIN_POSITIVE || !sign_at_solution(engine, argument, &sign) ||
           sign > 0;
  }
  DaeTerm exponent = dae_term_operand(terms, t, 1);
  int64_t n = 0;
  bool is_whole = dae_term_get_int64(terms, exponent, &n);
  bool divides = dae_term_is_number(terms, exponent) && dae_term_sign(terms, exponent) < 0;
  if ((is_whole && !divides) || !sign_at_solution(engine, argument, &sign)) {
    return true;
  }
  return divides ? sign != 0 && (is_whole || sign > 0) : sign >= 0;
}

static bool
has_a_domain(const DaeTerms *terms, DaeTerm t)
{
  DaeKind kind = dae_term_kind(terms, t);
  return kind == DAE_KIND_POWER || (kind == DAE_KIND_CALL && is_entered(terms, t));
}

DaeTerm
ic_undefined_at_solution(IcEngine *engine)
{
  IcSystem *sys = engine->sys;
  g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
  uint32_t n_asked = 0;
  for (guint p = 0; p < sys->premises->len && n_asked < MOST_ASKED; p++) {
    DaeTerm residual = g_array_index(sys->premises, IcPremise, p).residual;
    if (residual == DAE_NO_TERM) {
      continue;
    }
    g_autoptr(DaeVisit) visit = dae_visit_new(sys->terms, residual);
    for (DaeTerm t = dae_visit_next(visit); t != DAE_NO_TERM; t = dae_visit_next(visit)) {
      if (!is_entered(sys->terms, t) || !g_hash_table_add(seen, GUINT_TO_POINTER(t))) {
        continue;
      }
      if (has_a_domain(sys->terms, t)) {
        n_asked++;
        if (!is_defined(engine, t)) {
          return t;
        }
      }
      dae_visit_enter(visit, t);
    }
  }
  return DAE_NO_TERM;
}
