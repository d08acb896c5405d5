#include "tests/tlm-links/line_traffic.h"

#include <algorithm>
#include <array>

#include "tlm-links/protocol/ranks.h"

namespace numavp::test {

// --- LineDriver

struct LineDriver::Access {
    std::array<unsigned char, kLineBytes> expected{};
};

namespace {
struct End final : Node {
    Txn* txn = nullptr;
};
} // namespace

LineDriver::LineDriver(sc_core::sc_module_name name, const LineDriverConfig& config, ClockDomain& clock, TxnPool& pool,
                       unsigned index)
    : sc_module(name), Arbiter(clock, {0, kRankSm, index}),
      port("port", clock, {config.port_depth, Part::sm}, *this, 0), config_(config), pool_(pool), rng_(config.seed) {
    port.set_feeder(*this);
    tick_.handler = this;
    clock.at(1, tick_);
}

LineDriver::~LineDriver() = default;

void LineDriver::deliver(Node& node) {
    if (&node == &tick_) return wake();
    static_cast<End&>(node).txn->release();
}

void LineDriver::arbitrate() {
    while (sent_ < config_.count && sent_ - answered_ < config_.outstanding && port.ready()) send();
}

void LineDriver::send() {
    ++sent_;
    const std::uint64_t line = 0x10000 + kLineBytes * rng_.below(config_.lines);
    Kind kind = rng_.chance(1, 2) ? Kind::load : Kind::store;
    if (rng_.chance(config_.atomic_percent, 100)) kind = Kind::atomic;
    ByteMask mask = ByteMask::full();
    if (rng_.chance(1, 2)) mask = {rng_.next(), rng_.next()};
    if (!mask.any()) mask = ByteMask::range(5, 1);
    Txn& txn = pool_.make(kind, line, mask);
    txn.tag = static_cast<std::uint32_t>(accesses_.size());
    accesses_.push_back(std::make_unique<Access>());
    txn.start(domain_.edge_ps(domain_.now()));
    if (kind == Kind::store) {
        for (auto& byte : txn.data) byte = static_cast<unsigned char>(rng_.next());
        reference.write(line, txn.data.data(), mask);
    } else if (kind == Kind::load) {
        reference.read(line, accesses_.back()->expected.data(), kLineBytes);
    }
    last_edge_ = std::max(last_edge_, domain_.now() + 1 + (rng_.chance(1, 8) ? 3 : 0)); // no overtaking
    port.send(txn, last_edge_);
}

void LineDriver::check(Txn& txn) {
    const auto& access = *accesses_[txn.tag];
    if (txn.kind == Kind::atomic) {
        if (txn.get_response_status() != tlm::TLM_COMMAND_ERROR_RESPONSE) ++wrong_;
    } else if (txn.get_response_status() != tlm::TLM_OK_RESPONSE ||
               (txn.kind == Kind::load && txn.data != access.expected)) {
        ++wrong_;
    }
}

bool LineDriver::response(unsigned, Txn& txn) {
    check(txn);
    ++answered_;
    wake();
    if (!config_.refuses || rng_.chance(2, 3)) {
        txn.release();
        return true;
    }
    const Cycle edge = domain_.now() + 1 + rng_.below(6);
    port.end_response(txn, edge);
    auto end = std::make_unique<End>();
    end->handler = this;
    end->txn = &txn;
    domain_.at(edge, *end); // after the port's own
    ends_.push_back(std::move(end));
    return false;
}

// --- LineMemory

LineMemory::LineMemory(sc_core::sc_module_name name, unsigned depth, ClockDomain& clock, unsigned index)
    : sc_module(name), Arbiter(clock, {1, kRankChannel, index}), port("port", clock, {depth, Part::memory}, *this, 0),
      inlet_(depth), rng_(index) {
    port.set_feeder(*this);
}

bool LineMemory::request(unsigned, Txn& txn) {
    wake();
    return inlet_.arrive(txn);
}

void LineMemory::arbitrate() {
    if (!responses_.empty() && port.ready()) port.send(responses_.pop(), domain_.now() + 1);
    if (!inlet_.empty() && rng_.chance(1, 2)) {
        Txn& txn = inlet_.pop();
        if (Txn* admitted = inlet_.admit()) port.end_request(*admitted, domain_.now() + 1);
        txn.handler = this;
        domain_.at(domain_.now() + 1 + rng_.below(longest_cycles), txn);
    }
    if (!inlet_.empty() || (!responses_.empty() && port.ready())) wake();
}

void LineMemory::deliver(Node& node) {
    auto& txn = static_cast<Txn&>(node);
    txn.set_response_status(txn.line < size ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (txn.is_write())
        memory.write(txn.line, txn.data.data(), txn.mask);
    else if (txn.kind == Kind::atomic)
        txn.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    else
        memory.read(txn.line, txn.data.data(), kLineBytes);
    responses_.push(txn);
    wake();
}

} // namespace numavp::test
