#!/usr/bin/env bash
# builds_what_changed.sh <root of the source tree>: ./numavp builds when a part of the program, a variable of CMake, a tool or
# SystemVerilog from outside the tree may have changed, and only then, and wants the packages that its words need. CMake,
# ninja, dpkg-query and the program are stand-ins.
set -euo pipefail

tree="$(mktemp -d)"
trap 'rm -rf "$tree"' EXIT
cp "$1/numavp" "$tree/numavp"
cp -r "$1/cmake" "$tree/cmake"
mapfile -t product < <(sed -n 's/^set(NUMAVP_PRODUCT \(.*\))$/\1/p' "$1/cmake/Folders.cmake" | tr ' ' '\n')
mkdir -p "${product[@]/#/$tree/}" "$tree"/{tools,build/release/bin}
touch "$tree"/{CMakeLists.txt,CMakePresets.json,platform/main.cpp,rtl/lane_balancer.sv}
cache="$tree/build/release/CMakeCache.txt"

stand_in() { # <file> <line of its script>
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$1"
    chmod +x "$1"
}
stand_in "$tree/tools/ninja" "echo ninja >>'$tree/calls'"
stand_in "$tree/tools/cmake" "echo cmake >>'$tree/calls'; touch '$tree/build/release/build.ninja'"
# shellcheck disable=SC2016 # for the stand-in
stand_in "$tree/tools/dpkg-query" 'printf "%s=installed " "$@"; [[ "$2" != *Version* ]] && echo "$@" >>"'"$tree/asked"'"'
stand_in "$tree/build/release/bin/numavp" 'echo simulated'

# configured [variable of the cache]: what `cmake build/release -D...` leaves behind, later than all before.
later=0
configured() {
    printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" "$@" >"$cache"
    touch "$tree/build/release/build.ninja"
    age
}
# What was written until now is older than what comes: the clock of files may be coarse.
age() {
    later=$((later + 1))
    find "$tree" -newermt '2001-01-01' -type f -exec touch -d "@$((1000000 + later))" {} +
    find "$tree" -newermt '2001-01-01' -type d -exec touch -d "@$((1000000 + later))" {} +
}

failed=0
# expect <yes|no> <when>: whether a run builds; it always runs.
expect() {
    local built=no
    : >"$tree/calls"
    [[ "$(PATH="$tree/tools:$PATH" "$tree/numavp" run 2>"$tree/said")" == simulated ]] || {
        echo "nothing was simulated $2: $(cat "$tree/said")"
        failed=1
    }
    if grep -q ninja "$tree/calls"; then built=yes; fi
    [[ "$built" == "$1" ]] || {
        echo "built $2: $built; $1 is expected"
        failed=1
    }
    age
}

ours='NUMAVP_LANE_BALANCER_SOURCES:STRING=rtl/saturation.sv;rtl/lane_balancer.sv'
configured "$ours" 'NUMAVP_RTL_OUTSIDE:INTERNAL='
expect yes "at first"
expect no "with nothing new"
configured 'NUMAVP_LANE_BALANCER_SOURCES:STRING=/mine.sv' 'NUMAVP_RTL_OUTSIDE:INTERNAL=/mine.sv'
expect yes "with a block from outside"
expect yes "with a block from outside, which may have changed"
configured 'NUMAVP_LANE_BALANCER_SOURCES:STRING=/other.sv' 'NUMAVP_RTL_OUTSIDE:INTERNAL=/other.sv'
expect yes "with another block"
configured "$ours" 'NUMAVP_RTL_OUTSIDE:INTERNAL='
expect yes "with our block again"
expect no "with our block again and nothing new"
touch "$tree/rtl/lane_balancer.sv"
expect yes "with our block edited"
for folder in "${product[@]}"; do
    mkdir -p "$tree/$folder/inside"
    age
    expect yes "with a folder in $folder/"
    touch "$tree/$folder/inside/file.h"
    expect yes "with a file in $folder/"
done
expect no "with nothing new after files in all folders"
configured "$ours" 'NUMAVP_RTL_OUTSIDE:INTERNAL=' 'NUMAVP_MEMORY_WAVES:BOOL=ON'
expect yes "with another variable of CMake"
expect no "with nothing new at the end"

# A tool that came is found by CMake, and what the program is made of is built with it.
stand_in "$tree/tools/verilator" true
expect yes "with another Verilator"
expect no "with the same Verilator"

# asks <yes|no> <package> <word>...: whether a build for these words wants the package.
asks() {
    local wanted=no expected="$1" package="$2"
    shift 2
    : >"$tree/asked"
    touch "$tree/rtl/lane_balancer.sv"
    PATH="$tree/tools:$PATH" "$tree/numavp" "$@" >/dev/null 2>&1
    if grep -qw -- "$package" "$tree/asked"; then wanted=yes; fi
    [[ "$wanted" == "$expected" ]] || {
        echo "$package is wanted for '$*': $wanted; $expected is expected"
        failed=1
    }
    age
}
asks yes libsystemc-dev run
asks no libgtest-dev run
asks no openmpi-bin study run mechanisms
OMPI_COMM_WORLD_SIZE=2 asks yes openmpi-bin study run mechanisms
asks no gcc-riscv64-unknown-elf run
asks yes gcc-riscv64-unknown-elf run --set driver.execution=riscv
asks no verilator run
asks yes verilator run --set link.balancer=dynamic_rtl
asks yes verilator run --waves run.fst
exit "$failed"
