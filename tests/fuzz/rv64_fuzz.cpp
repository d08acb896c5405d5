/// The RV64 core: any bytes as code end alike at budgets of 1 and of 1,000, and with a breakpoint that is never met.
///
/// Input: the code, from the start of RAM, which is also where traps go.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "models/riscv/rv64_core.h"

namespace {

using namespace numavp;
constexpr std::uint64_t kRam = 0x80000000, kRamBytes = 8192, kSteps = 3000;

struct Run {
    Run(const std::uint8_t* data, std::size_t size, std::uint64_t budget, bool watched) : ram(kRamBytes) {
        std::memcpy(ram.data(), data, std::min<std::size_t>(size, kRamBytes));
        Rv64Core::Config config;
        config.ram_base = config.reset_pc = kRam;
        config.ram_bytes = kRamBytes;
        config.ram = ram.data();
        Rv64Core core(config);
        core.write_csr(kMtvec, kRam);
        for (unsigned i = 1; i < 32; ++i) core.set_x(i, i % 2 ? kRam + 128 * i : i);
        if (watched) core.breakpoints().add(1); // no instruction is at an odd address
        run(core, budget);
        for (unsigned i = 0; i < 32; ++i) state.push_back(core.x(i));
        for (const std::uint64_t v : {core.pc(), core.retired(), core.traps(), hash}) state.push_back(v);
        if (core.x(0) != 0 || core.steps() < core.retired()) std::abort();
    }
    void run(Rv64Core& core, std::uint64_t budget) {
        while (core.steps() < kSteps) {
            // Interrupts come at the same steps whatever the budget.
            core.set_timer_interrupt(core.steps() / 100 % 2 == 1);
            const std::uint64_t to_change = 100 - core.steps() % 100;
            const CoreStop stop = core.run(std::min({budget, to_change, kSteps - core.steps()}));
            if (stop == CoreStop::wait) return;
            if (stop == CoreStop::budget) continue;
            if (stop != CoreStop::bus) std::abort();
            const BusAccess& a = core.access();
            hash = hash * 31 + a.address + a.value + a.bytes;
            if (a.what == BusAccess::What::data && a.address % a.bytes != 0) std::abort();
            if (a.address & 64)
                core.fail();
            else
                core.complete(hash);
        }
    }
    std::vector<unsigned char> ram;
    std::vector<std::uint64_t> state;
    std::uint64_t hash = 1;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Run one(data, size, 1, false), thousand(data, size, 1000, false), watched(data, size, 1000, true);
    if (one.state != thousand.state || one.ram != thousand.ram) std::abort();
    if (one.state != watched.state || one.ram != watched.ram) std::abort();
    return 0;
}
