within Small;
package Planar "Bars in the plane; a direction is the cosine and the sine of an angle"
  record Direction "overdetermined: two numbers for one angle"
    Real c;
    Real s;
    function equalityConstraint
      input Direction a;
      input Direction b;
      output Real residue[1];
    algorithm
      residue[1] := a.c*b.s - a.s*b.c;
    end equalityConstraint;
  end Direction;

  connector Frame
    Real x;
    Real y;
    Direction d;
    flow Real fx;
    flow Real fy;
    flow Real t;
  end Frame;

  model World
    Frame b;
  equation
    Connections.root(b.d);
    b.x = 0;
    b.y = 0;
    b.d.c = 1;
    b.d.s = 0;
  end World;

  model Bar "without mass"
    parameter Real l = 1;
    Frame a, b;
  equation
    Connections.branch(a.d, b.d);
    b.x = a.x + l*a.d.c;
    b.y = a.y + l*a.d.s;
    b.d.c = a.d.c;
    b.d.s = a.d.s;
    a.fx + b.fx = 0;
    a.fy + b.fy = 0;
    a.t + b.t + l*(a.d.c*b.fy - a.d.s*b.fx) = 0;
  end Bar;

  model Joint
    Frame a, b;
    Real phi(start = 0);
    Real w(start = 0);
  equation
    Connections.branch(a.d, b.d);
    w = der(phi);
    b.x = a.x;
    b.y = a.y;
    b.d.c = a.d.c*cos(phi) - a.d.s*sin(phi);
    b.d.s = a.d.s*cos(phi) + a.d.c*sin(phi);
    a.fx + b.fx = 0;
    a.fy + b.fy = 0;
    a.t + b.t = 0;
    a.t = 0;
  end Joint;

  model Mass
    parameter Real m = 1;
    parameter Real g = 10;
    Frame a;
    Real vx, vy;
  equation
    vx = der(a.x);
    vy = der(a.y);
    m*der(vx) = a.fx;
    m*der(vy) = a.fy - m*g;
    a.t = 0;
  end Mass;

  model Fourbar "a parallelogram: the loop is closed by a connect"
    World world;
    Bar ground(l = 2), crank(l = 1), rod(l = 2), rocker(l = 1);
    Joint j1(phi(start = 1, fixed = true), w(fixed = true));
    Joint j2(phi(start = -1)), j3(phi(start = 1)), j4(phi(start = -1));
    Mass mass;
  equation
    connect(world.b, ground.a);
    connect(world.b, j1.a);
    connect(j1.b, crank.a);
    connect(crank.b, j2.a);
    connect(j2.b, rod.a);
    connect(rod.b, mass.a);
    connect(ground.b, j4.a);
    connect(j4.b, rocker.a);
    connect(rocker.b, j3.a);
    connect(rod.b, j3.b);
  end Fourbar;
end Planar;
