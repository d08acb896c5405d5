/// Firmware and policies of the user's in what `explain` and run.json say, by its content.
#include <string>

#include <gtest/gtest.h>

#include "common/files/sha1.h"
#include "platform/explain/own_inputs.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

// FIPS 180-1, appendices A to C.
TEST(Sha1, IsThatOfTheStandardsExamples) {
    EXPECT_EQ(sha1_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(sha1_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(sha1_of(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(OwnInputs, FirmwareOfTheUsersIsNamedWithItsHash) {
    const TempDir folder;
    const std::string file = folder.write("mine.elf", "abc");
    SystemConfig config;
    config.driver.riscv.firmware = file;
    EXPECT_TRUE(own_inputs(config).empty()) << "nothing runs it";
    config.driver.execution = DriverExecution::riscv;
    EXPECT_EQ(own_text(config, "firmware"), file + " (SHA-1 a9993e364706816aba3e25717850c26c9cd0d89d)");
    EXPECT_EQ(own_inputs_json(config).dump(), R"([{"replaces":"firmware","path":")" + file +
                                                  R"(","sha1":"a9993e364706816aba3e25717850c26c9cd0d89d"}])");
}

TEST(OwnInputs, PolicyOfTheUsersIsNamedWithItsHash) {
    const TempDir folder;
    SystemConfig config;
    config.driver.policy = folder.write("mine.so", "abc");
    EXPECT_TRUE(own_inputs(config).empty()) << "nothing asks it";
    config.driver.execution = DriverExecution::native;
    EXPECT_EQ(own_text(config, "placement_policy"),
              config.driver.policy + " (SHA-1 a9993e364706816aba3e25717850c26c9cd0d89d)");
}

TEST(OwnInputs, OurBlocksAndFirmwareAreNotTheUsers) {
    SystemConfig config;
    config.driver.execution = DriverExecution::riscv;
    EXPECT_EQ(own_inputs_json(config).dump(), "[]");
}

} // namespace
} // namespace numavp::test
