/* SUNDIALS ARKODE's explicit methods of orders 5 and 8 on hand-reduced mechanisms (odes.c): lines as
 * those of peer_ida.c, the forms are erk5 and erk8. */
#include <arkode/arkode_erkstep.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_context.h>
#include <time.h>

#include "forms.h"
#include "odes.h"

static double
cpu_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
right_side(realtype t, N_Vector y, N_Vector ydot, void *user)
{
  const DaePeerOde *ode = user;
  double lambda[DAE_PEER_MAX];
  (void)t;
  ode->f(N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), lambda);
  return 0;
}

/* One run; the time, or a negative one when ARKODE gave up. */
static double
run_once(const DaePeerForm *form, DaePeerOde *ode, int order, double tolerance, double *end,
         long *steps)
{
  double ydot[DAE_PEER_MAX], mass[DAE_PEER_MAX];
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector y = N_VNew_Serial(ode->n, context);
  dae_peer_start(form, end, ydot, mass);
  memcpy(N_VGetArrayPointer(y), end, sizeof(double) * (size_t)ode->n);
  double before = cpu_seconds(), t = 0.0;
  void *arkode = ERKStepCreate(right_side, 0.0, y, context);
  ERKStepSetErrFile(arkode, NULL);
  ERKStepSStolerances(arkode, tolerance, tolerance);
  ERKStepSetUserData(arkode, ode);
  ERKStepSetOrder(arkode, order);
  ERKStepSetMaxNumSteps(arkode, 1000000);
  ERKStepSetStopTime(arkode, form->t_stop);
  int code = ERKStepEvolve(arkode, form->t_stop, y, &t, ARK_NORMAL);
  memcpy(end, N_VGetArrayPointer(y), sizeof(double) * (size_t)ode->n);
  ode->f(end, ydot, end + ode->lambda_at);
  double seconds = cpu_seconds() - before;
  ERKStepGetNumSteps(arkode, steps);
  ERKStepFree(&arkode);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return code < 0 ? -1.0 : seconds;
}

static void
run_problem(const DaePeerForm *form, DaePeerOde ode, int order, int loosest, int tightest)
{
  for (int e = loosest; e <= tightest; e++) {
    double best = INFINITY, spent = 0.0, end[DAE_PEER_MAX];
    long steps = 0;
    for (int k = 0; k < 20 && best > 0.0 && (k < 1 || spent < 0.05); k++) {
      double seconds = run_once(form, &ode, order, pow(10.0, -e), end, &steps);
      best = seconds < best ? seconds : best;
      spent += seconds;
    }
    printf("arkode erk%d %s 1e-%d %.6g %ld", order, form->problem, e, best, steps);
    dae_peer_print_end(form, end);
  }
}

int
main(int argc, char **argv)
{
  if (argc != 4) {
    fprintf(stderr, "usage: peer_arkode PROBLEM LOOSEST TIGHTEST   (exponents of ten)\n");
    return 2;
  }
  for (int p = 0; p < dae_peer_count(); p++) {
    const DaePeerForm *form = dae_peer_form(p);
    for (int o = 0; o < dae_peer_odes_count; o++) {
      if (strcmp(form->form, "index1") == 0 && strcmp(form->problem, argv[1]) == 0 &&
          strcmp(dae_peer_odes[o].problem, argv[1]) == 0) {
        run_problem(form, dae_peer_odes[o], 5, atoi(argv[2]), atoi(argv[3]));
        run_problem(form, dae_peer_odes[o], 8, atoi(argv[2]), atoi(argv[3]));
      }
    }
  }
  return 0;
}
