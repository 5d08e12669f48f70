// expect: x = 1; y = 1; z = 1
function pad input String s; input Integer n; output String r = s; protected Integer k = 0;
algorithm while k < n loop r := r + "*"; k := k + 1; end while; end pad;
model M
  constant String a = pad("ab", 3);
  parameter Integer n = 4;
  parameter String s = "n=" + String(n) + "," + String(2.5) + "," + String(true);
  Real x = if a == "ab***" then 1 else 2; Real y = if s == "n=4,2.5,true" then 1 else 2;
  Real z = if String(n, minimumLength = 3) == "4  " and String(n, leftJustified = false, minimumLength = 3) == "  4" then 1 else 2;
end M;
