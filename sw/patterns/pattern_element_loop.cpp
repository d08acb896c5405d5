#include "sw/patterns/pattern_element_loop.h"

#include <algorithm>

#include "base/values/rng.h"
#include "sw/loops/numbering.h"

namespace numavp {
namespace {

/// Longer numberings are not kept in 32 bits.
constexpr std::uint64_t kMaxNumbered = std::uint64_t{1} << 28;

Op op_of(AccessKind kind) {
    switch (kind) {
    case AccessKind::store: return Op::store;
    case AccessKind::reduce: return Op::reduce;
    case AccessKind::atomic: return Op::atomic;
    default: return Op::load;
    }
}

Walk walk_of(Reach reach) {
    switch (reach) {
    case Reach::record: return Walk::record;
    case Reach::near: return Walk::near;
    case Reach::table: return Walk::table;
    case Reach::result: return Walk::result;
    case Reach::own: return Walk::own;
    default: return Walk::mapped;
    }
}

bool has_shifts(const ElementAccess& a) { return a.reach == Reach::near || a.reach == Reach::neighbour; }

} // namespace

void ElementAccess::validate(const Place& place) const {
    if (array.empty()) throw ConfigError(place, "an access has no 'array', which it must have");
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
        throw ConfigError(place.at("width"), "fields have 1, 2, 4, 8 or 16 bytes");
    if (has_shifts(*this) == shifts.empty())
        throw ConfigError(place.at("shifts"), "are given for near and neighbour, and only for these");
    if (kind == AccessKind::load && reach == Reach::result)
        throw ConfigError(place.at("kind"), "a result is stored or added, not loaded");
    if (skew != 0 && reach != Reach::random)
        throw ConfigError(place.at("skew"), "is of random accesses; 0 is allowed with others");
    if (reach == Reach::record && first_field != 0)
        throw ConfigError(place.at("first_field"), "a record is accessed as a whole; only 0 is allowed");
}

void ElementLoopParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    if (accesses.empty()) throw ConfigError(place, "a loop without 'accesses' does nothing; at least one is expected");
    if (window > 1 && items > kMaxNumbered)
        throw ConfigError(place.at("window"), "a mesh of more than 2^28 elements can't be shuffled; 1 is allowed");
}

ElementLoop::ElementLoop(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), seed_(context.seed), data_seed_(context.data_seed) {
    p_.items = context.scaled(p_.items);
    for (ElementAccess& a : p_.accesses)
        if (a.scaled) a.elements = context.scaled(a.elements);
}

std::uint64_t ElementLoop::elements_of(const ElementAccess& a) const {
    return whole_groups(a.elements == 0 ? p_.items : a.elements);
}

std::vector<ArrayNeed> ElementLoop::arrays() const {
    std::vector<ArrayNeed> needs;
    for (const ElementAccess& a : p_.accesses) {
        std::uint64_t fields = a.fields * (a.spread ? a.shifts.size() : 1);
        if (a.reach == Reach::table || a.reach == Reach::result || a.reach == Reach::random) fields = 1;
        const std::uint64_t bytes = (a.first_field + fields) * elements_of(a) * a.width;
        const auto known = std::find_if(needs.begin(), needs.end(), [&](const auto& n) { return n.role == a.array; });
        if (known == needs.end())
            needs.push_back({a.array, bytes});
        else
            known->bytes = std::max(known->bytes, bytes);
    }
    return needs;
}

std::vector<std::shared_ptr<Kernel>> ElementLoop::kernels(const ArrayBases& at) const {
    ItemLoop loop;
    loop.items = p_.items;
    loop.per_block = p_.per_block;
    loop.warps = p_.warps();
    loop.share = share_;
    loop.seed = data_seed_;
    loop.work = p_.work;
    std::shared_ptr<const Numbering> numbering;
    for (std::size_t i = 0; i < p_.accesses.size(); ++i) {
        const ElementAccess& a = p_.accesses[i];
        Access access;
        access.op = op_of(a.kind);
        access.walk = walk_of(a.reach);
        access.width = static_cast<std::uint8_t>(a.width);
        access.dependent = a.dependent;
        access.fields = a.fields;
        access.elements = elements_of(a);
        access.base = at.at(a.array) + a.first_field * access.elements * a.width;
        access.every = a.every;
        access.turns = a.turns;
        std::vector<Access>& part = a.reach == Reach::result ? loop.finish : loop.body;
        if (a.reach == Reach::random) {
            access.map =
                std::make_shared<RandomMap>(access.elements, a.run, a.cluster, Rng(seed_, a.draw).at(0), a.skew);
        } else if (a.reach == Reach::neighbour) {
            // Entries over the same mesh number it in the same way.
            if (!numbering) numbering = std::make_shared<Numbering>(p_.items, p_.window, data_seed_);
            access.fields = static_cast<std::uint32_t>(a.fields * a.shifts.size());
            access.map = std::make_shared<NeighbourMap>(numbering, a.shifts, a.fields, a.spread, access.elements);
        } else if (a.reach == Reach::near) {
            for (std::size_t s = 0; s < a.shifts.size(); ++s) {
                Access shifted = access;
                shifted.shift = a.shifts[s];
                if (a.spread) shifted.base += s * a.fields * access.elements * a.width;
                part.push_back(std::move(shifted));
            }
            continue;
        }
        part.push_back(std::move(access));
    }
    return {p_.iterations, make_item_loop(p_.shape(p_.kernel, 0, 0), std::move(loop))};
}

} // namespace numavp
