// = 
package 'Tank'
  type 'Lemodel Rando