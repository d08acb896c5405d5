#include "tests/models/riscv/gdb/machine.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace numavp::test {
namespace {

constexpr std::uint64_t kQuantum = 100; ///< steps, of 1 ns
constexpr std::uint64_t kAccessNs = 20; ///< of a device access
constexpr std::uint64_t kFaultEveryNs = 700;
constexpr std::uint64_t kFaults = 400;

Rv64Core::Config core_config(std::vector<unsigned char>& ram) {
    Rv64Core::Config config;
    config.ram_base = Machine::kRamBase;
    config.ram_bytes = ram.size();
    config.ram = ram.data();
    config.reset_pc = Machine::kRamBase;
    return config;
}

std::vector<unsigned char> ram_with(const std::string& image) {
    if (image.size() > Machine::kRamBytes) throw std::runtime_error("the image is larger than the RAM");
    std::vector<unsigned char> ram(Machine::kRamBytes);
    std::copy(image.begin(), image.end(), ram.begin());
    return ram;
}

} // namespace

Machine::Machine(const std::string& image) : ram_(ram_with(image)), core_(core_config(ram_)), debug_(*this) {}

std::uint64_t Machine::now() const { return core_.steps() + accesses_ * kAccessNs + slept_ns_; }
std::uint64_t Machine::waiting() const { return std::min(now() / kFaultEveryNs, kFaults) - taken_; }

Outcome Machine::run(GdbServer* server, std::uint64_t most) {
    if (server != nullptr) killed_ = server->wait_for_debugger() == GdbAction::kill;
    for (std::uint64_t quantum = 0; quantum < most && !ended_ && !killed_; ++quantum) {
        run_quantum(server);
        if (each_quantum) each_quantum();
        if (server == nullptr || ended_ || killed_) continue;
        const GdbAction heard = server->poll();
        if (heard == GdbAction::interrupt) serve(*server, {GdbStop::Why::interrupted, 0, 0});
        if (heard == GdbAction::kill) killed_ = true;
    }
    if (server != nullptr) server->ended(0);
    return outcome();
}

/// The interrupt's line is looked at where a quantum begins, and behind accesses and sleep: a debugger's stop must not
/// begin a new one.
void Machine::run_quantum(GdbServer* server) {
    raise_interrupt();
    const std::uint64_t end = core_.steps() + kQuantum;
    while (core_.steps() < end && !ended_ && !killed_) {
        const std::uint64_t left = end - core_.steps();
        const CoreStop stop = server != nullptr ? debug_.run(0, left) : core_.run(left);
        if (stop == CoreStop::bus) access();
        if (stop == CoreStop::wait) sleep();
        const auto told = debug_.told(0, stop);
        if (told && server != nullptr) serve(*server, *told);
    }
}

void Machine::serve(GdbServer& server, const GdbStop& stop) { killed_ = server.stopped(stop) == GdbAction::kill; }

void Machine::sleep() {
    if (taken_ == kFaults) throw std::runtime_error("the program sleeps, and no fault comes any more");
    const std::uint64_t next = (taken_ + 1) * kFaultEveryNs;
    if (next > now()) slept_ns_ += next - now();
    raise_interrupt();
}

void Machine::access() {
    const BusAccess access = core_.access();
    const std::uint64_t offset = access.address - kDevice;
    ++accesses_;
    if (access.what == BusAccess::What::time) return core_.complete(now());
    if (access.what == BusAccess::What::data && (offset >= 32 || access.bytes != 8)) return core_.fail();
    std::uint64_t value = 0;
    if (access.what == BusAccess::What::data) {
        if (access.write)
            write(offset, access.value);
        else if (offset == 0)
            value = waiting();
        else if (offset == 8 && waiting() != 0)
            value = taken_++;
    }
    core_.complete(value);
    raise_interrupt();
}

void Machine::write(std::uint64_t offset, std::uint64_t value) {
    if (offset == 16) homes_.emplace_back(now(), value);
    if (offset == 24) {
        end_ = value;
        ended_ = true;
    }
}

Outcome Machine::outcome() const {
    Outcome o;
    o.retired = core_.retired();
    o.traps = core_.traps();
    o.time_ns = now();
    o.accesses = accesses_;
    o.ram_hash = 14695981039346656037U; // FNV-1a
    for (const unsigned char byte : ram_) o.ram_hash = (o.ram_hash ^ byte) * 1099511628211U;
    o.end = end_;
    o.homes = homes_;
    o.killed = killed_;
    return o;
}

Machine::Debug::Debug(Machine& machine)
    : Rv64Debug({&machine.core_}, {kRamBase, machine.ram_.size(), machine.ram_.data()}), machine_(machine) {}

/// Of the device the registers that can be read without taking a fault, in whole.
bool Machine::Debug::read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) {
    if ((address != kDevice && address != kDevice + 8) || bytes != 8) return false;
    const std::uint64_t value = address == kDevice ? machine_.waiting() : machine_.taken_;
    std::memcpy(to, &value, bytes);
    return true;
}

std::vector<GdbCommand> Machine::Debug::monitor_commands() const { return {{"faults", "the faults that wait"}}; }

std::optional<std::string> Machine::Debug::monitor(const std::vector<std::string>& words) {
    if (words[0] != "faults") return std::nullopt;
    return fmt::format("{} taken, {} served", machine_.taken_, machine_.homes_.size());
}

} // namespace numavp::test
