/* A model by hand for src/export/events.c, event_steps.c and jumps.c. Two masses on a line with
 * speeds v1, v2 and a force L between them: m1 v1' = L, m2 v2' = -L. While they are coupled
 * 0 = v1 - v2. Discrete: n counts the ticks of a clock; a relation of v1, one of time. */
#ifndef DAE_TESTS_EXPORT_EVENTS_MODEL_H
#define DAE_TESTS_EXPORT_EVENTS_MODEL_H

#include <math.h>

#define MODEL_N 3u
#define MODEL_N_DIFF 2u
#define MODEL_N_CON 1u
#define MODEL_N_M 2u
#define MODEL_N_K 2u
#define MODEL_N_GX 2u
#define MODEL_N_ALGEBRAIC 1u
/* segment values: n and whether the clock ticks, pre(.) of both, two relations, the tick itself,
 * terminal() */
#define MODEL_N_DISCRETE 2u
#define MODEL_AT_PRE 2u
#define MODEL_AT_BUFFER 4u
#define MODEL_N_BUFFERS 2u
#define MODEL_AT_SAMPLE 6u
#define MODEL_N_SAMPLES 1u
#define MODEL_AT_TERMINAL 7u
#define MODEL_N_EVENT 8u
#define MODEL_N_ACTIONS 2u
#define MODEL_REINIT 0u
#define MODEL_TERMINATE 1u
#define MODEL_WARNING 2u
#define MODEL_DOMAIN 1
#define MODEL_NOT_SETTLED 5
#define MODEL_NO_RESTART 6
#define MODEL_ASSERTION 7
#define MODEL_TERMINATED 8
#define MODEL_EVENT_ROUNDS 20u
#define MODEL_EVENT_NEWTON 3u
#define MODEL_T_START 0.0
#define MODEL_STEP 0.1
#define MODEL_WITH_ALGEBRAIC 0
#define MODEL_WITH_EVENT_SLOPES 0
#define MODEL_WITH_EXPLICIT 0
#define MODEL_WITH_JUMPS 1
#define MODEL_JUMP_LEVELS 1u
#define MODEL_WITH_OPEN 0
#define MODEL_WITH_NO_JUMPS 0
#define MODEL_WITH_LEFT_LIMITS 0
#define MODEL_WITH_NO_LEFT_LIMITS 1
#define MODEL_WITH_CLOCKS 0
#define MODEL_WITH_DELAYS 0
#define MODEL_WITH_TIME_GUARDS 0
#define MODEL_WITH_PARAMETERS 1
#define MODEL_WITH_RELATIONS 1
#define MODEL_WITH_CLAIMS 0
#define MODEL_WITH_NO_CLAIMS 1
#define MODEL_WITH_WORDS 0
#define MODEL_WITH_NO_WORDS 1
#define MODEL_WITH_PRINTS 0
#define MODEL_WITH_ENDED_START 0
#define MODEL_MOST_REALS 8u

typedef struct {
  double t;
  long steps, events;
  unsigned shown, at[6], n_resets, rounds, most_rounds, n_seen;
  int must_solve, has_jumped, has_held, is_fresh;
  double x[6][MODEL_N], point[MODEL_N], left[MODEL_N], begin[MODEL_N], ahead[MODEL_N];
  double rate[MODEL_N], g[MODEL_N_CON], gx[MODEL_N_GX];
  double segment[MODEL_N_EVENT], before[MODEL_N_EVENT], solved[MODEL_N_EVENT];
  double held[MODEL_N_EVENT];
  double guard[3u * MODEL_N_BUFFERS], here[MODEL_N_BUFFERS], threshold[MODEL_N_BUFFERS];
  double value[MODEL_N_DISCRETE], action[2u * MODEL_N_ACTIONS], tick[MODEL_N_SAMPLES], taken;
  double reset_value[MODEL_N_ACTIONS];
  unsigned reset_column[MODEL_N_ACTIONS];
  double target[MODEL_N], way[2 * MODEL_N_BUFFERS];
  unsigned char is_right[MODEL_N_BUFFERS], is_crossed[MODEL_N_BUFFERS],
      is_moved[MODEL_N_BUFFERS];
  const char *message, *warning;
  unsigned long n_warnings;
} model_instance;

extern const unsigned model_m_start[3], model_m_column[2], model_k_start[3], model_k_column[2];
extern const unsigned model_gx_start[2], model_gx_column[2], model_algebraic_place[3];
extern const unsigned char model_hidden[1], model_is_given[1], model_untied[3],
    model_in_system[8], model_is_when[2], model_is_real[2];
extern const unsigned char model_buffer_kind[2], model_guard_kind[2], model_action_kind[2];
extern const unsigned model_action_target[2];
extern const char *const model_action_message[2];
extern const double model_guard_nominal[2];
extern const double model_nominal[3], model_tick_start[1], model_tick_interval[1];
extern const double model_segment_start[8], model_start_slopes[3];
extern double *model_segment;
extern unsigned model_n_set;

void model_m(double t, const double *x, double *out);
void model_k(double t, const double *x, const double *rate, double *out);
void model_g(double t, const double *x, double *out);
void model_gx(double t, const double *x, double *out);
void model_guards(double t, const double *x, const double *rate, double *out);
void model_discrete(double t, const double *x, const double *rate, double *out);
void model_actions(double t, const double *x, const double *rate, double *out);
static void model_hold_positions(model_instance *s, const double *x);
static int model_settle_otherwise(model_instance *s, double t, double *x);
int model_find_start(double t, double *x);
int model_find_slopes(model_instance *s, double t, const double *x, double *guess);
int model_derivatives(model_instance *s, int parts, double t, const double *x);
const double *model_values(const model_instance *s);
int model_finish(model_instance *s);

#endif
