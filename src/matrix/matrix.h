/* Methods of linear algebra on numbers, by LAPACK: eigenvalues, singular values, orthogonal
 * factors, Hessenberg and Schur forms, least squares, linear and Sylvester's equations.
 *
 * methods.inc says for each what its sizes, inputs and outputs are. It is a method as routines
 * take it (terms/routines.h): the same text runs here, and in exported C. */
#ifndef DAE_MATRIX_H
#define DAE_MATRIX_H

#include "terms/routines.h"

G_BEGIN_DECLS

#define DAE_MATRIX_MOST_ROWS 500
/* The method of that name with these sizes, and what a call of it takes; false: there is none. */
bool dae_matrix_method(const char *name, const int sizes[DAE_METHOD_SIZES], DaeMethod *method);

G_END_DECLS

#endif
