/* SUNDIALS IDA on the hand-reduced forms: one line per problem and tolerance,
 *     ida FORM PROBLEM TOL CPU_SECONDS STEPS value value ...   (positions, velocities, multipliers at the end)
 * Dense linear solver with IDA's own difference Jacobian; algebraic variables out of the error test for the index-2 form. */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

#include "forms.h"

typedef struct {
  const DaePeerForm *form;
  int ggl;
} Case;

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
residual(realtype t, N_Vector y, N_Vector ydot, N_Vector r, void *user)
{
  const Case *c = user;
  void (*function)(double, const double *, const double *, double *) =
      c->ggl ? c->form->ggl : c->form->index1;
  function(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), N_VGetArrayPointer(r));
  return 0;
}

/* One run; the time and the steps, or a negative time when IDA gave up. */
static double
run_once(const Case *c, double tolerance, double *end, long *steps)
{
  const DaePeerForm *form = c->form;
  int n = c->ggl ? form->n_ggl : form->n_index1;
  int n_dynamic = form->positions + form->velocities;
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(n, context), ydot = N_VNew_Serial(n, context),
           id = N_VNew_Serial(n, context);
  N_VConst(0.0, y);
  N_VConst(0.0, ydot);
  int n_start = form->n_index3 < n ? form->n_index3 : n;
  memcpy(N_VGetArrayPointer(y), form->start, sizeof(double) * (size_t)n_start);
  double f[64];
  form->index3(0.0, N_VGetArrayPointer(y), f);
  for (int j = 0; j < n; j++) {
    N_VGetArrayPointer(id)[j] = j < n_dynamic;
    N_VGetArrayPointer(ydot)[j] = j < n_dynamic ? f[j] : 0.0;
  }
  double before = cpu_seconds();
  void *ida = IDACreate(context);
  IDAInit(ida, residual, 0.0, y, ydot);
  IDASStolerances(ida, tolerance, tolerance);
  IDASetUserData(ida, (void *)(size_t)c);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, c->ggl);
  IDASetMaxNumSteps(ida, 10000000);
  SUNMatrix a = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, a, context);
  IDASetLinearSolver(ida, solver, a);
  IDASetErrFile(ida, NULL);
  double t = 0.0;
  IDASetStopTime(ida, form->t_stop);
  int code = IDASolve(ida, form->t_stop, &t, y, ydot, IDA_NORMAL);
  double seconds = cpu_seconds() - before;
  IDAGetNumSteps(ida, steps);
  memcpy(end, N_VGetArrayPointer(y), sizeof(double) * (size_t)n_start);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(a);
  N_VDestroy(y);
  N_VDestroy(ydot);
  N_VDestroy(id);
  SUNContext_Free(&context);
  return code < 0 ? -1.0 : seconds;
}

int
main(void)
{
  for (int p = 0; p < DAE_PEER_FORMS; p++) {
    for (int ggl = 1; ggl >= 0; ggl--) {
      Case c = {.form = &dae_peer_forms[p], .ggl = ggl};
      if (ggl && c.form->n_ggl == 0) {
        continue;
      }
      for (int e = 4; e <= 11; e++) {
        double best = INFINITY, end[64];
        long steps = 0;
        for (int k = 0; k < 3; k++) {
          double seconds = run_once(&c, pow(10.0, -e), end, &steps);
          best = seconds < best ? seconds : best;
        }
        printf("ida %s %s 1e-%d %.6g %ld", ggl ? "ggl" : "index1", c.form->name, e, best,
               steps);
        for (int j = 0; j < c.form->positions + c.form->velocities; j++) {
          printf(" %.17g", end[j]);
        }
        for (int j = 0; j < c.form->multipliers; j++) {
          printf(" %.17g", end[c.form->first_multiplier + j]);
        }
        printf("\n");
        fflush(stdout);
      }
    }
  }
  return 0;
}
