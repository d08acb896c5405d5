#include "models/memory/channel/timed_channel.h"

#include <algorithm>
#include <string>

#include "base/stats/stats.h"
#include "base/values/address_layout.h"
#include "tlm-links/protocol/access_trail.h"

namespace numavp {

TimedChannel::TimedChannel(sc_core::sc_module_name name, const ChannelConfig& config, const MemoryDeviceConfig& device,
                           const Resources& r)
    : sc_module(name), MemoryChannel(r.rank.index), domain_(r.domain), arbiter_(*this, r.domain, r.rank),
      controller_(device, r.number, r.channels), decoder_(device.decoder()), dram_khz_(device.clock_khz),
      access_bytes_(device.access_bytes), burst_(device.timing.burst), slicing_(r.slicing),
      group_shift_(bits_for(r.interleave_lines)), data_after_{Cycle{device.timing.cl} + device.timing.burst,
                                                              Cycle{device.timing.cwl} + device.timing.burst},
      in_controller_(config.ports), lines_(2 * device.queue_depth) {
    for (unsigned i = 0; i < config.ports; ++i) {
        ports_.push_back(std::make_unique<TargetPort>(("port_" + std::to_string(i)).c_str(), domain_,
                                                      WireSpec{config.wire_depth(), Part::memory},
                                                      static_cast<ResponderIf&>(*this), i));
        ports_.back()->set_feeder(arbiter_);
        inlets_.emplace_back(config.queue_depth);
    }
    for (auto i = static_cast<std::uint32_t>(lines_.size()); i-- > 0;) free_.push_back(i);
}

bool TimedChannel::request(unsigned port, Txn& txn) {
    arbiter_.wake();
    return inlets_[port].arrive(txn);
}

void TimedChannel::serve() {
    const Cycle dram = dram_at(domain_.now());
    advance(dram);
    while (accept_one(dram)) {}
    if (controller_.queued() == 0) return;
    const Cycle first = edge_of(controller_.next());
    if (waits()) return arbiter_.wake_at(first); // a command may make room
    // One edge before the earliest end of data, so that the response can be sent for that.
    const Cycle data = controller_.next() + std::min(data_after_[0], data_after_[1]);
    arbiter_.wake_at(std::max(first, edge_of(data) - 1));
}

/// True if a request waits outside of the controller.
bool TimedChannel::waits() const {
    return std::any_of(inlets_.begin(), inlets_.end(), [](const Inlet& i) { return !i.empty(); });
}

/// The refreshes of an idle channel are executed when the next request comes.
void TimedChannel::advance(Cycle dram) {
    while (controller_.next() <= dram && (controller_.queued() != 0 || waits())) {
        controller_.tick(controller_.next());
        take_completions(false);
        take_completions(true);
    }
}

void TimedChannel::take_completions(bool write) {
    Ring<MemoryCompletion>& done = controller_.completions(write);
    while (!done.empty()) {
        const MemoryCompletion c = done.pop();
        Line& line = lines_[c.tag];
        line.end = std::max(line.end, c.cycle);
        if (--line.left != 0) continue;
        --in_controller_[line.port];
        if (__builtin_expect(line.txn->followed, 0)) follow_column(line);
        ports_[line.port]->send_reserved(*line.txn, std::max(edge_of(line.end), domain_.now() + 1));
        line.txn = nullptr;
        free_.push_back(c.tag);
    }
}

/// Until its last column command a line waited for banks and the bus.
[[gnu::cold]] void TimedChannel::follow_column(const Line& line) const {
    const Cycle after = data_after_[line.txn->is_write()];
    const std::uint64_t until_ps = domain_.edge_ps(edge_of(line.end - std::min(line.end, after)));
    line.txn->trail->waited(ports_[line.port]->place(), until_ps, Waited::dram);
}

/// Whether the controller has room for all accesses of the port's next line, and the wire for its response.
bool TimedChannel::fits(unsigned port) const {
    if (inlets_[port].empty() || !ports_[port]->ready()) return false; // the wire wakes its feeder
    return controller_.free(inlets_[port].front().is_write()) * access_bytes_ >= kLineBytes;
}

bool TimedChannel::accept_one(Cycle dram) {
    const auto ports = static_cast<unsigned>(inlets_.size());
    for (unsigned k = 0; k < ports; ++k) {
        const unsigned i = turn_ + k < ports ? turn_ + k : turn_ + k - ports;
        if (!fits(i)) continue;
        turn_ = i + 1 < ports ? i + 1 : 0;
        Txn& txn = inlets_[i].pop();
        if (Txn* next = inlets_[i].admit()) ports_[i]->end_request(*next, domain_.now() + 1);
        accept(i, txn, dram);
        return true;
    }
    return false;
}

void TimedChannel::accept(unsigned port, Txn& txn, Cycle dram) {
    counts_.add(txn);
    access(txn);
    if (__builtin_expect(txn.followed, 0))
        txn.trail->waited(ports_[port]->place(), domain_.clockwork().now_ps(), Waited::controller);
    const std::uint32_t tag = free_.back();
    free_.pop_back();
    ++in_controller_[port];
    ports_[port]->reserve();
    lines_[tag] = {&txn, port, 0, 0};
    const std::uint64_t base = address_of(port, txn.line);
    for (unsigned first = 0; first < kLineBytes; first += access_bytes_) {
        const bool touched = (txn.mask & ByteMask::range(first, access_bytes_)).any();
        if (!touched && (lines_[tag].left != 0 || first + access_bytes_ < kLineBytes)) continue;
        ++lines_[tag].left;
        controller_.accept(decoder_.decode((base + first) & (decoder_.capacity() - 1)), txn.is_write(), tag, dram);
    }
}

/// In the device. A round of consecutive lines has a group of them for each slice.
std::uint64_t TimedChannel::address_of(unsigned port, std::uint64_t line) const {
    const std::uint64_t group = slicing_.round_of(line) * inlets_.size() + port;
    // Between consecutive lines of a slice lie those of other sockets, if several share the memory.
    const std::uint64_t number = line >> (kLineShift + slicing_.shift - group_shift_);
    return (group << group_shift_ | (number & ((1U << group_shift_) - 1))) << kLineShift;
}

void TimedChannel::access(Txn& txn) {
    txn.answer();
    if (!memory_) return;
    if (txn.is_write())
        memory_->write(txn.line, txn.data.data(), txn.mask);
    else
        memory_->read(txn.line, txn.data.data(), kLineBytes);
}

void TimedChannel::debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) {
    if (!memory_) return;
    if (write)
        memory_->write(address, bytes, count);
    else
        memory_->read(address, bytes, count);
}

void TimedChannel::add_statistics(StatGroup& owner) const {
    MemoryChannel::add_statistics(owner);
    StatGroup& own = owner.group("memory").group("channel", index());
    own.sum(
        "activates", [this] { return activates(); }, "rows", "Rows opened in the DRAM of the channel.");
    own.sum(
        "columns", [this] { return columns(); }, "accesses",
        "Accesses to columns of open rows; those without an activate for them have hit.");
}

std::uint64_t TimedChannel::columns() const {
    settle();
    return controller_.counts().reads + controller_.counts().writes;
}

std::uint64_t TimedChannel::busy_bytes() const { return columns() * access_bytes_; }

std::uint64_t TimedChannel::capacity_bytes(Cycle cycles) const {
    return cycles * access_bytes_ * dram_khz_ / (burst_ * domain_.khz());
}

unsigned TimedChannel::held() const {
    settle();
    unsigned sum = 0;
    for (const Inlet& i : inlets_) sum += i.size();
    for (const unsigned n : in_controller_) sum += n;
    return sum;
}

const Txn* TimedChannel::sample_held() const {
    settle();
    for (const Inlet& i : inlets_)
        if (!i.empty()) return &i.front();
    for (const Line& line : lines_)
        if (line.txn) return line.txn;
    return nullptr;
}

} // namespace numavp
