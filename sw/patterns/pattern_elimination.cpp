#include "sw/patterns/pattern_elimination.h"

#include <cmath>

#include "base/values/rng.h"
#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

constexpr std::uint64_t kLeastSteps = 3;
constexpr std::uint64_t kRowsOfABlock = 512; ///< Fan1 of Rodinia: a thread for each row

} // namespace

void EliminationParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
}

Elimination::Elimination(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.part), data_seed_(context.data_seed) {
    if (context.share > 1.0) p_.sample = 1; // all of the work
    const double edge = static_cast<double>(p_.n) * std::sqrt(context.scale);
    p_.n =
        std::max<std::uint64_t>(kWarpLanes, static_cast<std::uint64_t>(std::llround(edge / kWarpLanes)) * kWarpLanes);
}

std::vector<ArrayNeed> Elimination::arrays() const {
    return {{"a", p_.n * p_.n * kFloatBytes}, {"m", p_.n * p_.n * kFloatBytes}};
}

std::vector<std::shared_ptr<Kernel>> Elimination::kernels(const ArrayBases& at) const {
    const std::uint64_t n = p_.n;
    const std::uint64_t steps = std::min(n - 1, std::max(kLeastSteps, n / p_.sample));
    const std::uint64_t apart = (n - 1) / steps;
    const std::uint64_t first = Rng(data_seed_).below(apart);
    ItemLoop clear; // multipliers above the diagonal stay zero
    clear.items = n * n;
    clear.per_block = p_.per_block;
    clear.warps = p_.warps();
    clear.share = share_;
    clear.seed = data_seed_;
    clear.body = {own_access(Op::store, at.at("m"), n * n, kFloatBytes)};
    std::vector<std::shared_ptr<Kernel>> launches = {make_item_loop(p_.shape("clear", 0, 0), std::move(clear))};
    for (std::uint64_t step = 0; step < steps; ++step) {
        const std::uint64_t t = first + step * apart;
        const std::uint64_t left = n - 1 - t; // rows and columns behind the pivot
        const auto column = make_map([=](std::uint64_t item, std::uint32_t) { return (t + 1 + item) * n + t; });
        const auto pivot = make_map([=](std::uint64_t, std::uint32_t) { return t * n + t; });
        ItemLoop fan1;
        fan1.items = left;
        fan1.per_block = kRowsOfABlock;
        fan1.warps = p_.warps();
        fan1.work = p_.work;
        fan1.body = {mapped_access(Op::load, at.at("a"), kFloatBytes, pivot),
                     mapped_access(Op::load, at.at("a"), kFloatBytes, column),
                     mapped_access(Op::store, at.at("m"), kFloatBytes, column)};
        const auto row_of = [=](std::uint64_t item) { return t + 1 + item / left; };
        const auto multiplier = make_map([=](std::uint64_t item, std::uint32_t) { return row_of(item) * n + t; });
        const auto above = make_map([=](std::uint64_t item, std::uint32_t) { return t * n + t + 1 + item % left; });
        const auto element =
            make_map([=](std::uint64_t item, std::uint32_t) { return row_of(item) * n + t + 1 + item % left; });
        ItemLoop fan2;
        fan2.items = left * left;
        fan2.per_block = p_.per_block;
        fan2.warps = p_.warps();
        fan2.share = share_;
        fan2.seed = data_seed_;
        fan2.work = p_.work;
        fan2.body = {mapped_access(Op::load, at.at("m"), kFloatBytes, multiplier),
                     mapped_access(Op::load, at.at("a"), kFloatBytes, above),
                     mapped_access(Op::load, at.at("a"), kFloatBytes, element),
                     mapped_access(Op::store, at.at("a"), kFloatBytes, element)};
        launches.push_back(make_item_loop(p_.shape("fan1_" + std::to_string(t), 0, 0), std::move(fan1)));
        launches.push_back(make_item_loop(p_.shape("fan2_" + std::to_string(t), 0, 0), std::move(fan2)));
    }
    return launches;
}

} // namespace numavp
