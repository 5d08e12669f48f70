// The same Jacobian with GiNaC, whose expressions are reference-counted
// trees with eager evaluation.
#include "chain.h"

#include <ginac/ginac.h>

#include <ctime>
#include <string>
#include <vector>

namespace {

enum Field { X, Y, U, V, F, DX, DY, DU, DV, N_FIELDS };

struct Point {
  std::vector<GiNaC::ex> fields;
};

double now() { return double(std::clock()) / CLOCKS_PER_SEC; }

// An equation and the symbols that occur in it, in a fixed order.
struct Equation {
  GiNaC::ex residual;
  std::vector<GiNaC::symbol> symbols;
};

GiNaC::symbol as_symbol(const GiNaC::ex &e) { return GiNaC::ex_to<GiNaC::symbol>(e); }

} // namespace

ChainResult chain_jacobian_peer(size_t n) {
  using GiNaC::ex;
  using GiNaC::pow;
  double start = now();
  GiNaC::symbol m("m"), L("L"), g("g");
  static const char *const names[] = {"x", "y", "u", "v", "f", "dx", "dy", "du", "dv"};
  std::vector<Point> points(n + 1);
  for (size_t i = 1; i <= n; i++) {
    for (int k = 0; k < N_FIELDS; k++) {
      points[i].fields.push_back(GiNaC::symbol(names[k] + std::to_string(i)));
    }
  }
  std::vector<Equation> equations;
  for (size_t i = 1; i <= n; i++) {
    const std::vector<ex> &p = points[i].fields;
    ex xp = i > 1 ? points[i - 1].fields[X] : ex(0);
    ex yp = i > 1 ? points[i - 1].fields[Y] : ex(0);
    ex force_x = 2 * p[F] * (p[X] - xp);
    ex force_y = 2 * p[F] * (p[Y] - yp);
    std::vector<GiNaC::symbol> sx{as_symbol(p[DU]), as_symbol(p[F]), as_symbol(p[X])};
    std::vector<GiNaC::symbol> sy{as_symbol(p[DV]), as_symbol(p[F]), as_symbol(p[Y])};
    std::vector<GiNaC::symbol> sl{as_symbol(p[X]), as_symbol(p[Y])};
    if (i > 1) {
      sx.push_back(as_symbol(xp));
      sy.push_back(as_symbol(yp));
      sl.push_back(as_symbol(xp));
      sl.push_back(as_symbol(yp));
    }
    if (i < n) {
      const std::vector<ex> &q = points[i + 1].fields;
      force_x -= 2 * q[F] * (q[X] - p[X]);
      force_y -= 2 * q[F] * (q[Y] - p[Y]);
      sx.push_back(as_symbol(q[F]));
      sx.push_back(as_symbol(q[X]));
      sy.push_back(as_symbol(q[F]));
      sy.push_back(as_symbol(q[Y]));
    }
    equations.push_back({p[DX] - p[U], {as_symbol(p[DX]), as_symbol(p[U])}});
    equations.push_back({p[DY] - p[V], {as_symbol(p[DY]), as_symbol(p[V])}});
    equations.push_back({m * p[DU] + force_x, sx});
    equations.push_back({m * p[DV] + force_y + m * g, sy});
    equations.push_back({pow(p[X] - xp, 2) + pow(p[Y] - yp, 2) - pow(L, 2), sl});
  }
  double built = now();
  // GiNaC has no list of the symbols of an expression at hand: it is given here for free.
  std::vector<ex> entries;
  for (const Equation &equation : equations) {
    for (const GiNaC::symbol &s : equation.symbols) {
      entries.push_back(equation.residual.diff(s));
    }
  }
  double done = now();
  return ChainResult{built - start, done - built, entries.size(), 0.0};
}
