#include "models/fault_server/driver_bus.h"

#include <cstring>

#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

namespace {
constexpr unsigned kWireDepth = 2; // one access at a time
constexpr unsigned kWord = kRegisterBytes;
} // namespace

DriverBus::DriverBus(unsigned register_cycles, bool has_link, const Resources& r)
    : domain_(r.domain), pool_(r.pool), map_(r.map), host_(r.host), tables_(r.tables), devices_(r.devices),
      register_cycles_(register_cycles), socket_bytes_(r.socket_bytes), host_bytes_(r.host_bytes),
      memory_("bus_memory", r.domain, {kWireDepth, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
    answer_.handler = this;
    if (has_link)
        link_ = std::make_unique<InitiatorPort>("bus_link", r.domain, WireSpec{kWireDepth, Part::sm},
                                                static_cast<RequesterIf&>(*this), 1);
}

void DriverBus::start(const BusRequest& request, BusMaster& master) {
    master_ = &master;
    request_ = request;
    if (request.address >= kPlatformBase && access_memory(request)) return;
    reply_ = devices_.access(request);
    domain_.at(domain_.now() + register_cycles_, answer_);
}

bool DriverBus::reaches(std::uint64_t physical) const {
    const std::uint64_t memory = physical >> map_.socket_shift, last = own_memory(host_).value;
    if (link_ ? memory > last : memory != last) return false;
    const std::uint64_t offset = physical - (memory << map_.socket_shift);
    return offset + kWord <= (memory == last ? host_bytes_ : socket_bytes_);
}

/// False if that is no memory, or one that holds no data in this run.
bool DriverBus::access_memory(const BusRequest& request) {
    const std::uint64_t physical = request.address - kPlatformBase;
    if (request.bytes != kWord || physical % kWord != 0 || !reaches(physical)) return false;
    if (!request.write && !pool_.functional && !tables_.contains(physical)) return false;
    const std::uint64_t line = physical & ~std::uint64_t{kLineBytes - 1};
    const auto first = static_cast<unsigned>(physical - line);
    Txn& txn = pool_.make(request.write ? Kind::store : Kind::load, line,
                          request.write ? ByteMask::range(first, kWord) : ByteMask::full());
    txn.requester = host_;
    if (request.write) {
        std::memcpy(txn.data.data() + first, &request.value, kWord);
        devices_.record(request);
    }
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    ++(request.write ? devices_.counts.memory_writes : devices_.counts.memory_reads);
    (txn.home == host_ ? memory_ : *link_).send(txn, domain_.now() + 1);
    return true;
}

bool DriverBus::response(unsigned, Txn& txn) {
    const std::uint64_t physical = request_.address - kPlatformBase;
    BusReply reply;
    if (request_.write) {
        if (tables_.contains(physical)) tables_.memory().write(physical, {request_.value});
    } else if (tables_.contains(physical)) {
        reply.value = tables_.memory().read(physical).bits;
    } else {
        std::memcpy(&reply.value, txn.data.data() + physical % kLineBytes, kWord);
    }
    txn.release();
    answer(reply);
    return true;
}

void DriverBus::answer(const BusReply& reply) {
    BusMaster* const master = master_;
    master_ = nullptr;
    master->bus_done(reply);
}

BusReply DriverBus::peek(std::uint64_t address) const {
    if (address < kPlatformBase) return devices_.peek(address);
    const std::uint64_t physical = address - kPlatformBase;
    BusReply reply;
    if (physical % kWord == 0 && tables_.contains(physical))
        reply.value = tables_.memory().read(physical).bits;
    else if (physical % kWord == 0 && reaches(physical) && debug_read)
        debug_read(physical, reinterpret_cast<unsigned char*>(&reply.value), kWord);
    else
        reply.error = true;
    return reply;
}

} // namespace numavp
