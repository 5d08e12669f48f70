/* The exported pendulum in IDA of SUNDIALS: the square core, index 1, with the exact Jacobian. */
#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "pendulum.h"

static int
residual(realtype t, N_Vector x, N_Vector xdot, N_Vector r, void *user)
{
  (void)user;
  return pendulum_core_residual(t, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot),
                                N_VGetArrayPointer(r));
}

static int
jacobian(realtype t, realtype cj, N_Vector x, N_Vector xdot, N_Vector r, SUNMatrix j,
         void *user, N_Vector a, N_Vector b, N_Vector c)
{
  (void)r, (void)user, (void)a, (void)b, (void)c;
  return pendulum_core_jacobian(t, cj, N_VGetArrayPointer(x), N_VGetArrayPointer(xdot),
                                SUNDenseMatrix_Data(j));
}

int
main(void)
{
  SUNContext context;
  SUNContext_Create(NULL, &context);
  N_Vector x = N_VNew_Serial(PENDULUM_N, context);
  N_Vector xdot = N_VNew_Serial(PENDULUM_N, context);
  for (unsigned i = 0; i < PENDULUM_N; i++) {
    N_VGetArrayPointer(x)[i] = pendulum_start[i];
    N_VGetArrayPointer(xdot)[i] = pendulum_start_slopes[i];
  }
  SUNMatrix matrix = SUNDenseMatrix(PENDULUM_N, PENDULUM_N, context);
  SUNLinearSolver linear = SUNLinSol_Dense(x, matrix, context);
  void *ida = IDACreate(context);
  IDAInit(ida, residual, PENDULUM_T_START, x, xdot);
  IDASStolerances(ida, 1e-9, 1e-9);
  IDASetMaxNumSteps(ida, 1000000);
  IDASetLinearSolver(ida, linear, matrix);
  IDASetJacFn(ida, jacobian);
  realtype t = PENDULUM_T_START;
  const int status = IDASolve(ida, 10.0, &t, x, xdot, IDA_NORMAL);
  double g[PENDULUM_N_CON];
  double largest = 0.0;
  const double *v = N_VGetArrayPointer(x);
  pendulum_g(t, v, g);
  for (unsigned i = 0; i < PENDULUM_N_CON; i++) {
    largest = fmax(largest, fabs(g[i]));
  }
  const double error = fabs(v[0] - 1.0) + fabs(v[1]);
  printf("IDA   t = %g: %s = %.9f, %s = %.9f, largest constraint %.1e, error %.1e\n", t,
         pendulum_names[0], v[0], pendulum_names[1], v[1], largest, error);
  IDAFree(&ida);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(x);
  N_VDestroy(xdot);
  SUNContext_Free(&context);
  return status < 0 || error > 1e-2;
}
