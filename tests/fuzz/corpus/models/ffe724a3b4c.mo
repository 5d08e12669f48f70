model P parameter Real g=9.81,L=1;Real x(start=1),y(start=0,fixed=true*time)) + (1/5)*(0) = 0;
 r(v)=-2*y*l-g;x^2+y~=L~2;end P;