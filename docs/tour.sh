#!/usr/bin/env bash
# Runs the commands of the README's tour with the real program and puts what they print into the README.
#
#   docs/tour.sh           rewrites README.md
#   docs/tour.sh --print   prints the new text instead
#   NUMAVP=build/dev/bin/numavp docs/tour.sh   with that program instead of ./numavp
#
# In a ```console block, a line "$ command" is run and the lines after it, up to the next command or the end of the
# block, are replaced by its output. Commands run in a folder that is made for them, where ./numavp, configs and
# tests are those of the checkout, so that nothing of a user's own results is touched.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
readme="$root/README.md"
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
for name in configs tests; do ln -s "$root/$name" "$place/$name"; done
ln -s "$(realpath "${NUMAVP:-$root/numavp}")" "$place/numavp"
"$place/numavp" --version >/dev/null # builds, so that no output shows it

tour() {
    local line in_block=false
    while IFS= read -r line; do
        if [[ "$line" == '```console' ]]; then
            in_block=true
        elif [[ "$line" == '```' ]]; then
            in_block=false
        elif $in_block; then
            [[ "$line" == '$ '* ]] || continue # old output
            printf '%s\n' "$line"
            (cd "$place" && NUMAVP_CONFIGS="$root/configs" bash -c "${line#\$ }" 2>&1 </dev/null) |
                grep -vE '^numavp: *([0-9]+ %|[0-9]+ of [0-9]+ points)' || true # progress
            continue
        fi
        printf '%s\n' "$line"
    done <"$readme"
}

text="$(tour; echo x)"
if [[ "${1-}" == --print ]]; then
    printf '%s' "${text%x}"
else
    printf '%s' "${text%x}" >"$readme"
fi
