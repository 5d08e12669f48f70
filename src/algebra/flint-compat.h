/* FLINT 2.9 with Arb and Calcium beside it (Debian 12), or FLINT 3 with both inside. */
#ifndef DAE_ALGEBRA_FLINT_COMPAT_H
#define DAE_ALGEBRA_FLINT_COMPAT_H

#include <gmp.h> /* first: FLINT 3 declares its conversions to mpq only then */

#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpz.h>
#include <flint/fmpz_factor.h>
#include <flint/fmpz_mpoly.h>
#include <flint/fmpz_mpoly_factor.h>
#include <flint/nmod.h>
#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

#if __FLINT_VERSION < 3
#include <arb.h>
#include <arb_mat.h>
#include <calcium/fmpz_mpoly_q.h>
#include <calcium/qqbar.h>
#else
#include <flint/arb.h>
#include <flint/arb_mat.h>
#include <flint/fmpz_mpoly_q.h>
#include <flint/qqbar.h>
#endif

#endif
