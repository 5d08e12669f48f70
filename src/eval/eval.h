/* From terms to numbers: an instruction tape with common subexpressions shared, evaluated on lanes.
 *
 * A DaeTape computes m outputs from n inputs (variables, time, parameters). It is immutable and may
 * be shared by threads; registers are the caller's scratch. dae_system_new wraps a quasi-linear
 * system (rows of E, k, h) with its exact Jacobians as a DaeEvaluator for the solver. */
#ifndef DAE_EVAL_EVAL_H
#define DAE_EVAL_EVAL_H

#include <glib.h>

#include "base/base.h"
#include "eval/evaluator.h"
#include "terms/terms.h"

G_BEGIN_DECLS

typedef struct DaeTape DaeTape;

/* inputs[0..n_inputs-1]: VARIABLE/PARAMETER/TIME terms. An output that contains another atom is
 * an error (*error names it). Numbers are rounded once. Common subexpressions are computed
 * once. Dead code is not emitted. */
DaeTape *dae_tape_new(DaeTerms *terms, const DaeTerm *inputs, uint32_t n_inputs,
                      const DaeTerm *outputs, uint32_t n_outputs, GError **error);
/* The same for many tapes one after the other: each costs what leads to its outputs, however
 * many terms there are. */
typedef struct DaeTapeMaker DaeTapeMaker;
DaeTapeMaker *dae_tape_maker_new(DaeTerms *terms);
void dae_tape_maker_free(DaeTapeMaker *maker); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeTapeMaker, dae_tape_maker_free)
DaeTape *dae_tape_maker_make(DaeTapeMaker *maker, const DaeTerm *inputs, uint32_t n_inputs,
                             const DaeTerm *outputs, uint32_t n_outputs, GError **error);
void dae_tape_free(DaeTape *tape);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeTape, dae_tape_free)
size_t dae_tape_scratch_size(
    const DaeTape
        *tape); /* bytes for DAE_LANES_MAX lanes; 64-aligned, zeroed before the first use */
/* in[i*lanes + l], out[o*lanes + l]. 0 ok; > 0: domain error, *fault is the
 * first output that is not finite. */
int dae_tape_eval(const DaeTape *tape, void *scratch, unsigned lanes, const double *in,
                  double *out, uint32_t *fault);

typedef struct {
  uint32_t instructions, registers, adds, multiplies, divides, square_roots, calls;
} DaeTapeCost;

DaeTapeCost dae_tape_cost(const DaeTape *tape);

/* A tape over a point of a system: outputs are terms in time, the unknowns, their first
 * derivatives and segment atoms; for guards, discrete equations and the like. Outputs
 * that are relations are 1 and 0. */
typedef struct {
  const DaeTerm *unknowns; /* VARIABLE terms of order 0 */
  uint32_t n;
  const DaeTerm *segment; /* PARAMETER terms */
  uint32_t n_segment;
} DaePointAtoms;

typedef struct DaePointTape DaePointTape; /* immutable, may be shared by threads */

DaePointTape *dae_point_tape_new(DaeTerms *terms, const DaePointAtoms *atoms,
                                 const DaeTerm *outputs, uint32_t n_outputs, GError **error);
void dae_point_tape_free(DaePointTape *tape);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaePointTape, dae_point_tape_free)
size_t dae_point_tape_scratch_size(const DaePointTape *tape); /* 64-aligned, zeroed, as above */
/* Segment values (copied) for all following evaluations with this scratch;
 * zeros before the first call. */
void dae_point_tape_set_segment(const DaePointTape *tape, void *scratch, const double *segment);
DaeTapeCost dae_point_tape_cost(const DaePointTape *tape); /* of a point in a known segment */
/* t[l], x[j*lanes + l], xdot likewise (may be NULL where no derivative occurs), out[o*lanes +
 * l]. Return value and *fault (may be NULL) as dae_tape_eval. */
int dae_point_tape_eval(const DaePointTape *tape, void *scratch, unsigned lanes,
                        const double *t, const double *x, const double *xdot, double *out,
                        uint32_t *fault);

/* A quasi-linear system. E is given sparse by rows. Parameters are numbers (substituted) or
 * segment atoms: PARAMETER terms whose values are given when it is evaluated (evaluator.h). */
typedef struct DaeSystemParts {
  const DaeTerm *unknowns;
  uint32_t n;                          /* VARIABLE terms of order 0 */
  const uint32_t *row_start, *columns; /* E: n_diff + 1, row_start[n_diff] */
  const DaeTerm *coefficients;
  const DaeTerm *rhs;
  uint32_t n_diff; /* k */
  const DaeTerm *constraints;
  uint32_t n_con;        /* h */
  const uint8_t *hidden; /* n_con: 1 for a hidden constraint; NULL: not known */
  uint32_t n_held;       /* as in evaluator.h */
  const DaeTerm *segment;
  uint32_t n_segment;
  const double *segment_values; /* n_segment: what a new scratch begins with; NULL: zeros */
} DaeSystemParts;

typedef struct DaeSystem DaeSystem; /* owns tapes and patterns behind its evaluator */

typedef struct {
  /* compile the tape with the system's C compiler and load it: what the
   * stages of radau ask for, ... */
  bool native;
  /* ... or what the methods with a fixed step do; the rest is interpreted, with the same results */
  bool fixed_step;
  /* one instruction for each operation: what kernels are compared with */
  bool single;
  /* look for the solved form of the evaluator, too */
  bool solved;
} DaeSystemOptions;

DaeSystem *dae_system_new(DaeTerms *terms, const DaeSystemParts *parts,
                          const DaeSystemOptions *options, GError **error);
void dae_system_free(DaeSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(DaeSystem, dae_system_free)
const DaeEvaluator *dae_system_evaluator(const DaeSystem *system);
/* Other values for scratches that are made from now on without segment values of their own
 * (n_segment, copied). Not while another thread evaluates. */
void dae_system_set_segment(DaeSystem *system, const double *segment);

G_END_DECLS

#endif
