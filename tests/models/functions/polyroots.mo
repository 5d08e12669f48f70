// expect: r1=1; r2=2; r3=3
// tol: 1e-8
function roots3
  input Real c[3]; output Real r[3];
protected Real re[3]; Real im[3]; Real pr; Real pi_; Real nr; Real ni; Real d; Real t;
algorithm
  re := {1.0,0.4,-0.65}; im := {0,0.9,0.72};
  for it in 1:40 loop
    for i in 1:3 loop
      // p(z)
      nr := 1; ni := 0;
      for k in 1:3 loop
        t := nr*re[i]-ni*im[i] + c[k]; ni := nr*im[i]+ni*re[i]; nr := t;
      end for;
      pr := 1; pi_ := 0;
      for j in 1:3 loop
        if j<>i then
          t := pr*(re[i]-re[j]) - pi_*(im[i]-im[j]);
          pi_ := pr*(im[i]-im[j]) + pi_*(re[i]-re[j]); pr := t;
        end if;
      end for;
      d := pr^2+pi_^2;
      re[i] := re[i] - (nr*pr+ni*pi_)/d;
      im[i] := im[i] - (ni*pr-nr*pi_)/d;
    end for;
  end for;
  r := re;
end roots3;
model M
  Real r[3] = roots3({-6,11,-6}); Real r1=min(r), r3=max(r), r2=sum(r)-r1-r3;
end M;
