package Small "What the tests of components use: one class or two for every rule"
  extends Icons.Library;

  package Units
    type Voltage = Real(unit = "V");
    type Current = Real(unit = "A");
    type Resistance = Real(unit = "Ohm", min = 0);
  end Units;

  package Icons
    partial package Library
      constant Real pi = 2*asin(1);
    end Library;
  end Icons;

  type Kind = enumeration(low, high);

  function twice
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end twice;

  encapsulated package Closed
    import Small.Units;
    model Inside
      Units.Voltage v = 3;
    end Inside;
  end Closed;
  annotation(version = "1.0.0");
end Small;
