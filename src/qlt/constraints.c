/* Constraints: normal form, constants, duplicates. Over-determined models judge
 * what passes here in modulo.c. */
#include "qlt/qlt-priv.h"

#include <string.h>

/* A constraint that would have more addends than this when expanded is
 * left as elimination made it. */
#define MAX_EXPANDED 2000.0
/* Likewise one whose denominators would have more addends when multiplied: the budget of a
 * fraction ends long before. */
#define MAX_DENOMINATOR 1e8
/* Sums of products without denominators read best, unless they are longer than this factor says. */
#define EXPANDED_PREFERENCE 1.25
/* how much longer than the term an expanded form may be that is looked at for factors */
#define LONGEST_NUMERATOR 3

char *
qlt_describe_origins(const GArray *from)
{
  GString *text = g_string_new(from->len == 1 ? "equation" : "equations");
  for (uint32_t k = 0; k < from->len; k++) {
    DaeQltOrigin origin = g_array_index(from, DaeQltOrigin, k);
    const char *separator = k == 0 ? " " : k + 1 == from->len ? " and " : ", ";
    g_string_append_printf(text, "%s%u", separator, origin.equation);
    if (origin.order == 1) {
      g_string_append(text, " (differentiated)");
    } else if (origin.order > 1) {
      g_string_append_printf(text, " (differentiated %d times)", origin.order);
    }
  }
  return g_string_free(text, FALSE);
}

/* ---- normal form ------------------------------------------------------------------------- */

/* Greatest common divisor of integer coefficients of a sum; 1 if one is no integer. */
static int64_t
integer_content(DaeTerms *terms, DaeTerm sum)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, sum, &n);
  int64_t content = 0;
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm number = operands[k];
    int64_t value = 1;
    if (dae_term_kind(terms, number) == DAE_KIND_PRODUCT) {
      number = dae_term_operand(terms, number, 0);
    }
    if (dae_term_is_number(terms, number) && !dae_term_get_int64(terms, number, &value)) {
      return 1;
    }
    value = value == INT64_MIN ? 1 : value < 0 ? -value : value;
    while (value != 0) {
      int64_t rest = content % value;
      content = value;
      value = rest;
    }
  }
  return content == 0 ? 1 : content;
}

/* A factor that has no zeros says nothing, unless there are points where it has no value: 1/f and
 * exp(1/f) say that f is not 0. */
static DaeTerm
drop_constant_factors(QltWork *work, DaeTerm t)
{
  DaeTerms *terms = work->terms;
  if (dae_term_kind(terms, t) != DAE_KIND_PRODUCT) {
    return t;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(terms, t, &n);
  g_autofree DaeTerm *kept = g_new(DaeTerm, n);
  uint32_t n_kept = 0;
  for (uint32_t k = 0; k < n; k++) {
    if (!qlt_is_never_zero(work, operands[k]) ||
        !dae_algebra_is_total(work->algebra, operands[k])) {
      kept[n_kept++] = operands[k];
    }
  }
  return n_kept == n || n_kept == 0 ? t : dae_term_product(terms, kept, n_kept);
}

/* All terms of a sum negative, as in 0 = -x - y? */
static bool
is_all_negative(DaeTerms *terms, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(terms, DAE_KIND_SUM, &t, &n);
  for (uint32_t k = 0; k < n; k++) {
    DaeTerm number = operands[k];
    if (dae_term_kind(terms, number) == DAE_KIND_PRODUCT) {
      number = dae_term_operand(terms, number, 0);
    }
    if (!dae_term_is_number(terms, number) || dae_term_sign(terms, number) > 0) {
      return false;
    }
  }
  return true;
}

/* The sign is the one the derivation gives, so that the pendulum has the paper's terms. */
static DaeTerm
without_content(QltWork *work, DaeTerm t)
{
  t = drop_constant_factors(work, t);
  if (dae_term_kind(work->terms, t) == DAE_KIND_SUM) {
    int64_t content = integer_content(work->terms, t);
    if (content > 1) {
      t = dae_term_mul(work->terms, t, dae_term_ratio(work->terms, 1, content));
    }
  }
  return is_all_negative(work->terms, t) ? dae_term_neg(work->terms, t) : t;
}

typedef struct {
  DaeTerm t;
  double written; /* as qlt_measure has it: a walk over the term */
} Form;

static Form
form_of(QltWork *work, DaeTerm t)
{
  return (Form){t, qlt_measure(work, t).written};
}

static Form
shorter_of(Form preferred, Form other, double preference)
{
  return preferred.written <= preference * other.written ? preferred : other;
}

/* The simplified form, if it is shorter. */
static Form
simplified(QltWork *work, Form form)
{
  DaeTerm simple = dae_algebra_simplify(work->algebra, form.t);
  return simple == form.t ? form : shorter_of(form, form_of(work, simple), 1);
}

/* An expanded form that is much longer than what it came from does not become the shorter one by
 * common factors: it is not worth its factors. Zero is short in any case. */
static Form
simplified_numerator(QltWork *work, DaeTerm numerator, Form from)
{
  Form form = form_of(work, numerator);
  bool is_long = form.written > LONGEST_NUMERATOR * from.written;
  return is_long && qlt_is_zero(work, numerator) != DAE_ZERO ? form : simplified(work, form);
}

/* The shorter of what elimination gave and the expanded form. Only constant
 * denominators are cleared: another factor would change the constraint of the next
 * level by multiples of this one. */
DaeTerm
qlt_normal_constraint(QltWork *work, DaeTerm t)
{
  DaeTerm numerator = DAE_NO_TERM;
  DaeTerm denominator = DAE_NO_TERM;
  t = qlt_rewrite(work, t);
  QltSize size = qlt_measure(work, t);
  Form form = {t, size.written};
  if (size.expanded <= MAX_EXPANDED && qlt_common_denominator(work, t) <= MAX_DENOMINATOR &&
      dae_algebra_fraction(work->algebra, t, &numerator, &denominator)) {
    form =
        dae_term_is_parametric(work->terms, denominator)
            ? shorter_of(simplified_numerator(work, numerator, form), form, EXPANDED_PREFERENCE)
            : simplified(work, form);
  }
  return without_content(work, form.t);
}

/* ---- candidates -------------------------------------------------------------------------- */

bool
qlt_fail_contradiction(QltWork *work, DaeTerm t, const GArray *from, GError **error)
{
  g_autofree char *origins = qlt_describe_origins(from);
  g_autofree char *text = dae_term_to_string(work->terms, t);
  g_set_error(error, DAE_ERROR, DAE_ERROR_NEGATIVE,
              "the equations contradict each other: %s would need 0 = %s", origins, text);
  return false;
}

/* A candidate without variables: redundant if zero, otherwise a
 * contradiction (unless undecided). */
static bool
settle_constant(QltWork *work, DaeTerm t, const GArray *from, GError **error)
{
  switch (qlt_is_zero(work, t)) {
  case DAE_ZERO:
    qlt_drop(work, t, from, "the combination is identically zero");
    return true;
  case DAE_NONZERO:
    return qlt_fail_contradiction(work, t, from, error);
  case DAE_UNKNOWN:
    break;
  }
  g_autofree char *text = dae_term_to_string(work->terms, t);
  g_set_error(error, DAE_ERROR, DAE_ERROR_UNDECIDED, "could not decide whether %s is zero",
              text);
  return false;
}

static bool
has_variable(QltWork *work, DaeTerm t)
{
  g_autoptr(GArray) variables = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  dae_term_collect_variables(work->terms, t, variables);
  return variables->len > 0;
}

static void
store_constraint(QltWork *work, DaeTerm t, const GArray *from)
{
  QltConstraint *constraint = g_new0(QltConstraint, 1);
  constraint->expression = t;
  constraint->from = g_array_copy((GArray *)from);
  constraint->level = qlt_origin_level(from);
  constraint->is_hidden = constraint->level > 0 || from->len > 1;
  g_hash_table_add(work->known, GUINT_TO_POINTER(t));
  if (work->is_checked) {
    g_hash_table_add(work->known, GUINT_TO_POINTER(qlt_normal_constraint(work, t)));
  }
  g_ptr_array_add(work->constraints, constraint);
}

/* ---- over the reals ---------------------------------------------------------------------- */

/* f of f^k, abs(f), sign(f), which are 0 where f is; *is_nonnegative: they are never below 0. */
static DaeTerm
core_of(const DaeTerms *terms, DaeTerm factor, bool *is_nonnegative)
{
  int64_t exponent = 0;
  *is_nonnegative = false;
  if (dae_term_kind(terms, factor) == DAE_KIND_POWER &&
      dae_term_get_int64(terms, dae_term_operand(terms, factor, 1), &exponent) &&
      exponent > 0) {
    *is_nonnegative = exponent % 2 == 0;
    return dae_term_operand(terms, factor, 0);
  }
  if (dae_term_kind(terms, factor) == DAE_KIND_CALL) {
    DaeFunction function = dae_term_function(terms, factor);
    *is_nonnegative = function == DAE_FN_ABS;
    return function == DAE_FN_ABS || function == DAE_FN_SIGN
               ? dae_term_operand(terms, factor, 0)
               : factor;
  }
  return factor;
}

/* The product of the cores of a summand, and its sign: 1 for one that is nowhere negative, -1 for
 * nowhere positive, 0 for neither. */
static DaeTerm
core_of_summand(QltWork *work, DaeTerm summand, int *sign)
{
  uint32_t n = 0;
  const DaeTerm *factors = dae_term_parts(work->terms, DAE_KIND_PRODUCT, &summand, &n);
  DaeTerm product = dae_term_int(work->terms, 1);
  *sign = 1;
  for (uint32_t k = 0; k < n; k++) {
    bool is_nonnegative = false;
    int definite = 0;
    DaeTerm core = core_of(work->terms, factors[k], &is_nonnegative);
    if (dae_algebra_sign(work->algebra, factors[k], &definite) && definite != 0) {
      *sign *= definite;
      continue;
    }
    *sign = is_nonnegative ? *sign : 0;
    product = dae_term_mul(work->terms, product, core);
  }
  return product;
}

/* The cores of all summands into parts; false: they do not all have one sign, or some have no
 * variable. */
static bool
collect_cores(QltWork *work, DaeTerm t, GArray *parts)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_parts(work->terms, DAE_KIND_SUM, &t, &n);
  g_autofree DaeTerm *summands = g_memdup2(operands, sizeof(DaeTerm) * n);
  int all = 0;
  for (uint32_t k = 0; k < n; k++) {
    int sign = 0;
    DaeTerm core = core_of_summand(work, summands[k], &sign);
    all = k == 0 ? sign : all == sign ? all : 0;
    if ((n > 1 && all == 0) || !has_variable(work, core)) {
      return false;
    }
    g_array_append_val(parts, core);
  }
  return true;
}

/* Where a sum of squares is 0, each of them is: (x - y)^2 + (z - 2)^2 = 0 are two equations,
 * with regular gradients where the one has none. Appends what t = 0 says; what has no value
 * everywhere is not left out: x*exp(-1/x) does not say x. */
static void
split_squares(QltWork *work, DaeTerm t, GArray *parts)
{
  bool is_split = collect_cores(work, t, parts);
  DaeTerm all = dae_term_product(work->terms, (const DaeTerm *)(void *)parts->data, parts->len);
  if (!is_split || !dae_algebra_keeps_domain(work->algebra, t, all)) {
    g_array_set_size(parts, 0);
    g_array_append_val(parts, t);
  }
}

bool
qlt_radical_parts(QltWork *work, DaeTerm t, GArray *parts)
{
  g_autoptr(GArray) factors = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (has_variable(work, t) && qlt_measure(work, t).expanded <= MAX_EXPANDED &&
      dae_algebra_factor(work->algebra, t, factors) && factors->len > 0) {
    DaeTerm product =
        dae_term_product(work->terms, (const DaeTerm *)(void *)factors->data, factors->len);
    DaeTerm ratio = dae_term_div(work->terms, t, product);
    DaeTerm simple =
        ratio == DAE_NO_TERM ? DAE_NO_TERM : dae_algebra_simplify(work->algebra, ratio);
    bool is_simple = simple == DAE_NO_TERM || dae_term_is_parametric(work->terms, simple);
    split_squares(work, is_simple ? t : product, parts);
    return !is_simple || parts->len > 1 || g_array_index(parts, DaeTerm, 0) != t;
  }
  return false;
}

static bool
add_one(QltWork *work, DaeTerm normal, bool is_as_written, const GArray *from, GError **error)
{
  if (!has_variable(work, normal)) {
    return settle_constant(work, normal, from, error);
  }
  if (!is_as_written && dae_algebra_is_zero(work->algebra, normal) == DAE_ZERO) {
    qlt_drop(work, normal, from, "the combination is identically zero");
    return true;
  }
  if (work->is_checked &&
      g_hash_table_contains(work->known,
                            GUINT_TO_POINTER(qlt_normal_constraint(work, normal)))) {
    qlt_drop(work, normal, from,
             "it is one of the constraints already, up to a constant factor");
    return true;
  }
  store_constraint(work, normal, from);
  return true;
}

bool
qlt_add_constraint(QltWork *work, DaeTerm t, GArray *from, GError **error)
{
  g_autoptr(GArray) owned G_GNUC_UNUSED = from;
  bool is_as_written = from->len == 1 && g_array_index(from, DaeQltOrigin, 0).order == 0;
  DaeTerm normal = is_as_written ? without_content(work, qlt_rewrite(work, t))
                                 : qlt_normal_constraint(work, t);
  g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (work->is_checked) {
    split_squares(work, normal, parts);
  } else {
    g_array_append_val(parts, normal);
  }
  for (uint32_t k = 0; k < parts->len; k++) {
    if (!add_one(work, g_array_index(parts, DaeTerm, k), is_as_written, from, error)) {
      return false;
    }
  }
  return true;
}
