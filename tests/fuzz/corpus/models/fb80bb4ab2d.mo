/3^20 (test set for IVP solvers)://! base 1.1.0
package 'Tank'
  ty 