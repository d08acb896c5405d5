/// A driver on a fake platform, ready to be given faults and notes.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sw/driver/driver.h"
#include "tests/sw/driver/fake_platform.h"

namespace numavp::driver_test {

inline constexpr std::uint64_t kBase = 0x1000; ///< a page number

/// A driver that has started on its platform. At the end nothing may have gone wrong there.
struct Bench {
    explicit Bench(const Setting& setting = {}, std::size_t arena_bytes = 1U << 20)
        : platform(setting), arena(arena_bytes / 8) {
        wrong = driver_init(&driver, platform.hal(), nullptr, arena.data(), arena.size() * 8);
        platform.writes.clear();
    }
    ~Bench() {
        for (const std::string& breach : platform.breaches) ADD_FAILURE() << breach;
    }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    /// Page, then the socket that touches it.
    void serve(std::uint64_t page, std::uint64_t socket, bool write = false) {
        platform.fault(page, socket, write);
        EXPECT_TRUE(platform.interrupt_line());
        driver_interrupt(&driver);
        EXPECT_FALSE(platform.interrupt_line());
    }
    void serve_note(std::uint64_t page, std::uint64_t socket) {
        platform.note(page, socket);
        EXPECT_TRUE(platform.interrupt_line());
        driver_interrupt(&driver);
        EXPECT_FALSE(platform.interrupt_line());
    }
    std::vector<std::string> names_of_writes() const {
        std::vector<std::string> names;
        for (const DeviceWrite& write : platform.writes) names.push_back(write.where);
        return names;
    }
    bool says(const std::string& text) const { return platform.console.find(text) != std::string::npos; }

    FakePlatform platform;
    std::vector<std::uint64_t> arena;
    Driver driver;
    const char* wrong = nullptr;
};

inline Setting small(const char* policy, std::uint64_t frames, std::uint64_t host_frames = 8) {
    Setting setting;
    setting.policy = policy;
    setting.frames = frames;
    setting.host_frames = host_frames;
    return setting;
}

using Names = std::vector<std::string>;
inline const Names kPlainFault = {"system.watchdog", "entry", "fault_unit.pop", "fault_unit.done"};

} // namespace numavp::driver_test
