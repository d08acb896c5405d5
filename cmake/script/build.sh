# How numavp configures and builds. Read by the script numavp, which has `say`, `fail`, $root and packages.sh.

# shellcheck source=cmake/script/progress.sh
. "$root/cmake/script/progress.sh"

# A build folder that was copied or moved with its checkout, or made under another release of the distribution, is of no use.
drop_foreign() {
    local cache="$1/CMakeCache.txt" made
    [[ -f "$cache" ]] || return 0
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
        rm -rf "$1"
        return
    fi
    made="$(cat "$1/.numavp-system" 2>/dev/null || true)"
    if [[ -n "$made" && "$made" != "$(distribution)" ]]; then
        say "build/${1##*/} was made on $made and this is $(distribution): it is built anew"
        rm -rf "$1"
    fi
}

# What a build folder is configured as: another answer means that the program is built again.
configuration_of() {
    distribution
    cksum <"$1/CMakeCache.txt" 2>/dev/null || true
}

# build_tree <preset> [ninja target...]: configures if needed and builds. Sets `configured_as`.
build_tree() {
    local preset="$1" dir="$root/build/$1" log="$root/build/$1.log" line status=0 tools
    shift
    mkdir -p "$root/build"
    take 9 "$root/build/.lock" "builds build/$preset"
    drop_foreign "$dir"
    tools="$(tools_there)"
    if [[ ! -f "$dir/build.ninja" || "$root/CMakePresets.json" -nt "$dir/build.ninja" ||
        "$tools" != "$(cat "$dir/.numavp-tools" 2>/dev/null)" ]]; then
        say "configuring build/$preset"
        if ! (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 9>&-; then
            cat "$log" >&2
            fail "configuring build/$preset failed"
        fi
        touch -c "$dir/build.ninja"
        printf '%s\n' "$tools" >"$dir/.numavp-tools"
    fi
    distribution >"$dir/.numavp-system"

    [[ -t 2 ]] || say "building build/$preset"
    ninja -C "$dir" build.ninja >/dev/null 2>&1 9>&- || true # configures again where CMake's files have changed
    configured_as="$(configuration_of "$dir")"
    begin_progress "$dir" "$@"
    set +e
    LC_ALL=C.UTF-8 NINJA_STATUS='[%f/%t] %e %r ' ninja -C "$dir" "$@" 2>&1 9>&- | while IFS= read -r line; do
        show_progress "$preset" "$line"
        printf '%s\n' "$line"
    done >"$log"
    status="${PIPESTATUS[0]}"
    set -e
    forget_warned "$dir" "$log"
    [[ -t 2 ]] && printf '\r%-76s\r' '' >&2
    exec 9>&-
    if ((status != 0)); then
        grep -vE '^\[[0-9]+/[0-9]+\] |^ninja: Entering' "$log" >&2 || true
        fail "building build/$preset failed; the whole log is build/$preset.log"
    fi
    sed -n '/: warning: /,/^\[[0-9]*\/[0-9]*\] /{/^\[[0-9]*\/[0-9]*\] /!p}' "$log" >&2 # of a build that succeeded
}

# forget_warned <folder> <log>: what a compiler or linter warned of is built again the next time, so that it is said again.
# What a linker warned of is there to be used; it is written down, and the gate links it again.
forget_warned() {
    awk -v linked="$1/.numavp-warned" '
        /^\[[0-9]+\/[0-9]+\] / { output = ($4 == "Linking" || $4 == "Building" || $4 == "Linting" ? $NF : ""); step = $4 }
        /: warning: / && output {
            if (step == "Linking") { print output >>linked } else { print output }
        }' "$2" | sort -u | (cd "$1" && xargs -r rm -f --)
}

# True if nothing that the program is made of is newer than the last time that it was built, with what its build folder is
# configured as now. A folder is newer when a file came or went. Of SystemVerilog from outside the tree, which may include
# more, only ninja knows.
is_built() {
    local cache="$release/CMakeCache.txt" parts=("$root"/{CMakeLists.txt,CMakePresets.json,cmake}) folder
    for folder in $(folders NUMAVP_PRODUCT); do parts+=("$root/$folder"); done
    [[ -x "$program" && -f "$1" ]] && grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache" &&
        ! grep -qs '^NUMAVP_RTL_OUTSIDE:INTERNAL=.' "$cache" &&
        [[ "$(configuration_of "$release")" == "$(cat "$1")" ]] &&
        [[ -z "$(find "${parts[@]}" -newer "$1" -print -quit 2>/dev/null)" ]]
}

# Builds the program unless it is built.
build_program() {
    local stamp="$release/.numavp-built$variant" configured_as
    if is_built "$stamp"; then return; fi
    need "${wanted[@]}"
    [[ -f "$root/platform/main.cpp" ]] || fail "this tree has no program yet (platform/main.cpp is missing)"
    local begun="$root/build/.begun.$$" # what changes while we build is newer than this
    mkdir -p "$root/build"
    trap 'rm -f "$root/build/.begun.$$"' EXIT
    touch "$begun"
    build_tree release "${targets[@]}"
    program_tools >"$release/.numavp-program-tools"
    printf '%s\n' "$configured_as" >"$begun.as"
    touch -r "$begun" "$begun.as"
    mv "$begun.as" "$stamp"
    rm -f "$begun"
}
