#include "models/fault_server/machine_look.h"

#include <algorithm>
#include <utility>

namespace numavp {

namespace {
constexpr unsigned kSocketsOfRegister = 8, kSocketsOfUse = 4, kByteBits = 8;
constexpr unsigned kMostRouters = 255; // what a byte holds
} // namespace

void MachineLook::watch(Links links) {
    links_ = std::move(links);
    sampled_.assign(sockets, {});
}

std::uint64_t MachineLook::distances(std::uint64_t from, unsigned k) const {
    std::uint64_t bytes = 0;
    if (!routers || from >= sockets) return bytes;
    for (unsigned i = 0; i < kSocketsOfRegister; ++i)
        if (const unsigned to = k * kSocketsOfRegister + i; to < sockets && to != from)
            bytes |= std::uint64_t{std::min(routers(static_cast<unsigned>(from), to), kMostRouters)} << i * kByteBits;
    return bytes;
}

void MachineLook::Direction::take(const LinkWork& now) {
    const std::uint64_t carried = now.carried - before.carried, possible = now.possible - before.possible;
    percent = possible == 0 ? 0 : static_cast<unsigned>(std::min<std::uint64_t>(carried * 100 / possible, 100));
    before = now;
}

void MachineLook::sample() {
    if (sampled_.empty()) return;
    const Cycle now = links_.now();
    if (now - sampled_at_ < links_.cycles) return;
    sampled_at_ = now;
    for (unsigned socket = 0; socket < sampled_.size(); ++socket) {
        sampled_[socket].out.take(links_.out(socket));
        sampled_[socket].in.take(links_.in(socket));
    }
}

std::uint64_t MachineLook::link_use(unsigned k) const {
    std::uint64_t bytes = 0;
    for (unsigned i = 0; i < kSocketsOfUse; ++i) {
        const std::size_t socket = std::size_t{k} * kSocketsOfUse + i;
        if (socket >= sampled_.size()) break;
        const std::uint64_t both = sampled_[socket].out.percent | sampled_[socket].in.percent << kByteBits;
        bytes |= both << 2 * kByteBits * i;
    }
    return bytes;
}

} // namespace numavp
