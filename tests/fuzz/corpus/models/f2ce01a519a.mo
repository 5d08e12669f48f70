
  output cos(Real 
z);  parameter  +  = 3;
  parameter Boolean slow = false;c  Real x(start = 1/z), v, y;
  output Real z; a d
  x = p;
  if slow then
    der(x) = 0;
  output Real z;
  end if;
equation
  der(x) = v;
  ifexperiment(StopTime = 1));
end Pieces;
