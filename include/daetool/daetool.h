/* daetool as a library: everything the command line does.
 *
 *     DaePipeline *pipeline = dae_pipeline_new(NULL);
 *     dae_pipeline_read_file(pipeline, "pendulum.mo", NULL, &error);
 *     const DaeSig *sig = dae_pipeline_analyze(pipeline, NULL, &error);      structure
 *     const DaeQlt *qlt = dae_pipeline_reduce(pipeline, NULL, &error);       hidden constraints
 *     const DaeInit *init = dae_pipeline_check_init(pipeline, NULL, &error); initialization
 *     DaeProblem *problem = dae_pipeline_problem(pipeline, &options, &error);
 *     dae_problem_simulate(problem, &run, output, user, &stats, &error);     integration
 *
 * Call dae_init() first, once. The integrator alone takes any system given as C functions:
 * solver/solver.h with eval/evaluator.h. Each header is the reference of its part;
 * docs/library.md shows them at work. */
#ifndef DAETOOL_DAETOOL_H
#define DAETOOL_DAETOOL_H

#include <daetool/pipeline/pipeline.h>
#include <daetool/proofcheck/proofcheck.h>

#endif
