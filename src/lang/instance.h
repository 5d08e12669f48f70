/* Inside instantiation [MLS, chapters 4 to 7].
 *
 * A DaeNode is a class under modifiers: a package, a type, a function, or what a component is
 * made of. It is expanded (its elements found, base classes and redeclarations applied) when
 * somebody looks into it. A base class of a node has a node of its own, so that names written
 * in the base class are looked up there; the elements are shared objects, so that a
 * redeclaration in the derived class is seen from the base class too.
 *
 *   node->whole     the node that is not a base class of another; itself for most
 *   node->scope     where names are looked up that the node does not have:
 *                   the node of the enclosing class
 *   element->home   the node in whose text the element is written: the scope of
 *                   its type name and expressions
 *
 * A modifier (DaeMod) is a closure: code and the node in whose scope it was written. Modifiers
 * are immutable and merged outer over inner.
 *
 * A component element gets its DaeComponent (type, dimensions, one node for each array
 * element) when it is first asked for. Flattening walks the component tree from the root;
 * everything is asked for by then.
 *
 * Connections: connect.c runs the sections of each node for CONNECT and the calls of
 * Connections.*, resolves both sides to component + subscripts (DaeReference), and collects
 * DaeConnection; sets and equations are made after the walk. */
#ifndef DAE_LANG_INSTANCE_H
#define DAE_LANG_INSTANCE_H

#include "base/arena.h"
#include "base/suggest.h"
#include "lang/lang.h"

#define DAE_MAX_NESTING 400u /* classes in classes, components in components, calls in calls */
#define DAE_MAX_ARRAY (1u << 22) /* elements of one array that is evaluated or expanded here */
#define DAE_MAX_STEPS (1u << 24) /* statements that the interpreter executes */

typedef struct DaeNode DaeNode;
typedef struct DaeElement DaeElement;
typedef struct DaeComponent DaeComponent;
typedef struct DaeMod DaeMod;
typedef struct DaeLang DaeLang;

typedef enum {
  DAE_BUILTIN_NONE,
  DAE_BUILTIN_REAL,
  DAE_BUILTIN_INTEGER,
  DAE_BUILTIN_BOOLEAN,
  DAE_BUILTIN_STRING,
  DAE_BUILTIN_ENUMERATION,
  DAE_BUILTIN_CLOCK,
  DAE_BUILTIN_EXTERNAL /* ExternalObject */
} DaeBuiltin;

/* a modifier distributed over an array or a record: the part it is for */
typedef struct DaeSubscript {
  uint32_t index; /* from 1; 0: the member */
  uint32_t member;
  const struct DaeSubscript *outer; /* applied before */
} DaeSubscript;

typedef struct {                  /* a value that several variables take their parts of */
  const DaeSubscript *subscripts; /* of the value itself */
  uint32_t code;                  /* in the flat syntax; 0: not yet */
} DaeShared;

typedef struct { /* an expression and where it is meant */
  uint32_t code; /* in the library's syntax; 0: none */
  uint32_t pos;
  DaeNode *scope;
  const DaeSubscript *subscripts;
  DaeShared *shared; /* NULL: it is of one variable */
} DaeClosure;

struct DaeMod {
  uint32_t name;
  uint32_t pos;
  DaeClosure value;
  bool is_each, is_final, is_break;
  bool is_spread;      /* it was distributed over an array: its `each` means something */
  bool is_weak;        /* its value comes after that of the record around it */
  bool is_class;       /* redeclared is a class, else a declaration */
  uint32_t redeclared; /* index in the syntax; 0: none */
  DaeNode *redeclared_scope;
  const DaeSubscript *part; /* redeclared in an array: which element of its values */
  const DaeMod *inner;      /* first of the modifiers inside */
  const DaeMod *under;      /* redeclared: what was said of the element before; NULL: nothing */
  const DaeMod *next;       /* of the same level */
};

typedef struct { /* type Axis = Real[3] */
  uint32_t code, n;
  DaeNode *scope;
} DaeDims;

struct DaeNode {
  uint32_t class; /* 0: builtin */
  DaeBuiltin builtin;
  uint32_t name; /* full name of a class; flat name of a component's node; 0: not made yet */
  DaeNode *scope, *whole;
  DaeNode *derived;                        /* of a base class: the class that extends it */
  uint32_t first_deselected, n_deselected; /* of its extends-clause, in modifications */
  const DaeMod *mod;                       /* what is modified from outside */
  DaeClosure value; /* of a record component: what it is bound to; code 0: nothing */
  /* filled by dae_node_expand */
  uint8_t state; /* 0 new, 1 under way, 2 done */
  bool is_broken;
  uint32_t flags;       /* prefixes that short classes add: INPUT, FLOW ... */
  GPtrArray *elements;  /* DaeElement, in order, inherited ones in the place of their clause */
  GHashTable *table;    /* name -> DaeElement */
  GPtrArray *bases;     /* DaeNode of each extends clause */
  GArray *dims;         /* DaeDims that the type adds; outermost first; NULL: none */
  DaeNode *enumeration; /* builtin ENUMERATION: the node that defines it */
  const DaeMod *attributes; /* builtin: start, unit ... */
  const char *folder;       /* packages stored as folders; NULL: no */
  GHashTable *files;        /* name -> path of what is not loaded yet; NULL: none */
  /* nodes of components */
  DaeComponent *component; /* NULL: a class */
  uint32_t depth;
  uint32_t flat;         /* functions, records: class in the flat syntax; 0: not yet */
  bool is_function;      /* names of its elements stay as they are written */
  bool is_record_type;   /* in classes: a record */
  DaeElement *inherited; /* class extends: what is extended */
  DaeElement *origin;    /* the class element it was made from */
};

typedef enum { DAE_ELEMENT_COMPONENT, DAE_ELEMENT_CLASS } DaeElementKind;

struct DaeElement {
  DaeElementKind kind;
  uint32_t name;
  uint32_t index; /* declaration or class in the library's syntax */
  uint32_t flags; /* prefixes, also of what was redeclared */
  DaeNode *home;
  DaeNode *owner;            /* the whole node that has it */
  const DaeMod *mod;         /* from outside */
  const DaeMod *constraint;  /* of what was replaced: modifiers of its constraining clause */
  DaeClosure given;          /* a value that was given to what it replaced; code 0: none */
  DaeElement *replaced;      /* what it was before; NULL: it is the original */
  uint32_t dims_declaration; /* redeclared without dimensions: the declaration that has them */
  const DaeSubscript *part;  /* redeclared in an array: of the values that it says itself */
  DaeNode *node;             /* class: its node without further modifiers */
  DaeComponent *component;
  DaeComponent *partial; /* while it is made */
  const char *folder;    /* a class stored as a folder */
  bool is_under_way, is_removed;
  bool is_checked; /* a function: against the constraint of what it replaces */
};

struct DaeComponent {
  DaeElement *element;
  DaeNode *parent;    /* whole node that it is a part of */
  DaeNode *type;      /* expanded; of the first array element, or of none (size 0) */
  uint32_t flat_name; /* with the names of all parents, without its own subscripts */
  uint32_t flags;     /* prefixes, with those of the parents that carry over */
  uint32_t n_dims;
  uint32_t *dims;
  uint32_t count;  /* elements; 1 for a scalar */
  DaeNode **nodes; /* count; builtin types: one, shared by all */
  /* all modifiers, outer over inner, with the binding in value of the head */
  const DaeMod *mod;
  DaeClosure binding;
  bool is_leaf; /* one variable: an array of builtin type, or one record */
  bool is_record;
  bool is_conditional;
  bool is_absent; /* its condition is false */
  bool is_broken;
  bool is_outer; /* stands for: */
  DaeComponent *inner;
  bool is_declared;
  /* Of a record as a class, for functions: its size depends on another member, and is written
   * as it stands in the class. */
  bool is_open;
  /* Members of expandable connectors [MLS, section 9.1.3]. */
  bool is_growing;     /* its size is what connects ask for */
  bool is_augmented;   /* not declared: made by a connect */
  bool is_used;        /* some connect names it */
  bool is_referenced;  /* some expression names it */
  bool is_potential;   /* nothing names it: not there */
  bool is_ready;       /* all of it is known; before, at most the first dimensions are */
  uint8_t value_state; /* of the interpreter: 0 new, 1 under way, 2 done */
  struct DaeEval *value;
};

/* ---- values of the interpreter (value.c) ----------------------------------------------------- */

typedef enum {
  DAE_EVAL_UNKNOWN, /* depends on what is not known now */
  DAE_EVAL_REAL,
  DAE_EVAL_INTEGER,
  DAE_EVAL_BOOLEAN,
  DAE_EVAL_STRING,
  DAE_EVAL_ENUMERATION,
  DAE_EVAL_RECORD,
  DAE_EVAL_TUPLE,
  DAE_EVAL_COLON,
  DAE_EVAL_HOLE,
  DAE_EVAL_TARGET,
  DAE_EVAL_FUNCTION
} DaeEvalType;

typedef struct DaeEval {
  DaeEvalType type;
  uint8_t n_dims;
  uint32_t name;  /* named argument, or 0 */
  uint32_t count; /* of data; scalars: 1 */
  uint32_t dims[8];

  union {
    double real;
    int64_t integer; /* also Boolean, enumeration */
    uint32_t string; /* name id */
  };

  DaeNode *node;              /* RECORD, ENUMERATION, FUNCTION: its type */
  const struct DaeEval *data; /* n_dims > 0: elements; RECORD, TUPLE: members */
} DaeEval;

/* ---- a reference that was resolved ----------------------------------------------------------- */

typedef struct {
  DaeComponent *component; /* NULL: a class */
  DaeElement *element;     /* class */
  /* the class's node, or the node of the component if it is a scalar */
  DaeNode *node;
  uint32_t name; /* flat name without the subscripts of the last part */
} DaeFound;

typedef struct { /* connect(a, b), as written */
  DaeNode *node; /* in whose text it stands */
  uint32_t pos;
  struct DaeEndpoint *a, *b;
} DaeConnection;

struct DaeLang {
  DaeLibrary *library;
  DaeSource *source;
  DaeNames *names;
  DaeSyntax *syntax;
  DaeArena *arena;
  const DaeFlattenOptions *options;
  DaeNode *root; /* the unnamed enclosing scope of all top classes */
  DaeNode *builtins[DAE_BUILTIN_EXTERNAL + 1];
  DaeComponent *model; /* the root of the component tree */
  GPtrArray *nodes;    /* all, for freeing their tables */
  DaeSyntax flat;
  GHashTable *flat_names; /* names of functions, records, constants that are there already */
  GPtrArray *classes;     /* DaeNode of functions and records to be written */
  GPtrArray *constants;   /* DaeComponent of package constants to be written */
  const DaeNode *outside; /* a function whose constant is being written; NULL: none */
  /* flat name -> code (--set): they count where structure depends on them */
  GHashTable *overrides;
  uint64_t steps;
  uint32_t calls; /* nesting of the interpreter */
  GString *text;
  GHashTable *checked_classes; /* numbers of classes: dae_check_restrictions */
  GHashTable *told;            /* names of classes that are not there, told once each */
  GHashTable *told_places; /* places of mistakes that each instance of a class would repeat */
  struct DaeConnect *connect;
};

DaeLang *dae_flat_lang(DaeFlat *flat);
/* format has one %s, for the name. */
void dae_error_once(DaeLang *lang, uint32_t pos, const char *format, uint32_t name)
    G_GNUC_PRINTF(3, 0);

/* ---- modifier.c ------------------------------------------------------------------------------ */
const DaeMod *dae_mod_list(DaeLang *lang, uint32_t first, uint32_t n, DaeNode *scope);
const DaeMod *dae_mod_merge(DaeLang *lang, const DaeMod *outer, const DaeMod *inner);
const DaeMod *dae_mod_find(const DaeMod *list, uint32_t name);
const DaeMod *dae_mod_index(DaeLang *lang, const DaeMod *list, uint32_t index);
/* The same, one subscript after the other; NULL: the list itself. */
const DaeMod *dae_mod_part(DaeLang *lang, const DaeMod *list, const DaeSubscript *part);
const DaeMod *dae_mod_without_each(DaeLang *lang, const DaeMod *list, bool is_first);
/* What the declaration of a component says itself. */
const DaeMod *dae_element_own_mods(DaeLang *lang, const DaeElement *element);
/* Does it or one inside give a value, a class or a component? */
bool dae_mod_says(const DaeMod *mod);
DaeClosure dae_closure_index(DaeLang *lang, DaeClosure closure, uint32_t index);
/* The same list with values that are weak. */
const DaeMod *dae_mod_weaken(DaeLang *lang, const DaeMod *list);
DaeClosure dae_closure_member(DaeLang *lang, DaeClosure closure, uint32_t name);
/* outer's entry for one element: its value, redeclaration and inner list. */
const DaeMod *dae_mod_combine(DaeLang *lang, const DaeMod *outer, const DaeMod *inner);

/* ---- rules.c: what may be named, modified, replaced ------------------------------------------ */
/* outer modifies what inner says is final: an error. */
void dae_check_not_final(DaeLang *lang, const DaeMod *outer, const DaeMod *inner);
/* Two redeclarations of one element, both by modifiers, where the inner one is for good. */
void dae_warn_redeclared_again(DaeLang *lang, const DaeMod *outer, const DaeMod *inner);
/* Modifiers of a component: of elements that are there, not protected, `each` in arrays only.
 * Those of constraining clauses are not checked. False: reported. */
bool dae_check_modifiers(DaeLang *lang, DaeComponent *component);
/* Modifiers of an extends clause or of a short class are of elements of the base class. */
bool dae_check_class_modifiers(DaeLang *lang, DaeNode *base, const DaeMod *list);
/* Values for an array of components have its size unless they are `each`. False: reported. */
bool dae_check_distribution(DaeLang *lang, const DaeComponent *component);
/* An element that is inherited twice is the same both times [MLS, section 7.1]. */
void dae_check_same(DaeLang *lang, const DaeElement *first, const DaeElement *second,
                    uint32_t pos);
/* same_class.c: are the texts of the two classes the same, word by word? */
bool dae_is_same_class(DaeLang *lang, uint32_t first, uint32_t second);
/* A connector is no parameter, what is input is not output, too. False: reported. */
bool dae_check_prefixes(DaeLang *lang, const DaeComponent *component);
/* Outer declarations have no modifiers, and the inner one fits them [MLS, section 5.4]. */
bool dae_check_outer(DaeLang *lang, const DaeComponent *component);

/* ---- access.c: what names may reach ---------------------------------------------------------- */
/* a.x with a component a: x is not protected [MLS, section 4.1]. False: reported. */
bool dae_check_public(DaeLang *lang, const DaeElement *element, uint32_t pos);
/* A.x with a class A: nor is it there, unless the scope is inside of A. */
bool dae_check_visible(DaeLang *lang, const DaeNode *scope, const DaeElement *element,
                       uint32_t pos);
/* A name that is found in an enclosing class means a constant [MLS, section 5.3.1]. False:
 * reported. */
bool dae_check_enclosing(DaeLang *lang, const DaeElement *element, const DaeNode *scope,
                         const DaeNode *where, uint32_t pos);
/* What is imported is of a package, and public [MLS, section 13.2.1]. owner NULL: the top;
 * element NULL: all of them. False: reported. */
bool dae_check_import(DaeLang *lang, const DaeNode *scope, const DaeElement *owner,
                      const DaeElement *element, uint32_t pos);
/* T.x with an outer T: its own type has x, whatever the inner one has [MLS, section 5.4]. False:
 * reported. */
bool dae_check_outer_member(DaeLang *lang, const DaeElement *outer, uint32_t name,
                            uint32_t pos);
/* The reference at pc leads to the node of a component: no connector or model is a value. False:
 * reported. */
bool dae_check_value(DaeLang *lang, const DaeNode *node, uint32_t pc);
/* section_rules.c: when-clauses and ranges of for-equations. */
bool dae_check_section(DaeLang *lang, DaeNode *node, const DaeSection *section);
/* Expressions do not name what is there under a condition only [MLS, section 4.4.5]; libraries do,
 * where the condition holds. */
void dae_warn_conditional(DaeLang *lang, const DaeComponent *component, uint32_t pos);
/* a.f() with a scalar a [MLS, section 5.3.2]. False: reported. */
/* Nor is a.'+'() one. False: reported. */
bool dae_check_no_operator(DaeLang *lang, const DaeElement *element, uint32_t pos);
bool dae_check_of_component(DaeLang *lang, const DaeComponent *component, uint32_t pos);
/* x[1] of Real x[E], dimension d [MLS, section 10.5]. False: reported. */
bool dae_check_number_subscript(DaeLang *lang, const DaeComponent *component, uint32_t d,
                                uint32_t pos);
/* class B = a.A with a component a [MLS, section 5.3.2]. False: reported. */
bool dae_check_no_component(DaeLang *lang, DaeNode *scope, uint32_t name, uint32_t pos);

/* ---- restrictions.c: what a class of its kind may contain ----------------------------------- */
void dae_check_restrictions(DaeLang *lang, uint32_t class);
/* May a class of its kind extend the other? False: reported. */
bool dae_check_base_kind(DaeLang *lang, uint32_t derived, const DaeNode *base, uint32_t pos);
/* What extends a type, an array or a class with prefixes has nothing else. */
void dae_check_base_alone(DaeLang *lang, const DaeNode *node);

/* ---- class_rules.c: the text of one class ---------------------------------------------------- */
void dae_check_class_rules(DaeLang *lang, uint32_t class);
void dae_check_external(const DaeText *text, uint32_t class);
void dae_check_operator(const DaeText *text, uint32_t class);
void dae_check_in_operator(const DaeText *text, uint32_t class);
/* Tuples and when-clauses of a section. */
void dae_check_statements(const DaeText *text, const DaeSection *section);

/* ---- node.c ---------------------------------------------------------------------------------- */
DaeNode *dae_node_new(DaeLang *lang, uint32_t class, DaeNode *scope, const DaeMod *mod);
/* False: broken, reported. */
bool dae_node_expand(DaeLang *lang, DaeNode *node);
uint32_t dae_node_name(DaeLang *lang, DaeNode *node); /* full name */
/* The class that the element stands for, under these modifiers in addition. NULL: reported. */
DaeNode *dae_element_node(DaeLang *lang, DaeElement *element, const DaeMod *mod);
/* Behind aliases: a short class without modifiers of its own is what
 * it stands for. NULL: reported. */
DaeElement *dae_element_resolve(DaeLang *lang, DaeElement *element);
/* inner_class.c: what an outer class stands for; every other class itself. */
DaeElement *dae_inner_class(DaeLang *lang, DaeElement *element);
DaeNode *dae_element_new_node(DaeLang *lang, DaeElement *element, const DaeMod *mod);
DaeElement *dae_node_element(DaeLang *lang, DaeNode *node, uint32_t name);
/* The modifiers of its own constrainedby; NULL: none. */
const DaeMod *dae_element_constraint_mods(DaeLang *lang, const DaeElement *element,
                                          bool *has_clause);
bool dae_node_is_kind(const DaeLang *lang, const DaeNode *node, DaeClassKind kind);

/* ---- deselect.c: break x, break connect(a, b) of extends-clauses ----------------------------- */
void dae_deselect(DaeLang *lang, DaeNode *base, const DaeExtends *clause);
/* Is the connect at pc, in the text of the node, one that a class derived from it leaves out? */
bool dae_is_deselected(DaeLang *lang, const DaeNode *node, uint32_t pc);
/* The same code, word by word; 0 is no code. (rules.c) */
bool dae_same_code(const DaeSyntax *syntax, uint32_t a, uint32_t b);
bool dae_same_range(const DaeSyntax *syntax, uint32_t a, uint32_t b, uint32_t n);

/* ---- library.c ------------------------------------------------------------------------------- */
void dae_library_add_prelude(DaeLibrary *library, const char *text);
bool dae_library_is_predefined(const DaeLibrary *library, uint32_t class); /* of that text */
/* Parses the file or folder and gives the index of its class; 0: none. */
uint32_t dae_library_load(DaeLibrary *library, const char *path, const char **folder);
/* The names of all top classes: of the text, of files that are read, of the libraries. */
void dae_library_suggest_top(DaeLibrary *library, DaeSuggest *suggest);
uint32_t dae_library_load_top(DaeLibrary *library, const char *name, const char **folder);
/* The class Modelica of stand_in.h; 0: a library has it, or nobody asked for it. */
uint32_t dae_library_stand_in(const DaeLibrary *library);

/* Lists of what a class has, by its index: first and next, 0: no more. */
typedef enum {
  DAE_LIST_CLASSES,
  DAE_LIST_DECLARATIONS,
  DAE_LIST_EXTENDS,
  DAE_LIST_IMPORTS,
  DAE_LIST_SECTIONS
} DaeList;

uint32_t dae_library_first(DaeLibrary *library, uint32_t class, DaeList list);
uint32_t dae_library_next(DaeLibrary *library, uint32_t index, DaeList list);

/* ---- lookup.c -------------------------------------------------------------------------------- */
/* The name of an import that failed and was reported. */
bool dae_lookup_is_told(const DaeLang *lang, uint32_t name);
/* A name that is there, but outside of an encapsulated class: an error, and true. */
bool dae_lookup_report_closed(DaeLang *lang, const DaeNode *scope, uint32_t name, uint32_t pos);
/* The element that the first part of a name means in the scope; NULL: none. */
/* Imports of the class that name nothing are errors, used or not. Those that a use has
 * told already are not told again. */
void dae_lookup_check_imports(DaeLang *lang, uint32_t class_number);
DaeElement *dae_lookup_simple(DaeLang *lang, DaeNode *scope, uint32_t name, DaeNode **where);
DaeNode *dae_lookup_builtin(DaeLang *lang, uint32_t name);
DaeElement *dae_lookup_class_element(DaeLang *lang, DaeNode *scope, uint32_t name,
                                     uint32_t pos);
/* Splits at dots outside quotes; *rest is 0 at the end. */
uint32_t dae_name_split(DaeLang *lang, uint32_t name, uint32_t *rest);
/* a[1,2] -> a with *n literal subscripts (at most 8), as the parser folds them into names. */
uint32_t dae_name_bare(DaeLang *lang, uint32_t part, uint32_t *subscripts, uint32_t *n);
uint32_t dae_name_join(DaeLang *lang, uint32_t a, uint32_t b);
uint32_t dae_name_intern(DaeLang *lang, const char *text);
uint32_t dae_name_format(DaeLang *lang, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* ---- component.c ----------------------------------------------------------------------------- */
/* NULL: broken, reported. */
DaeComponent *dae_component_of(DaeLang *lang, DaeElement *element);
/* The component that a simple name stands for in the class of the element: of an outer one its
 * inner, also where the element is both [MLS, section 5.4]. */
DaeComponent *dae_component_meant(DaeLang *lang, DaeElement *element);
/* A new member of an expandable connector, like element k of the source, with these sizes. NULL:
 * reported. */
DaeComponent *dae_component_augment(DaeLang *lang, DaeNode *bus, uint32_t name,
                                    const DaeComponent *source, uint32_t k, uint32_t n_dims,
                                    const uint32_t *dims, uint32_t pos);
/* At least these sizes; true: it has grown. */
bool dae_component_grow(DaeLang *lang, DaeComponent *component, const uint32_t *dims);
/* What a node of a component is made of: the class of the declaration. NULL: reported. */
DaeNode *dae_component_new_node(DaeLang *lang, DaeComponent *component, const DaeMod *mod,
                                uint32_t name);
const DaeMod *dae_component_modifiers(DaeLang *lang, const DaeComponent *component, uint32_t k);
uint32_t dae_component_element_name(DaeLang *lang, const DaeComponent *component, uint32_t k);
void dae_node_make_flat_name(DaeLang *lang, DaeNode *node);

/* ---- constraint.c ---------------------------------------------------------------------------- */
/* Was it redeclared, or does it say by what it is constrained? */
bool dae_has_constraint(const DaeLang *lang, const DaeElement *element);
/* Has the type of such an element all that its constraining type has, and that all of what it
 * replaces? False: reported. */
bool dae_check_constraint(DaeLang *lang, const DaeElement *element, DaeNode *type);
/* May the element be redeclared, by the declaration or class `index` of `home`? */
void dae_check_replaceable(DaeLang *lang, const DaeElement *element, uint32_t index,
                           DaeNode *home, uint32_t pos);
/* Redeclared in a class text, by the declaration or class `index`: public or protected as it was.
 */
void dae_check_visibility_kept(DaeLang *lang, const DaeElement *element, uint32_t index,
                               uint32_t pos);
/* A function that is called: not a protected one of a component, and if it was redeclared it
 * has the arguments and results of what it replaces. */
/* The class of a component as it is declared, without what modifies it. NULL: told elsewhere. */
DaeNode *dae_element_class(DaeLang *lang, const DaeElement *element);
/* Two classes, or two components of one predefined type or of none. */
bool dae_same_builtin(DaeLang *lang, const DaeElement *a, const DaeElement *b);
void dae_check_called(DaeLang *lang, DaeNode *scope, DaeElement *element, uint32_t name,
                      uint32_t pos);

/* ---- evaluate.c ------------------------------------------------------------------------------ */
DaeEval dae_evaluate(DaeLang *lang, const DaeClosure *closure);
DaeEval dae_evaluate_code(DaeLang *lang, DaeNode *scope, uint32_t code);
/* Code that leaves n values; UNKNOWN ones where they are. */
void dae_evaluate_list(DaeLang *lang, DaeNode *scope, uint32_t code, DaeEval *values,
                       uint32_t n);
/* The value of a whole component; UNKNOWN (with its sizes) if it has none before the simulation. */
DaeEval dae_evaluate_component(DaeLang *lang, DaeComponent *component);

/* With values for the iterators of loops around the code. */
typedef struct {
  uint32_t name;
  DaeEval value;
} DaeLocal;

DaeEval dae_evaluate_with(DaeLang *lang, DaeNode *scope, uint32_t code, const DaeLocal *locals,
                          uint32_t n_locals);
DaeEval dae_evaluate_call(DaeLang *lang, DaeNode *scope, uint32_t name,
                          const DaeEval *arguments, uint32_t n); /* evaluate_call.c */

/* Inside the interpreter. */
typedef struct {
  DaeLang *lang;
  DaeNode *scope;
  GArray *stack;  /* DaeEval */
  GArray *locals; /* DaeLocal */
  GArray *loops;
  GArray *ends;    /* uint32_t: ENDIF of if-expressions with an unknown condition */
  DaeNode *record; /* is constructed: members without a local are made when needed; or NULL */
  bool failed;
} DaeInterpreter;

void dae_interpreter_init(DaeInterpreter *interpreter, DaeLang *lang, DaeNode *scope);
/* eval_native.c: UNKNOWN: it is no external function with a value at translation. */
DaeEval dae_eval_native(const DaeInterpreter *interpreter, const DaeNode *node);
void dae_interpreter_clear(DaeInterpreter *interpreter);
bool dae_interpreter_run(DaeInterpreter *interpreter, uint32_t code); /* to its RETURN */
bool dae_interpreter_run_to(DaeInterpreter *interpreter, uint32_t code, uint32_t end);
/* The value with which a local variable of the function begins. */
DaeEval dae_interpreter_begin_local(DaeInterpreter *interpreter, DaeElement *element);
DaeEval dae_eval_member(DaeLang *lang, const DaeEval *value, uint32_t name);
void dae_interpreter_assign(DaeInterpreter *interpreter, const DaeEval *target, DaeEval value);
DaeEval dae_interpreter_load(DaeInterpreter *interpreter, const uint32_t *path,
                             const DaeEval *subscripts);
/* `end` as dimension n (from 1) of what has the name, that of its last part. */
DaeEval dae_interpreter_last(DaeInterpreter *interpreter, uint32_t name, uint32_t dimension);

/* ---- translate.c ----------------------------------------------------------------------------- */
typedef struct {
  uint32_t name, n; /* with n subscripts */
} DaePart;

typedef struct {
  DaeLang *lang;
  DaeNode *scope;
  uint32_t code;        /* where it begins in the library's syntax */
  GArray *map;          /* uint32_t: new place of each old instruction */
  GArray *jumps;        /* DaeJump */
  GArray *iterators;    /* uint32_t: names of the loops that are open */
  GArray *knowns;       /* DaeLocal: iterators that have one value here */
  GHashTable *connects; /* begin of a connection -> what is behind it */
} DaeTranslator;

/* Copies code into the flat syntax with all names resolved; returns its index there. */
uint32_t dae_translate(DaeLang *lang, DaeNode *scope, uint32_t code);
uint32_t dae_translate_closure(DaeLang *lang, const DaeClosure *closure);
void dae_translate_range(DaeTranslator *translator, uint32_t begin, uint32_t end);
void dae_translate_truncate(DaeTranslator *translator, uint32_t length);
uint32_t dae_translate_place(const DaeTranslator *translator, uint32_t pc);
DaeEval dae_evaluate_range(DaeTranslator *translator, uint32_t begin, uint32_t end);

/* ---- reference.c ----------------------------------------------------------------------------- */
/* The reference at pc (NAME, ELEMENT, PATH, TARGET) with its subscripts already
 * emitted from `first_new` on. */
bool dae_translate_reference(DaeTranslator *translator, uint32_t pc, uint32_t first_new);
/* nothing.c: the names behind an array of no components, as code; dims: those of the array, empty:
 * they are not all known. */
void dae_emit_nothing(DaeLang *lang, DaeComponent *component, const uint32_t *names, guint n,
                      GArray *dims, uint32_t pos);
/* The variable that the TARGET at pc assigns, without subscripts. False: nothing was emitted,
 * an element of an array of components is assigned. */
bool dae_translate_whole_target(DaeTranslator *translator, uint32_t pc);

typedef enum { DAE_STREAM_NONE, DAE_STREAM_IN, DAE_STREAM_ACTUAL } DaeStreamUse;

/* The call of inStream or actualStream at pc; its argument was emitted from
 * `first_new` on. False: another call. */
bool dae_translate_stream(DaeTranslator *translator, uint32_t pc, uint32_t first_new);

/* ---- stream.c -------------------------------------------------------------------------------- */
/* The connector of a stream variable, also of a member of a record in it. */
const DaeNode *dae_stream_connector(const DaeComponent *stream);
/* The flow of the connector that the stream variable belongs to; NULL: it is none. */
DaeComponent *dae_stream_flow(DaeLang *lang, const DaeComponent *stream);
/* Name of the variable for inStream(v), beside v. */
uint32_t dae_stream_inside_name(DaeLang *lang, const DaeComponent *stream);

/* ---- declare.c, function.c: what the flat model consists of ---------------------------------- */
void dae_declare(DaeLang *lang, DaeComponent *component);
/* Sees to it that the function, record, enumeration is in the flat syntax; its name there. */
uint32_t dae_use_class(DaeLang *lang, DaeNode *node);
void dae_use_constant(DaeLang *lang, DaeComponent *component);
void dae_write_pending(DaeLang *lang);
/* Modifiers as a list in the flat syntax. */
void dae_write_modifiers(DaeLang *lang, const DaeMod *list, uint32_t *first, uint32_t *n);
uint32_t dae_write_dimensions(DaeLang *lang, const DaeComponent *component, uint32_t pos);
void dae_write_function(DaeLang *lang, DaeNode *node);
void dae_write_record(DaeLang *lang, DaeNode *node);
uint32_t dae_use_record(DaeLang *lang, DaeComponent *component);
void dae_use_operators(DaeLang *lang, DaeNode *node); /* of an operator record */
uint32_t dae_type_name(DaeLang *lang, DaeComponent *component);
uint32_t dae_write_attributes(DaeLang *lang, const DaeComponent *component, uint32_t *first);

/* ---- connect*.c ------------------------------------------------------------------------------ */
/* cardinality, Connections.isRoot ...: translated here; false: an ordinary call.
 * The arguments begin at `begin`. */
bool dae_connect_call(DaeTranslator *translator, uint32_t pc, uint32_t begin);
void dae_connect_init(DaeLang *lang);
void dae_connect_clear(DaeLang *lang);
/* Runs the connect statements of one section of the node. */
void dae_connect_section(DaeLang *lang, DaeNode *node, uint32_t code);
/* After the walk: the equations of all connection sets, as a section of the model. */
void dae_connect_write(DaeLang *lang);
/* Connects stand in equations only: the first of an algorithm or an initial section is told. */
void dae_connect_refuse_section(DaeLang *lang, const DaeSection *section);
bool dae_connect_has(const DaeLang *lang, uint32_t code);
bool dae_node_is_connector(const DaeLang *lang, const DaeNode *node);
bool dae_node_is_expandable(const DaeLang *lang, const DaeNode *node);
/* An expression names a member of an expandable connector. */
void dae_bus_reference(DaeLang *lang, DaeComponent *component);

/* ---- eval_value.c ---------------------------------------------------------------------------- */
/* UNKNOWN values may still have a known size: then n_dims > 0 with data of
 * UNKNOWN scalars, or count 1. */
bool dae_eval_has_size(const DaeEval *value);
DaeEval dae_eval_unknown_array(DaeLang *lang, uint32_t n_dims, const uint32_t *dims);
/* Unknown values of the same sizes. */
DaeEval dae_eval_shape(DaeLang *lang, const DaeEval *value);
DaeEval dae_eval_real(double real);
DaeEval dae_eval_integer(int64_t integer);
DaeEval dae_eval_boolean(bool boolean);
DaeEval dae_eval_string(uint32_t name);
/* Scalars of an array, or the value itself. */
const DaeEval *dae_eval_element(const DaeEval *value, uint32_t i);
bool dae_eval_number(const DaeEval *value, double *number);
DaeEval dae_eval_array(DaeLang *lang, const DaeEval *elements, uint32_t n); /* {a, b, c} */
DaeEval dae_eval_new_array(DaeLang *lang, uint32_t n_dims, const uint32_t *dims,
                           DaeEval **elements); /* to be filled; UNKNOWN: too large */
DaeEval dae_eval_cat(DaeLang *lang, uint32_t dimension, const DaeEval *arrays, uint32_t n);
DaeEval dae_eval_subscript(DaeLang *lang, const DaeEval *array, const DaeEval *subscripts,
                           uint32_t n);
DaeEval dae_eval_unary(DaeLang *lang, DaeOp op, const DaeEval *a);
DaeEval dae_eval_binary(DaeLang *lang, DaeOp op, const DaeEval *a, const DaeEval *b);
DaeEval dae_eval_range(DaeLang *lang, const DaeEval *parts, uint32_t n);

/* ---- eval_call.c ----------------------------------------------------------------------------- */
/* A builtin function; false: there is none of this name. */
bool dae_eval_builtin(DaeLang *lang, const char *name, const DaeEval *arguments, uint32_t n,
                      DaeEval *result);
/* Those of vectors and matrices (eval_matrix.c). */
bool dae_eval_matrix(DaeLang *lang, const char *name, const DaeEval *arguments, uint32_t n,
                     DaeEval *result);
/* The sum of the arrays that the first `outer` dimensions count. */
DaeEval dae_eval_sum_arrays(DaeLang *lang, const DaeEval *array, uint32_t outer);

#endif
