"""Models with events that several test programs use."""

# Locked s = time; at s = 1.1 it slips with s = 1.05, which pre(slips) alone agrees with: no
# position agrees in the step of the iteration in which it begins to slip. Then
# w = (t - 1)^2/4 - 0.0025.
SLIP = """model Slip
  parameter Real J = 2, low = 1, peak = 1.1;
  Real w(start = 0, fixed = true), a, s, tau;
  Boolean slips(start = false, fixed = true), stuck(start = true, fixed = true), locked;
equation
  der(w) = a;
  J*a = time - tau;
  a = if locked then 0 else s - low;
  tau = if locked then s else low;
  slips = pre(stuck) and (s > peak or pre(slips) and s > low or w > 1e-6);
  locked = pre(stuck) and not slips;
  stuck = locked or w <= 0;
end Slip;
"""
