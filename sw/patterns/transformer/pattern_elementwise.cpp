#include "sw/patterns/transformer/pattern_elementwise.h"

#include <algorithm>

#include <fmt/format.h>

#include "sw/loops/item_loop.h"

namespace numavp {
namespace {

bool is_power_of_two(std::uint32_t n) { return (n & (n - 1)) == 0; }

} // namespace

void ElementwiseParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    for (const auto& [name, bytes] : {std::pair{"element_bytes", element_bytes}, std::pair{"width", width}})
        if (!is_power_of_two(bytes))
            throw ConfigError(place.at(name), fmt::format("{} bytes; powers of two are allowed", bytes));
    if (elements * element_bytes % width != 0)
        throw ConfigError(place.at("elements"), fmt::format("{} elements of {} bytes are no whole accesses of {} bytes",
                                                            elements, element_bytes, width));
}

Elementwise::Elementwise(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.elements = context.scaled(p_.elements, std::max(1U, p_.width / p_.element_bytes));
}

std::vector<ArrayNeed> Elementwise::arrays() const {
    std::vector<ArrayNeed> needs;
    for (unsigned i = 0; i < p_.inputs; ++i) needs.push_back({fmt::format("in_{}", i), bytes()});
    needs.push_back({"out", bytes()});
    return needs;
}

std::vector<std::shared_ptr<Kernel>> Elementwise::kernels(const ArrayBases& at) const {
    ItemLoop loop;
    loop.items = bytes() / p_.width;
    loop.per_block = std::uint64_t{p_.threads} * p_.per_thread;
    loop.warps = p_.warps();
    loop.work = p_.work;
    for (unsigned i = 0; i < p_.inputs; ++i)
        loop.body.push_back(own_access(Op::load, at.at(fmt::format("in_{}", i)), loop.items, p_.width));
    loop.body.push_back(own_access(Op::store, at.at("out"), loop.items, p_.width));
    const auto kernel = make_item_loop(p_.shape("elementwise", loop.blocks(), 0), loop);
    return std::vector<std::shared_ptr<Kernel>>(p_.iterations, kernel);
}

} // namespace numavp
