// expect: y[1] = 9; y[2] = 12
function f input Real A[:,:]; output Real y[size(A,1)]; algorithm y := sum(A[:,k] for k in 1:size(A,2)); end f;
model arraysumfunction Real y[2]; equation y = f([1,3,5;2,4,6]*time); end arraysumfunction;
