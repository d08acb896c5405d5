#include "tlm-links/flits/packet.h"

#include <algorithm>

#include "base/values/error.h"

namespace numavp {

using rtl::CxsData;
using rtl::kCxsBytes;

namespace {
constexpr std::size_t kHeader = 16;
constexpr unsigned kKind = 0x3f;
constexpr unsigned kHasEnables = 0x40;
constexpr unsigned kHasBytes = 0x80;
constexpr std::size_t kPiece = 4; // bytes that the pointers of CNTL count

/// The header as numbers.
struct Header {
    unsigned flags = 0;
    unsigned status = 0;
    unsigned id = 0;
    std::uint64_t length = 0;
    std::uint64_t address = 0;

    std::uint64_t enable_bytes() const { return flags & kHasEnables ? (length + 7) / 8 : 0; }
    std::uint64_t data_bytes() const { return flags & kHasBytes ? length : 0; }
    std::uint64_t all_bytes() const { return kHeader + enable_bytes() + data_bytes(); }
};

void put(unsigned char* to, std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) to[i] = static_cast<unsigned char>(value >> (8 * i));
}
std::uint64_t get(const unsigned char* from, unsigned count) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{from[i]} << (8 * i);
    return value;
}

void write_header(const Header& h, unsigned char* to) {
    put(to, h.flags, 1);
    put(to + 1, h.status, 1);
    put(to + 2, h.id, 2);
    put(to + 4, h.length, 4);
    put(to + 8, h.address, 8);
}
Header read_header(const unsigned char* from) {
    return {static_cast<unsigned>(get(from, 1)), static_cast<unsigned>(get(from + 1, 1)),
            static_cast<unsigned>(get(from + 2, 2)), get(from + 4, 4), get(from + 8, 8)};
}

/// Of the last flit of a packet.
unsigned end_control(std::size_t bytes) {
    const std::size_t last_piece = (bytes + kPiece - 1) / kPiece - 1;
    return rtl::kCxsEnd | static_cast<unsigned>(last_piece << rtl::kCxsEndPointer);
}
} // namespace

std::uint64_t flits_of_packet(const CxsData& first) {
    return (read_header(first.data()).all_bytes() + kCxsBytes - 1) / kCxsBytes;
}

// --- writer

FlitWriter::FlitWriter(const Packet& p) {
    Header h{static_cast<unsigned>(p.kind), p.status, p.id, p.length, p.address};
    if (!p.enables.empty()) h.flags |= kHasEnables;
    if (!p.bytes.empty()) h.flags |= kHasBytes;
    if ((h.flags & kHasEnables && p.enables.size() != h.enable_bytes()) || p.bytes.size() != h.data_bytes())
        throw ModelError("a packet's length is not that of what it carries");
    body_.resize(h.all_bytes());
    write_header(h, body_.data());
    const auto after =
        h.flags & kHasEnables ? std::copy(p.enables.begin(), p.enables.end(), &body_[kHeader]) : &body_[0] + kHeader;
    std::copy(p.bytes.begin(), p.bytes.end(), after);
}

Flit FlitWriter::next() {
    const std::size_t count = std::min<std::size_t>(kCxsBytes, body_.size() - done_);
    Flit flit;
    std::copy_n(&body_[done_], count, flit.data.data());
    if (done_ == 0) flit.cntl |= rtl::kCxsStart;
    done_ += count;
    if (done_ == body_.size()) flit.cntl |= end_control(count);
    return flit;
}

// --- reader

bool FlitReader::take(const Flit& flit) {
    if (((flit.cntl & rtl::kCxsStart) != 0) == in_packet())
        throw ModelError("a packet of flits starts within another, or does not start");
    body_.insert(body_.end(), flit.data.begin(), flit.data.end());
    if ((flit.cntl & rtl::kCxsEnd) == 0) return false;
    const Header h = read_header(body_.data());
    const std::uint64_t flits = (h.all_bytes() + kCxsBytes - 1) / kCxsBytes;
    if (body_.size() != flits * kCxsBytes) throw ModelError("a packet has not the flits of its header");
    packet_.kind = static_cast<PacketKind>(h.flags & kKind);
    packet_.status = static_cast<std::uint8_t>(h.status);
    packet_.id = static_cast<std::uint16_t>(h.id);
    packet_.address = h.address;
    packet_.length = static_cast<std::uint32_t>(h.length);
    const unsigned char* const enables = body_.data() + kHeader;
    const unsigned char* const bytes = enables + h.enable_bytes();
    packet_.enables.assign(enables, enables + h.enable_bytes());
    packet_.bytes.assign(bytes, bytes + h.data_bytes());
    body_.clear();
    return true;
}

} // namespace numavp
