/// Whether this build has the address sanitizer, under which a program takes a fifth of a second to start.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define NUMAVP_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NUMAVP_ADDRESS_SANITIZER
#endif
#endif

namespace numavp::test {
#ifdef NUMAVP_ADDRESS_SANITIZER
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
} // namespace numavp::test
