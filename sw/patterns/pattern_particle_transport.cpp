#include "sw/patterns/pattern_particle_transport.h"

#include "base/values/rng.h"
#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kIndexEntry = 16;

} // namespace

void ParticleTransportParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    if (cells == 0 && data == 0) throw ConfigError(place, "particles without 'cells' and without 'data' read nothing");
    if ((index == 0) != (data == 0)) throw ConfigError(place, "'index' and 'data' are given together");
}

ParticleTransport::ParticleTransport(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), seed_(context.seed), data_seed_(context.data_seed) {
    p_.particles = context.scaled(p_.particles);
    if (p_.cells != 0) p_.cells = context.scaled(p_.cells);
}

std::vector<ArrayNeed> ParticleTransport::arrays() const {
    const std::uint64_t particles = whole_groups(p_.particles);
    std::vector<ArrayNeed> needs = {{"checksum", std::uint64_t{p_.warps()} * kWarpLanes * kDoubleBytes}};
    if (p_.record != 0) needs = {{"particles", particles * p_.record * kDoubleBytes}};
    if (p_.cells != 0) {
        needs.push_back({"cells", p_.cells * p_.cell_fields * kDoubleBytes});
        needs.push_back({"tallies", p_.cells * kDoubleBytes});
    }
    if (p_.data != 0) {
        needs.push_back({"index", p_.index * kIndexEntry});
        needs.push_back({"data", p_.data * p_.entry * kDoubleBytes});
    }
    return needs;
}

std::vector<std::shared_ptr<Kernel>> ParticleTransport::kernels(const ArrayBases& at) const {
    const std::uint64_t particles = p_.particles;
    const std::uint64_t cells = p_.cells;
    const std::uint64_t drift = p_.drift;
    const std::uint64_t index = p_.index;
    const std::uint64_t data = p_.data;
    const std::uint64_t entry = p_.entry;
    const std::uint64_t seed = seed_;
    const std::uint64_t pitch = whole_groups(particles);
    ItemLoop loop;
    loop.items = particles;
    loop.per_block = p_.per_block;
    loop.warps = p_.warps();
    loop.share = share_;
    loop.seed = data_seed_;
    loop.work = p_.work;
    if (p_.record != 0) loop.body.push_back(own_access(Op::load, at.at("particles"), pitch, kDoubleBytes, p_.record));
    for (std::uint32_t flight = 0; flight < p_.segments; ++flight) {
        const auto draw = [=](std::uint64_t item, std::uint64_t of, std::uint64_t n) {
            return Rng(seed, item).fork(flight * 3 + of).below(n);
        };
        if (data != 0) {
            const auto probe =
                make_map([=](std::uint64_t item, std::uint32_t /*slot*/) { return draw(item, 0, index); });
            const auto fetch = make_map([=](std::uint64_t item, std::uint32_t slot) {
                return draw(item, 1, data) * entry + slot; // entries are records
            });
            loop.body.push_back(mapped_access(Op::load, at.at("index"), kIndexEntry, probe, 1, true));
            loop.body.push_back(mapped_access(Op::load, at.at("data"), kDoubleBytes, fetch, p_.entry, true));
        }
        if (cells != 0) {
            const auto cell = [=](std::uint64_t item) {
                const std::uint64_t first = item * cells / particles;
                return (first + draw(item, 2, std::min(drift, cells))) % cells;
            };
            const auto fields =
                make_map([=](std::uint64_t item, std::uint32_t slot) { return slot * cells + cell(item); });
            loop.body.push_back(mapped_access(Op::load, at.at("cells"), kDoubleBytes, fields, p_.cell_fields, true));
            loop.body.push_back(
                mapped_access(Op::reduce, at.at("tallies"), kDoubleBytes,
                              make_map([=](std::uint64_t item, std::uint32_t /*slot*/) { return cell(item); })));
        }
    }
    if (p_.record != 0) {
        loop.body.push_back(own_access(Op::store, at.at("particles"), pitch, kDoubleBytes, p_.record));
    } else { // all that is left of a look-up is its part of a sum
        Access sum = own_access(Op::reduce, at.at("checksum"), std::uint64_t{loop.warps} * kWarpLanes, kDoubleBytes);
        sum.walk = Walk::result;
        loop.finish.push_back(std::move(sum));
    }
    return {p_.passes, make_item_loop(p_.shape("transport", 0, 0), std::move(loop))};
}

} // namespace numavp
