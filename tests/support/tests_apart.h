/// Each TEST in a process of its own that is forked, not started: SystemC elaborates once a process, and a program
/// takes longer to start under sanitizers than most tests take.
#pragma once

#include <optional>
#include <string>

namespace numavp::test {

/// Runs the tests of GoogleTest's filter and shard (GTEST_TOTAL_SHARDS, GTEST_SHARD_INDEX), each in a forked process
/// that is ended after `seconds`, a positive number, with all that it has started. The status of the program, or
/// nothing in a forked process, where the filter now names its one test. What a test says is shown if it fails. A
/// skipped test counts as passed. Before anything of SystemC is made.
std::optional<int> run_tests_apart(const std::string& seconds);

} // namespace numavp::test
