// A chain of masses on rods.
// Physics: N point masses are joined by massless rods, the first rod to a fixed point; the chain falls from the horizontal.
//          Each rod pulls at its two masses with a force along its own direction.
//          The forces are whatever keeps all rods at their length.
// Interesting: index 3 at any size: N constraints on positions, N on velocities, N on forces (--set N=100);
//              the cost of analysis and of a step grows with N and not faster.
// Source: the pendulum of pendulum.mo, repeated.
model Chain "A chain of masses on rods, one end fixed: index 3, as many constraints as masses"
  parameter Integer N = 10 "number of masses";
  parameter Real m = 1/N "mass of each";
  parameter Real L = 1/N "length of each rod";
  parameter Real g = 9.81 "gravity";
  Real x[N](start = {i*L for i in 1:N}), y[N](each start = 0) "positions";
  Real u[N](each start = 0), v[N](each start = 0) "velocities";
  Real lambda[N](each start = 0) "rod forces per length";
equation
  for i in 1:N loop
    der(x[i]) = u[i];
    der(y[i]) = v[i];
  end for;
  // the rod above pulls, the rod below pulls back
  for i in 1:N-1 loop
    m*der(u[i]) = -(if i > 1 then x[i] - x[max(i - 1, 1)] else x[i])*lambda[i] + (x[i + 1] - x[i])*lambda[i + 1];
    m*der(v[i]) = -(if i > 1 then y[i] - y[max(i - 1, 1)] else y[i])*lambda[i] + (y[i + 1] - y[i])*lambda[i + 1] - m*g;
  end for;
  m*der(u[N]) = -(x[N] - x[N - 1])*lambda[N];
  m*der(v[N]) = -(y[N] - y[N - 1])*lambda[N] - m*g;
  x[1]^2 + y[1]^2 = L^2;
  for i in 2:N loop
    (x[i] - x[i - 1])^2 + (y[i] - y[i - 1])^2 = L^2;
  end for;
initial equation
  // as many as there are degrees of freedom: two for each mass
  for i in 1:N loop
    y[i] = 0;
    v[i] = 0;
  end for;
  annotation(experiment(StartTime = 0, StopTime = 2, Tolerance = 1e-7));
end Chain;
