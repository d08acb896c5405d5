/// Packets of a link with credited flits, and their flits: a header and the access that it describes. No SystemC.
///
/// The first half of the first flit is the header, lowest byte first: kind and flags (1), status (1), id (2), length
/// (4), address (8). From the second half on come the byte enables, if any, as one bit for each byte of the access, and
/// then the bytes, if it carries data. So 16 bytes travel in one flit, a line of 128 in five, with or without a mask.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/cxs_pins.h"

namespace numavp {

struct Flit {
    rtl::CxsData data{};
    unsigned cntl = 0;
};

enum class PacketKind : std::uint8_t { read, write, atomic, response };

struct Packet {
    PacketKind kind = PacketKind::read;
    std::uint8_t status = 0; ///< of a response: the requester's language
    std::uint16_t id = 0;    ///< the requester's; a response has that of its request
    std::uint64_t address = 0;
    std::uint32_t length = 0;           ///< bytes of the access
    std::vector<unsigned char> enables; ///< a bit a byte, lowest first; none: all
    std::vector<unsigned char> bytes;   ///< `length`, or none

    bool enabled(std::size_t byte) const { return enables.empty() || (enables[byte / 8] >> (byte % 8) & 1) != 0; }
    /// Sets the enable of byte i to `f(i)`, for each of `length` bytes.
    template <class F> void set_enables(F f) {
        enables.assign((length + 7) / 8, 0);
        for (std::size_t i = 0; i < length; ++i)
            if (f(i)) enables[i / 8] = static_cast<unsigned char>(enables[i / 8] | 1U << (i % 8));
    }
};

/// Splits a packet into flits.
class FlitWriter {
  public:
    explicit FlitWriter(const Packet& packet);
    bool done() const { return done_ == body_.size() && done_ != 0; }
    Flit next();

  private:
    std::vector<unsigned char> body_; ///< header included
    std::size_t done_ = 0;
};

/// Number of flits of a packet, read from the header in its first flit.
std::uint64_t flits_of_packet(const rtl::CxsData& first);

/// Assembles packets from flits. ModelError if the flits form no packet.
class FlitReader {
  public:
    /// Takes a flit; true if it was the last one of `packet()`.
    bool take(const Flit& flit);
    bool in_packet() const { return !body_.empty(); }
    Packet& packet() { return packet_; }

  private:
    std::vector<unsigned char> body_;
    Packet packet_;
};

} // namespace numavp
