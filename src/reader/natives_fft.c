/* ModelicaFFT_kiss_fftr: amplitudes and phases of a Real vector of even length. The sum of each
 * frequency is a loop over values (terms/routines.h), so that a transform of values that are
 * known only at run time stays small as a text. */
#include "reader/natives.h"

#include <math.h>
#include <string.h>

#include "terms/routines.h"

/* sum v[k + 1] exp(-2 pi i f k/period) over k: of Real values, or of complex ones, whose imaginary
 * parts follow all real parts. */
typedef struct {
  uint32_t count, period;
  bool is_complex;
} Sum;

enum { STATES = 3 }; /* k, re, im */

/* values[k + 1] */
static DaeTerm
value_of(DaeTerms *terms, DaeTerm k, const DaeTerm *values, uint32_t count)
{
  g_autofree DaeTerm *choice = g_new(DaeTerm, count + 1);
  choice[0] = dae_term_add(terms, k, dae_term_int(terms, 1));
  memcpy(choice + 1, values, count * sizeof *values);
  return dae_term_call(terms, DAE_FN_SELECT, choice, count + 1);
}

/* The following states: (a + ib)(cos - i sin) is added. */
static void
set_next(DaeTerms *terms, const Sum *sum, const DaeTerm *inputs, const DaeTerm *states,
         DaeTerm *next)
{
  DaeTerm angle = dae_term_mul(terms, dae_term_from_double(terms, 2 * G_PI / sum->period),
                               dae_term_mul(terms, inputs[0], states[0]));
  DaeTerm cosine = dae_term_call1(terms, DAE_FN_COS, angle);
  DaeTerm sine = dae_term_call1(terms, DAE_FN_SIN, angle);
  DaeTerm a = value_of(terms, states[0], inputs + 1, sum->count);
  next[0] = dae_term_add(terms, states[0], dae_term_int(terms, 1));
  next[1] = dae_term_add(terms, states[1], dae_term_mul(terms, a, cosine));
  next[2] = dae_term_sub(terms, states[2], dae_term_mul(terms, a, sine));
  if (sum->is_complex) {
    DaeTerm b = value_of(terms, states[0], inputs + 1 + sum->count, sum->count);
    next[1] = dae_term_add(terms, next[1], dae_term_mul(terms, b, sine));
    next[2] = dae_term_add(terms, next[2], dae_term_mul(terms, b, cosine));
  }
}

/* re, im of the sum; inputs f, then the values. */
static uint32_t
add_sum(DaeTerms *terms, const Sum *sum)
{
  const uint32_t n_inputs = 1 + (sum->is_complex ? 2 : 1) * sum->count;
  g_autofree DaeTerm *formals = g_new(DaeTerm, n_inputs + STATES);
  DaeTerm zero = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < n_inputs + STATES; i++) {
    formals[i] = dae_terms_formal(terms, i);
  }
  const DaeTerm *states = formals + n_inputs;
  const DaeTerm initial[STATES] = {zero, zero, zero};
  DaeTerm next[STATES];
  set_next(terms, sum, formals, states, next);
  DaeRoutine routine = {.name = "fft",
                        .inputs = formals,
                        .states = states,
                        .initial = initial,
                        .next = next,
                        .outputs = states + 1,
                        .condition = dae_term_relation(terms, DAE_REL_LT, states[0],
                                                       dae_term_int(terms, sum->count)),
                        .n_inputs = n_inputs,
                        .n_states = STATES,
                        .n_outputs = 2};
  return dae_terms_add_routine(terms, &routine);
}

/* ---- in two stages ----------------------------------------------------------------------- */

/* With n = p q and k = q a + b the sum over k is one over b of sums over a, which are the same for
 * all f of one remainder modulo p [Cooley and Tukey 1965]; that of p - g is conjugate to that of
 * g, since the values are Real. A frequency so has 2 q operands instead of n: what looks at each
 * value of a model would else go over n^2/2 of them, and again for each phase, which all compare
 * with the largest amplitude. */
typedef struct {
  DaeTerms *terms;
  uint32_t n, p, q;
  uint32_t outer;
  DaeTerm *re, *im; /* by g and b */
} Stages;

enum { FEW = 64 }; /* up to here the sums are written as they are */

/* The largest divisor up to the root of n. */
static uint32_t
divisor_of(uint32_t n)
{
  uint32_t best = 1;
  for (uint32_t p = 2; p <= n / p; p++) {
    best = n % p == 0 ? p : best;
  }
  return n <= FEW ? 1 : best;
}

static void
make_inner(Stages *stages, const DaeValue *u)
{
  DaeTerms *terms = stages->terms;
  const uint32_t p = stages->p;
  const uint32_t q = stages->q;
  const Sum inner = {.count = p, .period = p};
  uint32_t number = add_sum(terms, &inner);
  g_autofree DaeTerm *arguments = g_new(DaeTerm, p + 1);
  for (uint32_t b = 0; b < q; b++) {
    for (uint32_t a = 0; a < p; a++) {
      arguments[a + 1] = dae_value_scalar_at(u, q * a + b);
    }
    for (uint32_t g = 0; g <= p / 2; g++) {
      arguments[0] = dae_term_int(terms, g);
      stages->re[g * q + b] = dae_term_routine(terms, number, 0, arguments);
      stages->im[g * q + b] = dae_term_routine(terms, number, 1, arguments);
    }
  }
}

/* With p = 1 the values themselves are what is summed up. */
static Stages
stages_new(DaeTerms *terms, const DaeValue *u)
{
  Stages stages = {.terms = terms, .n = u->count, .p = divisor_of(u->count)};
  stages.q = stages.n / stages.p;
  const size_t count = (size_t)(stages.p / 2 + 1) * stages.q;
  stages.re = g_new0(DaeTerm, count);
  stages.im = g_new0(DaeTerm, count);
  const Sum outer = {.count = stages.q, .period = stages.n, .is_complex = stages.p > 1};
  stages.outer = add_sum(terms, &outer);
  if (stages.p > 1) {
    make_inner(&stages, u);
    return stages;
  }
  for (uint32_t k = 0; k < stages.n; k++) {
    stages.re[k] = dae_value_scalar_at(u, k);
  }
  return stages;
}

static void
stages_clear(Stages *stages)
{
  g_free(stages->re);
  g_free(stages->im);
}

static void
transform_at(const Stages *stages, uint32_t f, DaeTerm *re, DaeTerm *im)
{
  DaeTerms *terms = stages->terms;
  const uint32_t q = stages->q;
  const uint32_t remainder = f % stages->p;
  const bool is_conjugate = remainder > stages->p / 2;
  const uint32_t g = is_conjugate ? stages->p - remainder : remainder;
  g_autofree DaeTerm *arguments = g_new(DaeTerm, 2 * (size_t)q + 1);
  DaeTerm zero = dae_term_int(terms, 0);
  arguments[0] = dae_term_int(terms, f);
  memcpy(arguments + 1, stages->re + (size_t)g * q, q * sizeof *arguments);
  for (uint32_t b = 0; stages->p > 1 && b < q; b++) {
    DaeTerm part = stages->im[g * q + b];
    arguments[q + b + 1] = is_conjugate ? dae_term_sub(terms, zero, part) : part;
  }
  *re = dae_term_routine(terms, stages->outer, 0, arguments);
  *im = dae_term_routine(terms, stages->outer, 1, arguments);
}

/* info = ModelicaFFT_kiss_fftr(u, n, work, nwork, amplitudes, phases) */
static bool
run_transform(DaeForeign *call)
{
  DaeReader *reader = call->reader;
  DaeTerms *terms = reader->terms;
  const DaeValue *u = &call->arguments[0];
  uint32_t n = u->count;
  uint32_t n_frequencies = n / 2 + 1;
  if (u->n_dims != 1 || n < 2 || n % 2 != 0) {
    return dae_foreign_fail(call, "takes a vector of even length");
  }
  if (call->arguments[4].count != n_frequencies || call->arguments[5].count != n_frequencies) {
    return dae_foreign_fail(call, "the sizes of the results do not fit");
  }
  Stages stages = stages_new(terms, u);
  DaeTerm *amplitudes = dae_value_new_data(reader, n_frequencies);
  DaeTerm *phases = dae_value_new_data(reader, n_frequencies);
  for (uint32_t f = 0; f < n_frequencies; f++) {
    DaeTerm re = DAE_NO_TERM;
    DaeTerm im = DAE_NO_TERM;
    transform_at(&stages, f, &re, &im);
    DaeTerm square =
        dae_term_add(terms, dae_term_mul(terms, re, re), dae_term_mul(terms, im, im));
    const DaeTerm both[2] = {im, re};
    amplitudes[f] =
        dae_term_div(terms, dae_term_pow(terms, square, dae_term_ratio(terms, 1, 2)),
                     dae_term_int(terms, n_frequencies));
    phases[f] = dae_term_call(terms, DAE_FN_ATAN2, both, 2);
  }
  stages_clear(&stages);
  return dae_foreign_set(call, 4,
                         dae_value_array(reader, DAE_VALUE_REAL, 1, &n_frequencies, amplitudes,
                                         n_frequencies)) &&
         dae_foreign_set(call, 5,
                         dae_value_array(reader, DAE_VALUE_REAL, 1, &n_frequencies, phases,
                                         n_frequencies)) &&
         dae_foreign_return_integer(call, 0);
}

const DaeForeignEntry dae_foreign_fft[] = {
    {"ModelicaFFT_kiss_fftr", 6, run_transform},
    {NULL, 0, NULL},
};
