/// How much a test may ask of this build.
#pragma once

namespace numavp::test {

/// Optimised and without sanitizers. Others take ten times as long: what would be minutes there is left to this one.
inline constexpr bool kFastBuild = NUMAVP_FAST_BUILD;

} // namespace numavp::test
