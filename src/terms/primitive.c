/* Sums as content times primitive part (build.c says what for). */
#include "terms/terms-priv.h"

/* Bits of the integers of a primitive sum: products of three such are far from overflow. */
#define LONGEST 256

/* Are the coefficients, over the content, longer than LONGEST bits? */
static bool
are_long(DaeTerms *terms, const DaeTerm *operands, uint32_t n, const DaeRat *content)
{
  bool is_long = false;
  DaeRat inverse;
  dae_rat_init_copy(&inverse, content);
  dae_rat_invert(&inverse);
  for (uint32_t i = 0; i < n && !is_long; i++) {
    DaeRat c = dae_coefficient_view(terms, operands[i]);
    DaeRat ratio;
    dae_rat_init_copy(&ratio, &c);
    dae_rat_mul(&ratio, &inverse);
    is_long = dae_rat_bits(&ratio) > LONGEST;
    dae_rat_clear(&ratio);
  }
  dae_rat_clear(&inverse);
  return is_long;
}

DaeTerm
dae_primitive_compute(DaeTerms *terms, DaeTerm sum, DaeRat *content)
{
  const DaeNode *node = dae_node(terms, sum);
  DAE_ASSERT(node->kind == DAE_KIND_SUM);
  const DaeTerm *operands = dae_node_operands(node);
  DaeRat first = dae_coefficient_view(terms, operands[0]);
  dae_rat_init_copy(content, &first);
  bool is_big = first.big != NULL;
  for (uint32_t i = 1; i < node->n; i++) {
    DaeRat c = dae_coefficient_view(terms, operands[i]);
    is_big = is_big || c.big != NULL;
    dae_rat_content(content, &c);
  }
  uint32_t lead = dae_is_kind(terms, operands[0], DAE_KIND_NUMBER) ? 1 : 0;
  DaeRat leading = dae_coefficient_view(terms, operands[lead]);
  is_big = is_big || content->big != NULL;
  if (is_big && are_long(terms, operands, node->n, content)) {
    dae_rat_clear(content);
    dae_rat_init_copy(content, &leading);
  } else if (dae_rat_sign(&leading) < 0) {
    dae_rat_neg(content);
  }
  if (dae_rat_is_int(content, 1)) {
    return sum;
  }
  DaeRat inverse;
  dae_rat_init_copy(&inverse, content);
  dae_rat_invert(&inverse);
  DaeTerm result = dae_build_scale(terms, sum, &inverse);
  dae_rat_clear(&inverse);
  return result;
}

/* The products of a gradient meet the same sums again and again, and the content of a long sum is
 * a gcd for each of its operands. */
DaeTerm
dae_build_primitive(DaeTerms *terms, DaeTerm sum, DaeRat *content)
{
  DaePrimitive *known = &terms->primitives[sum % G_N_ELEMENTS(terms->primitives)];
  if (known->sum == sum) {
    dae_rat_init_copy(content, &known->content);
    return known->primitive;
  }
  DaeTerm primitive = dae_primitive_compute(terms, sum, content);
  dae_rat_clear(&known->content);
  dae_rat_init_copy(&known->content, content);
  known->sum = sum;
  known->primitive = primitive;
  return primitive;
}

void
dae_primitives_clear(DaeTerms *terms)
{
  for (size_t i = 0; i < G_N_ELEMENTS(terms->primitives); i++) {
    dae_rat_clear(&terms->primitives[i].content);
  }
}

size_t
dae_term_content_bits(DaeTerms *terms, DaeTerm t)
{
  if (dae_is_kind(terms, t, DAE_KIND_PRODUCT)) {
    DaeRat number = dae_coefficient_view(terms, t);
    return dae_rat_is_int(&number, 1) ? 0 : dae_rat_bits(&number);
  }
  if (!dae_is_kind(terms, t, DAE_KIND_SUM)) {
    return 0;
  }
  DaeRat content;
  dae_build_primitive(terms, t, &content);
  size_t bits = dae_rat_is_int(&content, 1) ? 0 : dae_rat_bits(&content);
  dae_rat_clear(&content);
  return bits;
}
