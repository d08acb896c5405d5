#include "bench/flits.h"

#include <stdexcept>

#include "base/values/types.h"
#include "bench/traffic.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/flits/flit_channel.h"

namespace numavp {

FlitRun run_bare_relay(std::uint64_t cycles) {
    rtl::FlitRelayBlock relay;
    rtl::CxsTransmitterPins above;
    rtl::CxsReceiverPins below;
    above.activereq = true;
    above.cntl = rtl::kCxsStart | rtl::kCxsEnd;
    unsigned credits = 0;
    unsigned granted = 0;
    FlitRun run;
    run.cycles = cycles;
    const double begin = cpu_seconds();
    for (std::uint64_t i = 0; i < cycles; ++i) {
        above.valid = credits != 0;
        credits -= above.valid ? 1 : 0;
        above.data[i % rtl::kCxsBytes] ^= static_cast<unsigned char>(i);
        below.activeack = relay.to_below().activereq;
        below.crdgnt = below.activeack && granted < rtl::FlitRelayBlock::kFlits;
        granted += below.crdgnt ? 1 : 0;
        relay.settle(above, below);
        relay.edge();
        credits += relay.to_above().crdgnt ? 1 : 0;
        if (!relay.to_below().valid) continue;
        --granted;
        ++run.flits;
    }
    run.seconds = cpu_seconds() - begin;
    return run;
}

FlitRun run_flit_channel(std::uint64_t cycles) {
    rtl::FlitRelayBlock relay;
    FlitChannel channel({}, &relay);
    Packet packet;
    packet.kind = PacketKind::write;
    packet.length = kLineBytes;
    packet.bytes.resize(kLineBytes);
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    FlitRun run;
    run.cycles = cycles;
    const double begin = cpu_seconds();
    for (std::uint64_t i = 0; i < cycles; ++i) {
        while (channel.sender.can_take()) {
            packet.address = sent++;
            packet.bytes[sent % kLineBytes] ^= static_cast<unsigned char>(sent);
            channel.sender.take(packet);
        }
        channel.edge();
        while (channel.sender.pop_sent()) {}
        for (; channel.receiver.any(); channel.receiver.pop())
            if (channel.receiver.front().address != received++) throw std::runtime_error("a packet of flits is lost");
    }
    run.seconds = cpu_seconds() - begin;
    run.flits = received * ((kLineBytes + 16 + rtl::kCxsBytes - 1) / rtl::kCxsBytes);
    return run;
}

} // namespace numavp
