/* annotation(derivative(order = n) = f_n) of f_(n-1) [MLS 12.7.1]: f_n(x, x1, ..., xn) is the n-th
 * derivative by time of f along x(t), whose derivatives are x1, x2, ...
 *
 * What is needed is the derivative of f_(n-1) along directions a0, a1, ... of x, x1, ... that are
 * independent of these. With X(t) = sum xk t^k/k!, A(t) = sum ak t^k/k! and F(t, s) = f(X(t) + s A(t))
 * it is the mixed derivative of F, n - 1 times by t and once by s. Along t = u, s = c u the n-th
 * derivative by u is f_n with y_k = x_k + c k a_(k-1), a polynomial in c of degree n whose linear
 * coefficient is n times what is sought (Griewank, Utke and Walther, Math. Comp. 69, 2000). A
 * central difference of enough points gives that exactly. */
#include "reader/opaque.h"

typedef struct {
  const DaeOpaqueTotal *total;
  const DaeDerivativeClaim *claim;
  uint32_t order;
  uint32_t n0, q;        /* arguments of f; those that have derivatives */
  const uint32_t *bases; /* by derivative: the argument it is of */
  uint32_t pos;
} Higher;

/* The place of the k-th derivative of argument bases[j] among the inputs of f_(n-1). */
static const DaeValue *
jet(const Higher *h, uint32_t k, uint32_t j)
{
  return &h->total->f->inputs[k == 0 ? h->bases[j] : h->n0 + (k - 1) * h->q + j];
}

/* y_k = x_k + c k a_(k-1); x_n is 0. */
static DaeValue
moved(const Higher *h, uint32_t k, uint32_t j, int64_t c)
{
  DaeReader *reader = h->total->reader;
  DaeTerms *terms = reader->terms;
  const DaeValue *x = jet(h, MIN(k, h->order - 1), j);
  DaeValue a = dae_opaque_derivative_of(h->total, jet(h, k - 1, j));
  uint32_t n = dae_arguments_count(x);
  DaeTerm *data = dae_value_new_data(reader, MAX(n, 1u));
  for (uint32_t i = 0; i < n; i++) {
    data[i] = dae_value_scalar_at(x, i);
    if (dae_arguments_type(x, i) == DAE_VALUE_REAL) {
      DaeTerm base = k < h->order ? data[i] : dae_term_int(terms, 0);
      DaeTerm step =
          dae_term_mul(terms, dae_term_int(terms, c * k), dae_value_scalar_at(&a, i));
      data[i] = dae_term_add(terms, base, step);
    }
  }
  return dae_arguments_with(reader, x, data);
}

/* outputs += weight f_n(x, y1, ..., yn) */
static bool
add_call(const Higher *h, int64_t c, DaeTerm weight, DaeTerm *outputs)
{
  const DaeOpaqueRoutine *f = h->total->f;
  DaeReader *reader = h->total->reader;
  DaeTerms *terms = reader->terms;
  uint32_t n = h->n0 + h->order * h->q;
  DaeValue *arguments = dae_arena_alloc(reader->scratch, (n + 1) * sizeof(DaeValue));
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i - h->n0;
    arguments[i] = i < h->n0 ? f->inputs[i] : moved(h, at / h->q + 1, at % h->q, c);
    arguments[i].name = 0;
  }
  DaeValue result = dae_call_apply(reader, h->claim->class, arguments, n, h->pos);
  g_autofree DaeTerm *values = g_new(DaeTerm, f->n_results + 1);
  for (uint32_t k = 0; k < f->n_results; k++) {
    values[k] = dae_term_int(terms, 0);
  }
  if (result.type == DAE_VALUE_POISON || result.type > DAE_VALUE_RECORD ||
      !dae_opaque_place_results(h->total, &result, values)) {
    return false;
  }
  for (uint32_t k = 0; k < f->n_results; k++) {
    outputs[k] = dae_term_add(terms, outputs[k], dae_term_mul(terms, weight, values[k]));
  }
  return true;
}

/* The linear coefficient of a polynomial P of degree n is the sum over j = 1 ... m of
 * w_j (P(j) - P(-j)), 2m >= n, w_j = (-1)^(j+1) m!^2/(j (m-j)! (m+j)!). */
static DaeTerm
weight_of(DaeTerms *terms, uint32_t m, uint32_t j)
{
  int64_t above = 1;
  int64_t below = j;
  for (uint32_t i = 0; i < j; i++) { /* m!/(m-j)! and (m+j)!/m! */
    above *= m - i;
    below *= m + i + 1;
  }
  return dae_term_ratio(terms, j % 2 == 1 ? above : -above, below);
}

/* Which arguments the derivatives are of. False: they do not fit. */
static bool
find_bases(const Higher *h, uint32_t *bases)
{
  const DaeOpaqueRoutine *f = h->total->f;
  DaeReader *reader = h->total->reader;
  uint32_t found = 0;
  for (uint32_t i = 0; i < h->n0; i++) {
    bool counts = dae_opaque_has_reals(&f->inputs[i]) &&
                  !dae_derivative_says(reader, h->claim, "zeroDerivative", f->names[i]) &&
                  !dae_derivative_says(reader, h->claim, "noDerivative", f->names[i]);
    if (!counts) {
      continue;
    }
    for (uint32_t k = 1; k < h->order && found < h->q; k++) {
      if (dae_arguments_count(&f->inputs[i]) !=
          dae_arguments_count(&f->inputs[h->n0 + (k - 1) * h->q + found])) {
        return false;
      }
    }
    if (found == h->q) {
      return false;
    }
    bases[found++] = i;
  }
  return found == h->q;
}

bool
dae_opaque_higher_order(const DaeOpaqueTotal *total, const DaeDerivativeClaim *claim,
                        uint32_t order, DaeTerm *outputs, uint32_t pos)
{
  const DaeOpaqueRoutine *f = total->f;
  DaeTerms *terms = total->reader->terms;
  uint32_t all = dae_call_count_inputs(total->reader, claim->class);
  uint32_t q = all > f->n_inputs ? all - f->n_inputs : 0;
  if (q == 0 || order * q > f->n_inputs) {
    return false;
  }
  g_autofree uint32_t *bases = g_new0(uint32_t, q + 1);
  Higher h = {total, claim, order, f->n_inputs - (order - 1) * q, q, bases, pos};
  if (!find_bases(&h, bases)) {
    return false;
  }
  for (uint32_t k = 0; k < order; k++) {
    for (uint32_t j = 0; j < q; j++) {
      dae_opaque_mark_total(total, jet(&h, k, j));
    }
  }
  uint32_t m = (order + 1) / 2;
  bool good = true;
  for (uint32_t j = 1; j <= m && good; j++) {
    DaeTerm weight =
        dae_term_mul(terms, weight_of(terms, m, j), dae_term_ratio(terms, 1, order));
    good = add_call(&h, j, weight, outputs) &&
           add_call(&h, -(int64_t)j, dae_term_neg(terms, weight), outputs);
  }
  return good;
}
