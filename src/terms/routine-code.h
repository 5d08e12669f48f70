/* Inside of routines: the code that runs them on doubles. */
#ifndef DAE_TERMS_ROUTINE_CODE_H
#define DAE_TERMS_ROUTINE_CODE_H

#include "terms/routines-priv.h"

typedef enum {
  DAE_STEP_ADD,
  DAE_STEP_MULTIPLY,
  DAE_STEP_DIVIDE,  /* 1/a */
  DAE_STEP_INTEGER, /* a to the number c */
  DAE_STEP_ROOT,    /* of a */
  DAE_STEP_POWER,
  DAE_STEP_FUNCTION, /* fn of registers a, b, c */
  DAE_STEP_CHOOSE,   /* a ? b : c */
  DAE_STEP_RELATION, /* fn */
  DAE_STEP_AND,
  DAE_STEP_OR,
  DAE_STEP_NOT,
  DAE_STEP_ELEMENT,  /* number a of the registers in list b, of c */
  DAE_STEP_INTERVAL, /* of a in data b */
  DAE_STEP_LOOKUP,
  DAE_STEP_CALL /* callee a with the registers in list b; outputs from `to` on */
} DaeStepKind;

typedef struct {
  uint8_t kind;
  uint8_t fn; /* DaeFunction or DaeRelation */
  uint32_t to, a, b, c;
} DaeRoutineStep;

typedef struct {
  uint32_t n;
  double *values;
} DaeRoutineData;

struct DaeRoutineCode {
  struct DaeRoutineLibrary *library;
  uint32_t n_inputs, n_states, n_outputs;
  uint32_t n_registers; /* constants, inputs, states, then the rest */
  uint32_t n_constants;
  double *constants;
  DaeRoutineStep *steps;
  uint32_t initial_end, condition_end, next_end, n_steps; /* where the parts end */
  uint32_t condition;                                     /* registers */
  uint32_t *initial, *next, *outputs;
  uint32_t *lists;
  const DaeRoutineCode **callees;
  uint32_t n_callees;
  bool is_method; /* in place of everything else */
  DaeMethod method;
  DaeRoutineData *data;
  uint32_t n_data;
};

typedef struct DaeRoutineLibrary {
  gint references;
  GPtrArray *codes; /* DaeRoutineCode *, by number, NULL: none yet; own */
} DaeRoutineLibrary;

/* Inputs that are numbers, outputs that are finite, or else NaN. */
void dae_routine_run_method(const DaeRoutineCode *code, const double *inputs, double *outputs);

#endif
