package Tables
  class Table1D
    extends ExternalObject;
    function constructor
      input String tableName;
      input String fileName;
      input Real table[:, :];
      input Integer columns[:];
      input Integer smoothness;
      input Integer extrapolation;
      output Table1D t;
      external "C" t = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, table, size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false);
    end constructor;
    function destructor
      input Table1D t;
      external "C" ModelicaStandardTables_CombiTable1D_close(t);
    end destructor;
  end Table1D;
  function value
    input Table1D t;
    input Integer icol;
    input Real u;
    output Real y;
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, icol, u);
  end value;
  model Tables
    parameter Real data[4, 3] = [0, 0, 1; 1, 2, 1; 2, 1, 3; 4, 5, 0];
    parameter Table1D linear = Table1D("NoName", "NoName", data, {2, 3}, 1, 2);
    parameter Table1D akima = Table1D("NoName", "NoName", data, {2}, 2, 1);
    parameter Table1D steps = Table1D("NoName", "NoName", data, {2}, 3, 1);
    parameter Table1D periodic = Table1D("NoName", "NoName", data, {2}, 1, 3);
    Real a = value(linear, 1, time);
    Real b = value(linear, 2, time);
    Real c = value(akima, 1, time);
    Real d = value(steps, 1, time);
    Real e = value(periodic, 1, time + 4);
    Real x(start = 0, fixed = true);
    Real s = der(c);
  equation
    der(x) = a;
  end Tables;
end Tables;
