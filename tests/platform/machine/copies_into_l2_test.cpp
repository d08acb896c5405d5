/// Copies in no time that leave their lines in L2.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/machine/one_word.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

constexpr std::uint64_t kCopied = 64 << 10; ///< bytes

/// Statistics of a kernel that reads an array, behind a copy to the device.
nlohmann::json read_behind_copy(const std::string& mode) {
    return run_apart([&]() -> nlohmann::json {
        const nlohmann::json kernel = {
            {"pattern", "element_loop"},
            {"parameters", {{"items", kCopied / 4}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}}}}},
            {"arrays", {{"a", "a"}}}};
        const nlohmann::json file = {{"name", "copied"},
                                     {"kernels", {{{"copy", "to_device"}, {"array", "a"}}, kernel}}};
        System system(load_system("accel-sim-qv100", {"socket.sms=4", "copies.mode=" + mode}),
                      read_workload(file, Place("file"), {}));
        system.run();
        return system.stats().values();
    });
}

TEST(CopiesIntoL2, AreReadWithoutMemory) {
    const nlohmann::json held = read_behind_copy("into_l2"), free = read_behind_copy("free");
    EXPECT_EQ(stat(free, "socket0.memory.read_bytes"), kCopied);
    EXPECT_EQ(stat(held, "socket0.memory.read_bytes"), 0U);
    EXPECT_EQ(stat(held, "system.lines_copied_into_l2"), kCopied / kLineBytes);
    EXPECT_EQ(stat(held, "system.copied_bytes"), kCopied);
    EXPECT_EQ(stat(free, "system.copied_bytes"), kCopied);
}

TEST(CopiesIntoL2, TakeTheLinesThatTheyTouch) {
    const auto read_lines = [](std::uint64_t address, std::uint64_t bytes) {
        return run_apart([&]() -> nlohmann::json {
            Launch copy;
            copy.what = Launch::What::copy_to_device;
            copy.address = address;
            copy.bytes = bytes;
            WarpCode code;
            for (unsigned line = 0; line < 4; ++line)
                code.push_back(one_lane(load(kHandBase + line * kLineBytes, static_cast<std::uint8_t>(2 + line)), 0));
            SystemConfig config = small_system(1);
            config.copies.mode = CopyMode::into_l2;
            System system(config, hand_workload({copy, hand_launch("reader", 1, 1, on(0, code))}));
            system.run();
            return system.stats().values().at("socket0").at("memory").at("reads");
        });
    };
    EXPECT_EQ(read_lines(kHandBase + 4, 0), 4);
    EXPECT_EQ(read_lines(kHandBase + 127, 1), 3);
    EXPECT_EQ(read_lines(kHandBase + 127, 2), 2);
    EXPECT_EQ(read_lines(kHandBase, 3 * kLineBytes + 1), 0);
}

/// Kernels of two streams write and read what copies put into L2 meanwhile, in several sockets; copies move no values.
TEST(CopiesIntoL2, ChangeNoValues) {
    SystemConfig config = small_system(4);
    config.checks.functional = true;
    config.copies.mode = CopyMode::into_l2;
    config.placement.page_kib = 4;
    RandomProgramShape shape;
    shape.kernels = 8;
    shape.streams = 2;
    shape.read_only_lines = 70;
    shape.blocks = 12;
    shape.accesses = 12;
    shape.lines = 2000;
    RandomProgram program(3, shape);
    Workload workload = program.workload();
    workload.launches.clear();
    for (const Launch& kernel : program.workload().launches) {
        for (const auto what : {Launch::What::copy_to_device, Launch::What::copy_to_host}) {
            Launch copy;
            copy.what = what;
            copy.address = RandomProgram::kBase + 36;
            copy.bytes = program.bytes() - 36 - 5;
            copy.stream = kernel.stream;
            workload.launches.push_back(copy);
        }
        workload.launches.push_back(kernel);
    }
    SystemOptions options;
    options.hooks = &program;
    System system(config, workload, options);
    system.run();
    EXPECT_EQ(program.wrong_in(system), "");
    const std::uint64_t held = stat(system.stats().values(), "system.lines_copied_into_l2");
    EXPECT_GT(held, shape.lines);
    EXPECT_LT(held, std::uint64_t{shape.kernels} * shape.lines) << "some were there";
}

} // namespace
} // namespace numavp::test
