/// A debugger's target without a simulation: two cores with registers, two pieces of memory, one of them at the very
/// end of the address space. What lies outside them, or is empty or wraps, is a breach that it notes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "models/riscv/gdb_target.h"

namespace numavp::test {

inline constexpr std::uint64_t kFakeRam = 0x80000000;
inline constexpr std::uint64_t kFakeRamBytes = 0x10000;
inline constexpr std::uint64_t kFakeTop = ~std::uint64_t{0} - 63; ///< 64 bytes

class FakeTarget final : public GdbTarget {
  public:
    unsigned cores() const override { return 2; }
    std::vector<GdbCsr> csrs() const override { return {{"mstatus", 0x300}, {"mepc", 0x341}, {"mcause", 0x342}}; }

    std::optional<std::uint64_t> read_register(unsigned core, unsigned number) override {
        std::uint64_t* const place = register_at(core, number);
        return place != nullptr ? std::optional(*place) : std::nullopt;
    }
    bool write_register(unsigned core, unsigned number, std::uint64_t value) override {
        std::uint64_t* const place = register_at(core, number);
        if (place != nullptr && number != 0) *place = value;
        return place != nullptr;
    }

    bool read_memory(std::uint64_t address, unsigned char* to, std::size_t bytes) override {
        const unsigned char* const from = memory_at(address, bytes);
        if (from != nullptr) std::memcpy(to, from, bytes);
        return from != nullptr;
    }
    bool write_memory(std::uint64_t address, const unsigned char* from, std::size_t bytes) override {
        unsigned char* const to = memory_at(address, bytes);
        if (to != nullptr) std::memcpy(to, from, bytes);
        return to != nullptr;
    }

    bool insert(const GdbPoint& point) override {
        if (point.kind != GdbPoint::Kind::instruction && point.bytes - 1 > ~point.address) breaches += "point wraps; ";
        if (std::find(points.begin(), points.end(), point) != points.end()) breaches += "point twice; ";
        if (point.bytes > kFakeRamBytes) return false;
        points.push_back(point);
        return true;
    }
    void remove(const GdbPoint& point) override {
        const auto found = std::find(points.begin(), points.end(), point);
        if (found == points.end())
            breaches += "no such point; ";
        else
            points.erase(found);
    }

    std::vector<GdbCommand> monitor_commands() const override { return {{"faults", "the fault queue"}}; }
    std::optional<std::string> monitor(const std::vector<std::string>& words) override {
        if (words.empty()) breaches += "no words; ";
        if (words.size() == 1 && words[0] == "faults") return "the queue is empty";
        if (words[0] == "long") return std::string(20000, 'x');
        return std::nullopt;
    }

    void resume(std::optional<unsigned> step) override {
        ++resumed;
        stepped = step;
        if (step && *step >= cores()) breaches += "no such core; ";
    }

    std::array<std::array<std::uint64_t, kGdbPc + 1>, 2> x{};
    std::array<std::uint64_t, 3> csr{0x1800, 0x80000010, 11};
    std::array<unsigned char, kFakeRamBytes> ram{};
    std::array<unsigned char, 64> top{};
    std::vector<GdbPoint> points;
    std::string breaches; ///< of the contract that the target has with its callers
    unsigned resumed = 0;
    std::optional<unsigned> stepped;

  private:
    std::uint64_t* register_at(unsigned core, unsigned number) {
        if (core >= cores())
            breaches += "no such core; ";
        else if (number <= kGdbPc)
            return &x[core][number];
        for (std::size_t i = 0; i < csr.size(); ++i)
            if (number == kGdbFirstCsr + csrs()[i].number) return &csr[i];
        return nullptr;
    }
    unsigned char* memory_at(std::uint64_t address, std::size_t bytes) {
        if (bytes == 0 || bytes - 1 > ~address)
            breaches += "range empty or wraps; ";
        else if (address >= kFakeTop)
            return &top[address - kFakeTop]; // no wrap: it ends inside
        else if (address - kFakeRam < kFakeRamBytes && bytes <= kFakeRamBytes - (address - kFakeRam))
            return &ram[address - kFakeRam];
        return nullptr;
    }
};

} // namespace numavp::test
