/// How much a test may ask of this build.
#pragma once

#include <cstddef>
#include <iterator>
#include <vector>

namespace numavp::test {

/// Optimised and without sanitizers. Others take ten times as long: what would be minutes there is left to this one.
inline constexpr bool kFastBuild = NUMAVP_FAST_BUILD;

/// Of the rows of a long table each in this build, every fourth in others: sanitizers look at the same code in all.
template <class Table> auto rows_of_build(const Table& table) {
    using Row = typename std::iterator_traits<decltype(std::begin(table))>::value_type;
    std::vector<Row> rows;
    std::size_t number = 0;
    for (const Row& row : table)
        if (kFastBuild || number++ % 4 == 0) rows.push_back(row);
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
