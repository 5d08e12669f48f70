//! base 0.1.0
package 'Foo'
  type 'E' = enumeration('a', 'b');
  record 'Rec' "a record"
    Real 'x';
    Real 'v'[2];
  end 'Rec';

  function 'Foo.sq'
    input Real 'u';
    input Integer 'n' = 2;
    output Real 'y';
  protected
    Real 'z';
  algorithm
    'z' := 1.0;
    for 'i' in 1:'n' loop
      'z' := 'z' * 'u';
    end for;
    'y' := 'z';
  end 'Foo.sq';

  function 'Foo.make'
    input Real 'x';
    output 'Rec' 'res';
  algorithm
    'res'.'x' := 'x';
    'res'.'v' := {'x', 2.0 * 'x'};
  end 'Foo.make';

  model 'Foo' "exported"
    parameter Real 'p'(unit = "1") = 2.0 "a parameter";
    parameter Integer 'n' = 3;
    final parameter Boolean 'b' = true;
    Real 'x'(start = 1.0, fixed = true);
    Real 'a.b.c' "dotted";
    'Rec' 'r';
    Real[2] 'w';
    Integer 'k'(start = 0, fixed = true);
  equation
    der('x') = -'Foo.sq'('x', 'n') * 'p';
    'a.b.c' = 'Foo.sq'('u' = 'x');
    'r' = 'Foo.make'('x');
    'w'[1] = 'r'.'v'[2];
    'w'[2] = 'r'.'x';
    when 'x' < 0.5 then
      'k' = pre('k') + 1;
    end when;
  annotation(experiment(StopTime = 1.0));
  end 'Foo';
end 'Foo';
