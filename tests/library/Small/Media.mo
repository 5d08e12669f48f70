within Small;
package Media "Media: packages that redeclare records, functions and models of a partial package"
  partial package PartialMedium
    constant Integer nX = 1 "substances";
    constant Integer nXi = nX - 1 "independent mass fractions";
    constant Real T_min "lowest temperature";
    constant Real X_default[nX] = fill(1/nX, nX);
    constant Real h_default = enthalpy(setState(300, X_default)) "uses functions that are given later";
    type Temperature = Real(unit = "K", min = T_min, start = 300);
    replaceable record State
    end State;
    replaceable partial function enthalpy
      input State state;
      output Real h;
    end enthalpy;
    replaceable partial function setState
      input Temperature T;
      input Real X[:] = X_default;
      output State state;
    end setState;
    replaceable function twiceEnthalpy
      input Temperature T;
      output Real h = 2*enthalpy(setState(T));
    algorithm
    end twiceEnthalpy;
    replaceable partial model Base
      Temperature T;
      Real h;
      Real X[nX];
      Real Xi[nXi];
      State state;
    equation
      Xi = X[1:nXi];
      if nX > 1 then
        X[nX] = 1 - sum(Xi);
      else
        X = {1};
      end if;
    end Base;
  end PartialMedium;

  function kelvin
    input Real celsius;
    output Real T;
  algorithm
    T := celsius - zero;
  end kelvin;
  constant Real zero = -273.15;

  package Linear "h = cp*T"
    extends PartialMedium(T_min = kelvin(-1));
    constant Real cp = 4;
    redeclare record extends State
      Temperature T;
    end State;
    redeclare function extends enthalpy
    algorithm
      h := cp*state.T;
    end enthalpy;
    redeclare function extends setState
    algorithm
      state := State(T = T);
    end setState;
    redeclare model extends Base
    equation
      h = enthalpy(state);
      state.T = T;
    end Base;
  end Linear;

  package Mixture "two substances, h = (c*X)*T"
    extends PartialMedium(final nX = 2, T_min = 200);
    constant Real c[nX] = {1, 3};
    redeclare record extends State
      Temperature T;
      Real X[nX];
    end State;
    redeclare function extends enthalpy
    algorithm
      h := (c*state.X)*state.T;
    end enthalpy;
    redeclare function extends setState
    algorithm
      state := if size(X, 1) == nX then State(T = T, X = X)
               else State(T = T, X = cat(1, X, {1 - sum(X)}));
    end setState;
    redeclare model extends Base
    equation
      state = setState(T, Xi);
      h = enthalpy(state);
    end Base;
  end Mixture;

  model Heated "the same for every medium"
    replaceable package Medium = PartialMedium;
    Medium.Base base;
    Real h = base.h + 0*Medium.h_default;
    Real hd = Medium.h_default;
    Real twice = Medium.twiceEnthalpy(base.T);
    Real Tmin = Medium.T_min;
  equation
    base.T = 300 + time;
    base.Xi = fill(0.25, Medium.nXi);
  end Heated;

  model HeatedMixture
    extends Heated(redeclare replaceable package Medium = Mixture);
  end HeatedMixture;
end Media;
