/* Connections [MLS, chapter 9]: endpoints, members, sets. Sets are on the members of connectors (scalar or array
 * variables), one for the inside and one for the outside face of each; union-find joins them. */
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
  GArray *members;     /* DaeMember */
  GHashTable *index;   /* 2 * name + is_outside -> index in members */
  GHashTable *counts;  /* name of a connector -> number of connects it is in (cardinality) */
  GArray *connections; /* DaeLink: pairs of connectors, for the overconstrained graph */
};

/* Two connectors that a connect joins, after arrays are taken apart. */
typedef struct {
  DaeEndpoint a, b;
  uint32_t pos;
} DaeLink;

/* The connectors that the reference at pc means, with values for the iterators. False: reported, or not there
 * (is_absent). */
bool dae_connect_resolve(DaeLang *lang, DaeNode *scope, uint32_t pc, const GArray *locals,
                         GArray *endpoints, bool *is_absent);
uint32_t dae_connect_member(DaeLang *lang, DaeComponent *component, uint32_t name,
                            bool is_outside, bool is_element, uint32_t pos);
uint32_t dae_connect_find_set(struct DaeConnect *connect, uint32_t i);

#endif
