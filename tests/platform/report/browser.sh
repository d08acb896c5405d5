#!/usr/bin/env bash
# browser.sh <checks.mjs> <numavp> <repository>: runs checks in headless Chromium. Without node, Chromium or a
# module from npm it says what is missing and exits with 77 (skipped), or 1 if NUMAVP_REQUIRE_ALL is set.
set -uo pipefail

skip() {
    printf '%s is not here; ./numavp install-deps gets it\n' "$1" >&2
    [[ -n "${NUMAVP_REQUIRE_ALL-}" ]] && exit 1
    exit 77
}
command -v node >/dev/null || skip node
command -v chromium >/dev/null || skip chromium
for module in playwright-core echarts axe-core; do
    [[ -d "$3/build/web/node_modules/$module" ]] || skip "$module"
done
exec node "$1" "$2" "$3"
