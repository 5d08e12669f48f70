// expect: y = 6; z = 8
package P
  constant Real k = 2;
  function f input Real u; output Real y; output Real z;
    constant Real c = 3*k;
  protected
    function g input Real a; output Real b; protected constant Real d = c; algorithm b := d*a; end g;
    function h input Real a; output Real b; algorithm b := g(a) + k; end h;
  algorithm y := g(u); z := h(u); end f;
  model nestedconstants Real y, z; equation (y,z) = f(time); end nestedconstants;
end P;
