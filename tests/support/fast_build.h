/// How much a test may ask of this build.
#pragma once

namespace numavp::test {

/// Optimised and without sanitizers. Others take ten times as long: what would be minutes there is left to this one.
inline constexpr bool kFastBuild = NUMAVP_FAST_BUILD;

/// Why a test that leaves a process no file descriptors is for this build alone.
inline constexpr char kSanitizersOpenFiles[] = "sanitizers open pipes themselves, to look at what a pointer points to";

} // namespace numavp::test
