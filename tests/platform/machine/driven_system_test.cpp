/// Systems whose pages a driver places, fills, evicts and moves: every value is right, as in a sequential execution.
#include <string>
#include <tuple>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

SystemConfig driven(unsigned sockets, DriverExecution execution) {
    SystemConfig c = small_system(sockets);
    c.translation.mode = TranslationMode::full;
    c.placement.page_kib = 4;
    c.driver.execution = execution;
    c.driver.register_cycles = 5;
    c.driver.faults.message_cycles = 10;
    c.driver.latency_us = 0.5;
    c.host.link_latency_cycles = 20;
    return c;
}

const StatGroup& run(System& system, RandomProgram& program) {
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    return system.stats();
}

RandomProgramShape shape_of_system() {
    RandomProgramShape s;
    s.kernels = kFastBuild ? 6 : 3;
    s.lines = 1024; // 32 pages of 4 KiB
    s.blocks = 16;
    s.accesses = 12;
    return s;
}

class DrivenSystem : public ::testing::TestWithParam<std::tuple<DriverExecution, L2Organisation>> {};

TEST_P(DrivenSystem, GivesTheRightValues) {
    NUMAVP_NEEDS(std::get<0>(GetParam()) != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = driven(3, std::get<0>(GetParam()));
    c.socket.l2.organisation = std::get<1>(GetParam());
    c.driver.faults.queue_entries = 2;
    RandomProgram program(11, shape_of_system());
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    const auto host = run(system, program).values().at("host");
    EXPECT_EQ(host.at("faults").at("done"), system.stats().values().at("system").at("pages"));
    EXPECT_GT(host.at("faults").at("done").get<unsigned>(), 20U);
}

INSTANTIATE_TEST_SUITE_P(
    All, DrivenSystem,
    ::testing::Combine(::testing::Values(DriverExecution::ideal, DriverExecution::native, DriverExecution::riscv),
                       ::testing::Values(L2Organisation::memory_side, L2Organisation::numa_aware)));

class MemoryPressure : public ::testing::TestWithParam<std::tuple<DriverExecution, PageFill, TableHome>> {};

/// Three pages a socket for some thirty: nearly every fault sends a page to the host and brings one back.
TEST_P(MemoryPressure, EvictsAndBringsBackWithoutLosingAByte) {
    NUMAVP_NEEDS(std::get<0>(GetParam()) != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = driven(2, std::get<0>(GetParam()));
    c.driver.fill = std::get<1>(GetParam());
    c.translation.tables = std::get<2>(GetParam());
    c.driver.pages = 6;
    c.driver.policy = "round_robin";
    RandomProgram program(12, shape_of_system());
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    const auto host = run(system, program).values().at("host");
    EXPECT_GT(host.at("copy_engine").at("copies").get<unsigned>(), 20U);
    EXPECT_GT(host.at("faults").at("invalidations").get<unsigned>(), 20U);
}

INSTANTIATE_TEST_SUITE_P(All, MemoryPressure,
                         ::testing::Values(std::tuple(DriverExecution::native, PageFill::zeros, TableHome::sockets),
                                           std::tuple(DriverExecution::native, PageFill::copy, TableHome::host),
                                           std::tuple(DriverExecution::riscv, PageFill::copy, TableHome::sockets),
                                           std::tuple(DriverExecution::riscv, PageFill::zeros, TableHome::host)));

class Migration : public ::testing::TestWithParam<DriverExecution> {};

TEST_P(Migration, MovesPagesThatAreUsedElsewhere) {
    NUMAVP_NEEDS(GetParam() != DriverExecution::riscv || firmware_missing().empty(), firmware_missing());
    SystemConfig c = driven(3, GetParam());
    c.driver.fill = PageFill::zeros;
    c.driver.migration_threshold = 8;
    c.driver.policy = "page_interleave";
    RandomProgram program(13, shape_of_system());
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    const auto host = run(system, program).values().at("host");
    EXPECT_GT(host.at("copy_engine").at("copies").get<unsigned>(), 5U);
    EXPECT_GT(host.at("faults").at("notes").get<unsigned>(), 5U);
}

INSTANTIATE_TEST_SUITE_P(All, Migration, ::testing::Values(DriverExecution::native, DriverExecution::riscv));

TEST(DrivenSystemAtDepthOne, DoesNotBlock) {
    SystemConfig c = driven(2, DriverExecution::native);
    set_all_depths(c, 1);
    c.driver.pages = 4;
    c.driver.fill = PageFill::zeros;
    c.driver.faults.queue_entries = 1;
    c.translation.waiting = 1;
    c.translation.walkers = 1;
    RandomProgram program(14, shape_of_system());
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    run(system, program);
}

/// A driver whose registers are far away is slow, not stuck.
TEST(DrivenSystemWithSlowRegisters, RunsToItsEnd) {
    SystemConfig c = driven(1, DriverExecution::native);
    c.driver.register_cycles = 20000;
    c.driver.watchdog_us = 100000;
    c.checks.stuck_cycles = 50000; // less than the accesses of a fault take
    RandomProgramShape one = shape_of_system();
    one.kernels = 1;
    one.lines = 64;
    RandomProgram program(5, one);
    SystemOptions options;
    options.hooks = &program;
    System system(c, program.workload(), options);
    run(system, program);
    EXPECT_GT(system.cycles(), 10 * c.checks.stuck_cycles) << "or this test shows nothing";
}

TEST(DrivenSystemOfOneSocket, HasAHostOnItsLink) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    RandomProgram program(15, shape_of_system());
    SystemOptions options;
    options.hooks = &program;
    System system(driven(1, DriverExecution::riscv), program.workload(), options);
    run(system, program);
}

} // namespace
} // namespace numavp::test
