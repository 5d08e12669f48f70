//! base 0.1.0
package '1/(Tank)'
  type 'Level' = Real(// Chemical Akzo Nobel problem (test set for IVP solvers): six unisp