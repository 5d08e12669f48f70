/* ModelicaFFT_kiss_fftr: amplitudes and phases of a Real vector of even length. The sum of each
 * frequency is a loop over the values (terms/routines.h), so that a transform of values that
 * are known only at run time stays small as a text. */
#include "reader/natives.h"

#include <math.h>

#include "terms/routines.h"

/* re, im of sum u[k + 1] exp(-2 pi i f k/n) over k; inputs f, u[1], ..., u[n]. */
static uint32_t
add_transform(DaeTerms *terms, uint32_t n)
{
  enum { STATES = 3 };

  g_autofree DaeTerm *formals = g_new(DaeTerm, n + 1 + STATES);
  g_autofree DaeTerm *choice = g_new(DaeTerm, n + 1);
  DaeTerm zero = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < n + 1 + STATES; i++) {
    formals[i] = dae_terms_formal(terms, i);
  }
  const DaeTerm *states = formals + n + 1;
  DaeTerm following = dae_term_add(terms, states[0], dae_term_int(terms, 1));
  choice[0] = following;
  for (uint32_t k = 0; k < n; k++) {
    choice[k + 1] = formals[k + 1];
  }
  DaeTerm u = dae_term_call(terms, DAE_FN_SELECT, choice, n + 1);
  DaeTerm angle = dae_term_mul(terms, dae_term_from_double(terms, 2 * G_PI / n),
                               dae_term_mul(terms, formals[0], states[0]));
  DaeTerm re = dae_term_mul(terms, u, dae_term_call1(terms, DAE_FN_COS, angle));
  DaeTerm im = dae_term_mul(terms, u, dae_term_call1(terms, DAE_FN_SIN, angle));
  const DaeTerm initial[STATES] = {zero, zero, zero};
  const DaeTerm next[STATES] = {following, dae_term_add(terms, states[1], re),
                                dae_term_sub(terms, states[2], im)};
  DaeRoutine routine = {
      .name = "fft",
      .inputs = formals,
      .states = states,
      .initial = initial,
      .next = next,
      .outputs = states + 1,
      .condition = dae_term_relation(terms, DAE_REL_LT, states[0], dae_term_int(terms, n)),
      .n_inputs = n + 1,
      .n_states = STATES,
      .n_outputs = 2};
  return dae_terms_add_routine(terms, &routine);
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
  uint32_t number = add_transform(terms, n);
  g_autofree DaeTerm *arguments = g_new(DaeTerm, n + 1);
  DaeTerm *amplitudes = dae_value_new_data(reader, n_frequencies);
  DaeTerm *phases = dae_value_new_data(reader, n_frequencies);
  for (uint32_t k = 0; k < n; k++) {
    arguments[k + 1] = dae_value_scalar_at(u, k);
  }
  for (uint32_t f = 0; f < n_frequencies; f++) {
    arguments[0] = dae_term_int(terms, f);
    DaeTerm re = dae_term_routine(terms, number, 0, arguments);
    DaeTerm im = dae_term_routine(terms, number, 1, arguments);
    DaeTerm square =
        dae_term_add(terms, dae_term_mul(terms, re, re), dae_term_mul(terms, im, im));
    const DaeTerm both[2] = {im, re};
    amplitudes[f] =
        dae_term_div(terms, dae_term_pow(terms, square, dae_term_ratio(terms, 1, 2)),
                     dae_term_int(terms, n_frequencies));
    phases[f] = dae_term_call(terms, DAE_FN_ATAN2, both, 2);
  }
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
