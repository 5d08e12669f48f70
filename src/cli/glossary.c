/* `daetool help glossary`: what the words of the outputs mean. */
#include "cli/help.h"

static const struct {
  const char *word, *meaning;
} entries[] = {
    {"block, fine block",
     "a set of equations that must be solved together, for as many variables; blocks are "
     "solved "
     "one after the other. A block of size 1 is one equation for one variable."},
    {"block, coarse",
     "a set of fine blocks that belong together when derivatives of every order are counted; "
     "coarse blocks can be looked at as separate models, one feeding the next."},
    {"c", "how often an equation has to be differentiated before all derivatives can be solved "
          "for."},
    {"certificate", "what a positive answer rests on, so that another program can check it."},
    {"conflict", "a smallest set of equations that contradict each other: without any one of "
                 "them the contradiction is gone."},
    {"constraint",
     "an equation between the variables at one instant, without derivatives; every "
     "solution satisfies it at every time."},
    {"constraint, hidden",
     "a constraint that is nowhere written: it appears when equations are differentiated and "
     "combined. A start value that violates it is impossible."},
    {"d", "the highest derivative of a variable that the differentiated equations determine."},
    {"degrees of freedom", "how many start values can be chosen; all others follow."},
    {"index, structural",
     "1 or less: the equations can be solved for all derivatives as they stand; each number "
     "more "
     "is one more differentiation that a simulator would have to do, and one more level of "
     "hidden constraints."},
    {"initialization: well-determined, consistent, under-determined, inconsistent, mixed",
     "the initial equations fix exactly one start; they say something twice, without harm; "
     "they "
     "leave something open; they contradict each other; some of each."},
    {"invariant", "an expression that keeps its value along every solution, as energy may do."},
    {"level of a constraint",
     "how many differentiations it took to find it; 0: it is written in "
     "the model."},
    {"linear in what they solve for", "such a block needs no iteration: its unknowns stand in "
                                      "it to the first power, whatever the "
                                      "variables do that are already known."},
    {"potential states", "variables of which the model contains a derivative, each counted as "
                         "often as its highest derivative says. Constraints tie some of them "
                         "to the others; what is left are the degrees of freedom."},
    {"quasi-linear", "derivatives appear only times a factor and added up: E*der(x) = k."},
    {"redundant", "it follows from the other equations: it may stay or go."},
    {"repair",
     "replacing an equation by a combination of equations and their derivatives, with "
     "the same solutions, so that the structure shows what is really there."},
    {"residual", "what is left when values are put into an equation: 0 if it holds exactly."},
    {"sigma, signature matrix", "for each equation and variable the highest derivative of the "
                                "variable in the equation; no "
                                "entry: it does not occur."},
    {"singular, structurally", "whatever the numbers are, some equations are too many for the "
                               "variables in them, and other "
                               "variables have too few."},
    {"state selection", "choosing which variables are integrated. daetool needs none from you: "
                        "it chooses anew while it integrates."},
    {"transversal",
     "one variable for each equation, all different: what each equation is taken "
     "to determine."},
    {"value (of the signature matrix)",
     "the sum of the entries on the transversal; it is the number of degrees of freedom when "
     "the structure tells the truth."},
};

void
dae_help_glossary(GString *out)
{
  g_string_append(out, "Words of daetool's outputs\n");
  for (size_t i = 0; i < G_N_ELEMENTS(entries); i++) {
    g_string_append_printf(out, "\n%s\n    ", entries[i].word);
    dae_help_wrap(out, entries[i].meaning, 4, 79);
  }
}
