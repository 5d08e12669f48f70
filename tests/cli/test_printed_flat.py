"""Flat and Base Modelica as OpenModelica prints it: records by their elements, constructors,
names of its own."""

from harness import check_exit, contains, equal, main, run_text

COMPLEX = """function Complex "Automatically generated record constructor for Complex"
  input Real re; input Real im; output Complex res;
end Complex;
function Complex.'constructor'.fromReal
  input Real re; input Real im = 0.0; output Complex result = %s;
algorithm
end Complex.'constructor'.fromReal;
function Complex.'+'
  input Complex c1; input Complex c2; output Complex c3;
algorithm
  c3 := Complex.'constructor'.fromReal(c1.re + c2.re, c1.im + c2.im);
end Complex.'+';
"""


def shown(text):
    out = check_exit(run_text("show", text), 0).out
    equal(check_exit(run_text("show", out), 0).out, out)
    return out


def test_arrays_of_records_are_declared_by_members_of_elements():
    text = COMPLEX % "Complex.'constructor'.fromReal(re, im)" + """class A
  Real c[1,1].re; Real c[1,1].im; Real c[1,2].re; Real c[1,2].im;
  Real c[2,1].re; Real c[2,1].im; Real c[2,2].re; Real c[2,2].im;
  Real d.re; Real d.im; Real e.re; Real e.im;
equation
  for i in 1:2 loop
    c[i,1] = Complex(i*time, 1.0);
    c[i,2] = Complex.'constructor'.fromReal(time);
  end for;
  d = sum(c[:,1]);
  e = Complex.'+'(c[2,1], c[2,2]);
end A;
"""
    out = shown(text)
    for line in ("c[2,1].re = 2*time", "c[1,2].im = 0", "d.re = c[1,1].re + c[2,1].re",
                 "e.im = c[2,1].im + c[2,2].im"):
        contains(out, line)
    # an element that is missing is no array
    contains(check_exit(run_text("show", text.replace("Real c[2,2].re; ", "")), 3).err,
             "unknown name 'c'")


def test_constructors_that_are_printed_with_themselves():
    """The record of the inputs is meant, not an endless recursion."""
    for value in ("Complex.'constructor'.fromReal(re, im)", "Complex(re, im)"):
        out = shown(COMPLEX % value + "class A Real c.re; Real c.im; equation "
                    "c = Complex.'constructor'.fromReal(time, 2.0); end A;\n")
        contains(out, "c.re = time")
        contains(out, "c.im = 2")


def test_members_inside_quoted_names():
    out = shown("""//! base 0.1.0
package 'M'
  record 'R' Real 'x'; Real 'z'[2]; end 'R';
  record 'S' 'R' 'r'; Real 'w'; end 'S';
  model 'M'
    'R' 'm.r'; 'R' 'm.a'[2]; 'S' 'm.s';
  equation
    'm.r.x' = 1.0;
    'm.r.z'[1] = time; 'm.r.z'[2] = 2.0;
    'm.a.x' = {1.0, 3.0*time};
    'm.a.z' = fill(4.0, 2, 2);
    'm.s.r.x' = 'm.s.w'; 'm.s.r.z' = {5.0, 6.0}; 'm.s.w' = 7.0*time;
  end 'M';
end 'M';
""")
    for line in ("'m.r'.'z'[1] = time", "'m.a'[2].'x' = 3*time", "'m.s'.'r'.'x' = 'm.s'.'w'"):
        contains(out, line)


def test_functions_of_its_own():
    out = shown("class A Real h; Real f; Integer n; Real x; equation f = time; "
                "h = $OMC$inStreamDiv($OMC$PositiveMax(f, 1e-9)*3.0/$OMC$PositiveMax(f, 1e-9), "
                "h); n = 2; x = Real(n)/4.0; end A;\n")
    contains(out, "h = 3")
    contains(out, "x = 0.25*n")


def test_enumerations_of_functions_and_variables_are_one_type():
    out = shown("""function E "Automatically generated conversion operator for E"
  input Integer index;
  output enumeration(one, two, three) value;
algorithm
  value := {E.one, E.two, E.three}[index];
end E;
class A
  enumeration(one, two, three) e(start = E.one);
  Real x = if e == E.two then 1 else 2;
equation
  when time > 1 then
    e = E(2);
  end when;
end A;
""")
    contains(out, "e = 2")


main(globals())
