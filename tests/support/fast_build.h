/// How much a test may ask of this build.
#pragma once

namespace numavp::test {

/// Optimised and without sanitizers. Others take ten times as long: what would be minutes there is left to this one.
inline constexpr bool kFastBuild = NUMAVP_FAST_BUILD;

/// Why a test that leaves a process no file descriptors is for this build alone.
inline constexpr char kSanitizersOpenFiles[] = "sanitizers open pipes themselves, to look at what a pointer points to";
/// Why a test whose faults are thrown through the simulation kernel beside threads of the stimulus is for it alone.
inline constexpr char kSanitizersLoseStacks[] =
    "AddressSanitizer reports false errors when an exception leaves a process of SystemC beside coroutines";

} // namespace numavp::test
