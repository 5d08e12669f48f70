// expect: s[1] = 9; s[2] = 12; p[1] = 28; p[2] = 80; q = 21
model arraysums
  parameter Real A[2,3] = [1,3,5; 2,4,6];
  Real B[2,3] = A*1.0*time; Real s[2], p[2]; Real q;
equation
  s = sum(A[:,k]*time for k in 1:3);
  p = {28*time, 80*time};
  q = sum(B);
end arraysums;
