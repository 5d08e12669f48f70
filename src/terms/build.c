/* Constructors of sums and products: the arithmetic of the canonical form, nothing else.
 *
 * Sum: nested sums are opened, the rest is sorted as monomials, neighbours that agree up to a
 * rational factor are added. Product: nested products are opened, factors are sorted by base, equal
 * bases add their exponents. A sum that is a factor of something is made primitive (coprime integer
 * coefficients, the first one positive) and its content joins the coefficient; so it does not
 * matter in which order a product was multiplied: (2*(x + y))*z and 2*((x + y)*z) are one term.
 * Where these integers would be too long (primitive.c), the first coefficient is 1 instead: of
 * nested products each level multiplies the integers by those of the level below, and soon no
 * double holds them (polynomials of high degree with measured coefficients). */
#include <string.h>

#include "terms/terms-priv.h"

/* ---- scaling by a rational --------------------------------------------------------------- */

/* factor * t where t is neither a NUMBER nor a SUM. */
static DaeTerm
scale_monomial(DaeTerms *terms, DaeTerm t, const DaeRat *factor)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind != DAE_KIND_PRODUCT) {
    const DaeTerm both[2] = {dae_store_number(terms, factor), t};
    return both[0] == terms->one ? t : dae_store_node(terms, DAE_KIND_PRODUCT, 0, both, 2);
  }
  DaeRat number;
  dae_rat_init_copy(&number, factor);
  DaeRat old = dae_coefficient_view(terms, t);
  dae_rat_mul(&number, &old);
  DaeList list;
  dae_list_init(&list);
  dae_list_push(&list, terms->one);
  const DaeTerm *operands = dae_node_operands(node);
  uint32_t skip = dae_is_kind(terms, operands[0], DAE_KIND_NUMBER);
  dae_list_append(&list, operands + skip, node->n - skip);
  DaeTerm result = DAE_NO_TERM;
  if (!dae_rat_is_int(&number, 1)) {
    list.data[0] = dae_store_number(terms, &number);
    result = dae_store_node(terms, DAE_KIND_PRODUCT, 0, list.data, (uint32_t)list.n);
  } else if (list.n == 2) {
    result = list.data[1];
    DAE_ASSERT(!dae_is_kind(terms, result, DAE_KIND_SUM)); /* number*sum is never stored */
  } else {
    result = dae_store_node(terms, DAE_KIND_PRODUCT, 0, list.data + 1, (uint32_t)list.n - 1);
  }
  dae_rat_clear(&number);
  dae_list_clear(&list);
  return result;
}

static DaeTerm
scale_number(DaeTerms *terms, DaeTerm t, const DaeRat *factor)
{
  DaeRat number;
  dae_rat_init_copy(&number, factor);
  DaeRat old = dae_number_view(terms, t);
  dae_rat_mul(&number, &old);
  DaeTerm result = dae_store_number(terms, &number);
  dae_rat_clear(&number);
  return result;
}

DaeTerm
dae_build_scale(DaeTerms *terms, DaeTerm t, const DaeRat *factor)
{
  if (dae_rat_is_int(factor, 1)) {
    return t;
  }
  if (dae_rat_sign(factor) == 0) {
    return terms->zero;
  }
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    return scale_number(terms, t, factor);
  }
  if (node->kind != DAE_KIND_SUM) {
    return scale_monomial(terms, t, factor);
  }
  /* The order of a sum does not look at coefficients, so it stays. */
  DaeList list;
  dae_list_init(&list);
  const DaeTerm *operands = dae_node_operands(node);
  for (uint32_t i = 0; i < node->n; i++) {
    bool is_number = dae_is_kind(terms, operands[i], DAE_KIND_NUMBER);
    dae_list_push(&list, is_number ? scale_number(terms, operands[i], factor)
                                   : scale_monomial(terms, operands[i], factor));
  }
  DaeTerm result = dae_store_node(terms, DAE_KIND_SUM, 0, list.data, (uint32_t)list.n);
  dae_list_clear(&list);
  return result;
}

/* ---- sums -------------------------------------------------------------------------------- */

/* Opens nested sums into list and adds the numbers to number. False if an operand is none. */
static bool
open_sums(DaeTerms *terms, const DaeTerm *operands, size_t n, DaeList *list, DaeRat *number)
{
  for (size_t i = 0; i < n; i++) {
    if (operands[i] == DAE_NO_TERM) {
      return false;
    }
    const DaeNode *node = dae_node(terms, operands[i]);
    if (node->kind == DAE_KIND_NUMBER) {
      DaeRat value = dae_number_view(terms, operands[i]);
      dae_rat_add(number, &value);
    } else if (node->kind == DAE_KIND_SUM) {
      const DaeTerm *inner = dae_node_operands(node);
      uint32_t skip = 0;
      if (dae_is_kind(terms, inner[0], DAE_KIND_NUMBER)) {
        DaeRat value = dae_number_view(terms, inner[0]);
        dae_rat_add(number, &value);
        skip = 1;
      }
      dae_list_append(list, inner + skip, node->n - skip);
    } else {
      dae_list_push(list, operands[i]);
    }
  }
  return true;
}

/* Adds the terms [from, end) of the list, equal up to rational
 * factors. DAE_NO_TERM if they cancel. */
static DaeTerm
add_equal_monomials(DaeTerms *terms, const DaeTerm *list, size_t from, size_t end)
{
  DaeRat total;
  dae_rat_init_int(&total, 0);
  for (size_t i = from; i < end; i++) {
    DaeRat c = dae_coefficient_view(terms, list[i]);
    dae_rat_add(&total, &c);
  }
  DaeTerm result = DAE_NO_TERM;
  if (dae_rat_sign(&total) != 0) {
    DaeRat first = dae_coefficient_view(terms, list[from]);
    DaeRat inverse;
    dae_rat_init_copy(&inverse, &first);
    dae_rat_invert(&inverse);
    dae_rat_mul(&total, &inverse);
    dae_rat_clear(&inverse);
    result = dae_build_scale(terms, list[from], &total);
  }
  dae_rat_clear(&total);
  return result;
}

/* Sorts and adds; returns the new length. Most sums have nothing to add. */
static size_t
collect_monomials(DaeTerms *terms, DaeTerm *list, size_t n)
{
  if (dae_order_sort(terms, list, n, dae_order_monomials)) {
    return n;
  }
  size_t kept = 0;
  for (size_t i = 0; i < n;) {
    size_t end = i + 1;
    while (end < n && dae_order_monomials(terms, list[i], list[end]) == 0) {
      end++;
    }
    DaeTerm t = end == i + 1 ? list[i] : add_equal_monomials(terms, list, i, end);
    if (t != DAE_NO_TERM) {
      list[kept++] = t;
    }
    i = end;
  }
  return kept;
}

/* The sum of the number and the monomials of the list behind its first place. */
static DaeTerm
sum_of_parts(DaeTerms *terms, DaeList *list, const DaeRat *number)
{
  list->n = 1 + collect_monomials(terms, list->data + 1, list->n - 1);
  size_t first = 1;
  if (dae_rat_sign(number) != 0 || list->n == 1) {
    list->data[0] = dae_store_number(terms, number);
    first = 0;
  }
  size_t n = list->n - first;
  return n == 1 ? list->data[first]
                : dae_store_node(terms, DAE_KIND_SUM, 0, list->data + first, (uint32_t)n);
}

DaeTerm
dae_term_sum(DaeTerms *terms, const DaeTerm *operands, size_t n)
{
  DaeRat number;
  dae_rat_init_int(&number, 0);
  DaeList list;
  dae_list_init(&list);
  dae_list_push(&list, terms->zero); /* place of the number */
  DaeTerm result = DAE_NO_TERM;
  if (open_sums(terms, operands, n, &list, &number)) {
    result = sum_of_parts(terms, &list, &number);
  }
  dae_list_clear(&list);
  dae_rat_clear(&number);
  return result;
}

/* First place in the sorted list [from, n) that does not come before t. */
static uint32_t
place_of_monomial(const DaeTerms *terms, const DaeTerm *list, uint32_t from, uint32_t n,
                  DaeTerm t)
{
  while (from < n) {
    uint32_t middle = from + (n - from) / 2;
    if (dae_order_monomials(terms, list[middle], t) < 0) {
      from = middle + 1;
    } else {
      n = middle;
    }
  }
  return from;
}

/* sum + t for a long sum and a monomial t that is new in it; DAE_NO_TERM if it is not new.
 * Costs log(n) comparisons and a copy; at the end of the sum not even the copy. */
static DaeTerm
add_new_monomial(DaeTerms *terms, DaeTerm sum, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, sum);
  const DaeTerm *operands = dae_node_operands(node);
  if (dae_order_monomials(terms, operands[node->n - 1], t) < 0) {
    return dae_store_extended(terms, sum, t);
  }
  uint32_t from = dae_is_kind(terms, operands[0], DAE_KIND_NUMBER) ? 1 : 0;
  uint32_t place = place_of_monomial(terms, operands, from, node->n, t);
  if (place < node->n && dae_order_monomials(terms, operands[place], t) == 0) {
    return DAE_NO_TERM;
  }
  DaeList list;
  dae_list_init(&list);
  dae_list_append(&list, operands, place);
  dae_list_push(&list, t);
  dae_list_append(&list, operands + place, node->n - place);
  DaeTerm result = dae_store_node(terms, DAE_KIND_SUM, 0, list.data, (uint32_t)list.n);
  dae_list_clear(&list);
  return result;
}

static DaeTerm
add_numbers(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  DaeRat first = dae_number_view(terms, a);
  DaeRat second = dae_number_view(terms, b);
  DaeRat total;
  dae_rat_init_copy(&total, &first);
  dae_rat_add(&total, &second);
  DaeTerm result = dae_store_number(terms, &total);
  dae_rat_clear(&total);
  return result;
}

DaeTerm
dae_term_add(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (a == terms->zero) {
    return b;
  }
  if (b == terms->zero) {
    return a;
  }
  if (a != DAE_NO_TERM && b != DAE_NO_TERM) {
    const DaeNode *node = dae_node(terms, a);
    DaeKind kind = (DaeKind)dae_node(terms, b)->kind;
    if (node->kind == DAE_KIND_NUMBER && kind == DAE_KIND_NUMBER) {
      return add_numbers(terms, a, b);
    }
    if (node->kind == DAE_KIND_SUM && node->n > G_N_ELEMENTS(node->u.few) &&
        kind != DAE_KIND_SUM && kind != DAE_KIND_NUMBER) {
      DaeTerm result = add_new_monomial(terms, a, b);
      if (result != DAE_NO_TERM) {
        return result;
      }
    }
  }
  return dae_term_sum(terms, (DaeTerm[]){a, b}, 2);
}

DaeTerm
dae_term_neg(DaeTerms *terms, DaeTerm a)
{
  const DaeRat minus_one = {.num = -1, .den = 1, .big = NULL};
  return a == DAE_NO_TERM ? a : dae_build_scale(terms, a, &minus_one);
}

/* a minus a sum, without making the sum's opposite. */
static DaeTerm
subtract_sum(DaeTerms *terms, DaeTerm a, DaeTerm sum)
{
  const DaeRat minus_one = {.num = -1, .den = 1, .big = NULL};
  const DaeNode *node = dae_node(terms, sum);
  const DaeTerm *operands = dae_node_operands(node);
  DaeRat number;
  dae_rat_init_int(&number, 0);
  DaeList list;
  dae_list_init(&list);
  dae_list_push(&list, terms->zero); /* place of the number */
  open_sums(terms, &a, 1, &list, &number);
  dae_rat_neg(&number);
  for (uint32_t i = 0; i < node->n; i++) {
    if (dae_is_kind(terms, operands[i], DAE_KIND_NUMBER)) {
      DaeRat value = dae_number_view(terms, operands[i]);
      dae_rat_add(&number, &value);
    } else {
      dae_list_push(&list, scale_monomial(terms, operands[i], &minus_one));
    }
  }
  dae_rat_neg(&number);
  DaeTerm result = sum_of_parts(terms, &list, &number);
  dae_list_clear(&list);
  dae_rat_clear(&number);
  return result;
}

DaeTerm
dae_term_sub(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (a != DAE_NO_TERM && b != DAE_NO_TERM && a != b && a != terms->zero &&
      dae_is_kind(terms, b, DAE_KIND_SUM)) {
    const DaeDifference *known = dae_difference_place(terms, a, b);
    if (known->minuend == a && known->subtrahend == b) {
      return known->difference;
    }
    DaeTerm result = subtract_sum(terms, a, b);
    *dae_difference_place(terms, a, b) =
        (DaeDifference){a, b, result}; /* the store may have grown */
    return result;
  }
  return dae_term_add(terms, a, dae_term_neg(terms, b));
}

/* ---- products ---------------------------------------------------------------------------- */

/* Factors of a product in the making, without its coefficient. */
typedef struct {
  DaeList factors;
  DaeRat number;
} ProductParts;

static void
take_factor(DaeTerms *terms, ProductParts *parts, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind == DAE_KIND_NUMBER) {
    DaeRat value = dae_number_view(terms, t);
    dae_rat_mul(&parts->number, &value);
  } else if (node->kind == DAE_KIND_SUM) {
    DaeRat content;
    DaeTerm primitive = dae_build_primitive(terms, t, &content);
    dae_rat_mul(&parts->number, &content);
    dae_rat_clear(&content);
    dae_list_push(&parts->factors, primitive);
  } else {
    dae_list_push(&parts->factors, t);
  }
}

static void
take_operand(DaeTerms *terms, ProductParts *parts, DaeTerm t)
{
  const DaeNode *node = dae_node(terms, t);
  if (node->kind != DAE_KIND_PRODUCT) {
    take_factor(terms, parts, t);
    return;
  }
  const DaeTerm *operands = dae_node_operands(node);
  for (uint32_t i = 0; i < node->n; i++) {
    take_factor(terms, parts, operands[i]);
  }
}

static DaeTerm
base_and_exponent(const DaeTerms *terms, DaeTerm factor, DaeTerm *exponent)
{
  const DaeNode *node = dae_node(terms, factor);
  if (node->kind != DAE_KIND_POWER) {
    *exponent = terms->one;
    return factor;
  }
  *exponent = node->u.few[1];
  return node->u.few[0];
}

static int
order_by_base(const DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  DaeTerm exponent = DAE_NO_TERM;
  return dae_order_bases(terms, base_and_exponent(terms, a, &exponent),
                         base_and_exponent(terms, b, &exponent));
}

/* base^(sum of exponents) of the factors [from, end), which share their base. */
static DaeTerm
multiply_equal_bases(DaeTerms *terms, const DaeTerm *factors, size_t from, size_t end)
{
  DaeList exponents;
  dae_list_init(&exponents);
  DaeTerm base = DAE_NO_TERM;
  for (size_t i = from; i < end; i++) {
    DaeTerm exponent = DAE_NO_TERM;
    base = base_and_exponent(terms, factors[i], &exponent);
    dae_list_push(&exponents, exponent);
  }
  DaeTerm exponent = dae_term_sum(terms, exponents.data, exponents.n);
  dae_list_clear(&exponents);
  return dae_term_pow(terms, base, exponent);
}

/* The product of equal bases is again a factor with that base, or none:
 * it cannot meet other factors. */
static bool
stays_apart(const DaeTerms *terms, DaeTerm base, DaeTerm power)
{
  DaeKind kind = dae_node(terms, base)->kind;
  if (kind == DAE_KIND_NUMBER || dae_is_kind(terms, power, DAE_KIND_NUMBER)) {
    return true;
  }
  if (power == base) {
    return kind != DAE_KIND_SUM && kind != DAE_KIND_PRODUCT && kind != DAE_KIND_POWER;
  }
  return dae_is_kind(terms, power, DAE_KIND_POWER) && dae_node(terms, power)->u.few[0] == base;
}

/* One pass of sorting and adding exponents. True if a power came apart into parts
 * that may meet others: then another pass is needed. Each such step takes one power
 * off the nesting, so the passes end. */
static bool
collect_factors(DaeTerms *terms, ProductParts *parts)
{
  DaeList old;
  dae_list_init(&old);
  dae_list_append(&old, parts->factors.data, parts->factors.n);
  dae_order_sort(terms, old.data, old.n, order_by_base);
  parts->factors.n = 0;
  bool again = false;
  for (size_t i = 0; i < old.n;) {
    size_t end = i + 1;
    while (end < old.n && order_by_base(terms, old.data[i], old.data[end]) == 0) {
      end++;
    }
    if (end == i + 1) {
      dae_list_push(&parts->factors, old.data[i]);
    } else {
      DaeTerm exponent = DAE_NO_TERM;
      DaeTerm base = base_and_exponent(terms, old.data[i], &exponent);
      DaeTerm power = multiply_equal_bases(terms, old.data, i, end);
      take_operand(terms, parts, power);
      again = again || !stays_apart(terms, base, power);
    }
    i = end;
  }
  dae_list_clear(&old);
  return again;
}

static DaeTerm
finish_product(DaeTerms *terms, ProductParts *parts)
{
  if (dae_rat_sign(&parts->number) == 0) {
    return terms->zero;
  }
  while (collect_factors(terms, parts)) {
  }
  DaeList *factors = &parts->factors;
  if (factors->n == 0) {
    return dae_store_number(terms, &parts->number);
  }
  if (factors->n == 1) {
    return dae_build_scale(terms, factors->data[0], &parts->number);
  }
  if (dae_rat_is_int(&parts->number, 1)) {
    return dae_store_node(terms, DAE_KIND_PRODUCT, 0, factors->data, (uint32_t)factors->n);
  }
  DaeTerm number = dae_store_number(terms, &parts->number);
  dae_list_push(factors, number);
  memmove(factors->data + 1, factors->data, (factors->n - 1) * sizeof(DaeTerm));
  factors->data[0] = number;
  return dae_store_node(terms, DAE_KIND_PRODUCT, 0, factors->data, (uint32_t)factors->n);
}

DaeTerm
dae_term_product(DaeTerms *terms, const DaeTerm *operands, size_t n)
{
  ProductParts parts;
  dae_list_init(&parts.factors);
  dae_rat_init_int(&parts.number, 1);
  bool complete = true;
  for (size_t i = 0; i < n && complete; i++) {
    complete = operands[i] != DAE_NO_TERM;
    if (complete) {
      take_operand(terms, &parts, operands[i]);
    }
  }
  DaeTerm result = complete ? finish_product(terms, &parts) : DAE_NO_TERM;
  dae_list_clear(&parts.factors);
  dae_rat_clear(&parts.number);
  return result;
}

DaeTerm
dae_build_without(DaeTerms *terms, DaeTerm product, uint32_t i)
{
  const DaeNode *node = dae_node(terms, product);
  DAE_ASSERT(node->kind == DAE_KIND_PRODUCT && i < node->n);
  const DaeTerm *operands = dae_node_operands(node);
  if (node->n == 2) {
    return operands[1 - i];
  }
  DaeList rest;
  dae_list_init(&rest);
  dae_list_append(&rest, operands, i);
  dae_list_append(&rest, operands + i + 1, node->n - i - 1);
  /* What is left is in order; only a number with a single sum is written otherwise. */
  DaeTerm result =
      rest.n == 2 && dae_is_kind(terms, rest.data[0], DAE_KIND_NUMBER)
          ? dae_term_mul(terms, rest.data[0], rest.data[1])
          : dae_store_node(terms, DAE_KIND_PRODUCT, 0, rest.data, (uint32_t)rest.n);
  dae_list_clear(&rest);
  return result;
}

DaeTerm
dae_term_mul(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  if (a == DAE_NO_TERM || b == DAE_NO_TERM) {
    return DAE_NO_TERM;
  }
  if (dae_is_kind(terms, a, DAE_KIND_NUMBER)) {
    DaeRat factor = dae_number_view(terms, a);
    return dae_build_scale(terms, b, &factor);
  }
  if (dae_is_kind(terms, b, DAE_KIND_NUMBER)) {
    DaeRat factor = dae_number_view(terms, b);
    return dae_build_scale(terms, a, &factor);
  }
  return dae_term_product(terms, (DaeTerm[]){a, b}, 2);
}

DaeTerm
dae_term_div(DaeTerms *terms, DaeTerm a, DaeTerm b)
{
  return dae_term_mul(terms, a, dae_term_pow(terms, b, terms->minus_one));
}
