// expect: y=2; n=3; b=1
type Color = enumeration(red,green,blue);
function next input Color c; output Color d;
  algorithm
  d := if c==Color.red then Color.green elseif c==Color.green then Color.blue else Color.red;
end next;
model M Real y, n, b; parameter Color c=Color.red; Color e; Real w[Color]={10,20,30};
equation e = next(c); y = Integer(e)*time; n = size(w,1);
  b = if next(next(next(c)))==c then 1 else 0; end M;
