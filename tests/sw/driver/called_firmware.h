/// Functions of the driver compiled for RV64, called one by one on the core.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/riscv/elf_image.h"
#include "models/riscv/rv64_core.h"

namespace numavp::test {

class CalledFirmware {
  public:
    static constexpr std::uint64_t kRam = 0x80000000;

    CalledFirmware(const std::string& path, std::uint64_t ram_bytes)
        : ram_(ram_bytes), image_(ElfImage::read(path)), core_(config()) {
        image_.load(kRam, ram_bytes, ram_.data());
        for (unsigned i = 0; i < 4; ++i) memory<unsigned char>(back())[i] = static_cast<unsigned char>(kWait >> 8 * i);
        core_.flush_code();
    }
    /// What the function returns.
    std::uint64_t call(const std::string& name, const std::vector<std::uint64_t>& arguments) {
        core_.reset();
        core_.set_pc(image_.symbol(name)->address);
        core_.set_x(1, back());
        core_.set_x(2, back() - kWords); // stack
        unsigned argument = 10;
        for (const std::uint64_t value : arguments) core_.set_x(argument++, value);
        EXPECT_EQ(core_.run(kMostSteps), CoreStop::wait) << core_.in_words();
        return core_.x(10);
    }
    /// 32 bits, as the ABI passes them.
    static std::uint64_t word(std::uint32_t value) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(value)));
    }
    /// Instructions of the last call.
    std::uint64_t steps() const { return core_.steps(); }
    /// What lies at an address.
    template <class T> T* memory(std::uint64_t address) {
        return reinterpret_cast<T*>(ram_.data() + (address - kRam)); // NOLINT(*reinterpret-cast)
    }

  private:
    static constexpr std::uint32_t kWait = 0x10500073; // wfi, where functions return to
    static constexpr std::uint64_t kWords = 64, kMostSteps = 1'000'000;

    std::uint64_t back() const { return kRam + ram_.size() - 8; }
    Rv64Core::Config config() {
        Rv64Core::Config c;
        c.ram_base = kRam;
        c.ram_bytes = ram_.size();
        c.ram = ram_.data();
        c.reset_pc = kRam;
        return c;
    }

    std::vector<unsigned char> ram_;
    ElfImage image_;
    Rv64Core core_;
};

} // namespace numavp::test
