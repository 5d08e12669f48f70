// expect: c = 2; y = 5; x = 2
type Col = enumeration(red, green, blue);
function next input Col c; output Col d; algorithm if c == Col.blue then d := Col.red; else d := Col(Integer(c)+1); end if; end next;
function cnt input Col c[:]; input Col w; output Integer n = 0; algorithm for e in c loop if e == w then n := n + 1; end if; end for; end cnt;
model enumstatements Col c = next(Col.red); Real y; Integer x = cnt({Col.red, Col.green, Col.red}, Col.red); algorithm y := 0; for e in Col.red:Col.green loop y := y + Integer(e)*time; end for; y := y + 2; end enumstatements;
