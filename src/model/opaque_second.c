/* annotation(derivative(order = 2) = f_der2) of f_der [MLS 12.7.1]: f_der2(x, x', x'') is the
 * second derivative by time of f.
 *
 * With f_der(x, x') = J(x) x' it is Q(x, x') + J(x) x'', and Q is quadratic in x': Q(x, v) is
 * H(x)[v, v] with the symmetric second derivative H. So all partial derivatives of f_der follow
 * from calls of f_der2: along v in x by polarization, H[x', v] = (Q(x' + v) - Q(x') - Q(v))/2,
 * along w in x' as J w = f_der2(x, x', w) - Q(x'). */
#include "model/opaque.h"

typedef struct {
  const DaeOpaqueTotal *total;
  const DaeDerivativeClaim *claim;
  uint32_t n, q;         /* inputs of f_der; the last q are derivatives */
  const uint32_t *bases; /* by derivative: the input it is of */
  uint32_t pos;
} Second;

typedef struct { /* factors of x' and of its derivative v in a place of f_der2 */
  int x, v;
} Mix;

static DaeValue
mixed(const Second *s, uint32_t j, Mix mix)
{
  DaeReader *reader = s->total->reader;
  DaeTerms *terms = reader->terms;
  const DaeValue *d = &s->total->f->inputs[s->n - s->q + j];
  DaeValue v = dae_opaque_derivative_of(s->total, &s->total->f->inputs[s->bases[j]]);
  uint32_t n = dae_arguments_count(d);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    data[k] = dae_value_scalar_at(d, k);
    if (dae_arguments_type(d, k) == DAE_VALUE_REAL) {
      DaeTerm zero = dae_term_int(terms, 0);
      data[k] = dae_term_add(terms, mix.x != 0 ? data[k] : zero,
                             mix.v != 0 ? dae_value_scalar_at(&v, k) : zero);
    }
  }
  return dae_arguments_with(reader, d, data);
}

static DaeValue
zero_like(const Second *s, const DaeValue *d)
{
  DaeReader *reader = s->total->reader;
  uint32_t n = dae_arguments_count(d);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t k = 0; k < n; k++) {
    bool is_real = dae_arguments_type(d, k) == DAE_VALUE_REAL;
    data[k] = is_real ? dae_term_int(reader->terms, 0) : dae_value_scalar_at(d, k);
  }
  return dae_arguments_with(reader, d, data);
}

/* outputs += factor f_der2(x, mix of x' and v, w or 0) */
static bool
add_call(const Second *s, Mix mix, bool along_second, int64_t numerator, int64_t denominator,
         DaeTerm *outputs)
{
  const DaeOpaqueRoutine *f = s->total->f;
  DaeReader *reader = s->total->reader;
  DaeTerms *terms = reader->terms;
  uint32_t first = s->n - s->q;
  DaeValue *arguments = dae_arena_alloc(reader->scratch, (s->n + s->q + 1) * sizeof(DaeValue));
  for (uint32_t i = 0; i < s->n + s->q; i++) {
    uint32_t j = i < first ? 0 : (i - first) % s->q;
    arguments[i] = i < first      ? f->inputs[i]
                   : i < s->n     ? mixed(s, j, mix)
                   : along_second ? dae_opaque_derivative_of(s->total, &f->inputs[first + j])
                                  : zero_like(s, &f->inputs[first + j]);
    arguments[i].name = 0;
  }
  DaeValue result = dae_call_apply(reader, s->claim->class, arguments, s->n + s->q, s->pos);
  g_autofree DaeTerm *values = g_new(DaeTerm, f->n_results + 1);
  for (uint32_t k = 0; k < f->n_results; k++) {
    values[k] = dae_term_int(terms, 0);
  }
  if (result.type == DAE_VALUE_POISON || result.type > DAE_VALUE_RECORD ||
      !dae_opaque_place_results(s->total, &result, values)) {
    return false;
  }
  for (uint32_t k = 0; k < f->n_results; k++) {
    DaeTerm factor = dae_term_ratio(terms, numerator, denominator);
    outputs[k] = dae_term_add(terms, outputs[k], dae_term_mul(terms, factor, values[k]));
  }
  return true;
}

static uint32_t
count_inputs(const DaeReader *reader, uint32_t class)
{
  uint32_t n = 0;
  uint32_t count = 0;
  const uint32_t *members = dae_call_members(reader, class, &n);
  for (uint32_t i = 0; i < n; i++) {
    const DaeDeclaration *d = dae_syntax_declaration(reader->syntax, members[i]);
    count += (d->flags & DAE_FLAG_INPUT) != 0 ? 1 : 0;
  }
  return count;
}

/* Which inputs the last q of f_der are derivatives of. False: they do not fit. */
static bool
find_bases(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim, uint32_t q,
           uint32_t *bases)
{
  const DaeOpaqueRoutine *f = total->f;
  uint32_t found = 0;
  for (uint32_t i = 0; i < f->n_inputs - q; i++) {
    bool counts = dae_opaque_has_reals(&f->inputs[i]) &&
                  !dae_derivative_says(total->reader, claim, "zeroDerivative", f->names[i]) &&
                  !dae_derivative_says(total->reader, claim, "noDerivative", f->names[i]);
    if (!counts) {
      continue;
    }
    if (found == q || dae_arguments_count(&f->inputs[i]) !=
                          dae_arguments_count(&f->inputs[f->n_inputs - q + found])) {
      return false;
    }
    bases[found++] = i;
  }
  return found == q;
}

bool
dae_opaque_second_order(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim,
                        DaeTerm *outputs, uint32_t pos)
{
  const DaeOpaqueRoutine *f = total->f;
  uint32_t all = count_inputs(total->reader, claim->class);
  uint32_t q = all > f->n_inputs ? all - f->n_inputs : 0;
  g_autofree uint32_t *bases = g_new0(uint32_t, q + 1);
  if (q == 0 || 2 * q > f->n_inputs || !find_bases(total, claim, q, bases)) {
    return false;
  }
  Second s = {total, claim, f->n_inputs, q, bases, pos};
  for (uint32_t j = 0; j < q; j++) {
    dae_opaque_mark_total(total, &f->inputs[bases[j]]);
    dae_opaque_mark_total(total, &f->inputs[f->n_inputs - q + j]);
  }
  return add_call(&s, (Mix){1, 1}, false, 1, 2, outputs) &&
         add_call(&s, (Mix){0, 1}, false, -1, 2, outputs) &&
         add_call(&s, (Mix){1, 0}, true, 1, 1, outputs) &&
         add_call(&s, (Mix){1, 0}, false, -3, 2, outputs);
}
