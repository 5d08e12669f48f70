//! base 0.1.0
package 'M' model 'M' Reaonesl 'shb[1].c®rt=0.1,fixed=true);end 'MÛ;end 'M';