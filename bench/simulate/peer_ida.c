/* SUNDIALS IDA on the hand-reduced forms of one problem: a line per form and tolerance,
 *     TOOL FORM PROBLEM TOL CPU_SECONDS STEPS NAME=VALUE ...     (at the end; CPU_SECONDS < 0:
 *                                                                it gave up)
 * Dense linear solver with IDA's own difference Jacobian; algebraic variables out of the error
 * test for index-2 forms, without which IDA makes no progress on them. */
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

static const double longest = 5.0; /* CPU seconds after which a run is given up */

typedef struct {
  const DaePeerForm *form;
  double mass[DAE_PEER_MAX];
  double begun;
  long calls;
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
  Case *c = user;
  if (++c->calls % 4096 == 0 && cpu_seconds() - c->begun > longest) {
    return -1;
  }
  dae_peer_residual(c->form, c->mass, t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot),
                    N_VGetArrayPointer(r));
  return 0;
}

/* One run; the time and the steps, or a negative time when IDA gave up. */
static double
run_once(Case *c, double tolerance, double *end, long *steps)
{
  const DaePeerForm *form = c->form;
  int n = form->n, is_high = form->indices[0] < n || strcmp(form->form, "index2") == 0;
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(n, context), ydot = N_VNew_Serial(n, context),
           id = N_VNew_Serial(n, context), atol = N_VNew_Serial(n, context);
  dae_peer_start(form, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), c->mass);
  for (int j = 0; j < n; j++) {
    N_VGetArrayPointer(id)[j] = c->mass[j] != 0.0;
    N_VGetArrayPointer(atol)[j] = tolerance * (form->nominal != NULL ? form->nominal[j] : 1.0);
  }
  double before = c->begun = cpu_seconds();
  void *ida = IDACreate(context);
  IDASetErrFile(ida, NULL);
  IDAInit(ida, residual, 0.0, y, ydot);
  IDASVtolerances(ida, tolerance, atol);
  IDASetUserData(ida, c);
  IDASetId(ida, id);
  IDASetSuppressAlg(ida, is_high);
  IDASetMaxNumSteps(ida, 1000000);
  SUNMatrix a = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, a, context);
  IDASetLinearSolver(ida, solver, a);
  double t = 0.0;
  IDASetStopTime(ida, form->t_stop);
  int code = IDASolve(ida, form->t_stop, &t, y, ydot, IDA_NORMAL);
  double seconds = cpu_seconds() - before;
  IDAGetNumSteps(ida, steps);
  memcpy(end, N_VGetArrayPointer(y), sizeof(double) * (size_t)n);
  IDAFree(&ida);
  SUNLinSolFree(solver);
  SUNMatDestroy(a);
  N_VDestroy(y);
  N_VDestroy(ydot);
  N_VDestroy(id);
  N_VDestroy(atol);
  SUNContext_Free(&context);
  return code < 0 ? -1.0 : seconds;
}

static void
run_form(const DaePeerForm *form, int loosest, int tightest)
{
  static Case c;
  c.form = form;
  for (int e = loosest; e <= tightest; e++) {
    double best = INFINITY, spent = 0.0, end[DAE_PEER_MAX];
    long steps = 0;
    /* short runs many times, a failing or a long one once */
    for (int k = 0; k < 20 && best > 0.0 && (k < 1 || spent < 0.05); k++) {
      double seconds = run_once(&c, pow(10.0, -e), end, &steps);
      best = seconds < best ? seconds : best;
      spent += seconds;
    }
    printf("ida %s %s 1e-%d %.6g %ld", form->form, form->problem, e, best, steps);
    dae_peer_print_end(form, end);
  }
}

int
main(int argc, char **argv)
{
  if (argc != 4) {
    fprintf(stderr, "usage: peer_ida PROBLEM LOOSEST TIGHTEST   (exponents of ten)\n");
    return 2;
  }
  for (int p = 0; p < dae_peer_count(); p++) {
    const DaePeerForm *form = dae_peer_form(p);
    if ((form->tools & DAE_PEER_IDA) != 0 && strcmp(form->problem, argv[1]) == 0) {
      run_form(form, atoi(argv[2]), atoi(argv[3]));
    }
  }
  return 0;
}
