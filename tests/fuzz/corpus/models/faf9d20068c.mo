model R  < [0] long_name_3.^tart = 0, fixed =  =  <  < 
  Real part1.q1(start - 2a = (-1),andom
   <* [0] l#ong_ncme_3.^t[0] long_name_2.^tart = 0, fixed =  = ) <= der(part2.`5) - a