// Fekete points: particles that repel each other on a sphere.
// Physics: twenty particles stay on the unit sphere and repel each other with a force of one over the distance.
//          Friction takes their energy; they come to rest where the product of all distances is largest.
//          Two multipliers per particle keep its position and its velocity on the sphere.
// Interesting: index 2 in the stabilized form, 160 unknowns, from arrays, sums and comprehensions;
//              the hidden constraints are proved, not only found.
// Source: test set for IVP solvers; Pardalos 1995.
model Fekete "Twenty particles on the unit sphere that repel each other: stabilized index 2 form"
  parameter Integer N = 20 "particles";
  parameter Real friction = 0.5;
  constant Real pi = 3.14159265358979324;
  // four rings of particles
  parameter Real a[N] = {if i <= 3 then 2*pi*i/3 + pi/13 else if i <= 10 then 2*pi*(i - 3)/7 + pi/29 else
    if i <= 16 then 2*pi*(i - 10)/6 + pi/7 else 2*pi*(i - 17)/4 + pi/17 for i in 1:N};
  parameter Real b[N] = {if i <= 3 then 3*pi/8 else if i <= 10 then pi/8 else
    if i <= 16 then -2*pi/15 else -3*pi/10 for i in 1:N};
  Real x[N](start = {cos(a[i])*cos(b[i]) for i in 1:N}) "positions";
  Real y[N](start = {sin(a[i])*cos(b[i]) for i in 1:N});
  Real z[N](start = {sin(b[i]) for i in 1:N});
  Real u[N](each start = 0), v[N](each start = 0), w[N](each start = 0) "velocities";
  Real lambda[N](each start = -5) "keeps the particles on the sphere";
  Real mu[N](each start = 0) "keeps the velocities tangential";
equation
  for i in 1:N loop
    der(x[i]) = u[i] + 2*mu[i]*x[i];
    der(y[i]) = v[i] + 2*mu[i]*y[i];
    der(z[i]) = w[i] + 2*mu[i]*z[i];
    der(u[i]) = sum(if j == i then 0 else (x[i] - x[j])/((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2) for j in 1:N) -
      friction*u[i] + 2*lambda[i]*x[i];
    der(v[i]) = sum(if j == i then 0 else (y[i] - y[j])/((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2) for j in 1:N) -
      friction*v[i] + 2*lambda[i]*y[i];
    der(w[i]) = sum(if j == i then 0 else (z[i] - z[j])/((x[i] - x[j])^2 + (y[i] - y[j])^2 + (z[i] - z[j])^2) for j in 1:N) -
      friction*w[i] + 2*lambda[i]*z[i];
    x[i]^2 + y[i]^2 + z[i]^2 = 1;
    2*(x[i]*u[i] + y[i]*v[i] + z[i]*w[i]) = 0;
  end for;
initial equation
  for i in 1:N loop
    x[i] = cos(a[i])*cos(b[i]);
    y[i] = sin(a[i])*cos(b[i]);
    u[i] = 0;
    v[i] = 0;
  end for;
  annotation(experiment(StartTime = 0, StopTime = 1000, Tolerance = 1e-6));
end Fekete;
