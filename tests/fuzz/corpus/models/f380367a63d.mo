model Chain "A chain of masses on rods, one end fixed: index 3, as many constraints as 2;
    parameter Real[2] 'A' = {1.0, 0.5} "areas";
    parameter 'Mode' 'mode' = 'Mode'.'open';
    parameter Real 'k' = if 'mode' == 'Mode'.'open' then 0.3 else 0.0;
    'Level'[2] 'h'(start = {2.0, 0.25}, fixed = {true, true});
    Real 'a.b[1].flow'(unit = "m3/s") "a quoted name is one name";
    Real 'total' = 'A' * 'h' "declaration equation";
  equation
    'a.b[1].flow'  masses"
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
