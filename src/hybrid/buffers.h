/* A buffer for each expression that makes events, so that between events nothing
 * jumps [language-and-events, 3.2].
 *
 * A relation between quantities that change continuously is replaced by a value that is constant
 * during a segment; its guard g is left side minus right side, up to sign, so that x > 0, 0 < x
 * and x <= 0 share one. floor, ceil, integer, div, mod and rem of such quantities are buffered as
 * the whole number they stand for. Inside noEvent(...) and smooth(p, ...) with p >= 1 everything
 * is taken literally, and so are relations between values that are constant during a segment. */
#ifndef DAE_HYBRID_BUFFERS_H
#define DAE_HYBRID_BUFFERS_H

#include "model/model.h"

typedef enum {
  DAE_BUFFER_POSITIVE,    /* g > 0 */
  DAE_BUFFER_NONNEGATIVE, /* g >= 0 */
  DAE_BUFFER_FLOOR,       /* the largest whole number <= g */
  DAE_BUFFER_CEIL,        /* the smallest >= g */
  DAE_BUFFER_TRUNC        /* g without what stands after the point */
} DaeBufferKind;

typedef enum {
  /* a*time + b, a and b constant during a segment: its zero is known exactly */
  DAE_GUARD_LINEAR_TIME,
  DAE_GUARD_TIME,  /* another function of time */
  DAE_GUARD_STATE, /* of the unknowns */
  DAE_GUARD_WATCH /* no relation of the model: who has put it in is told when it becomes negative */
} DaeGuardKind;

typedef struct {
  DaeBufferKind kind;
  DaeGuardKind guard;
  DaeTerm g;       /* in unknowns, time, segment atoms (other buffers among them) */
  DaeTerm atom;    /* PARAMETER; a relation is `atom > 1/2` */
  DaeTerm text;    /* as it was written, for people */
  DaeSpan span;    /* of the equation in which it was first seen */
  bool is_negated; /* the text holds where the atom is 0 */
} DaeBuffer;

typedef struct DaeBuffers DaeBuffers;

DaeBuffers *dae_buffers_new(DaeTerms *terms);
void dae_buffers_free(DaeBuffers *buffers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeBuffers, dae_buffers_free)
/* t with buffers for what makes events in it. */
DaeTerm dae_buffers_put_in(DaeBuffers *buffers, DaeTerm t, DaeSpan span);
uint32_t dae_buffers_n(const DaeBuffers *buffers); /* each uses earlier ones only */
const DaeBuffer *dae_buffers_get(const DaeBuffers *buffers, uint32_t i);
/* A guard to be watched: positive, as long as nothing is told. Returns its number. */
uint32_t dae_buffers_watch(DaeBuffers *buffers, DaeTerm g, DaeTerm text, DaeSpan span);
/* Is it the atom of a relation that holds, as it was written, where the atom is 0? */
bool dae_buffers_is_negated(const DaeBuffers *buffers, DaeTerm atom);

/* The value of a buffer at g, taken literally. */
double dae_buffer_value(DaeBufferKind kind, double g);
/* How far g is inside the range in which the buffer keeps the value: > 0 inside; the nearer end
 * counts. *side tells which end that is (-1: below, 1: above). */
double dae_buffer_distance(DaeBufferKind kind, double value, double g, int *side);

#endif
