/* Connections [MLS, chapter 9]: endpoints, members, sets. Sets are on the members of
 * connectors (scalar or array variables), one for the inside and one for the outside face of
 * each; union-find joins them. */
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
  GArray *connections;    /* DaeLink: pairs of connectors */
  struct DaeGraph *graph; /* of overconstrained connections: graph.c */
};

/* Two connectors that a connect joins, after arrays are taken apart. */
typedef struct {
  DaeEndpoint a, b;
  uint32_t pos;
} DaeLink;

/* The connectors that the reference at pc means, with values for the iterators. False:
 * reported, or not there (is_absent). */
bool dae_connect_resolve(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                         GArray *endpoints, bool *is_absent);
uint32_t dae_connect_member(DaeLang *lang, DaeComponent *component, uint32_t name,
                            bool is_outside, bool is_element, uint32_t pos);
uint32_t dae_connect_find_set(struct DaeConnect *connect, uint32_t i);
void dae_connect_join(DaeLang *lang, DaeComponent *a, uint32_t a_name, bool a_outside,
                      DaeComponent *b, uint32_t b_name, bool b_outside, uint32_t pos);

void dae_connect_emit(DaeLang *lang, const DaeMember *member, uint32_t pos);

static inline DaeMember *
dae_connect_at(const struct DaeConnect *connect, uint32_t i)
{
  return &g_array_index(connect->members, DaeMember, i);
}

/* ---- stream.c ---- */
void dae_stream_declare(DaeLang *lang); /* the variables of inStream; no section is open */
/* The equations of a set of stream variables, into the section that is open. */
void dae_stream_write(DaeLang *lang, const uint32_t *members, uint32_t n);

/* ---- ledger.c ---- */
/* The number in `instances` of a component: a new one for a model or block,
 * otherwise that of what it is in. */
uint32_t dae_ledger_instance(DaeLang *lang, DaeNode *node, uint32_t around);
/* A variable that connects or equations around its component may speak of. */
void dae_ledger_add_face(DaeLang *lang, const DaeComponent *component, bool in_connector);
void dae_ledger_count_connections(DaeLang *lang); /* once all faces are there */

/* ---- graph.c ---- */
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

#endif
