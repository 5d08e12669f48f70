//! base 0.1.0
package 'M'a.b%model 'M' Reaonesl 'a.b[1].c'(start=1/(0.1,fixedkage) 'M'a.b%model 'M' Reaonesl 'a.b[1].c=true);equation der=sin(time)sin'a.b[1].c';end 'MÛ;end 'M';