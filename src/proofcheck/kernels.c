#include "proofcheck/kernels.h"

#include <string.h>

#include "base/base.h"

#define MAX_UNIT 1000
#define MAX_MULTIPLE 60
#define MAX_PASSES 8

/* ---- kernels ----------------------------------------------------------------------------- */

int64_t
dae_kernels_gcd(int64_t a, int64_t b)
{
  a = ABS(a);
  b = ABS(b);
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void
append_once(GArray *atoms, DaeTerm atom)
{
  for (guint i = 0; i < atoms->len; i++) {
    if (g_array_index(atoms, DaeTerm, i) == atom) {
      return;
    }
  }
  g_array_append_val(atoms, atom);
}

static void
append_atoms_of_poly(const DaeExact *exact, VpPoly poly, GArray *atoms)
{
  for (uint32_t i = 0; i < poly.n; i++) {
    for (uint32_t k = 0; k < poly.monos[i].n; k++) {
      const GArray *inside =
          g_array_index(exact->kernels, Kernel, poly.monos[i].powers[k].kernel).atoms;
      for (guint m = 0; m < inside->len; m++) {
        append_once(atoms, g_array_index(inside, DaeTerm, m));
      }
    }
  }
}

static void
append_atoms_of_frac(const DaeExact *exact, const VpFrac *a, GArray *atoms)
{
  append_atoms_of_poly(exact, a->num, atoms);
  for (guint i = 0; a->factors != NULL && i < a->factors->len; i++) {
    VpPower power = g_array_index(a->factors, VpPower, i);
    append_atoms_of_poly(exact, vp_ring_factor(exact->ring, power.kernel), atoms);
  }
}

/* Atoms of a term, those behind bound ones as well. */
static void
append_atoms_of_term(const DaeExact *exact, DaeTerm t, GArray *atoms)
{
  g_autoptr(DaeVisit) visit = dae_visit_new(exact->terms, t);
  for (DaeTerm node = dae_visit_next(visit); node != DAE_NO_TERM;
       node = dae_visit_next(visit)) {
    gpointer bound = g_hash_table_lookup(exact->bound, GUINT_TO_POINTER(node));
    DaeKind kind = dae_term_kind(exact->terms, node);
    if (bound != NULL) {
      dae_visit_add(visit, GPOINTER_TO_UINT(bound));
    } else if (kind == DAE_KIND_VARIABLE || kind == DAE_KIND_PARAMETER ||
               kind == DAE_KIND_TIME) {
      append_once(atoms, node);
    } else {
      dae_visit_enter(visit, node);
    }
  }
}

uint32_t
dae_kernels_add(DaeExact *exact, KernelKind kind, const VpFrac *key, DaeTerm term)
{
  Kernel kernel = {.kind = kind, .key = key, .steps = 1, .term = term};
  kernel.atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  if (kind == KERNEL_ATOM) {
    g_array_append_val(kernel.atoms, term);
  } else if (key != NULL) {
    append_atoms_of_frac(exact, key, kernel.atoms);
  } else if (kind == KERNEL_OPAQUE || kind == KERNEL_INDICATOR) {
    append_atoms_of_term(exact, term, kernel.atoms);
  }
  g_array_append_val(exact->kernels, kernel);
  return exact->kernels->len - 1;
}

uint32_t
dae_kernels_find(DaeExact *exact, KernelKind kind, const VpFrac *key)
{
  for (guint i = 0; i < exact->kernels->len; i++) {
    const Kernel *kernel = &g_array_index(exact->kernels, Kernel, i);
    if (kernel->kind == kind && vp_frac_equal(exact->ring, kernel->key, key)) {
      return i;
    }
  }
  return UINT32_MAX;
}

static uint32_t
find_term(const DaeExact *exact, KernelKind kind, DaeTerm term)
{
  for (guint i = 0; i < exact->kernels->len; i++) {
    const Kernel *kernel = &g_array_index(exact->kernels, Kernel, i);
    if (kernel->kind == kind && kernel->term == term) {
      return i;
    }
  }
  return UINT32_MAX;
}

static uint32_t
kernel_of_term(DaeExact *exact, KernelKind kind, DaeTerm term)
{
  uint32_t kernel = find_term(exact, kind, term);
  return kernel == UINT32_MAX ? dae_kernels_add(exact, kind, NULL, term) : kernel;
}

uint32_t
dae_kernels_pi(DaeExact *exact)
{
  return kernel_of_term(exact, KERNEL_PI, dae_term_pi(exact->terms));
}

const VpFrac *
dae_kernels_opaque(DaeExact *exact, DaeTerm t)
{
  return vp_frac_kernel(exact->ring, kernel_of_term(exact, KERNEL_OPAQUE, t));
}

Unit *
dae_kernels_unit(DaeExact *exact, UnitKind kind, const VpFrac *key, int64_t q)
{
  for (guint i = 0; i < exact->units->len; i++) {
    Unit *unit = &g_array_index(exact->units, Unit, i);
    if (unit->kind != kind || !vp_frac_equal(exact->ring, unit->key, key)) {
      continue;
    }
    if (unit->steps % q != 0) {
      unit->steps = unit->steps / dae_kernels_gcd(unit->steps, q) * q;
      unit->kernel = UINT32_MAX;
      exact->units_changed = true;
    }
    return unit->steps > MAX_UNIT ? NULL : unit;
  }
  Unit unit = {.kind = kind, .key = key, .steps = q, .kernel = UINT32_MAX};
  g_array_append_val(exact->units, unit);
  return q > MAX_UNIT ? NULL : &g_array_index(exact->units, Unit, exact->units->len - 1);
}

/* ---- shapes ------------------------------------------------------------------------------ */

GArray *
dae_kernels_split(DaeExact *exact, const VpFrac *a)
{
  VpRing *ring = exact->ring;
  GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
  int64_t den = 0;
  bool small_den = vp_int_get(a->den, &den);
  for (uint32_t i = 0; i < a->num.n; i++) {
    const VpMono *mono = &a->num.monos[i];
    VpMono *bare = vp_keep(ring, g_memdup2(mono, sizeof *mono));
    VpFrac *key = vp_keep(ring, g_memdup2(a, sizeof *a));
    Part part = {.key = key, .p = 1, .q = 1};
    int64_t c = 0;
    key->num = (VpPoly){1, bare};
    if (small_den && vp_int_get(mono->c, &c)) {
      int64_t g = dae_kernels_gcd(c, den);
      part.p = c / g;
      part.q = den / g;
    }
    if (c != 0 && ABS(part.p) <= MAX_MULTIPLE && part.q <= MAX_UNIT) {
      bare->c = vp_int(ring, 1);
      key->den = vp_int(ring, 1);
    } else { /* a large factor: part of the key; its sign is not */
      part.p = mono->c.sign;
      part.q = 1;
      bare->c = mono->c.sign < 0 ? vp_int_neg(mono->c) : mono->c;
    }
    g_array_append_val(parts, part);
  }
  return parts;
}

/* The kernel that the fraction is, or NULL. */
static const Kernel *
single_kernel(const DaeExact *exact, const VpFrac *a)
{
  int64_t one = 0;
  if (a->num.n != 1 || (a->factors != NULL && a->factors->len > 0) || a->num.monos[0].n != 1 ||
      a->num.monos[0].powers[0].e != 1 || !vp_int_get(a->num.monos[0].c, &one) || one != 1 ||
      !vp_int_get(a->den, &one) || one != 1) {
    return NULL;
  }
  return &g_array_index(exact->kernels, Kernel, a->num.monos[0].powers[0].kernel);
}

const VpFrac *
dae_kernels_argument(DaeExact *exact, const VpFrac *key, KernelKind kind)
{
  const Kernel *kernel = single_kernel(exact, key);
  if (kernel == NULL || kernel->kind != kind) {
    return NULL;
  }
  return kind == KERNEL_PI ? key : kernel->key;
}

/* Adds sign * e * key/steps of an exp kernel; false: another kernel. */
static bool
add_exponent(DaeExact *exact, uint32_t kernel, int64_t e, const VpFrac **sum)
{
  VpRing *ring = exact->ring;
  const Kernel what = g_array_index(exact->kernels, Kernel, kernel);
  if (what.kind != KERNEL_EXP) {
    return false;
  }
  const VpFrac *share = vp_frac_ratio(ring, vp_int(ring, e), vp_int(ring, what.steps));
  *sum = vp_frac_add(ring, *sum, vp_frac_mul(ring, share, what.key));
  return true;
}

const VpFrac *
dae_kernels_log_of_exp(DaeExact *exact, const VpFrac *frac)
{
  const VpFrac *sum = vp_frac_int(exact->ring, 0);
  int64_t c = 0;
  int64_t den = 0;
  if (frac->num.n != 1 || !vp_int_get(frac->num.monos[0].c, &c) || c != 1 ||
      !vp_int_get(frac->den, &den) || den != 1) {
    return NULL;
  }
  const VpMono *mono = &frac->num.monos[0];
  for (uint32_t i = 0; i < mono->n; i++) {
    if (!add_exponent(exact, mono->powers[i].kernel, mono->powers[i].e, &sum)) {
      return NULL;
    }
  }
  for (guint i = 0; frac->factors != NULL && i < frac->factors->len; i++) {
    VpPower power = g_array_index(frac->factors, VpPower, i);
    VpPoly poly = vp_ring_factor(exact->ring, power.kernel);
    if (poly.n != 1 || poly.monos[0].n != 1 || poly.monos[0].powers[0].e != 1 ||
        !vp_int_get(poly.monos[0].c, &c) || c != 1 ||
        !add_exponent(exact, poly.monos[0].powers[0].kernel, -(int64_t)power.e, &sum)) {
      return NULL;
    }
  }
  return mono->n == 0 && (frac->factors == NULL || frac->factors->len == 0) ? NULL : sum;
}

const VpFrac *
dae_kernels_positive_part(DaeExact *exact, const VpFrac *a, const VpFrac **rest)
{
  VpRing *ring = exact->ring;
  if (a->num.n != 1) {
    return NULL;
  }
  const VpMono *mono = &a->num.monos[0];
  VpInt size = mono->c.sign < 0 ? vp_int_neg(mono->c) : mono->c;
  const VpFrac *number = vp_frac_ratio(ring, size, a->den);
  const VpFrac *positive = number;
  VpPoly left = vp_poly_kernel(ring, 0, 0);
  for (uint32_t i = 0; i < mono->n; i++) {
    VpPower power = mono->powers[i];
    VpPoly part = vp_poly_kernel(ring, power.kernel, power.e);
    if (g_array_index(exact->kernels, Kernel, power.kernel).kind == KERNEL_EXP) {
      positive = vp_frac_mul(ring, positive, vp_frac_poly(ring, part));
    } else {
      left = vp_poly_mul(ring, left, part);
    }
  }
  VpFrac *other = vp_keep(ring, g_memdup2(a, sizeof *a)); /* keeps the factors below */
  other->num = vp_poly_scale(ring, vp_int(ring, mono->c.sign), left);
  other->den = vp_int(ring, 1);
  *rest = other;
  bool is_one = vp_frac_equal(ring, positive, vp_frac_int(ring, 1));
  return is_one ? NULL : positive;
}

bool
dae_kernels_is_constant(const DaeExact *exact, const VpFrac *a)
{
  g_autoptr(GArray) atoms = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  append_atoms_of_frac(exact, a, atoms);
  return atoms->len == 0;
}

/* ---- back to terms ----------------------------------------------------------------------- */

static DaeTerm
term_of_int(DaeTerms *terms, VpInt c)
{
  g_autofree char *text = vp_int_text(c);
  const char *digits = text + (c.sign < 0);
  DaeTerm size = dae_term_decimal(terms, digits, strlen(digits));
  return c.sign < 0 ? dae_term_neg(terms, size) : size;
}

DaeTerm
dae_exact_term(DaeExact *exact, VpPoly poly)
{
  DaeTerms *terms = exact->terms;
  DaeTerm sum = dae_term_int(terms, 0);
  for (uint32_t i = 0; i < poly.n; i++) {
    DaeTerm product = term_of_int(terms, poly.monos[i].c);
    for (uint32_t k = 0; k < poly.monos[i].n; k++) {
      VpPower power = poly.monos[i].powers[k];
      DaeTerm kernel = g_array_index(exact->kernels, Kernel, power.kernel).term;
      product = dae_term_mul(terms, product, dae_term_pow_int(terms, kernel, power.e));
    }
    sum = dae_term_add(terms, sum, product);
  }
  return sum;
}

DaeTerm
dae_kernels_term(DaeExact *exact, const VpFrac *a)
{
  DaeTerms *terms = exact->terms;
  DaeTerm below = term_of_int(terms, a->den);
  for (guint i = 0; a->factors != NULL && i < a->factors->len; i++) {
    VpPower power = g_array_index(a->factors, VpPower, i);
    DaeTerm factor = dae_exact_term(exact, vp_ring_factor(exact->ring, power.kernel));
    below = dae_term_mul(terms, below, dae_term_pow_int(terms, factor, power.e));
  }
  return dae_term_div(terms, dae_exact_term(exact, a->num), below);
}

/* ---- the walk over terms ----------------------------------------------------------------- */

bool
dae_kernels_sign(DaeExact *exact, DaeTerm t, const VpFrac *a, int *sign)
{
  if (a != NULL && vp_frac_is_number(a)) {
    *sign = vp_frac_is_zero(a) ? 0 : a->num.monos[0].c.sign;
    return true;
  }
  if (a != NULL && vp_frac_is_zero(a)) {
    *sign = 0;
    return true;
  }
  return dae_certifier_sign(exact->signs, t, sign) ||
         dae_range_sign(exact->terms, exact->bound, t, sign);
}

const Known *
dae_kernels_known(const DaeExact *exact, DaeTerm t)
{
  static const Known nothing = {KNOWN_OPEN, NULL}; /* a circle of bindings */
  const Known *entry = g_hash_table_lookup(exact->memo, GUINT_TO_POINTER(t));
  return entry == NULL ? &nothing : entry;
}

/* NOLINTBEGIN(misc-no-recursion): the sides of a relation were walked before it,
 * those of an assumed one once more */
static const VpFrac *
call_fraction(DaeExact *exact, DaeTerm t)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(exact->terms, t, &n);
  DaeFunction f = dae_term_function(exact->terms, t);
  if (f == DAE_FN_PI) {
    return vp_frac_kernel(exact->ring, dae_kernels_pi(exact));
  }
  const VpFrac *chosen = dae_conditions_call(exact, t, operands);
  if (chosen != NULL) {
    return chosen;
  }
  if (f == DAE_FN_HOMOTOPY || f == DAE_FN_SMOOTH) {
    return dae_kernels_known(exact, operands[f == DAE_FN_SMOOTH ? 1 : 0])->frac;
  }
  const VpFrac *a = n == 0 ? NULL : dae_kernels_known(exact, operands[0])->frac;
  if (n != 1) {
    return dae_kernels_opaque(exact, t);
  }
  return a == NULL ? NULL : dae_kernels_call(exact, t, a);
}

static const VpFrac *
sum_or_product(DaeExact *exact, DaeTerm t, bool is_sum)
{
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(exact->terms, t, &n);
  const VpFrac *result = vp_frac_int(exact->ring, is_sum ? 0 : 1);
  for (uint32_t i = 0; i < n; i++) {
    const VpFrac *a = dae_kernels_known(exact, operands[i])->frac;
    if (a == NULL) {
      return NULL;
    }
    result = (is_sum ? vp_frac_add : vp_frac_mul)(exact->ring, result, a);
  }
  return result;
}

static const VpFrac *
number_fraction(DaeExact *exact, DaeTerm t)
{
  g_autofree char *text = dae_term_to_string(exact->terms, t);
  VpInt numerator;
  VpInt denominator;
  return vp_int_parse(exact->ring, text, &numerator, &denominator)
             ? vp_frac_ratio(exact->ring, numerator, denominator)
             : NULL;
}

static Known
look_at(DaeExact *exact, DaeTerm t)
{
  DaeTerms *terms = exact->terms;
  Known out = {KNOWN_FRACTION, NULL};
  gpointer bound = g_hash_table_lookup(exact->bound, GUINT_TO_POINTER(t));
  if (bound != NULL) {
    return *dae_kernels_known(exact, GPOINTER_TO_UINT(bound));
  }
  DaeKind kind = dae_term_kind(terms, t);
  switch (kind) {
  case DAE_KIND_NUMBER:
    out.frac = number_fraction(exact, t);
    break;
  case DAE_KIND_TIME:
  case DAE_KIND_PARAMETER:
  case DAE_KIND_VARIABLE:
    out.frac = vp_frac_kernel(exact->ring, kernel_of_term(exact, KERNEL_ATOM, t));
    break;
  case DAE_KIND_SUM:
  case DAE_KIND_PRODUCT:
    out.frac = sum_or_product(exact, t, kind == DAE_KIND_SUM);
    break;
  case DAE_KIND_POWER: {
    const VpFrac *base = dae_kernels_known(exact, dae_term_operand(terms, t, 0))->frac;
    out.frac = base == NULL ? NULL : dae_kernels_power(exact, t, base);
    break;
  }
  case DAE_KIND_CALL:
    out.frac = call_fraction(exact, t);
    break;
  case DAE_KIND_IF: {
    KnownState state = dae_conditions_state(exact, dae_term_operand(terms, t, 0));
    if (state == KNOWN_TRUE || state == KNOWN_FALSE) {
      return *dae_kernels_known(exact, dae_term_operand(terms, t, state == KNOWN_TRUE ? 1 : 2));
    }
    out.frac = dae_conditions_choice(exact, t);
    break;
  }
  case DAE_KIND_BOOLEAN:
    return (Known){dae_term_get_bool(terms, t) ? KNOWN_TRUE : KNOWN_FALSE, NULL};
  case DAE_KIND_RELATION:
    return (Known){dae_conditions_relation(exact, t), NULL};
  case DAE_KIND_AND:
  case DAE_KIND_OR:
  case DAE_KIND_NOT:
    return (Known){dae_conditions_logic(exact, t, kind), NULL};
  }
  if (out.frac == NULL || vp_is_spent(exact->ring)) {
    return (Known){KNOWN_OPEN, NULL};
  }
  return out;
}

static void
push_needs(const DaeExact *exact, DaeTerm t, GArray *stack)
{
  gpointer bound = g_hash_table_lookup(exact->bound, GUINT_TO_POINTER(t));
  if (bound != NULL) {
    DaeTerm value = GPOINTER_TO_UINT(bound);
    g_array_append_val(stack, value);
    return;
  }
  uint32_t n = 0;
  const DaeTerm *operands = dae_term_operands(exact->terms, t, &n);
  g_array_append_vals(stack, operands, n);
}

void
dae_kernels_walk(DaeExact *exact, DaeTerm t)
{
  g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(DaeTerm));
  g_autoptr(GHashTable) opened = g_hash_table_new(NULL, NULL);
  g_array_append_val(stack, t);
  while (stack->len > 0) {
    DaeTerm node = g_array_index(stack, DaeTerm, stack->len - 1);
    if (g_hash_table_contains(exact->memo, GUINT_TO_POINTER(node))) {
      g_array_set_size(stack, stack->len - 1);
    } else if (g_hash_table_add(opened, GUINT_TO_POINTER(node))) {
      push_needs(exact, node, stack);
    } else {
      Known *entry = g_new(Known, 1);
      *entry = look_at(exact, node);
      g_hash_table_insert(exact->memo, GUINT_TO_POINTER(node), entry);
      g_array_set_size(stack, stack->len - 1);
    }
  }
}

/* NOLINTEND(misc-no-recursion) */

const VpFrac *
dae_exact_fraction(DaeExact *exact, DaeTerm t, bool *undefined)
{
  exact->is_undefined = t == DAE_NO_TERM;
  const VpFrac *frac = NULL;
  if (t == DAE_NO_TERM) { /* the constructors met a division by 0 */
    if (undefined != NULL) {
      *undefined = true;
    }
    return NULL;
  }
  for (int pass = 0; pass < MAX_PASSES; pass++) { /* finer units: once more */
    exact->units_changed = false;
    dae_kernels_walk(exact, t);
    frac = dae_kernels_known(exact, t)->frac;
    if (!exact->units_changed) {
      break;
    }
    frac = NULL;
    g_hash_table_remove_all(exact->memo);
  }
  if (undefined != NULL) {
    *undefined = frac == NULL && exact->is_undefined;
  }
  return vp_is_spent(exact->ring) ? NULL : frac;
}

static DaeExactAnswer
is_zero_as_it_is(DaeExact *exact, DaeTerm t)
{
  bool undefined = false;
  const VpFrac *frac = dae_exact_fraction(exact, t, &undefined);
  if (frac == NULL) {
    return undefined ? DAE_EXACT_UNDEFINED : DAE_EXACT_OPEN;
  }
  if (vp_frac_is_zero(frac)) {
    return DAE_EXACT_ZERO;
  }
  return vp_frac_is_number(frac) ? DAE_EXACT_NONZERO : DAE_EXACT_OPEN;
}

DaeExactAnswer
dae_exact_is_zero(DaeExact *exact, DaeTerm t)
{
  exact->has_open_choice = false;
  DaeExactAnswer answer = is_zero_as_it_is(exact, t);
  if (answer == DAE_EXACT_OPEN && exact->has_open_choice) {
    exact->takes_apart = true;
    g_hash_table_remove_all(exact->memo);
    answer = is_zero_as_it_is(exact, t);
    exact->takes_apart = false;
    g_hash_table_remove_all(exact->memo);
  }
  return answer;
}

/* ---- what rules ask about kernels -------------------------------------------------------- */

uint32_t
dae_exact_kernel(DaeExact *exact, DaeTerm atom)
{
  return find_term(exact, KERNEL_ATOM, atom);
}
