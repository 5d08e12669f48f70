model Controllers "1000 plants, each with a sampled controller"
  parameter Integer n = 1000;
  Real x[n](each start = 0, each fixed = true) "plants";
  discrete Real u[n](each start = 0, each fixed = true) "controllers";
equation
  for k in 1:n loop
    der(x[k]) = u[k] - (1 + k/n)*x[k];
    when sample(0, 0.01) then
      u[k] = 5*(1 - x[k]);
    end when;
  end for;
  annotation(experiment(StopTime = 1));
end Controllers;
