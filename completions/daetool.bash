# bash completion for daetool; made by scripts/make-pages
_daetool() {
  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  local words="" word model=""
  for word in "${COMP_WORDS[@]}"; do
    case "$word" in *.mo) model="$word" ;; esac
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "show tree analyze reduce check-init simulate export report examples help --help --version" -- "$current"))
    return
  fi
  if [ -n "$model" ]; then
    case "$before" in
      --model)
        words=$(daetool show "$model" --names models 2>/dev/null)
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        return ;;
      --set)
        words=$(daetool show "$model" --names parameters 2>/dev/null)
        compopt -o nospace
        COMPREPLY=($(compgen -S = -W "$words" -- "$current"))
        return ;;
      --variables | --plot-x)
        words=$(daetool show "$model" --names variables 2>/dev/null)
        word="${current##*,}"
        COMPREPLY=($(compgen -P "${current%"$word"}" -W "$words" -- "$word"))
        return ;;
    esac
  fi
  if [ "${COMP_WORDS[1]}" = examples ]; then
    COMPREPLY=($(compgen -W "$(daetool examples 2>/dev/null | cut -c3-29)" -- "$current"))
    return
  fi
  case "${COMP_WORDS[1]}:$before" in
    help:help)
      COMPREPLY=($(compgen -W "show tree analyze reduce check-init simulate export report examples glossary" -- "$current"))
      return ;;
    show:--names) COMPREPLY=($(compgen -W "models variables parameters" -- "$current")); return ;;
    show:--format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
    show:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    tree:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    analyze:--format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
    analyze:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    reduce:--eliminate) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    reduce:--format) COMPREPLY=($(compgen -W "text json modelica" -- "$current")); return ;;
    reduce:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    check-init:--format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
    check-init:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    simulate:--method) COMPREPLY=($(compgen -W "radau bdf3 ab3 euler implicit-euler" -- "$current")); return ;;
    simulate:--order) COMPREPLY=($(compgen -W "5 9 13 auto" -- "$current")); return ;;
    simulate:--projection) COMPREPLY=($(compgen -W "coupled minimum-norm" -- "$current")); return ;;
    simulate:--history) COMPREPLY=($(compgen -W "orders constant" -- "$current")); return ;;
    simulate:--format) COMPREPLY=($(compgen -W "text json" -- "$current")); return ;;
    simulate:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    export:--target) COMPREPLY=($(compgen -W "c problem-c" -- "$current")); return ;;
    export:--method) COMPREPLY=($(compgen -W "ab3 bdf3 euler implicit-euler" -- "$current")); return ;;
    export:--projection) COMPREPLY=($(compgen -W "coupled minimum-norm" -- "$current")); return ;;
    export:--history) COMPREPLY=($(compgen -W "orders constant" -- "$current")); return ;;
    export:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
    report:--order) COMPREPLY=($(compgen -W "5 9 13 auto" -- "$current")); return ;;
    report:--color) COMPREPLY=($(compgen -W "auto always never" -- "$current")); return ;;
  esac
  case "${COMP_WORDS[1]}" in
    show) words="--flat --evaluate --names --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    tree) words="--model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    analyze) words="--no-repair --verify --plot --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    reduce) words="--eliminate --invariant --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    check-init) words="--verify-proofs --all-matchings --graph --start --budget --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    simulate) words="--start --stop --tol --rtol --atol --interval --intervals --method --order --step --newton --projections --projection --history --realtime --parallel --invariant --residuals --check-only-start --native --no-event-rows --events --stats --plot --variables --plot-x --overlay --log-x --log-y --max-steps --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    export) words="--target --method --step --newton --projections --projection --history --start --stop --prefix --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    report) words="--no-simulation --watch --start --stop --tol --rtol --atol --interval --intervals --variables --order --invariant --stats --budget --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    examples) words="" ;;
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _daetool daetool
