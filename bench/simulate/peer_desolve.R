# deSolve's radau and daspk on the hand-reduced forms of one problem, compiled functions; the
# same lines as peer_ida.c. Usage: Rscript peer_desolve.R LIBRARY TOOL PROBLEM LOOSEST
# TIGHTEST Times are those between the first and the last call of the compiled function: what
# R does around them is not counted.
suppressMessages(library(deSolve))
arguments <- commandArgs(trailingOnly = TRUE)
dyn.load(arguments[1])
dll <- sub("\\.so$", "", basename(arguments[1]))
bits <- c(radau = 1L, ida = 2L, daspk = 4L)
since_last <- function() .C("peer_seconds", t = double(1))$t

choose <- function(k) {
  blank <- strrep(" ", 4000)
  .C("peer_choose", as.integer(k), n = integer(1), tools = integer(1), indices = integer(3), t = double(1),
     words = c(blank, blank, blank))
}

solve_once <- function(tool, form, start, tol) {
  tryCatch(suppressWarnings(
    if (tool == "radau") {
      radau(start$y, c(0, form$t), "peer_f", NULL, dllname = dll, mass = matrix(start$matrix, form$n), nind = form$indices,
            rtol = tol, atol = tol * start$nominal, hini = 1e-6 * min(1, form$t), maxsteps = 1e6, nout = 0)
    } else {
      daspk(start$y, c(0, form$t), dy = start$ydot, res = "peer_r", parms = NULL, dllname = dll,
            rtol = tol, atol = tol * start$nominal, estini = 0, maxsteps = 1e5, nout = 0)
    }), error = function(err) NULL)
}

# least CPU time of several runs and the result; a failing or a long run once
measure <- function(tool, form, start, tol) {
  best <- Inf; spent <- 0; result <- NULL
  for (k in 1:20) {
    result <- solve_once(tool, form, start, tol)
    seconds <- since_last()
    best <- min(best, seconds); spent <- spent + seconds + 0.001
    good <- !is.null(result) && nrow(result) == 2 && attr(result, "istate")[1] >= 0 && all(is.finite(result[2, ]))
    if (!good || spent > 0.05) break
  }
  list(seconds = best, result = result, good = good)
}

start_of <- function(form) .C("peer_start", y = double(form$n), ydot = double(form$n), double(form$n),
                              matrix = double(form$n^2), nominal = double(form$n))

tool <- arguments[2]
count <- .C("peer_count", n = integer(1))$n
for (k in seq_len(count) - 1) {
  form <- choose(k)
  if (bitwAnd(form$tools, bits[[tool]]) == 0 || form$words[1] != arguments[3]) next
  start <- start_of(form)
  since_last()
  names <- strsplit(trimws(form$words[3]), " +")[[1]]
  for (e in as.integer(arguments[4]):as.integer(arguments[5])) {
    m <- measure(tool, form, start, 10^-e)
    y <- if (m$good) m$result[2, 1 + seq_along(names)] else rep(NaN, length(names))
    cat(tool, form$words[2], form$words[1], paste0("1e-", e),
        if (m$good) format(m$seconds, digits = 6) else -1,
        if (m$good) attr(m$result, "istate")[2] else 0,
        paste0(names, "=", formatC(y, digits = 17, format = "g")), "\n")
  }
}
