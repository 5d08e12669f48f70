# deSolve's radau on the index-3 form and daspk on the index-1 form, compiled functions; the same lines as peer_ida.c.
suppressMessages(library(deSolve))
library_file <- commandArgs(trailingOnly = TRUE)[1]
dyn.load(library_file)
dll <- sub("\\.so$", "", basename(library_file))
repetitions <- 10 # R's clock counts milliseconds
pendulum <- list(name = "pendulum", t = 100, y = c(1, 0, 0, 0, 0), nind = c(2, 2, 1), keep = 1:5,
                 dy = c(0, 0, 0, -13.7503716373294544, 0))
car <- list(name = "car_axis", t = 3, y = c(0, 0.5, 1, 0.5, -0.5, 0, -0.5, 0, 0, 0), nind = c(4, 4, 2), keep = 1:10,
            dy = c(-0.5, 0, -0.5, 0, 0, -1, 0, -1, 0, 0))
andrews <- list(name = "andrews", t = 0.03, nind = c(7, 7, 13), keep = c(1:14, 22:27),
  y = c(-0.0617138900142764496358948458001, 0, 0.455279819163070380255912382449, 0.222668390165885884674473185609,
        0.487364979543842550225598953530, -0.222668390165885884674473185609, 1.23054744454982119249735015568,
        rep(0, 7), 14222.4439199541138705911625887, -10666.8329399655854029433719415, rep(0, 5),
        98.5668703962410896057654982170, -6.12268834425566265503114393122, rep(0, 4)),
  dy = c(rep(0, 7), 14222.4439199541138705911625887, -10666.8329399655854029433719415, rep(0, 18)))

solve_once <- function(tool, p, tol, mass) {
  tryCatch(suppressWarnings(
    if (tool == "radau") {
      radau(p$y, c(0, p$t), paste0(p$name, "_f"), NULL, dllname = dll, mass = mass, nind = p$nind,
            rtol = tol, atol = tol, hini = 1e-6, maxsteps = 1e7, nout = 0)
    } else {
      daspk(p$y, c(0, p$t), dy = p$dy, res = paste0(p$name, "_r"), parms = NULL, dllname = dll,
            rtol = tol, atol = tol, estini = 0, maxsteps = 1e6, nout = 0)
    }), error = function(err) NULL)
}

for (p in list(pendulum, car, andrews)) {
  n <- length(p$y)
  mass <- diag(c(rep(1, sum(p$nind[1:2])), rep(0, p$nind[3])))
  for (e in 4:11) {
    for (tool in c("radau", "daspk")) {
      seconds <- system.time(for (k in 1:repetitions) result <- solve_once(tool, p, 10^-e, mass))[["user.self"]]
      good <- !is.null(result) && nrow(result) == 2 && attr(result, "istate")[1] >= 0
      y <- if (good) result[2, 1 + p$keep] else rep(NA, length(p$keep))
      cat(tool, if (tool == "radau") "index3" else "index1", p$name, paste0("1e-", e),
          if (good) seconds / repetitions else -1, if (good) attr(result, "istate")[2] else 0, format(y, digits = 17), "\n")
    }
  }
}
