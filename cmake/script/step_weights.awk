# awk -v root=<checkout> -v dir=<build folder> -f step_weights.awk: for each step that `ninja -n` lists, its weight and its output,
# in the order of their beginning. A weight is about the tenths of a second that the step takes with g++ 12 on a core of 2020;
# time left follows from how fast weights are worked off, so that their proportions count. Measured on a first build of
# everything, which the compiler cache knew nothing of:
#   a source of ours, or a group of them   2.5 s, and 1 s for each 3,500 bytes (a group of 20 has 100 kB: 30 s); in platform and
#                                          capi, which include the headers of all others, for each 2,000 bytes
#   C++ that Verilator wrote               1.5 s, and 1 s for each 100,000 bytes
#   precompiled headers                    12 s
#   the linter over a layer                15 s, and 1 s for each 10,000 bytes
#   a program linked                       0.5 s (a test's is started once to list its tests)
function size(file, line, bytes) {
    bytes = 0
    while ((getline line <file) > 0) bytes += length(line) + 1
    close(file)
    return bytes
}

# Sources that a group includes: ours by their path in the checkout, others by that in the build folder, the linter's from /.
function members(file, line, part, bytes) {
    ours = others = 0
    while ((getline line <file) > 0) {
        if (line !~ /^#include "/) continue
        split(line, part, "\"")
        bytes = size(part[2] ~ /^\// ? part[2] : root "/" part[2])
        if (bytes) ours += bytes
        else others += size(dir "/" part[2])
    }
    close(file)
}

# The source of an object, from the path of the object.
function source_of(object, at, path) {
    at = index(object, ".dir/")
    path = substr(object, at + 5)
    sub(/\.o$/, "", path)
    if (path ~ /^__\//) return substr(path, 4) # of the folder above
    sub(/CMakeFiles\/.*/, "", object)
    return object path
}

function weight_of(line, output, source) {
    if (output ~ /cmake_pch/) return 120
    if (line ~ /\] Linking CXX (executable|shared)/) return 5
    if (line ~ /\] Linting /) {
        sub(/\.linted$/, "", output)
        members(dir "/" output)
        return 150 + int(ours / 1000)
    }
    if (line !~ /\] Building C(XX)? object /) return 1
    source = source_of(output)
    if (source ~ /(^|\/)groups\//) {
        sub(/^.*groups\//, "groups/", source)
        members(dir "/" source)
        return ours ? 25 + int(ours / (source ~ /numavp_(platform|capi)\//  ? 200 : 350)) : 15 + int(others / 10000)
    }
    return 25 + int(size(root "/" source) / 350) # Verilator's runtime, of no folder of ours: 2.5 s
}

/^\[[0-9]+\/[0-9]+\] / { print weight_of($0, $NF), $NF }
