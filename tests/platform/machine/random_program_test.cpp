/// What random programs say of a system that is wrong: many tests trust it.
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"

namespace numavp::test {
namespace {

using ::testing::MatchesRegex;

enum class Spoilt { nothing, store, load };

/// Changes a byte of each store, or of each load.
struct Spoiler final : DataHooks {
    Spoiler(RandomProgram& all, Spoilt kind) : program(all), what(kind) {}
    void produce(std::uint64_t cookie, std::uint64_t line, ByteMask mask, unsigned char* data) override {
        program.produce(cookie, line, mask, data);
        if (what == Spoilt::store) spoil(mask, data);
    }
    void consume(std::uint64_t cookie, std::uint64_t line, ByteMask mask, const unsigned char* data) override {
        std::array<unsigned char, kLineBytes> seen{};
        std::copy_n(data, kLineBytes, seen.begin());
        if (what == Spoilt::load) spoil(mask, seen.data());
        program.consume(cookie, line, mask, seen.data());
    }
    static void spoil(ByteMask mask, unsigned char* data) {
        unsigned first = 0;
        while (!mask.test(first)) ++first;
        data[first] ^= 1U;
    }
    RandomProgram& program;
    Spoilt what;
};

std::string wrong_if(Spoilt what, const RandomProgramShape& shape = {}) {
    SystemConfig config = small_system(2);
    config.checks.functional = true;
    RandomProgram program(4, shape);
    Spoiler hooks(program, what);
    SystemOptions options;
    options.hooks = &hooks;
    System system(config, program.workload(), options);
    system.run();
    return program.wrong_in(system);
}

TEST(RandomPrograms, SayNothingOfASystemThatIsRight) { EXPECT_EQ(wrong_if(Spoilt::nothing), ""); }
TEST(RandomPrograms, SayWhichLoadSawAWrongByte) {
    EXPECT_THAT(wrong_if(Spoilt::load), MatchesRegex("load .* saw 0x.. at offset 0x.*, right is 0x.."));
}
TEST(RandomPrograms, SayWhichLoadSawAWrongStore) {
    EXPECT_THAT(wrong_if(Spoilt::store), MatchesRegex("load .* saw 0x.. at offset 0x.*, right is 0x.."));
}
/// A warp's only access is no load of what it has stored, so that memory alone can tell.
TEST(RandomPrograms, SayWhichByteOfMemoryIsWrong) {
    RandomProgramShape once;
    once.kernels = once.phases = once.accesses = 1;
    EXPECT_THAT(wrong_if(Spoilt::store, once), MatchesRegex("memory has 0x.. at offset 0x.*, right is 0x.."));
}
TEST(RandomPrograms, SayThatNotAllLoadsWereCompared) {
    EXPECT_THAT(RandomProgram(4, {}).wrong_loads(), MatchesRegex("0 of [0-9]+ loaded bytes were compared"));
}

} // namespace
} // namespace numavp::test
