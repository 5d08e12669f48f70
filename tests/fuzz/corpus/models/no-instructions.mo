//! base 0.1.0
package 'M' model 'M' Real 'a.b[1].c'(start=0.1,fixed=true);equation der('a.b[1].c')=sin(time)*'a.b[1].c';
initial equation
end 'M';
initial equation
end 'M';