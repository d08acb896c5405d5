/// A module of the user's that keeps simulated time from going on ends the run with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Wakes itself for ever at 7 ns.
struct Spinner : sc_core::sc_module {
    SC_HAS_PROCESS(Spinner);
    explicit Spinner(sc_core::sc_module_name name) : sc_module(name) {
        SC_METHOD(spin);
        sensitive << again;
        dont_initialize();
        again.notify(sc_core::sc_time(7, sc_core::SC_NS));
    }
    void spin() { again.notify(sc_core::SC_ZERO_TIME); }
    sc_core::sc_event again{"again"};
};

TEST(ZeroTime, EndsTheRunWithWhenAndWho) {
    RandomProgram program(1, {});
    System system(small_system(1), program.workload(), {});
    Spinner spinner("spinner");
    std::string sentence;
    try {
        system.run();
    } catch (const ModelError& fault) {
        sentence = fault.what();
    }
    EXPECT_THAT(sentence, AllOf(HasSubstr("simulated time stands still at 7000 ps"), HasSubstr("spinner.again")));
}

} // namespace
} // namespace numavp::test
