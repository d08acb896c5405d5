#include "sw/patterns/pattern_scratchpad_hash.h"

#include "base/values/rng.h"
#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kChunkLanes = kLineBytes / kVectorBytes; ///< threads that move one chunk together
constexpr std::uint64_t kChunksAtOnce = kWarpLanes / kChunkLanes;
constexpr std::uint64_t kHeaderWords = 1024; ///< words of the block header and the tables of constants

} // namespace

ScratchpadHash::ScratchpadHash(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), seed_(context.seed), data_seed_(context.data_seed) {
    p_.blocks = context.scaled(p_.blocks);
}

std::vector<ArrayNeed> ScratchpadHash::arrays() const {
    const std::uint64_t threads = p_.blocks * p_.threads;
    return {{"header", kHeaderWords * kWordBytes},
            {"pads", threads * p_.chunks * kLineBytes},
            {"nonces", threads * kWordBytes}};
}

std::vector<std::shared_ptr<Kernel>> ScratchpadHash::kernels(const ArrayBases& at) const {
    const std::uint64_t chunks = p_.chunks;
    const std::uint64_t seed = seed_;
    // In slot s the warp moves a chunk for four of its threads, 8 lanes each: whole lines.
    const auto vector_of = [=](std::uint64_t item, std::uint32_t slot, std::uint64_t chunk) {
        const std::uint64_t thread =
            item / kWarpLanes * kWarpLanes + slot % kChunkLanes * kChunksAtOnce + item % kWarpLanes / kChunkLanes;
        return (thread * chunks + chunk) * kChunkLanes + item % kChunkLanes;
    };
    const auto fill =
        make_map([=](std::uint64_t item, std::uint32_t slot) { return vector_of(item, slot, slot / kChunkLanes); });
    const auto mix = make_map([=](std::uint64_t item, std::uint32_t slot) {
        return vector_of(item, slot, Rng(seed, item / kChunkLanes).fork(slot).below(chunks));
    });
    ItemLoop loop;
    loop.items = p_.blocks * p_.threads;
    loop.per_block = p_.threads;
    loop.warps = p_.warps();
    loop.seed = data_seed_;
    // Threads can't be left out without leaving out their pads: each does a part of its chunks.
    loop.share = 1.0;
    loop.work = p_.work;
    const auto slots = static_cast<std::uint32_t>(chunks * kChunkLanes);
    Access header = own_access(Op::load, at.at("header"), kHeaderWords, kWordBytes);
    header.walk = Walk::table;
    loop.body = {header, mapped_access(Op::store, at.at("pads"), kVectorBytes, fill, slots),
                 mapped_access(Op::load, at.at("pads"), kVectorBytes, mix, slots, true),
                 own_access(Op::store, at.at("nonces"), loop.items, kWordBytes)};
    loop.field_share = share_;
    return {p_.hashes, make_item_loop(p_.shape("hash", 0, 0), std::move(loop))};
}

} // namespace numavp
