#!/usr/bin/env bash
# Runs the commands of README.md and docs/use/TOUR.md with the real program and puts what they print into these pages.
#
#   docs/tour.sh           rewrites both pages
#   docs/tour.sh --print   prints the new texts instead
#   NUMAVP=build/dev/bin/numavp docs/tour.sh   with that program instead of ./numavp
#
# In a ```console block, a line "$ command" is run and the lines after it, up to the next command or the end of the
# block, are replaced by its output. Commands of a page run in a folder that is made for them, where ./numavp, configs and
# tests are those of the checkout, so that nothing of a user's own results is touched.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
pages=("$root/README.md" "$root/docs/use/TOUR.md")
place="$(mktemp -d)"
trap 'rm -rf "$place"' EXIT
program="$(realpath "${NUMAVP:-$root/numavp}")"
"$program" --version >/dev/null # builds, so that no output shows it

tour() {
    local line in_block=false folder name
    folder="$(mktemp -d "$place/XXXXXX")" # one a page: a folder of results is new in each
    for name in configs tests; do ln -s "$root/$name" "$folder/$name"; done
    ln -s "$program" "$folder/numavp"
    while IFS= read -r line; do
        if [[ "$line" == '```console' ]]; then
            in_block=true
        elif [[ "$line" == '```' ]]; then
            in_block=false
        elif $in_block; then
            [[ "$line" == '$ '* ]] || continue # old output
            printf '%s\n' "$line"
            (cd "$folder" && NUMAVP_CONFIGS="$root/configs" bash -c "${line#\$ }" 2>&1 </dev/null) |
                grep -vE '^numavp: *([0-9]+ %|[0-9]+ of [0-9]+ points)' || true # progress
            continue
        fi
        printf '%s\n' "$line"
    done <"$1"
}

for page in "${pages[@]}"; do
    text="$(tour "$page"; echo x)"
    if [[ "${1-}" == --print ]]; then
        printf '%s' "${text%x}"
    else
        printf '%s' "${text%x}" >"$page"
    fi
done
