/* Lists of variables on the command line: x, h*, T[1:3], *.v, A[:,2]. */
#ifndef DAE_CLI_VARIABLES_H
#define DAE_CLI_VARIABLES_H

#include "cli/command.h"
#include "pipeline/extras.h"

/* Does a name fit a pattern? * is any text, ? one letter, [1:3] and [:] a range of subscripts. */
bool dae_variables_fit(const char *pattern, const char *name);

/* Appends the numbers (uint32_t) of the results that the list names, in its order, each once.
 * What fits no variable may be parameters or derivatives (extras; NULL: not wanted): their
 * numbers are behind those of the results. False: a name or pattern fits none; printed as a
 * usage mistake of `option`. */
bool dae_variables_choose(DaeCli *cli, const char *option, const DaeProblem *problem,
                          const DaeExtras *extras, const char *list, GArray *chosen);

#endif
