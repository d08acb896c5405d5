#include "sw/patterns/pattern_row_wavefront.h"

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {} // namespace

void RowWavefrontParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    if (rows % height != 0) throw ConfigError(place.at("rows"), "multiples of `height` are allowed");
}

RowWavefront::RowWavefront(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), data_seed_(context.data_seed) {
    p_.columns = context.scaled(p_.columns, kWarpLanes);
}

std::vector<ArrayNeed> RowWavefront::arrays() const {
    return {{"costs", p_.rows * p_.columns * kFloatBytes},
            {"result_a", p_.columns * kFloatBytes},
            {"result_b", p_.columns * kFloatBytes}};
}

std::vector<std::shared_ptr<Kernel>> RowWavefront::kernels(const ArrayBases& at) const {
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint64_t i = 0; i < p_.rows / p_.height; ++i) {
        const std::uint64_t before = at.at(i % 2 == 0 ? "result_a" : "result_b");
        const std::uint64_t after = at.at(i % 2 == 0 ? "result_b" : "result_a");
        ItemLoop loop;
        loop.items = p_.columns;
        loop.per_block = p_.per_block;
        loop.warps = p_.warps();
        loop.share = share_;
        loop.seed = data_seed_;
        loop.work = p_.work;
        // The trapezoid's feet reach into the columns of the groups beside.
        for (const std::int64_t shift : {0, -32, 32}) {
            loop.body.push_back(own_access(Op::load, before, p_.columns, kFloatBytes));
            loop.body.back().walk = Walk::near;
            loop.body.back().shift = shift;
        }
        loop.body.push_back(own_access(Op::load, at.at("costs") + i * p_.height * p_.columns * kFloatBytes, p_.columns,
                                       kFloatBytes, p_.height));
        loop.body.push_back(own_access(Op::store, after, p_.columns, kFloatBytes));
        launches.push_back(make_item_loop(p_.shape("rows_" + std::to_string(i * p_.height), 0, 0), std::move(loop)));
    }
    return launches;
}

} // namespace numavp
