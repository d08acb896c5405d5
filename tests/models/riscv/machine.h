/// A core with RAM, a program and a few devices, run to its end.
#pragma once

#include <cstring>
#include <initializer_list>
#include <vector>

#include "models/riscv/rv64_core.h"
#include "tests/models/riscv/encode.h"

namespace numavp {

struct Machine {
    static constexpr std::uint64_t kRam = 0x80000000, kRamBytes = 64 << 10;
    static constexpr std::uint64_t kHandler = kRam + 0x2000, kData = kRam + 0x4000;
    static constexpr std::uint64_t kEnd = 0x10000000;    ///< a store here ends the program
    static constexpr std::uint64_t kAnswer = 0x10000008; ///< a store here lowers both interrupt lines
    static constexpr std::uint64_t kValue = 0x10000010;  ///< a load here gives kLoaded, a store is logged
    static constexpr std::uint64_t kLoaded = 0x8877665544332211;
    static constexpr std::uint64_t kNothing = 0x20000000; ///< nobody answers

    explicit Machine(std::initializer_list<rv::Word> program = {}, bool sync_atomics = true)
        : ram(kRamBytes), core(config(*this, sync_atomics)) {
        put(kRam, program);
    }

    /// Puts words, of four bytes or two, one after the other; returns the address behind them.
    std::uint64_t put(std::uint64_t address, std::initializer_list<rv::Word> words) {
        for (const rv::Word w : words) {
            const unsigned bytes = is_long_encoding(w) ? 4 : 2;
            std::memcpy(&ram[address - kRam], &w, bytes);
            address += bytes;
        }
        return address;
    }
    void poke(std::uint64_t address, std::uint64_t value) { std::memcpy(&ram[address - kRam], &value, 8); }
    std::uint64_t peek(std::uint64_t address) const {
        std::uint64_t value = 0;
        std::memcpy(&value, &ram[address - kRam], 8);
        return value;
    }
    std::uint64_t csr(unsigned number) const {
        std::uint64_t value = 0;
        core.read_csr(number, value);
        return value;
    }

    /// Answers the access at which the core stopped; false at the end of the program.
    bool answer() {
        const BusAccess a = core.access();
        log.push_back(a);
        if (a.what == BusAccess::What::time)
            core.complete(time);
        else if (a.what == BusAccess::What::atomic)
            core.complete(0);
        else if (a.address >= kNothing)
            core.fail();
        else
            core.complete(kLoaded >> 8 * (a.address & 7));
        if (a.address == kAnswer) set_lines(false, false);
        return a.address != kEnd;
    }
    void set_lines(bool external, bool timer) {
        core.set_external_interrupt(external);
        core.set_timer_interrupt(timer);
    }
    /// Runs until the program ends, waits or has used `most` steps, in quanta.
    CoreStop run(std::uint64_t quantum = 1000, std::uint64_t most = 100'000) {
        for (const std::uint64_t begun = core.steps();;) {
            const std::uint64_t used = core.steps() - begun;
            if (used >= most) return CoreStop::budget;
            const CoreStop stop = core.run(quantum < most - used ? quantum : most - used);
            if (stop == CoreStop::budget) continue;
            if (stop != CoreStop::bus || !answer()) return stop;
        }
    }

    std::vector<unsigned char> ram;
    Rv64Core core;
    std::vector<BusAccess> log;
    std::uint64_t time = 1'000'000;

  private:
    static Rv64Core::Config config(Machine& machine, bool sync_atomics) {
        Rv64Core::Config c;
        c.ram_base = kRam;
        c.ram_bytes = kRamBytes;
        c.ram = machine.ram.data();
        c.hart = 3;
        c.reset_pc = kRam;
        c.sync_atomics = sync_atomics;
        return c;
    }
};

} // namespace numavp
