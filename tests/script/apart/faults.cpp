/// Tests with faults of all kinds, by which apart.sh shows that none of them counts as passed where tests run apart.
#include <csignal>
#include <cstdlib>
#include <unistd.h>

#include <gtest/gtest.h>

namespace numavp::test {
namespace {

TEST(Apart, IsAProcessOfItsOwn) {
    static int times = 0;
    EXPECT_EQ(++times, 1);
}

TEST(Apart, SeesNothingOfAnother) {
    ASSERT_EQ(::setenv("NUMAVP_APART_SEEN", "1", 0), 0);
    EXPECT_EQ(std::getenv("GTEST_TOTAL_SHARDS"), nullptr);
}

TEST(Apart, FindsNothingThatAnotherLeft) { EXPECT_EQ(std::getenv("NUMAVP_APART_SEEN"), nullptr); }

TEST(ApartFaults, Fails) { ADD_FAILURE() << "words of the test that fails"; }

TEST(ApartFaults, Throws) { throw 1; }

TEST(ApartFaults, Exits) { std::_Exit(5); }

TEST(ApartFaults, Dies) { ::kill(::getpid(), SIGKILL); }

TEST(ApartFaults, NeverEnds) {
    if (::fork() == 0) ::execlp("sleep", "sleep", "1234.5", nullptr);
    for (;;) ::pause();
}

} // namespace
} // namespace numavp::test
