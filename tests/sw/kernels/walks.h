/// Tests that walk through all instructions of shipped workloads. They take most of this suite's time and say the same
/// as long as workloads, patterns and what reads them stay: kernels.walks (walks.py) runs them where one of these has
/// changed.
#pragma once

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/support/fast_build.h"

/// Ends a test that walks, unless walks are asked for.
#define NUMAVP_WALKS()                                                                                                 \
    if (std::getenv("NUMAVP_WALKS") == nullptr && !::numavp::test::whole_run())                                        \
        GTEST_SKIP() << "walked by kernels.walks, where workloads or patterns have changed";                           \
    static_assert(true)
