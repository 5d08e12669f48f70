// expect: ok=7
function f output Integer n=0; algorithm
 if String(3.14159, significantDigits=3) == "3.14" then n := n+1; end if;
 if String(42) == "42" then n := n+1; end if;
 if String(1.0/3, format=".4f") == "0.3333" then n := n+1; end if;
 if String(5, minimumLength=4, leftJustified=false) == "   5" then n := n+1; end if;
 if String(false) == "false" then n := n+1; end if;
 if "a" + "b" < "b" then n := n+1; end if;
 if String(1e10) == "1e+10" or String(1e10)=="10000000000" then n := n+1; end if;
end f;
model M Real ok = f()*time; end M;
