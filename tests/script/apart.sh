#!/usr/bin/env bash
# apart.sh <program of apart/faults.cpp>: a test that fails, dies or never ends where tests run apart is a failure, with its words,
# and leaves no process; filter and shard choose.
set -uo pipefail

failed=0
# expect <status> <lines that are said, in this order, between others>...: of what was run last.
expect() {
    local line at=1 found
    [[ "$status" == "$1" ]] || { echo "status $status; $1 is expected"; failed=1; }
    for line in "${@:2}"; do
        found="$(tail -n "+$at" <<<"$said" | grep -nF -m 1 -- "$line" | cut -d: -f1)"
        [[ -n "$found" ]] || { echo "'$line' is not said, or not there, in: $said"; failed=1; continue; }
        at=$((at + found))
    done
}
apart() { said="$(NUMAVP_TESTS_APART=2 "$@" 2>&1)" && status=0 || status=$?; }

apart "$1"
expect 1 "words of the test that fails" "ApartFaults.Fails failed" "ApartFaults.Throws failed" "ApartFaults.Exits failed" \
    "ApartFaults.Dies died of signal 9" "ApartFaults.NeverEnds did not end in 2 s" "3 passed, 5 failed"
if pgrep -f "^sleep 1234.5" >/dev/null; then
    echo "a program that a test had started is still there"
    failed=1
fi
apart "$1" '--gtest_filter=Apart*-ApartFaults.*'
expect 0 "3 passed, 0 failed"
apart "$1" '--gtest_filter=None'
expect 1 "0 passed, 0 failed"
apart env GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 "$1" '--gtest_filter=Apart.*'
expect 0 "2 passed, 0 failed"
apart env GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 "$1" '--gtest_filter=Apart.*'
expect 0 "1 passed, 0 failed"
exit "$failed"
