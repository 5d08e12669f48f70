// expect: l = 6; m = 8.94427190999916; t.x = 3.5; t.y = 1; xs[1] = 2.5; xs[2] = 3.5; q.s[1].b.y = 4; p.s[1].a.y = 0
record Point Real x; Real y = 2*x; end Point;
record Segment Point a; Point b(x = 5); Real len = sqrt((a.x-b.x)^2 + (a.y-b.y)^2); end Segment;
record Path Segment s[2]; Integer n = size(s, 1); String name = "p"; end Path;
function shift input Path p; input Real d; output Path q = p;
algorithm
  for i in 1:size(p.s, 1) loop q.s[i].a.x := p.s[i].a.x + d; q.s[i].b := Point(p.s[i].b.x + d, p.s[i].b.y); end for;
end shift;
function length input Path p; output Real l;
algorithm l := sum(sqrt((p.s[i].a.x-p.s[i].b.x)^2 + (p.s[i].a.y-p.s[i].b.y)^2) for i in 1:size(p.s, 1)); end length;
model M
  parameter Segment g(a(x = 1));
  Path p = Path(s = {Segment(Point(0), Point(3, 4)), Segment(Point(time, 0), Point(1, 1))});
  Path q = shift(p, 2.5);
  Real l = length(q); Real m = g.len; Point t = q.s[2].b; Real xs[2] = q.s.a.x;
end M;
