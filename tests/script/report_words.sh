#!/usr/bin/env bash
# report_words.sh <root of the source tree> <program>: ./numavp fetches what draws charts for each command that has --report.
set -euo pipefail

eval "$(sed -n '/^wants_report()/,/^}/p' "$1/numavp")"
mapfile -t commands < <("$2" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
((${#commands[@]} > 10)) || { echo "the program lists ${#commands[@]} commands" >&2; exit 1; }
reports=0
for command in "${commands[@]}"; do
    "$2" help "$command" | grep -q -- '^ *--report ' || continue
    reports=$((reports + 1))
    if ! wants_report "$command" x --report r.html || ! wants_report "$command" x --report=r.html; then
        echo "./numavp $command --report does not fetch what draws charts" >&2
        exit 1
    fi
    if wants_report "$command" x; then
        echo "./numavp $command fetches what draws charts without --report" >&2
        exit 1
    fi
done
((reports >= 6)) || { echo "only $reports commands have --report" >&2; exit 1; }
