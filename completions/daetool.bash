# bash completion for daetool; made by scripts/make-pages
# The words that fit, taken as they are: T[1] is no pattern of file names.
_daetool_reply() {
  mapfile -t COMPREPLY < <(compgen "${@:2}" -W "$1" -- "$fitting")
}
_daetool() {
  local current before words="" word model="" fitting i
  local -a given=() # which model: what show needs to know to list its names
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n := -c current -p before
  else
    current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
  fi
  fitting="$current"
  for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do
    word="${COMP_WORDS[i]}"
    case "$word" in
      *.mo) model="${word/#\~/$HOME}" ;;
      --library | --model)
        [ $((i + 1)) -eq "$COMP_CWORD" ] || given+=("$word" "${COMP_WORDS[i+1]}") ;;
    esac
  done
  if [ "$COMP_CWORD" -eq 1 ]; then
    _daetool_reply "show tree analyze reduce check-init simulate export report examples help --help --version"
    return
  fi
  if [ -n "$model" ]; then
    case "$before" in
      --model)
        _daetool_reply "$("$1" show "$model" --names models 2>/dev/null)"
        return ;;
      --set)
        compopt -o nospace
        _daetool_reply "$("$1" show "$model" "${given[@]}" --names parameters 2>/dev/null)" -S =
        return ;;
      --variables | --plot-x)
        fitting="${current##*,}"
        _daetool_reply "$("$1" show "$model" "${given[@]}" --names variables 2>/dev/null)" \
          -P "${current%"$fitting"}"
        return ;;
    esac
  fi
  if [ "${COMP_WORDS[1]}" = examples ]; then
    _daetool_reply "$("$1" examples 2>/dev/null | cut -c3-29)"
    return
  fi
  case "${COMP_WORDS[1]}:$before" in
    help:help) _daetool_reply "show tree analyze reduce check-init simulate export report examples glossary"; return ;;
    show:--names) _daetool_reply "models variables parameters"; return ;;
    show:--format) _daetool_reply "text json"; return ;;
    show:--color) _daetool_reply "auto always never"; return ;;
    tree:--format) _daetool_reply "text json"; return ;;
    tree:--color) _daetool_reply "auto always never"; return ;;
    analyze:--format) _daetool_reply "text json"; return ;;
    analyze:--color) _daetool_reply "auto always never"; return ;;
    reduce:--eliminate) _daetool_reply "auto always never"; return ;;
    reduce:--format) _daetool_reply "text json modelica"; return ;;
    reduce:--color) _daetool_reply "auto always never"; return ;;
    check-init:--format) _daetool_reply "text json"; return ;;
    check-init:--color) _daetool_reply "auto always never"; return ;;
    simulate:--method) _daetool_reply "radau bdf3 ab3 euler implicit-euler"; return ;;
    simulate:--order) _daetool_reply "5 9 13 auto"; return ;;
    simulate:--explicit) _daetool_reply "never auto only"; return ;;
    simulate:--projection) _daetool_reply "coupled minimum-norm"; return ;;
    simulate:--history) _daetool_reply "orders constant"; return ;;
    simulate:--format) _daetool_reply "text json"; return ;;
    simulate:--color) _daetool_reply "auto always never"; return ;;
    export:--target) _daetool_reply "c problem-c"; return ;;
    export:--method) _daetool_reply "ab3 bdf3 euler implicit-euler"; return ;;
    export:--projection) _daetool_reply "coupled minimum-norm"; return ;;
    export:--history) _daetool_reply "orders constant"; return ;;
    export:--color) _daetool_reply "auto always never"; return ;;
    report:--order) _daetool_reply "5 9 13 auto"; return ;;
    report:--color) _daetool_reply "auto always never"; return ;;
  esac
  case "${COMP_WORDS[1]}" in
    show) words="--flat --evaluate --names --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    tree) words="--model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    analyze) words="--no-repair --verify --plot --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    reduce) words="--eliminate --invariant --verify --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    check-init) words="--verify --verify-proofs --all-matchings --graph --start --budget --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    simulate) words="--start --stop --tol --rtol --atol --interval --intervals --method --order --explicit --step --newton --projections --projection --history --realtime --parallel --invariant --residuals --check-only-start --native --no-event-rows --events --stats --plot --variables --plot-x --overlay --log-x --log-y --max-steps --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    export) words="--target --method --step --newton --projections --projection --history --start --stop --prefix --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    report) words="--no-simulation --watch --start --stop --tol --rtol --atol --interval --intervals --variables --order --invariant --stats --budget --model --library --set --input --input-file --keep-loops --check-units --check-annotations --format -o --color --quiet --verbose --max-time --max-memory --help" ;;
    examples) words="" ;;
  esac
  case "$current" in
    -*) _daetool_reply "$words" ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
  esac
}
complete -o filenames -F _daetool daetool
