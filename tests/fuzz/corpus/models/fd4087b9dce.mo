//! base 0.1.0
package 'M' model 'M' Reaonesl 'a.b[1].c'(start=0.1,fixed=true);equation der('a.b[1].c')=sinase 0.1.0
package 'M' model 'M' Reaonesl 'a.b[1].c'(start=0.1,fixed=true);equation der('a.b(time) = M'1*'a.b[1].c';end 'MÛ;end 'M'1