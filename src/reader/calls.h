/* Functions of the user, records, statements: inside the reader. */
#ifndef DAE_READER_CALLS_H
#define DAE_READER_CALLS_H

#include "reader/reader-priv.h"

#define DAE_MAX_STEPS 64u /* members and subscripts of one reference */
#define DAE_MAX_EXTRA 32u /* modifiers of function f = g(...) */

/* ---- records.c --------------------------------------------------------------------------- */

typedef struct {
  uint32_t name;
  DaeValueType type;
  uint32_t enumeration;
  const DaeLayout *layout; /* of a record */
  uint32_t n_dims;
  const uint32_t *dims;
  uint32_t count;  /* elements */
  uint32_t offset; /* first scalar */
  bool is_open;    /* declared as x[:]: an assignment sets its size */
} DaeMember;

struct DaeLayout {
  uint32_t class;
  uint32_t n, width;
  uint8_t *types; /* DaeValueType of each scalar */
  DaeMember members[];
};

uint32_t dae_value_width(const DaeValue *value); /* scalars of one element */
/* type, enumeration and layout of `like`; data is not copied. */
DaeValue dae_value_like(DaeReader *reader, const DaeValue *like, uint32_t n_dims,
                        const uint32_t *dims, const DaeTerm *data, uint32_t count);
/* Of an array of n_outer dimensions and more, what element i of the outer ones is. */
DaeValue dae_value_part(DaeReader *reader, const DaeValue *array, uint32_t n_outer, uint32_t i);
bool dae_record_same(const DaeValue *a, const DaeValue *b);
/* The same but for the sizes of members of `target` that are open. */
bool dae_record_fits(const DaeValue *target, const DaeValue *value);
bool dae_record_is_open(const DaeValue *record); /* has it such members? */
/* The record with the value in place of a member, r.a.x, whatever its size was. Poison without a
 * report: the member is not open, or it is no part of one record. */
DaeValue dae_record_resized(DaeReader *reader, const DaeValue *record, const uint32_t *path,
                            uint32_t n_path, const DaeValue *value);
/* Sizes, of records also those of their members. */
bool dae_value_same_shape(const DaeValue *a, const DaeValue *b);
DaeValue dae_record_value(DaeReader *reader, const DaeLayout *layout, uint32_t n_dims,
                          const uint32_t *dims, const DaeTerm *data, uint32_t count);
DaeValue dae_record_member(DaeReader *reader, const DaeValue *record, uint32_t name,
                           uint32_t pos);
const DaeLayout *dae_layout_new(DaeReader *reader, uint32_t class, const uint32_t *names,
                                const DaeValue *members, uint32_t n);
DaeValue dae_record_pack(DaeReader *reader, uint32_t class, const uint32_t *names,
                         const DaeValue *members, uint32_t n);

/* ---- locals.c ---------------------------------------------------------------------------- */

typedef struct {
  uint32_t name, other_binding;
  uint32_t declaration; /* 0: set by the caller */
  uint8_t state;
  bool has_open_size; /* x[:]: an assignment sets the size */
  bool is_fixed;      /* an input */
  uint32_t epoch;     /* in which branch its data were made */
  uint32_t pos;       /* of the last assignment */
  DaeValue value;
  DaeTerm *data;                 /* of value, its own; DAE_NO_TERM: nothing assigned yet */
  uint32_t fresh_from, fresh_to; /* scalars stored since the last round of a loop */
} DaeLocal;

typedef struct {
  uint32_t class;
  bool is_inner;   /* sees what the scope below sees */
  bool is_section; /* an algorithm section of the model */
  bool in_body; /* of a function: its statements are executed, its inputs have their values */
  uint32_t first_local, n_locals, first_loop, first_if, first_while;
  GArray *old_equations;
  DaeTerm left;   /* when `return` was met */
  DaeTerm broken; /* when `break` of the innermost while-loop was met */
  DaeTerm outer;  /* the same of the while-loops around that one */
  size_t bytes;   /* of all terms at the first round of a loop; 0: no round yet */
} DaeScope;

DaeLocal *dae_local(const DaeReader *reader, uint32_t i);
void dae_local_note(DaeLocal *local, uint32_t from, uint32_t to); /* these were stored */
DaeScope *dae_scope_enter(DaeReader *reader, uint32_t class, bool is_inner);
void dae_scope_leave(DaeReader *reader);
uint32_t dae_scope_add_local(DaeReader *reader, uint32_t name, uint32_t declaration);
/* Copies the value. */
void dae_local_set(DaeReader *reader, uint32_t index, const DaeValue *value);
/* Its size and first value, checked against its declaration. False: reported. */
bool dae_local_begin(DaeReader *reader, uint32_t index, const DaeValue *given, uint32_t pos);
DaeValue dae_local_load(DaeReader *reader, uint32_t index, uint32_t pos);
bool dae_value_is_index_type(const DaeValue *value); /* E or Boolean as a dimension */
/* index_types.c: DAE_INDEX_... of such a size, or of a subscript. */
uint32_t dae_value_index_type(const DaeValue *value);
/* Are the subscripts, the first of which is for dimension n_before, of its types? False: told. */
bool dae_index_types_fit(const DaeReader *reader, const DaeEntity *entity, uint32_t n_before,
                         const DaeValue *subscripts, uint32_t n, uint32_t pos);

/* ---- load.c ------------------------------------------------------------------------------ */

DaeValue dae_load_element(DaeReader *reader, uint32_t name, const DaeValue *subscripts,
                          uint32_t n, uint32_t pos);
/* The value where it is used: what is missing is told, or asserted not to be. */
DaeValue dae_load_settle(DaeReader *reader, DaeValue value, uint32_t name, uint32_t pos);
DaeValue dae_load_path(DaeReader *reader, const DaeInstruction *instruction,
                       const DaeValue *subscripts);
/* The binding of element k of an array whose elements are declared one by one; 0: none. */
uint32_t dae_group_element(DaeReader *reader, const DaeEntity *group, uint32_t k);
DaeValue dae_load_last(DaeReader *reader, const DaeInstruction *instruction);
DaeValue dae_load_function_value(DaeReader *reader, uint32_t name, const DaeValue *arguments,
                                 uint32_t n, uint32_t pos);
/* The entity of member `name`, from its declaration. */
void dae_scope_add_member(DaeReader *reader, uint32_t declaration, uint32_t whole,
                          uint32_t name, uint32_t n_outer);

/* ---- record_code.c ----------------------------------------------------------------------- */

/* A variable of a record class: names of members in code of the class become its members. */
typedef struct {
  uint32_t record, whole; /* class, name of the variable */
  uint32_t n_outer;       /* dimensions of the variable */
} DaeRecordPlace;

/* Appends a copy of the code without its RETURN; to NULL: names stay. */
void dae_record_copy_code(DaeReader *reader, const DaeRecordPlace *to, uint32_t code);
/* The same for the code of a value; of an array of records the value of every element. */
void dae_record_copy_value(DaeReader *reader, const DaeRecordPlace *to, uint32_t code);
/* The same for n sizes: of an array of records each is an array, with the size in every element. */
void dae_record_copy_sizes(DaeReader *reader, const DaeRecordPlace *to, uint32_t code,
                           uint32_t n);
/* Such an array becomes the size that all elements have. False: they differ, reported. */
bool dae_record_common_size(DaeReader *reader, const DaeEntity *entity, DaeValue *value,
                            uint32_t pos);
/* Ends what was appended since `start`; 0: that is nothing. */
uint32_t dae_record_end_code(DaeReader *reader, uint32_t start, uint32_t pos);

bool dae_record_expand(DaeReader *reader, uint32_t whole);
/* The value of a member of an array of records, if it is given once for all of them; else as it
 * is. */
DaeValue dae_record_spread(DaeReader *reader, const DaeEntity *entity, const DaeValue *value,
                           uint32_t code);
/* A record variable as a whole, from the entities of its members. */
DaeValue dae_record_constant(DaeReader *reader, uint32_t class, uint32_t name, uint32_t pos);
DaeValue dae_record_load(DaeReader *reader, uint32_t entity, uint32_t pos);
/* The entity of that member; 0: it has none. */
uint32_t dae_record_find_member(const DaeReader *reader, uint32_t whole, uint32_t member);

/* record_flat.c: records of flat text that has none, as OpenModelica prints it. */
void dae_record_take_constructors(DaeReader *reader);
/* r where r.x, r.y ... are declared one by one: a value of the record with these members.
 * False: there is none. */
bool dae_record_load_parts(DaeReader *reader, uint32_t name, uint32_t pos, DaeValue *value);

/* ---- record_parts.c: the same in algorithm sections -------------------------------------- */

/* The next entity that is a part of r; 0: there is none. */
uint32_t dae_record_parts_next(const DaeReader *reader, uint32_t name, uint32_t after);
/* False: there are no such parts, or one of them cannot be assigned. */
bool dae_record_parts_assign(DaeReader *reader, uint32_t name, const DaeValue *value,
                             uint32_t pos);

/* ---- assign.c ---------------------------------------------------------------------------- */

bool dae_assign(DaeReader *reader, const DaeValue *target, const DaeValue *value, uint32_t pos);
/* 'a.b.x' where 'a.b' is a record with the member 'x'. False: it is not. */
bool dae_record_load_quoted_member(DaeReader *reader, uint32_t name, uint32_t pos,
                                   DaeValue *value);

/* ---- base_modelica.c --------------------------------------------------------------------- */

/* guess, prioritize, pure, realParameterEqual, constsize; another name: *found is false. */
DaeValue dae_base_apply(DaeReader *reader, const char *name, const DaeValue *arguments,
                        uint32_t n, uint32_t pos, bool *found);
/* guess(x) = value: start values. Variables can be found by their symbols from here on. */
void dae_base_apply_guesses(DaeReader *reader);
/* Is this parameter without a value given one by initial sections, or has it a guess value? */
bool dae_base_is_free(DaeReader *reader, const DaeEntity *entity);

/* ---- references.c ------------------------------------------------------------------------ */

typedef struct {
  uint32_t member;   /* 0: none */
  uint32_t literals; /* text of subscripts that are integer literals, "[2,1]"; 0: none */
  uint32_t n;        /* further subscripts after it */
} DaeStep;

typedef struct {
  uint32_t local;
  uint32_t name;     /* its first part */
  uint32_t n_before; /* dimensions of the records around the first part */
  uint32_t n_steps;
  DaeStep steps[DAE_MAX_STEPS];
  const DaeValue *subscripts;
} DaeReference;

bool dae_reference_resolve(DaeReader *reader, const uint32_t *path, const DaeValue *subscripts,
                           DaeReference *reference, uint32_t *binding);
/* m[2].v of an array that is declared as m.v (references_spread.c). */
bool dae_reference_resolve_spread(DaeReader *reader, const uint32_t *path,
                                  const DaeValue *subscripts, DaeReference *reference,
                                  uint32_t *binding);
/* The array that a NAME or ELEMENT means in this way; 0: none. */
uint32_t dae_reference_used_spread(DaeReader *reader, const DaeInstruction *instruction);
bool dae_reference_is_local(DaeReader *reader, uint32_t name);
/* The value with n subscripts behind its first n_before dimensions. */
DaeValue dae_reference_subscript(DaeReader *reader, const DaeValue *value, uint32_t n_before,
                                 const DaeValue *subscripts, uint32_t n, const char *name,
                                 uint32_t pos);
/* Dimensions of the records around a member: n subscripts of it come behind them. 0 where there
 * are more subscripts than the member itself has dimensions. */
uint32_t dae_reference_n_before(const DaeReader *reader, uint32_t binding, uint32_t n);
/* "[2,1]" as subscripts; false: it is none. */
bool dae_reference_literals(DaeReader *reader, uint32_t literals, DaeValue *subscripts,
                            uint32_t *n);
bool dae_reference_local(DaeReader *reader, const DaeValue *target, DaeReference *reference);
DaeValue dae_reference_follow(DaeReader *reader, const DaeValue *whole,
                              const DaeReference *reference, uint32_t pos);

/* ---- assign.c ---------------------------------------------------------------------------- */

/* The targets and the value of an assignment lie on the stack. */
bool dae_statement_assign(DaeReader *reader, uint32_t pos);
/* Ranges of the moment in a target. False: reported, or the statement will be split. */
bool dae_assign_settle(DaeReader *reader, const DaeValue *target, uint32_t pos);
/* A local as a whole; one without a size takes that of the value. False: reported. */
bool dae_statement_assign_whole(DaeReader *reader, uint32_t index, const DaeValue *value,
                                uint32_t pos);
/* c and a, or not c and b; DAE_NO_TERM is false. */
DaeTerm dae_statement_merge_flags(DaeTerms *terms, DaeTerm condition, DaeTerm a, DaeTerm b);
/* a where the condition holds, else b; what one side does not have is its default there. */
DaeTerm dae_statement_choose(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b,
                             uint8_t type);
/* The scalars of a local that is about to change: open branches keep the old ones. */
DaeTerm *dae_statement_own_data(DaeReader *reader, uint32_t index);
uint8_t dae_statement_scalar_type(const DaeValue *value, uint32_t k); /* of scalar k */

/* ---- statements.c ------------------------------------------------------------------------ */

typedef struct {
  uint32_t local, epoch;
  DaeValue value;
  DaeTerm *data;
} DaeChange;

typedef struct { /* a while-loop that is being unrolled */
  uint32_t head;
  DaeTerm left;          /* what `left` of the scope was before the round under way */
  DaeTerm broken, outer; /* those of the scope, of the loops around this one */
} DaeWhileFrame;

bool dae_statements_run(DaeReader *reader, uint32_t code);
/* When the statement under way does not count: DAE_NO_TERM: it does; the BOOLEAN true: nothing
 * here does. */
DaeTerm dae_statement_gone(const DaeReader *reader);
bool dae_statement_is_true(const DaeReader *reader, DaeTerm t);
bool dae_statement_is_dead(const DaeReader *reader);
void dae_statement_leave(DaeReader *reader);
/* Up to the instruction `end`, which is not executed. */
bool dae_statements_run_to(DaeReader *reader, uint32_t from, uint32_t end);

/* Branches that are executed one after the other, as those of an if-statement are. */
void dae_statement_begin_branches(DaeReader *reader, DaeTerm condition);
void dae_statement_begin_else(DaeReader *reader);
bool dae_statement_end_branches(DaeReader *reader, uint32_t pos);

/* ---- cases.c, cases_split.c ----------------------------------------------------------------------------- */

typedef struct { /* where a statement began */
  uint32_t stack, loops, ifs, assertions, actions;
} DaeCasesMark;

void dae_cases_init(DaeCases *cases);
void dae_cases_clear(DaeCases *cases);
/* The term with the values of the case under way. */
DaeTerm dae_cases_apply(DaeReader *reader, DaeTerm t);
/* What the case under way says of a condition: 1 it holds, 0 it does not, -1 nothing. */
int dae_cases_decide(DaeReader *reader, DaeTerm condition, uint32_t depth);
/* A number that is not known is needed: if its bounds are, the statement under way will be
 * executed for each value. False: they are not; nothing was reported. */
bool dae_cases_ask_integer(DaeReader *reader, DaeTerm t, uint32_t pos);
/* Is the value of the RANGE a subscript? Then the array says what its ends can be. */
bool dae_cases_is_subscript(const DaeReader *reader, const DaeInstruction *range);
bool dae_cases_is_range(const DaeValue *value);
/* Can the statement under way be executed for each value of t? */
bool dae_cases_has_bounds(DaeReader *reader, DaeTerm t);
/* Makes such a range a vector. False: reported, or the statement will be split. */
bool dae_cases_settle_range(DaeReader *reader, DaeValue *subscript, uint32_t size,
                            uint32_t pos);
/* Sizes do not fit, as the message says. In a case of an Integer that is an assertion, unless they
 * fit in no case; else an error. */
void dae_cases_misfit(DaeReader *reader, uint32_t pos, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
void dae_cases_mark(const DaeReader *reader, DaeCasesMark *mark);
/* The statement from the code `from` on (up to `end`), which asked for cases, in each of them; *pc:
 * where it goes on. False: reported, or outside of all cases. */
bool dae_cases_split(DaeReader *reader, const DaeCasesMark *mark, uint32_t from, uint32_t end,
                     uint32_t *pc);
/* A call in an equation. */
DaeValue dae_cases_call(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                        uint32_t pos);
/* cases_bounds.c: what an Integer can be; false: nothing is known. */
bool dae_integer_bounds(const DaeReader *reader, DaeTerm t, int64_t *least, int64_t *most);

/* ---- unset.c ----------------------------------------------------------------------------- */

/* The condition has to hold where the statement under way counts. */
void dae_statement_assert(DaeReader *reader, DaeTerm condition, const char *message,
                          uint32_t pos);
/* Stands for a number that a path leaves without a value; in an algorithm section it is 0. */
DaeTerm dae_unset_term(DaeReader *reader);
/* The same for a scalar of any type. */
DaeTerm dae_unset_of_type(DaeReader *reader, uint8_t type);
/* When the scalar has no value, as a condition. */
DaeTerm dae_unset_when(const DaeReader *reader, DaeTerm t);
/* May it have no value? */
bool dae_unset_is_in(const DaeReader *reader, DaeTerm t);
/* The same with 0 in place of it. */
DaeTerm dae_unset_replace(const DaeReader *reader, DaeTerm t);
/* A value where it is used: what may be unset is 0; that it is not, is asserted. name NULL: it is
 * a record without a name. */
void dae_unset_settle(DaeReader *reader, DaeValue *value, const char *name, bool is_asserted,
                      uint32_t pos);

/* ---- texts.c ----------------------------------------------------------------------------- */

/* The declaration of a String variable gets the value of its equation or statement, or its start
 * value, with a warning. False: it gets its values otherwise. */
/* Does a when-clause give it its texts? */
bool dae_text_changes(DaeReader *reader, uint32_t name);
bool dae_text_find_value(DaeReader *reader, uint32_t index, uint32_t name, bool is_element);
bool dae_text_equate(DaeReader *reader, const DaeValue *a, const DaeValue *b, uint32_t pos);

/* text_choice.c: a where the condition holds, else b. */
DaeTerm dae_text_choose(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b);
/* The condition that they are so; DAE_NO_TERM: they have other values at run time in them. */
DaeTerm dae_text_compare(DaeReader *reader, DaeRelation relation, uint32_t a, uint32_t b);
/* Appends the text where the condition holds, else nothing. */
void dae_text_append_guarded(DaeReader *reader, GString *out, DaeTerm condition,
                             const char *text);
typedef DaeTerm (*DaeTextTerm)(void *user, uint32_t name);
/* A term for each text that the choices may give; DAE_NO_TERM: as above. */
DaeTerm dae_text_each_choice(DaeReader *reader, uint32_t name, DaeTextTerm term_of, void *user);

/* text_events.c: String variables that when-clauses give their texts (DaeEntity.changes). */
bool dae_text_is_numbered(const DaeReader *reader, uint32_t name); /* one of them, or its pre */
void dae_text_register(DaeReader *reader, DaeEntity *entity, uint32_t pos);
void dae_text_instantiate(DaeReader *reader, const DaeEntity *entity, uint32_t pos);
/* a = b in a when-clause or at the start, if one of them is such a variable. False: reported. */
bool dae_text_give(DaeReader *reader, uint32_t a, uint32_t b, bool *is_given, uint32_t pos);
/* What scalar k of a variable of a section holds when it is assigned the text. */
DaeTerm dae_text_store(DaeReader *reader, uint32_t binding, uint32_t k, DaeTerm text,
                       uint32_t pos);
DaeEquation dae_text_equation(DaeReader *reader, const DaeEntity *entity, uint32_t k,
                              uint32_t text, uint32_t pos);
DaeTerm dae_text_before(DaeReader *reader, uint32_t text, uint32_t pos); /* pre */
/* pre of it, or change, stands in an algorithm section. */
void dae_text_note_before(DaeReader *reader, uint32_t text);
/* DAE_NO_TERM: neither text is such a variable. */
DaeTerm dae_text_choose_numbered(DaeReader *reader, DaeTerm condition, DaeTerm a, DaeTerm b);
/* The numbers to compare; false: neither text is such a variable, or one has values in it. */
bool dae_text_compare_numbered(DaeReader *reader, uint32_t a, uint32_t b, DaeTerm numbers[2],
                               uint32_t pos);
void dae_text_finish(DaeReader *reader); /* text_resolve.c */

/* text_late.c: String variables whose text is told by running the sections (DaeEntity.is_late). */
bool dae_text_has_late(const DaeReader *reader,
                       uint32_t name); /* is one of them in the text? */
void dae_text_register_late(DaeReader *reader, DaeEntity *entity);
void dae_text_start_late(DaeReader *reader, const DaeEntity *entity);
/* What is known of the text by now: that of the variable that it is. */
uint32_t dae_text_meaning(const DaeReader *reader, uint32_t name);
/* a = b, if one of them is such a variable and has no text yet. False: reported. */
bool dae_text_define(DaeReader *reader, uint32_t a, uint32_t b, bool *is_defined, uint32_t pos);
/* Is it a variable that the reader made? */
bool dae_text_is_auxiliary(const DaeReader *reader, DaeTerm target);
/* Branches of a when-clause keep the values that others of them hold. */
void dae_text_keep_values(DaeReader *reader, DaeWhenBranch *branches, uint32_t n, uint32_t pos);
void dae_texts_free(struct DaeTexts *texts);

/* branch_type.c: is the branch whose last instruction is at `root` of the type of the branch that
 * is taken, as far as its text tells? False: reported. */
bool dae_branch_fits(DaeReader *reader, const DaeValue *taken, uint32_t root, uint32_t pos);

/* ---- loops.c ----------------------------------------------------------------------------- */

/* Parts of routines are traced on formals: terms that stand for values at run time. Marks may
 * be nested. */
typedef struct {
  uint32_t first_if, first_loop, first_scope, n_formals;
} DaeTraceMark;

void dae_trace_begin(DaeReader *reader, DaeTraceMark *mark);
void dae_trace_end(DaeReader *reader, const DaeTraceMark *mark);
DaeTerm dae_trace_formal(DaeReader *reader);
/* When what is executed now counts: conditions of open branches, return and break; DAE_NO_TERM:
 * always. */
DaeTerm dae_trace_path(const DaeReader *reader);

typedef struct {
  uint32_t condition, head; /* while: code of the condition, and where it ends; 0: a for-loop */
  uint32_t body, end;
  uint32_t pos;
  uint32_t iterator; /* for: its name */
  DaeValue range[3]; /* for: first, step, last */
  bool is_down;
  const char *reduction; /* sum(e for i in a:b): the body is e; else NULL */
  DaeValue *result;      /* of the reduction */
} DaeLoopPlaces;

/* The loop as a routine from the values of the locals on. False: reported. */
bool dae_loop_run(DaeReader *reader, const DaeLoopPlaces *places);
/* The ends and the step of a range, a tuple of them. False: reported. */
bool dae_loop_take_range(DaeReader *reader, const DaeValue *range, DaeLoopPlaces *places);
/* loop_reduction.c: does the array of this LOOP go to sum, product, min or max at once? */
bool dae_loop_reduces(const DaeReader *reader, const DaeInstruction *loop);
/* Its value, as a routine; the range is a tuple of its ends. False: reported. */
bool dae_loop_reduce(DaeReader *reader, const DaeValue *range, uint32_t loop, DaeValue *result);

/* ---- calls.c ----------------------------------------------------------------------------- */

void dae_call_register(DaeReader *reader);
uint32_t dae_call_find(const DaeReader *reader, uint32_t name); /* class; 0: no function */
const uint32_t *dae_call_members(const DaeReader *reader, uint32_t class, uint32_t *n);
uint32_t dae_call_count_inputs(const DaeReader *reader, uint32_t class);
void dae_call_give_up(DaeReader *reader, uint32_t pos, const char *why);
bool dae_call_count(DaeReader *reader, uint32_t pos); /* one more instruction */
DaeValue dae_call_apply(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                        uint32_t n, uint32_t pos);
/* given, by member of the class, is filled. False: reported. */
bool dae_call_place_arguments(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                              uint32_t n, const DaeValue **given, uint32_t pos);
/* partial.c: a call of function g = der(f, x). */
DaeValue dae_call_partial(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                          uint32_t n, uint32_t pos);
/* ---- call_run.c -------------------------------------------------------------------------- */

/* given: by member of the class. */
DaeValue dae_call_run(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                      uint32_t pos);
/* call_known.c: is a scalar that is no Real given by parameters? Are all scalars, and one is no
 * number? Such arguments (or all) as numbers, with the values of the parameters; NULL: one has
 * none. */
bool dae_call_has_counts(const DaeReader *reader, uint32_t class, const DaeValue *const *given);
bool dae_call_is_of_parameters(const DaeReader *reader, uint32_t class,
                               const DaeValue *const *given);
const DaeValue **dae_call_close(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                                bool all);
/* call_units.c: the equation under way is not judged by its units if this function has some, or
 * if it is given coefficients. */
void dae_call_note_units(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                         uint32_t n);
/* call_events.c: relations of the body make no events, those of the arguments do. */
void dae_call_hide_jumps(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                         DaeValue *outputs, uint32_t n, uint32_t pos);
/* An annotation of a class; NULL: it has none. The second: is it there with this Boolean
 * value? */
const DaeModification *dae_call_annotation(const DaeReader *reader, uint32_t class,
                                           const char *name);
bool dae_call_has_annotation(const DaeReader *reader, uint32_t class, const char *name,
                             bool value);
/* bound.c: what a function value binds, with names. In OpenModelica's text it has none, `function
 * f(#(2.0))`: the inputs of f, in their order, that the type of the input that takes it has not. */
const DaeValue *dae_call_name_bound(DaeReader *reader, uint32_t input, const DaeValue *value);
/* Are these names of arguments of the function? False: reported. */
bool dae_call_check_bound(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                          uint32_t n, uint32_t pos);
DaeValue dae_call_function_value(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                                 uint32_t n);
DaeValue dae_call_value(DaeReader *reader, const DaeValue *function, const DaeValue *arguments,
                        uint32_t n, uint32_t pos);
/* May have members without value. */
DaeValue dae_record_default(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                            uint32_t n, uint32_t pos);
/* record_locals.c: the scalars of a local record, of which `array` has the dimensions; it becomes
 * the value. NULL: reported. */
DaeTerm *dae_record_fill(DaeReader *reader, const DaeDeclaration *declaration, uint32_t class,
                         DaeValue *array);
/* A vector of no records of this name; 0: of no numbers. */
DaeValue dae_record_nothing(DaeReader *reader, uint32_t name, uint32_t pos);
DaeValue dae_record_construct(DaeReader *reader, uint32_t class, const DaeValue *arguments,
                              uint32_t n, uint32_t pos);
/* Enters the scope of the class; it is entered although it fails. False: reported. */
bool dae_call_begin_scope(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                          uint32_t pos);
/* Inside that scope: the results. False: reported. */
bool dae_call_run_body(DaeReader *reader, uint32_t class, DaeValue *outputs,
                       uint32_t *n_outputs, uint32_t pos);
/* The body of an external function, inside its scope. False: reported. */
bool dae_foreign_run(DaeReader *reader, uint32_t class, uint32_t pos);
/* natives_impure.c: start values of the hidden generator. */
void dae_impure_finish(DaeReader *reader);
/* natives_tables.c: rows and columns of a matrix in a file; false: it cannot be read. */
bool dae_table_matrix_size(const char *file, const char *name, uint32_t sizes[2]);
/* The state behind the last place is the one that the first begins with. */
void dae_impure_close(DaeReader *reader);
/* An external function that daetool does not have? */
bool dae_foreign_is_unknown(const DaeReader *reader, uint32_t class);

/* ---- uses.c ------------------------------------------------------------------------------ */

/* Entities that a call of the function or record constructor `name` may load, also in the calls
 * it makes. */
const uint32_t *dae_call_uses(DaeReader *reader, uint32_t name, uint32_t *n);
/* Entities in an array of components: of r those called r[1], r[2].x ...; NULL: none. */
const GArray *dae_reader_elements(DaeReader *reader, uint32_t name);

/* ---- formals.c --------------------------------------------------------------------------- */

/* In a list of constants, beside terms: DAE_NO_TERM is a formal, this an argument without
 * value. */
#define DAE_ARGUMENT_NONE UINT32_MAX

uint32_t dae_arguments_count(const DaeValue *value);           /* its scalars */
uint8_t dae_arguments_type(const DaeValue *value, uint32_t k); /* DaeValueType of scalar k */
/* The scalars of all arguments in order, and their types (uint8_t). given: by member of the
 * class. */
GArray *dae_arguments_list(const DaeReader *reader, const DaeValue *const *given, uint32_t n,
                           GArray *types);
/* The scalar if it is a constant, else DAE_NO_TERM. */
DaeTerm dae_argument_constant(const DaeReader *reader, uint8_t type, DaeTerm t);
/* Equal for calls of the same class with equal sizes, functions and constants. */
char *dae_arguments_key(uint32_t class, const DaeValue *const *given, uint32_t n,
                        const DaeTerm *constants);
/* Booleans are numbers in routines. */
DaeTerm dae_formal_number(const DaeReader *reader, uint8_t type, DaeTerm t);
DaeTerm dae_formal_value(const DaeReader *reader, uint8_t type, DaeTerm t);
/* The same value with other scalars. */
DaeValue dae_arguments_with(DaeReader *reader, const DaeValue *value, const DaeTerm *data);
/* Arguments with formals in place of what is no constant; these are appended to inputs. */
const DaeValue **dae_formal_arguments(DaeReader *reader, const DaeTerm *constants,
                                      const DaeValue *const *given, uint32_t n, GArray *inputs);

/* ---- recursion.c ------------------------------------------------------------------------- */

typedef struct DaeRoutineCase DaeRoutineCase;
void dae_routine_case_free(gpointer data);
/* The call as a call of a routine. given: by member of the class. */
DaeValue dae_call_as_routine(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                             uint32_t pos);

/* ---- printed.c --------------------------------------------------------------------------- */

/* comprehension.c: {e for i in r} of an empty r of that type; the LOOP is at `loop`. is_reduced:
 * the call of sum() behind it is done. */
DaeValue dae_comprehension_of_nothing(DaeReader *reader, uint32_t loop, DaeValueType type,
                                      bool *is_reduced);
/* Is a call of sum() of arrays behind the NEXT? Then it is done with the values. */
bool dae_comprehension_reduce(DaeReader *reader, const DaeInstruction *next, DaeValue *values);

/* Is it a routine as `show` prints it? Such a call is output k of it. given: by member. */
bool dae_printed_is_routine(const DaeReader *reader, uint32_t class);
DaeValue dae_printed_call(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                          uint32_t pos);

/* ---- opaque.c ---------------------------------------------------------------------------- */

/* New terms of one call, and of all calls of a function: one that makes more is not written
 * out, from then on. */
#define DAE_INLINE_BUDGET 2000u
#define DAE_INLINE_CALLS_BUDGET 50000u
/* Nodes of the tree of a result: x := (x + a/x)/2 again and again is short as a graph only, and
 * nothing that expands it (fractions, texts) comes to an end. */
#define DAE_INLINE_TREE 400000.0

typedef struct DaeOpaqueTable DaeOpaqueTable;
DaeOpaqueTable *dae_opaque_table_new(void);
void dae_opaque_table_free(DaeOpaqueTable *table);
/* Is this call not to be written out, by its annotations or because the function is known to be
 * large? */
bool dae_opaque_is_wanted(const DaeReader *reader, uint32_t class,
                          const DaeValue *const *given);
/* Written out, the call made n_new terms and this result. True: that is too large. */
bool dae_opaque_found_large(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                            uint32_t n_new, const DaeValue *result);
/* Poison: it cannot stand alone; nothing was reported. */
DaeValue dae_call_as_opaque(DaeReader *reader, uint32_t class, const DaeValue *const *given,
                            uint32_t pos);

/* ---- overload.c -------------------------------------------------------------------------- */

DaeValue dae_overload_binary(DaeReader *reader, DaeOp op, const DaeValue *a, const DaeValue *b,
                             uint32_t pos);
DaeValue dae_overload_unary(DaeReader *reader, DaeOp op, const DaeValue *a, uint32_t pos);
/* Complex(1), Complex(re, im = 0): an operator record may have constructors of its own. own: 0:
 * its plain one is meant. False: two fit [MLS, section 14.3]; reported. */
bool dae_overload_constructor(DaeReader *reader, uint32_t record, const DaeValue *arguments,
                              uint32_t n, uint32_t pos, uint32_t *own);
/* String(r, ...) by the record's 'String'. */
DaeValue dae_overload_string(DaeReader *reader, const DaeValue *arguments, uint32_t n,
                             uint32_t pos);
/* strings.c: String(x, ...). */
DaeValue dae_string_apply(DaeReader *reader, const DaeValue *arguments, uint32_t n,
                          uint32_t pos);
/* Has it no marks for values that are known only at run time? */
bool dae_string_is_known(DaeReader *reader, uint32_t name);
/* The text with values of parameters in place of marks (terms/message.h). */
uint32_t dae_string_known(DaeReader *reader, uint32_t name);
DaeValue dae_overload_sum(DaeReader *reader, const DaeValue *array, uint32_t pos);

/* ---- algorithms.c ------------------------------------------------------------------------ */

/* An algorithm section of the model, into reader->equations. */
void dae_algorithm_execute(DaeReader *reader, const DaeSection *section);

/* functions_array.c, reductions.c: a call of a function that makes, measures or reduces arrays. */
typedef struct {
  DaeReader *reader;
  const char *name;
  const DaeValue *arguments;
  uint32_t n;
  uint32_t pos;
} DaeArrayCall;

DaeValue dae_array_call_fail(const DaeArrayCall *call, const char *what);

#endif
