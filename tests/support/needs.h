/// Tests that need what not every machine has.
#pragma once

#include <cstdlib>

#include <gtest/gtest.h>

/// Ends a test, or its SetUp(), that needs something which is not here: it is skipped, with `sentence`; where the
/// environment has NUMAVP_REQUIRE_ALL, as in the gate, which installs everything, it fails.
#define NUMAVP_NEEDS(present, sentence)                                                                                \
    if (!(present)) {                                                                                                  \
        if (std::getenv("NUMAVP_REQUIRE_ALL") != nullptr) FAIL() << (sentence);                                        \
        GTEST_SKIP() << (sentence);                                                                                    \
    }                                                                                                                  \
    static_assert(true)
