/* Connections [MLS, chapter 9]: endpoints, members, sets. Sets are on the members of connectors
 * (scalar or array variables), one for the inside and one for the outside face of each;
 * union-find joins them. */
#ifndef DAE_LANG_CONNECT_H
#define DAE_LANG_CONNECT_H

#include "lang/instance.h"

typedef struct { /* one connector of a connect: an array gives several */
  DaeComponent *component;
  DaeNode *node; /* of a connector with members; NULL: a variable (RealInput, ComplexInput) */
  uint32_t name; /* flat name with all subscripts */
  bool is_outside;
  bool is_element; /* a scalar of an array variable */
} DaeEndpoint;

typedef struct {
  uint32_t name; /* flat name of the variable, with the subscripts of connector arrays */
  uint32_t pos;  /* of a connect, or of the declaration */
  DaeComponent *component;
  bool is_outside;
  bool is_element; /* component is an array, this is one scalar of it */
  uint32_t parent; /* union-find */
} DaeMember;

struct DaeConnect {
  GArray *members;        /* DaeMember */
  GHashTable *index;      /* 2 * name + is_outside -> index in members */
  GHashTable *counts;     /* name of a connector -> number of connects it is in (cardinality) */
  struct DaeGraph *graph; /* of overconstrained connections: graph.c */
  struct DaeBuses *buses; /* expandable connectors: bus.c */
};

/* Two connectors that a connect joins, after arrays are taken apart. */
typedef struct {
  DaeEndpoint a, b;
  uint32_t pos;
} DaeLink;

typedef struct {     /* one side of a connect */
  GArray *endpoints; /* DaeEndpoint */
  bool is_absent;    /* a conditional component that is not there: the connect is dropped */
  uint32_t n_dims;   /* of the reference: 0 for one connector */
  uint32_t dims[8];
  DaeNode *bus; /* the expandable connector that does not have `missing`; NULL: all is there */
  uint32_t missing; /* the name */
  uint32_t n_subscripts;
  uint32_t subscripts[8];
  bool is_last;     /* nothing follows the missing name */
  bool takes_parts; /* members of connectors are meant too: Connections.root(frame.R) */
  uint32_t outside; /* what is to be said of a subscript that is outside; 0: none is */
  uint32_t outside_pos;
  DaeComponent *whole; /* all of a member whose size is what connects ask for; NULL: another */
} DaeSide;

void dae_side_init(DaeSide *side);
void dae_side_clear(DaeSide *side);
/* The connectors that the reference at pc means, with values for the iterators. False: reported,
 * or a member of an expandable connector is missing (side->bus). */
bool dae_connect_search(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                        DaeSide *side);
/* Reports a subscript that is outside. False: none is. */
bool dae_side_report(DaeLang *lang, const DaeSide *side);
/* The same where nothing may be missing. */
bool dae_connect_resolve(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                         GArray *endpoints, bool *is_absent);
uint32_t dae_connect_member(DaeLang *lang, DaeComponent *component, uint32_t name,
                            bool is_outside, bool is_element, uint32_t pos);
uint32_t dae_connect_find_set(struct DaeConnect *connect, uint32_t i);
void dae_connect_join(DaeLang *lang, DaeComponent *a, uint32_t a_name, bool a_outside,
                      DaeComponent *b, uint32_t b_name, bool b_outside, uint32_t pos);

/* Members of the two connectors into common sets. */
void dae_connect_join_endpoints(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b,
                                uint32_t pos);
/* Runs connect(...) at pc. False: a side has a member of an expandable connector that is not
 * there. */
bool dae_connect_run(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                     DaeSide *a, DaeSide *b);
void dae_connect_emit(DaeLang *lang, const DaeMember *member, uint32_t pos);

static inline DaeMember *
dae_connect_at(const struct DaeConnect *connect, uint32_t i)
{
  return &g_array_index(connect->members, DaeMember, i);
}

/* ---- bus.c, bus_signal.c: expandable connectors ---------------------------------------------- */
struct DaeBuses *dae_buses_new(void);
void dae_buses_free(struct DaeBuses *buses);
bool dae_node_is_expandable(const DaeLang *lang, const DaeNode *node);
void dae_bus_see(DaeLang *lang); /* there are expandable connectors */
void dae_bus_defer(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals);
void dae_bus_link(DaeLang *lang, const DaeLink *link);
/* After the first walk: all members that connects ask for, then the sets of what is connected. */
void dae_bus_elaborate(DaeLang *lang);
/* Potential members that expressions use are present in all connectors that are joined to
 * theirs. */
void dae_bus_spread(DaeLang *lang, bool declares);
bool dae_bus_is_potential(const DaeLang *lang, const DaeComponent *component);
/* A signal has one source; without any it is an input of the model. */
void dae_bus_check_signals(DaeLang *lang);
void dae_bus_enter_elements(DaeLang *lang); /* of arrays: into the sets */
void
dae_bus_write_defaults(DaeLang *lang); /* array elements that nothing is connected to are 0 */

/* ---- flatten.c ------------------------------------------------------------------------------- */
/* The flows and streams of a connector are members of sets, connected or not. */
void dae_connect_enter_flows(DaeLang *lang, DaeNode *node, bool is_outside, uint32_t depth);
void dae_write_component(DaeLang *lang, DaeComponent *component, uint32_t instance,
                         bool in_connector, uint32_t depth);

/* ---- stream.c -------------------------------------------------------------------------------- */
void dae_stream_declare(DaeLang *lang); /* the variables of inStream; no section is open */
/* The equations of a set of stream variables, into the section that is open. */
void dae_stream_write(DaeLang *lang, const uint32_t *members, uint32_t n);

/* ---- ledger.c -------------------------------------------------------------------------------- */
/* The number in `instances` of a component: a new one for a model or block, otherwise that of
 * what it is in. */
uint32_t dae_ledger_instance(DaeLang *lang, DaeNode *node, uint32_t around);
/* A variable that connects or equations around its component may speak of. */
void dae_ledger_add_face(DaeLang *lang, const DaeComponent *component, bool in_connector);
void dae_ledger_count_connections(DaeLang *lang); /* once all faces are there */

/* ---- graph.c --------------------------------------------------------------------------------- */
struct DaeGraph *dae_graph_new(void);
void dae_graph_free(struct DaeGraph *graph);
DaeNode *dae_graph_constraint(DaeLang *lang, const DaeComponent *component);
void dae_graph_connect(DaeLang *lang, const DaeEndpoint *a, const DaeEndpoint *b, uint32_t pos);
/* Connections.root, potentialRoot, branch at pc. */
void dae_graph_statement(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals);
void dae_graph_solve(DaeLang *lang); /* after all connects are known */
void dae_graph_write(DaeLang *lang); /* equations, into the section that is open */
uint32_t dae_graph_residues(DaeLang *lang, DaeNode *function);
bool dae_graph_is_root(const DaeLang *lang, uint32_t name);
bool dae_graph_is_rooted(const DaeLang *lang, uint32_t name);

/* As many flows as potentials [MLS, section 9.3.1] (connector_rules.c). */
void dae_check_connector(DaeLang *lang, const DaeNode *node);

#endif
