/// How much a test may ask of this build, and of this run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

namespace numavp::test {

/// Optimised and without sanitizers. Others take ten times as long: what would be minutes there is left to this one.
inline constexpr bool kFastBuild = NUMAVP_FAST_BUILD;

/// Whether the thread sanitizer looks on, which takes a run to some twenty times its time.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif
#else
inline constexpr bool kThreadSanitizer = false;
#endif

/// Whether nothing is left out: the environment has NUMAVP_TEST_DEPTH=all, as in `./numavp test --all`.
inline bool whole_run() {
    const char* depth = std::getenv("NUMAVP_TEST_DEPTH");
    return depth != nullptr && std::string(depth) == "all";
}

/// Transactions of a campaign of `whole`: a tenth of it in the gate, and a twentieth in slow builds, where sanitizers
/// look at the same code in each; in a whole run all and a tenth. At least `least`.
inline unsigned of_campaign(unsigned whole, unsigned least = 1) {
    const unsigned divisor = kFastBuild ? (whole_run() ? 1 : 10) : (whole_run() ? 10 : 20);
    return std::max(least, whole / divisor);
}

/// Seeds of random programs, of `whole`: a third in the gate, one in slow builds; in a whole run all and a quarter.
inline std::uint64_t of_seeds(std::uint64_t whole) {
    const std::uint64_t seeds = kFastBuild ? (whole_run() ? whole : whole / 3) : (whole_run() ? whole / 4 : 1);
    return std::max<std::uint64_t>(1, seeds);
}

/// Of the rows of a long table: each in this build, every eighth in slow ones, every fourth in their whole run.
template <class Table> auto rows_of_build(const Table& table) {
    using Row = typename std::iterator_traits<decltype(std::begin(table))>::value_type;
    const std::size_t step = kFastBuild ? 1 : whole_run() ? 4 : 8;
    std::vector<Row> rows;
    std::size_t number = 0;
    for (const Row& row : table)
        if (number++ % step == 0) rows.push_back(row);
    return rows;
}

/// Why a test that leaves a process no file descriptors is for this build alone.
inline constexpr char kSanitizersOpenFiles[] = "sanitizers open pipes themselves, to look at what a pointer points to";
/// Why a test of a ratio of times, of systems that run in other tests too, is for it alone.
inline constexpr char kSameCycles[] = "cycles are the same in all builds, and this takes slow ones too long";
/// Why a test whose faults are thrown through the simulation kernel beside threads of the stimulus is for it alone.
inline constexpr char kSanitizersLoseStacks[] =
    "AddressSanitizer reports false errors when an exception leaves a process of SystemC beside coroutines";

} // namespace numavp::test
