// expect: a=10; b=6; c=5; d=4; e=12; f=7
model M Real a,b,c,d,e,f; Real X[2,3]={{1,2,3},{4,5,6}}*time; Real Y[4,3]; Real Z[2,6];
equation
 Y = [X;X]; Z = [X,X];
 a = sum(Y[3,:]) + Y[4,1]; b = Z[2,6]; c = Y[end,end-1]; d = cat(2,X,X)[2,4]; e = sum(X[:,1:2]);
  f = sum(X[{1,2},{3}])-2;
end M;
