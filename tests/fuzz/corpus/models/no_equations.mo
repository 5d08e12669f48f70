//!' model 'M' Rea base 0.1.0
package 'M' model 'M' Real 'a.b[1].cÙĞa.b[1].c';end 'M';end 'M';