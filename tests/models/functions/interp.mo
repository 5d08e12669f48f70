// expect: y=2.5; z=0; w=9
function lin
  input Real x; input Real xs[:]; input Real ys[size(xs,1)]; output Real y;
protected Integer i;
algorithm
  if x <= xs[1] then y := ys[1]; return; end if;
  if x >= xs[end] then y := ys[end]; return; end if;
  i := 1;
  while x > xs[i+1] loop i := i+1; end while;
  y := ys[i] + (x-xs[i])/(xs[i+1]-xs[i])*(ys[i+1]-ys[i]);
end lin;
model M
  constant Real xs[4]={0,1,2,3}; constant Real ys[4]={0,1,4,9};
  Real y,z,w;
equation
  y = lin(time+0.5, xs, ys);
  z = lin(-time, xs, ys);
  w = lin(time*7, xs, ys);
end M;
