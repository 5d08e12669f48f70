// expect:  b=1; c=5; d=1
function len input String s; output Integer n; external "C" n = ModelicaStrings_length(s);
  end len;
function lab input Real x; output String s;
  algorithm s := "v=" + String(x, significantDigits=3) + ";"; end lab;
model M
  parameter String name="abc"; parameter String other = name + "de";
  Integer a = len(name); Real b = if name == "abc" then 1 else 0; Real c; Real d;
  constant String k = "x" + String(3);
equation
  c = len(other)*time;
  d = if k == "x3" and String(true) == "true" and String(2.5) == "2.5" and String(3,
  minimumLength=5)=="3    " then 1 else 0;
  assert(time < 2, lab(time) + name);
end M;
