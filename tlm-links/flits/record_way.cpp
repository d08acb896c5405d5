#include "tlm-links/flits/record_way.h"

#include <algorithm>

#include "base/values/error.h"

namespace numavp {

namespace {
PacketKind kind_of(const Txn& txn) {
    if (txn.kind == Kind::atomic) return PacketKind::atomic;
    return txn.is_write() || txn.kind == Kind::recall ? PacketKind::write : PacketKind::read;
}

Packet request_packet(const Txn& txn) {
    Packet packet;
    packet.kind = kind_of(txn);
    packet.address = txn.line;
    packet.length = kLineBytes;
    if (!txn.mask.all()) packet.set_enables([&](std::size_t i) { return txn.mask.test(static_cast<unsigned>(i)); });
    const auto& bytes = packet.kind == PacketKind::atomic ? txn.atomic().operand : txn.data;
    if (packet.kind != PacketKind::read) packet.bytes.assign(bytes.begin(), bytes.end());
    return packet;
}

Packet response_packet(const Txn& txn) {
    Packet packet;
    packet.kind = PacketKind::response;
    packet.status = static_cast<std::uint8_t>(txn.get_response_status());
    packet.address = txn.line;
    packet.length = kLineBytes;
    const auto& bytes = txn.kind == Kind::atomic ? txn.atomic().result : txn.data;
    if (!txn.is_write() && !txn.no_return) packet.bytes.assign(bytes.begin(), bytes.end());
    return packet;
}

/// Sets the record's content to that of the flits.
void take_request(const Packet& packet, Txn& txn) {
    txn.line = packet.address;
    txn.mask = ByteMask{0, 0};
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (packet.enabled(i)) txn.mask |= ByteMask::range(i, 1);
    txn.whole = txn.mask.all();
    if (txn.seen_outside) txn.show();
    auto& bytes = txn.kind == Kind::atomic ? txn.atomic().operand : txn.data;
    std::copy(packet.bytes.begin(), packet.bytes.end(), bytes.begin());
}

void take_response(const Packet& packet, Txn& txn) {
    txn.answer(static_cast<tlm::tlm_response_status>(static_cast<std::int8_t>(packet.status)));
    auto& bytes = txn.kind == Kind::atomic ? txn.atomic().result : txn.data;
    std::copy(packet.bytes.begin(), packet.bytes.end(), bytes.begin());
}
} // namespace

void RecordWay::send(Txn& txn) {
    if (free_ids_.empty()) { // as many as there are places: senders, flits and receivers bound them
        free_ids_.push_back(static_cast<std::uint16_t>(by_id_.size()));
        by_id_.push_back(nullptr);
    }
    Packet packet = requests_ ? request_packet(txn) : response_packet(txn);
    packet.id = free_ids_.back();
    free_ids_.pop_back();
    by_id_[packet.id] = &txn;
    channel_.sender.take(packet);
}

void RecordWay::edge() {
    if (!monitors_.empty()) {
        monitors_[0].observe(channel_.above());
        monitors_[1].observe(channel_.below());
        for (const FlitMonitor& monitor : monitors_)
            if (!monitor.breaches().empty())
                throw ModelError("the pins of a cut link break a rule: " + monitor.breaches().front());
    }
    channel_.edge();
    while (channel_.sender.pop_sent()) {}
}

Txn& RecordWay::receive(bool functional) {
    const Packet& packet = channel_.receiver.front();
    Txn* const txn = packet.id < by_id_.size() ? by_id_[packet.id] : nullptr;
    if (!txn || (packet.kind == PacketKind::response) == requests_)
        throw ModelError("flits bring a packet that was not sent");
    if (functional && requests_)
        take_request(packet, *txn);
    else if (functional)
        take_response(packet, *txn);
    by_id_[packet.id] = nullptr;
    free_ids_.push_back(packet.id);
    channel_.receiver.pop();
    ++received_;
    return *txn;
}

const Txn* RecordWay::sample() const {
    const auto found = std::find_if(by_id_.begin(), by_id_.end(), [](const Txn* txn) { return txn != nullptr; });
    return found != by_id_.end() ? *found : nullptr;
}

std::string RecordWay::breach() {
    for (FlitMonitor& monitor : monitors_) {
        monitor.finish();
        if (!monitor.breaches().empty()) return "on its pins, edge " + monitor.breaches().front();
    }
    return "";
}

} // namespace numavp
