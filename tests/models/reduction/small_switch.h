/// Four small GPUs at one router with two reduction units, and what their all-reduce must do to values.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {

inline constexpr unsigned kRanks = 4;
inline constexpr unsigned kUnits = 2;

inline SystemConfig switch_of_four() {
    SystemConfig c = small_system(kRanks);
    c.socket.l2.organisation = L2Organisation::memory_side;
    c.socket.partition.controller = WayPartitionKind::fixed;
    c.parts = {
        {"gpu", kRanks, PartKind::gpu, 2}, {"hub", 1, PartKind::router}, {"sharp", kUnits, PartKind::reduction, 2}};
    c.network.topology = FabricKind::wires;
    c.network.wires = {{"gpu", "hub", "", "", 1}, {"sharp", "hub", "", "", 2}};
    c.reduction.entries = 16;
    c.placement.page_kib = 4;
    return c;
}

inline json in_switch(std::uint64_t bytes, const json& more = json::object()) {
    json parameters = {{"bytes", bytes}, {"ranks", kRanks}, {"algorithm", "in_switch"},
                       {"blocks", 2},    {"threads", 64},   {"element", "fp32"}};
    parameters.update(more);
    json on_gpu = json::object();
    for (unsigned r = 0; r < kRanks; ++r) {
        on_gpu[fmt::format("buffer_{}", r)] = r;
        if (parameters.value("barrier", "") == "flags") on_gpu[fmt::format("flag_{}", r)] = r;
    }
    return {
        {"name", "sum"}, {"on_gpu", on_gpu}, {"kernels", {{{"pattern", "all_reduce"}, {"parameters", parameters}}}}};
}

/// An all-reduce behind a kernel in which each rank fills its own array. Values are small integers, whose sums FP32
/// has exactly.
class SummedArrays final : public DataHooks {
  public:
    explicit SummedArrays(const json& file) : workload_(read_workload(file, "sum")) {
        workload_.launches.insert(workload_.launches.begin(), fill());
        for (const Range& range : workload_.ranges) read_[range.base].resize(range.bytes);
    }
    const Workload& workload() const { return workload_; }
    const Range& range(const std::string& name) const {
        for (const Range& range : workload_.ranges)
            if (range.name == name) return range;
        throw ModelError("no array " + name);
    }
    static float value(unsigned rank, std::uint64_t element) {
        return static_cast<float>((rank + 1) * (element % 97 + 1));
    }
    static float sum(std::uint64_t element) {
        float all = 0;
        for (unsigned r = 0; r < kRanks; ++r) all += value(r, element);
        return all;
    }
    void produce(std::uint64_t, std::uint64_t line, ByteMask, unsigned char* bytes) override {
        const Range& array = of(line);
        if (array.multicast() && array.name == "buffers") { // what was read there is what is written
            std::memcpy(bytes, sums_.at(line).data(), kLineBytes);
            return;
        }
        for (unsigned i = 0; i < kLineBytes / 4; ++i) {
            const std::uint64_t element = (line - array.base) / 4 + i;
            const std::uint32_t one = 1;
            const float filled = value(array.gpu, element);
            std::memcpy(bytes + std::size_t{i} * 4, array.multicast() ? static_cast<const void*>(&one) : &filled, 4);
        }
    }
    void consume(std::uint64_t, std::uint64_t line, ByteMask mask, const unsigned char* bytes) override {
        const Range& array = of(line);
        if (array.name != "buffers") return;
        std::vector<unsigned char>& kept = sums_[line];
        kept.resize(kLineBytes);
        for (unsigned i = 0; i < kLineBytes; ++i) {
            if (!mask.test(i)) continue;
            kept[i] = bytes[i];
            ++read_[array.base][line - array.base + i];
        }
    }
    /// Empty if every rank has the sum of all in the end, and each byte was read once.
    std::string wrong_in(System& system) {
        for (const unsigned times : read_[range("buffers").base])
            if (times != 1) return fmt::format("a byte of the sum was read {} times", times);
        for (unsigned r = 0; r < kRanks; ++r) {
            const Range& array = range(fmt::format("buffer_{}", r));
            std::vector<float> found(array.bytes / 4);
            system.debug_read(array.base, reinterpret_cast<unsigned char*>(found.data()), array.bytes);
            for (std::size_t i = 0; i < found.size(); ++i)
                if (found[i] != sum(i))
                    return fmt::format("rank {} has {} as element {}, not {}", r, found[i], i, sum(i));
        }
        return "";
    }

  private:
    const Range& of(std::uint64_t address) const {
        for (const Range& range : workload_.ranges)
            if (address >= range.base && address < range.base + range.bytes) return range;
        throw ModelError(fmt::format("{:#x} lies in no array", address));
    }
    /// A block of one warp for each rank.
    Launch fill() const {
        std::vector<Range> arrays;
        for (unsigned r = 0; r < kRanks; ++r) arrays.push_back(range(fmt::format("buffer_{}", r)));
        return hand_launch("fill", kRanks, 1, [arrays](std::uint64_t block, unsigned) {
            WarpCode code;
            for (std::uint64_t at = 0; at < arrays[block].bytes; at += kLineBytes)
                code.push_back(store(arrays[block].base + at));
            return code;
        });
    }

    Workload workload_;
    std::map<std::uint64_t, std::vector<unsigned>> read_;      ///< times, by array and byte
    std::map<std::uint64_t, std::vector<unsigned char>> sums_; ///< by line of the multicast array
};

} // namespace numavp::test
