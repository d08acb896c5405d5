#include "sw/patterns/pattern_ray_traversal.h"

#include "base/values/rng.h"
#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint32_t kNodeVectors = 2; ///< a box and its children
constexpr std::uint32_t kTriangleVectors = 3;
constexpr std::uint64_t kLeaf = 8;  ///< first triangle and number
constexpr std::uint64_t kState = 8; ///< random numbers of a pixel

/// Takes turns of the bits of x and y: pixels that are near in both get near numbers.
std::uint64_t interleave(std::uint64_t x, std::uint64_t y) {
    std::uint64_t mixed = 0;
    for (unsigned bit = 0; bit < 32; ++bit) mixed |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1);
    return mixed;
}

} // namespace

void RayTraversalParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    if (width % kWarpLanes != 0) throw ConfigError(place.at("width"), "multiples of 32 are allowed");
}

RayTraversal::RayTraversal(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), seed_(context.seed), data_seed_(context.data_seed) {
    p_.height = context.scaled(p_.height);
}

std::vector<ArrayNeed> RayTraversal::arrays() const {
    const std::uint64_t leaves = 1ULL << p_.depth;
    const std::uint64_t pixels = p_.width * p_.height;
    return {{"nodes", 2 * leaves * kNodeVectors * kVectorBytes},
            {"leaves", whole_groups(leaves) * kLeaf},
            {"triangles", leaves * p_.triangles * kTriangleVectors * kVectorBytes},
            {"picture", pixels * kVectorBytes},
            {"state", pixels * kState}};
}

std::vector<std::shared_ptr<Kernel>> RayTraversal::kernels(const ArrayBases& at) const {
    const std::uint64_t width = p_.width;
    const std::uint64_t height = p_.height;
    const std::uint64_t pixels = width * height;
    const std::uint64_t depth = p_.depth;
    const std::uint64_t seed = seed_;
    const std::uint64_t of_leaf = std::uint64_t{p_.triangles} * kTriangleVectors;
    const auto kernel_of = [&](std::uint32_t frame) {
        ItemLoop loop;
        loop.items = pixels;
        loop.per_block = p_.per_block;
        loop.warps = p_.warps();
        loop.share = share_;
        loop.seed = data_seed_;
        loop.work = p_.work;
        loop.body.push_back(own_access(Op::load, at.at("state"), pixels, kState));
        for (std::uint32_t ray = 0; ray <= p_.bounces; ++ray) {
            const auto leaf = [=](std::uint64_t item) {
                const std::uint64_t leaves = 1ULL << depth;
                // Bounces, and the jitter of primary rays within a pixel's share of the leaves, are drawn anew.
                const std::uint64_t draw = Rng(seed, item).fork(std::uint64_t{frame} << 8 | ray).at(0);
                if (ray != 0) return draw % leaves;
                unsigned bits = 0;
                while ((1ULL << bits) < std::max(width, height)) ++bits;
                const std::uint64_t place = interleave(item % width, item / width);
                const std::uint64_t spread = std::max<std::uint64_t>(1, leaves >> (2 * bits));
                const std::uint64_t first =
                    2 * bits > depth ? place >> (2 * bits - depth) : place << (depth - 2 * bits);
                return (first + draw % spread) % leaves;
            };
            // Node of level d: 2^d behind the levels above. A level is a load of two vectors.
            const auto node = make_map([=](std::uint64_t item, std::uint32_t slot) {
                const std::uint64_t level = slot / kNodeVectors;
                return ((1ULL << level) + (leaf(item) >> (depth - level))) * kNodeVectors + slot % kNodeVectors;
            });
            loop.body.push_back(mapped_access(Op::load, at.at("nodes"), kVectorBytes, node,
                                              static_cast<std::uint32_t>(depth + 1) * kNodeVectors, true));
            loop.body.push_back(mapped_access(
                Op::load, at.at("leaves"), kLeaf,
                make_map([=](std::uint64_t item, std::uint32_t /*slot*/) { return leaf(item); }), 1, true));
            loop.body.push_back(mapped_access(
                Op::load, at.at("triangles"), kVectorBytes,
                make_map([=](std::uint64_t item, std::uint32_t slot) { return leaf(item) * of_leaf + slot; }),
                static_cast<std::uint32_t>(of_leaf), true));
        }
        loop.body.push_back(own_access(Op::store, at.at("state"), pixels, kState));
        loop.body.push_back(own_access(Op::store, at.at("picture"), pixels, kVectorBytes));
        return make_item_loop(p_.shape("frame_" + std::to_string(frame), 0, 0), std::move(loop));
    };
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t frame = 0; frame < p_.frames; ++frame) launches.push_back(kernel_of(frame));
    return launches;
}

} // namespace numavp
