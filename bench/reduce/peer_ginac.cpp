// The hidden constraints of the chain of N masses with GiNaC, by hand: differentiate each rod
// twice, put in the accelerations, expand. What daetool's reduce does for this model after it
// has found out that this is what to do.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <ginac/ginac.h>

using GiNaC::ex;
using GiNaC::pow;
using GiNaC::symbol;

namespace
{

struct Chain {
  std::vector<symbol> x, y, u, v, l;
  symbol m{"m"}, g{"g"}, L{"L"};
  std::vector<ex> au, av;
};

Chain
make_chain(unsigned n)
{
  Chain c;
  for (unsigned i = 0; i < n; i++) {
    std::string k = std::to_string(i + 1);
    c.x.emplace_back("x" + k);
    c.y.emplace_back("y" + k);
    c.u.emplace_back("u" + k);
    c.v.emplace_back("v" + k);
    c.l.emplace_back("l" + k);
  }
  for (unsigned i = 0; i < n; i++) {
    ex dx = i > 0 ? ex(c.x[i] - c.x[i - 1]) : ex(c.x[i]);
    ex dy = i > 0 ? ex(c.y[i] - c.y[i - 1]) : ex(c.y[i]);
    ex fx = -dx * c.l[i];
    ex fy = -dy * c.l[i] - c.m * c.g;
    if (i + 1 < n) {
      fx += (c.x[i + 1] - c.x[i]) * c.l[i + 1];
      fy += (c.y[i + 1] - c.y[i]) * c.l[i + 1];
    }
    c.au.push_back(fx / c.m);
    c.av.push_back(fy / c.m);
  }
  return c;
}

// d/dt along positions and velocities; the symbols that can occur are given by rod and neighbour.
ex
total(const Chain &c, const ex &e, unsigned i)
{
  ex sum = 0;
  for (unsigned k = i > 0 ? i - 1 : 0; k <= i; k++) {
    sum += e.diff(c.x[k]) * c.u[k] + e.diff(c.y[k]) * c.v[k];
    sum += e.diff(c.u[k]) * c.au[k] + e.diff(c.v[k]) * c.av[k];
  }
  return sum;
}

} // namespace

int
main(int argc, char **argv)
{
  std::printf("%-24s %9s %9s\n", "GiNaC", "terms out", "seconds");
  for (int a = 1; a < argc; a++) {
    unsigned n = static_cast<unsigned>(std::strtoul(argv[a], nullptr, 10));
    std::clock_t begin = std::clock();
    Chain c = make_chain(n);
    size_t terms = 0;
    for (unsigned i = 0; i < n; i++) {
      ex dx = i > 0 ? ex(c.x[i] - c.x[i - 1]) : ex(c.x[i]);
      ex dy = i > 0 ? ex(c.y[i] - c.y[i - 1]) : ex(c.y[i]);
      ex h0 = pow(dx, 2) + pow(dy, 2) - pow(c.L, 2);
      ex h1 = total(c, h0, i).expand();
      ex h2 = total(c, h1, i).normal().numer().expand();
      terms += h0.expand().nops() + h1.nops() + h2.nops();
    }
    double s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("chain %-18u %9zu %9.3f\n", n, terms, s);
  }
  return 0;
}
