/* GLib, GMP and FLINT abort when memory runs out, and there is no way to hand that on. The
 * program turns such a death into its own last words: one line and exit code 70. Likewise a
 * stack that is too small, or a bug that touches memory it must not touch. */
#ifndef DAE_CLI_LASTRESORT_H
#define DAE_CLI_LASTRESORT_H

void dae_catch_aborts(void);

#endif
