/* Terms as cancelled fractions over their kernels. The same terms are asked about again and again
 * (their fraction, their factors, a shorter form, in which atoms they are linear, and as equations
 * that others are reduced by): what was converted is kept while it is not too much. */
#include "algebra/algebra-priv.h"

#define MOST_WORDS 4e6 /* exponents of all that is kept, about 32 MB */

struct DaeNormals {
  GHashTable *known; /* DaeTerm -> DaeNormal */
  double words;
};

static void
clear_normal(gpointer data)
{
  DaeNormal *normal = data;
  fmpz_mpoly_q_clear(normal->value, normal->ring->ctx);
  dae_ring_free(normal->ring);
}

void
dae_normal_unref(DaeNormal *normal)
{
  if (normal != NULL) {
    g_rc_box_release_full(normal, clear_normal);
  }
}

DaeNormals *
dae_normals_new(void)
{
  DaeNormals *normals = g_new0(DaeNormals, 1);
  normals->known =
      g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)(void (*)(void))dae_normal_unref);
  return normals;
}

void
dae_normals_free(DaeNormals *normals)
{
  g_hash_table_unref(normals->known);
  g_free(normals);
}

static void
make_room(DaeNormals *normals, double words)
{
  normals->words += words;
  if (normals->words > MOST_WORDS) {
    g_hash_table_remove_all(normals->known);
    normals->words = 0;
  }
}

DaeNormal *
dae_normal_of(DaeAlgebra *algebra, DaeTerm t)
{
  DaeNormals *normals = algebra->normals;
  DaeNormal *known = g_hash_table_lookup(normals->known, GUINT_TO_POINTER(t));
  if (known != NULL) {
    return g_rc_box_acquire(known);
  }
  DaeRing *ring = dae_ring_new(algebra, &t, 1);
  if (ring == NULL) {
    return NULL;
  }
  DaeNormal *normal = g_rc_box_new0(DaeNormal);
  normal->t = t;
  normal->ring = ring;
  fmpz_mpoly_q_init(normal->value, ring->ctx);
  make_room(normals, ring->n);
  g_hash_table_insert(normals->known, GUINT_TO_POINTER(t), g_rc_box_acquire(normal));
  return normal;
}

bool
dae_normal_convert(DaeNormal *normal, double allowance)
{
  const DaeRing *ring = normal->ring;
  double before = dae_work_begin(ring->algebra, allowance);
  double allowed = ring->algebra->work_left;
  if (!normal->is_converted && allowed > normal->failed_with) {
    normal->is_converted = dae_ring_convert(normal->ring, &normal->t, 1, normal->value);
    if (!normal->is_converted && !dae_algebra_spent(ring->algebra)) {
      normal->failed_with = allowed;
    }
    slong length = fmpz_mpoly_length(fmpz_mpoly_q_numref(normal->value), ring->ctx) +
                   fmpz_mpoly_length(fmpz_mpoly_q_denref(normal->value), ring->ctx);
    make_room(ring->algebra->normals, (double)length * ring->n);
  }
  dae_work_end(ring->algebra, before);
  return normal->is_converted;
}

void
dae_normal_export(const DaeNormal *normal, const DaeRing *to, fmpz_mpoly_q_t value)
{
  const DaeRing *from = normal->ring;
  g_autofree slong *place = g_new(slong, (size_t)from->n + 1);
  for (uint32_t k = 0; k < from->n; k++) {
    uint32_t index = 0;
    DAE_ASSERT(dae_ring_find(to, from->kernel[k], &index));
    place[k] = index;
  }
  place[from->n] = -1; /* a ring without kernels has a variable that does not occur */
  fmpz_mpoly_compose_fmpz_mpoly_gen(fmpz_mpoly_q_numref(value),
                                    fmpz_mpoly_q_numref(normal->value), place, from->ctx,
                                    to->ctx);
  fmpz_mpoly_compose_fmpz_mpoly_gen(fmpz_mpoly_q_denref(value),
                                    fmpz_mpoly_q_denref(normal->value), place, from->ctx,
                                    to->ctx);
}
