// expect: s.n = 5; s.sum = 25; s.hist[1] = 9; s.hist[3] = 5; m = 5
record S Integer n; Real sum; Real hist[3]; end S;
function push input S s; input Real x; output S t;
algorithm t.n := s.n + 1; t.sum := s.sum + x; t.hist := cat(1, {x}, s.hist[1:2]); end push;
model M
  S s(n(start = 0, fixed = true), sum(start = 0, fixed = true), hist(each start = 0, each fixed = true)); Real m;
algorithm
  when sample(0.1, 0.2) then
    s := push(pre(s), 10*time);
  end when;
equation
  m = if s.n > 0 then s.sum/s.n else 0;
end M;
