/* The parallel variant [004, section 5]: Jacobians and factors come from
 * another thread when they are ready.
 *
 * Two mailboxes of the "triple buffer" kind: three places, of which the writer owns one, the
 * reader owns one, and one is in the middle, changed by one atomic exchange. A flag on the middle
 * says whether it is newer than what the reader has. In real time the step loop only ever writes
 * its own place, exchanges, and posts a semaphore: it never waits for anything. Without a clock
 * nothing would hold the loop back when the worker lags, and matrices of hundreds of steps ago
 * make Newton's iteration diverge; there each step waits for the matrices of the point before
 * last, so that they are always of the same age and the results do not depend on the threads. */
#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "solver/multistep.h"

#define IS_NEW 4u /* flag beside the number (0, 1, 2) of the middle place */

typedef struct {
  double t, h, alpha;
  double *x, *xdot;
  uint64_t step;
} Request;

struct DaeStepWorker {
  const DaeEvaluator *evaluator;
  const DaeStepPlan *plan;
  DaeProjection projection;
  void *scratch;
  pthread_t thread;
  sem_t wake;
  bool is_awaited;   /* no clock: every request is waited for, one at a time */
  bool is_requested; /* one is under way */
  sem_t served;
  _Atomic bool is_ending;
  Request requests[3];
  _Atomic unsigned request_middle;
  unsigned request_writer, request_reader;
  DaeStepSlot *slots[3];
  _Atomic unsigned slot_middle;
  unsigned slot_writer, slot_reader;
};

/* The writer's place goes to the middle, marked new. */
static void
hand_over(_Atomic unsigned *middle, unsigned *mine)
{
  *mine = atomic_exchange_explicit(middle, *mine | IS_NEW, memory_order_acq_rel) & ~IS_NEW;
}

/* The reader takes the middle if it is new. */
static bool
take_over(_Atomic unsigned *middle, unsigned *mine)
{
  if ((atomic_load_explicit(middle, memory_order_acquire) & IS_NEW) == 0) {
    return false;
  }
  *mine = atomic_exchange_explicit(middle, *mine, memory_order_acq_rel) & ~IS_NEW;
  return true;
}

static void
serve_request(DaeStepWorker *worker)
{
  const Request *request = &worker->requests[worker->request_reader];
  DaeStepSlot *slot = worker->slots[worker->slot_writer];
  const DaeStepPoint point = {request->t, request->h, request->alpha, request->x,
                              request->xdot};
  const double start = dae_step_clock();
  const int status =
      dae_step_slot_fill(slot, worker->evaluator, worker->plan, worker->scratch,
                         worker->projection, DAE_SLOT_NEWTON | DAE_SLOT_PROJECTION, &point);
  slot->made_at_step = request->step;
  slot->turnaround = dae_step_clock() - start;
  if (status == 0) { /* else the older matrices stay in use */
    hand_over(&worker->slot_middle, &worker->slot_writer);
  }
  if (worker->is_awaited) {
    sem_post(&worker->served);
  }
}

static void *
worker_main(void *user)
{
  DaeStepWorker *worker = user;
  while (true) {
    while (sem_wait(&worker->wake) != 0 && errno == EINTR) {
    }
    if (atomic_load(&worker->is_ending)) {
      return NULL;
    }
    while (take_over(&worker->request_middle, &worker->request_reader)) {
      serve_request(worker);
    }
  }
}

/* The stepper's slot is the first one; it must be filled. */
DaeStepWorker *
dae_step_worker_new(const DaeStepper *stepper)
{
  DaeStepWorker *worker = g_new0(DaeStepWorker, 1);
  const uint32_t n = stepper->plan->n;
  worker->evaluator = stepper->evaluator;
  worker->plan = stepper->plan;
  worker->projection = stepper->options->projection;
  worker->scratch = dae_aligned_new0(stepper->evaluator->scratch_size);
  dae_evaluator_begin(stepper->evaluator, worker->scratch, stepper->segment);
  for (uint32_t k = 0; k < 3; k++) {
    worker->requests[k].x = g_new0(double, (size_t)n + 1);
    worker->requests[k].xdot = g_new0(double, (size_t)n + 1);
    worker->slots[k] =
        k == 0 ? stepper->slot
               : dae_step_slot_new(worker->evaluator, worker->plan, worker->projection);
  }
  worker->request_reader = 1;
  atomic_store(&worker->request_middle, 2);
  worker->slot_reader = 0;
  worker->slot_writer = 1;
  atomic_store(&worker->slot_middle, 2);
  worker->is_awaited = !(stepper->options->realtime_period > 0.0);
  DAE_ASSERT(sem_init(&worker->wake, 0, 0) == 0);
  DAE_ASSERT(sem_init(&worker->served, 0, 0) == 0);
  DAE_ASSERT(pthread_create(&worker->thread, NULL, worker_main, worker) == 0);
  return worker;
}

void
dae_step_worker_free(DaeStepWorker *worker)
{
  if (worker == NULL) {
    return;
  }
  atomic_store(&worker->is_ending, true);
  sem_post(&worker->wake);
  pthread_join(worker->thread, NULL);
  sem_destroy(&worker->wake);
  sem_destroy(&worker->served);
  for (uint32_t k = 0; k < 3; k++) {
    g_free(worker->requests[k].x);
    g_free(worker->requests[k].xdot);
    dae_step_slot_free(worker->slots[k]);
  }
  free(worker->scratch);
  g_free(worker);
}

void
dae_step_worker_offer(DaeStepWorker *worker, uint64_t step, const DaeStepPoint *point)
{
  Request *request = &worker->requests[worker->request_writer];
  const size_t bytes = worker->plan->n * sizeof(double);
  request->t = point->t;
  request->h = point->h;
  request->alpha = point->alpha;
  request->step = step;
  memcpy(request->x, point->x, bytes);
  memcpy(request->xdot, point->xdot, bytes);
  hand_over(&worker->request_middle, &worker->request_writer);
  worker->is_requested = true;
  sem_post(&worker->wake);
}

DaeStepSlot *
dae_step_worker_newest(DaeStepWorker *worker)
{
  if (worker->is_awaited && worker->is_requested) {
    while (sem_wait(&worker->served) != 0 && errno == EINTR) {
    }
    worker->is_requested = false;
  }
  take_over(&worker->slot_middle, &worker->slot_reader);
  return worker->slots[worker->slot_reader];
}

bool
dae_step_worker_is_awaited(const DaeStepWorker *worker)
{
  return worker->is_awaited;
}
