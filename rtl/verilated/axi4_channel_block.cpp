#include "rtl/axi4_channel_block.h"

#include <Vaxi4_channel.h>
#include <Vaxi4_channel___024root.h>
#include <algorithm>
#include <numeric>

#include "base/values/error.h"
#include "rtl/verilated/axi4_subordinate_pins.h"
#include "rtl/verilated/clocked.h"

namespace numavp::rtl {

namespace {
constexpr std::uint64_t kPageBytes = 4096; // of the store of axi4_channel.sv
constexpr std::uint64_t kPageBeats = kPageBytes / kAxiBytes;

/// An element of a queue of Verilator, to be written: at() in 5.006, atWrite() in 5.032.
template <class Queue> auto writable(Queue& queue, int index, int /*preferred*/) -> decltype(queue.atWrite(index)) {
    return queue.atWrite(index);
}
template <class Queue> auto writable(Queue& queue, int index, long /*else*/) -> decltype(queue.at(index)) {
    return queue.at(index);
}
} // namespace

struct Axi4ChannelBlock::Model : Clocked<Vaxi4_channel> {
    AxiSubordinatePins out;

    /// The bytes of a page, or null if it was never written and is not made now.
    unsigned char* bytes_of(std::uint64_t page, std::uint64_t beat, bool make) {
        auto& store = pins.rootp->axi4_channel__DOT__store;
        auto& page_of = pins.rootp->axi4_channel__DOT__page_of;
        if (page_of.exists(page) == 0) {
            if (!make) return nullptr;
            page_of.at(page) = static_cast<unsigned>(store.size()) / kPageBeats;
            for (unsigned i = 0; i < kPageBeats; ++i) store.push_back({});
        }
        WideBeat& words = writable(store, static_cast<int>(page_of.at(page) * kPageBeats + beat), 0);
        return reinterpret_cast<unsigned char*>(words.data());
    }
};

Axi4ChannelBlock::Axi4ChannelBlock(const Axi4ChannelConfig& config) : model_(std::make_unique<Model>()) {
    const std::uint64_t hertz = config.clock_khz * 1000;
    if (config.bytes_per_s == 0 || hertz == 0) throw ModelError("a memory channel needs a bandwidth and a clock");
    const std::uint64_t common = std::gcd(config.bytes_per_s, hertz);
    Vaxi4_channel& pins = model_->pins;
    pins.byte_cost = hertz / common;
    pins.cycle_units = config.bytes_per_s / common;
    pins.latency = config.latency_cycles;
    pins.beats = config.bytes / kAxiBytes;
    pins.stores = config.stores;
    pins.stall = static_cast<CData>(config.stall);
    model_->reset();
    settle({});
}
Axi4ChannelBlock::~Axi4ChannelBlock() = default;

void Axi4ChannelBlock::edge() {
    model_->pins.clk = 1;
    model_->pins.eval();
}

void Axi4ChannelBlock::settle(const AxiManagerPins& in) {
    drive(in, model_->pins);
    model_->pins.clk = 0;
    model_->pins.eval();
    read(model_->pins, model_->out);
}

const AxiSubordinatePins& Axi4ChannelBlock::pins() const { return model_->out; }

unsigned Axi4ChannelBlock::debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
    const std::uint64_t size = model_->pins.beats * kAxiBytes;
    if (model_->pins.stores == 0 || address >= size) return 0;
    const auto all = static_cast<unsigned>(std::min<std::uint64_t>(count, size - address));
    for (unsigned done = 0; done < all;) {
        const std::uint64_t at = address + done;
        const auto part = static_cast<unsigned>(std::min<std::uint64_t>(all - done, kAxiBytes - at % kAxiBytes));
        unsigned char* stored = model_->bytes_of(at / kPageBytes, at % kPageBytes / kAxiBytes, write);
        if (write)
            std::memcpy(stored + at % kAxiBytes, bytes + done, part);
        else if (stored)
            std::memcpy(bytes + done, stored + at % kAxiBytes, part);
        else
            std::memset(bytes + done, 0, part);
        done += part;
    }
    return all;
}

std::uint64_t Axi4ChannelBlock::busy_bytes() const {
    const Vaxi4_channel& pins = model_->pins;
    return pins.bytes - (pins.backlog + pins.byte_cost - 1) / pins.byte_cost;
}

} // namespace numavp::rtl
