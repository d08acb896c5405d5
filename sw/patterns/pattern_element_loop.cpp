#include "sw/patterns/pattern_element_loop.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/values/rng.h"
#include "sw/loops/numbering.h"

namespace numavp {
namespace {

/// Longer numberings are not kept in 32 bits.
constexpr std::uint64_t kMaxNumbered = std::uint64_t{1} << 28;
/// As `shared_bytes` of `grid_loop`; what an SM really has is checked when it is known.
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1} << 20;

Op op_of(AccessKind kind) {
    switch (kind) {
    case AccessKind::store: return Op::store;
    case AccessKind::reduce: return Op::reduce;
    case AccessKind::atomic: return Op::atomic;
    case AccessKind::barrier: return Op::barrier;
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

void ElementAccess::validate_barrier(const Place& place) const {
    const auto settings = [](const ElementAccess& a) {
        return std::tie(a.array, a.memory, a.reach, a.fields, a.first_field, a.width, a.elements, a.shifts, a.spread,
                        a.dependent, a.scaled, a.run, a.cluster, a.draw, a.skew, a.every, a.turns, a.stride, a.lanes);
    };
    if (settings(*this) != settings(ElementAccess{}))
        throw ConfigError(place.at("kind"), "a barrier has no array and no other setting; 'kind' alone is allowed");
}

void ElementAccess::validate_shared(const Place& place) const {
    if (elements == 0)
        throw ConfigError(place, fmt::format("the array '{}' in shared memory has no 'elements', which it must have",
                                             quotable(array)));
    if (scaled) throw ConfigError(place.at("scaled"), "shared memory of a block is not scaled; false is allowed");
    if (first_field != 0)
        throw ConfigError(place.at("first_field"), "an array in shared memory has no fields apart; only 0 is allowed");
    if (every != 1 || turns != 1)
        throw ConfigError(place.at(every != 1 ? "every" : "turns"),
                          "each block has its own shared memory; 1 is allowed");
    if (reach != Reach::own && reach != Reach::record && reach != Reach::random && reach != Reach::result)
        throw ConfigError(place.at("reach"), "shared memory is accessed by own, record, random and result; these are "
                                             "allowed");
}

/// Settings of places that are drawn at random.
void ElementAccess::validate_drawn(const Place& place) const {
    if (reach == Reach::random) return;
    const auto refuse = [&place](const char* setting, unsigned allowed) {
        throw ConfigError(place.at(setting), fmt::format("is of random accesses; {} is allowed with others", allowed));
    };
    if (run != 1) refuse("run", 1);
    if (cluster != 0) refuse("cluster", 0);
    if (draw != 0) refuse("draw", 0);
    if (skew != 0) refuse("skew", 0);
}

void ElementAccess::validate(const Place& place) const {
    if (kind == AccessKind::barrier) {
        validate_barrier(place);
        return;
    }
    if (array.empty()) throw ConfigError(place, "an access has no 'array', which it must have");
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
        throw ConfigError(place.at("width"), "fields have 1, 2, 4, 8 or 16 bytes");
    if (has_shifts(*this) == shifts.empty())
        throw ConfigError(place.at("shifts"), "are given for near and neighbour, and only for these");
    if (spread && !has_shifts(*this))
        throw ConfigError(place.at("spread"), "is of near and neighbour; false is allowed with others");
    if (shared()) validate_shared(place);
    if (stride != 1 && (!shared() || (reach != Reach::own && reach != Reach::result)))
        throw ConfigError(place.at("stride"), "is of own and result in shared memory; 1 is allowed with others");
    if (lanes != 0 && !shared() && reach != Reach::result)
        throw ConfigError(place.at("lanes"), "is of shared memory and of results; 0 is allowed with others");
    if (kind == AccessKind::load && reach == Reach::result && !shared())
        throw ConfigError(place.at("kind"), "a result is stored or added, not loaded");
    validate_drawn(place);
    if (reach == Reach::record && first_field != 0)
        throw ConfigError(place.at("first_field"), "a record is accessed as a whole; only 0 is allowed");
}

void ElementLoopParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (per_block % kWarpLanes != 0) throw ConfigError(place.at("per_block"), "multiples of 32 are allowed");
    validate_items(place);
    if (window > 1 && items > kMaxNumbered)
        throw ConfigError(place.at("window"), "a mesh of more than 2^28 elements can't be shuffled; 1 is allowed");
}

/// Rules of accesses and barriers between each other.
void ElementLoopParameters::validate_items(const Place& place) const {
    const auto device = [](const ElementAccess& a) { return a.kind != AccessKind::barrier && !a.shared(); };
    if (std::none_of(accesses.begin(), accesses.end(), device))
        throw ConfigError(place, "a loop without 'accesses' to global memory does nothing; at least one is expected");
    std::map<std::string, ArrayMemory> memories;
    bool results = false;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        const ElementAccess& a = accesses[i];
        const Place here = place.at("accesses").at(i);
        results = results || a.reach == Reach::result;
        if (a.kind == AccessKind::barrier) {
            if (results)
                throw ConfigError(here, "a barrier stands behind a result; results come last, and the block meets "
                                        "before them anyway");
            continue;
        }
        if (memories.emplace(a.array, a.memory).first->second != a.memory)
            throw ConfigError(here.at("memory"),
                              fmt::format("the array '{}' is in the other memory too; one of them is "
                                          "allowed",
                                          quotable(a.array)));
        if (a.lanes > threads)
            throw ConfigError(here.at("lanes"), fmt::format("a block has {} threads; as many are allowed", threads));
    }
    if (shared_bytes() > kMaxSharedBytes)
        throw ConfigError(place.at("accesses"), fmt::format("the arrays in shared memory have {} bytes; {} are allowed",
                                                            shared_bytes(), kMaxSharedBytes));
}

std::uint64_t ElementLoopParameters::shared_bytes() const {
    std::map<std::string, std::uint64_t> arrays;
    for (const ElementAccess& a : accesses) {
        if (a.kind == AccessKind::barrier || !a.shared()) continue;
        std::uint64_t& bytes = arrays[a.array];
        bytes = std::max(bytes, a.elements * a.width);
    }
    std::uint64_t sum = 0;
    for (const auto& array : arrays) sum += (array.second + kVectorBytes - 1) / kVectorBytes * kVectorBytes;
    return sum;
}

ElementLoop::ElementLoop(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), share_(context.share / parameters.sample), seed_(context.seed), data_seed_(context.data_seed) {
    p_.items = context.scaled(p_.items);
    for (ElementAccess& a : p_.accesses)
        if (a.scaled) a.elements = context.scaled(a.elements);
}

std::uint64_t ElementLoop::elements_of(const ElementAccess& a) const {
    if (a.shared()) return a.elements;
    return std::max(whole_groups(a.elements == 0 ? p_.items : a.elements), whole_groups(a.lanes));
}

std::vector<ArrayNeed> ElementLoop::arrays() const {
    std::vector<ArrayNeed> needs;
    for (const ElementAccess& a : p_.accesses) {
        if (a.kind == AccessKind::barrier || a.shared()) continue;
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

/// The access without what only some reaches have.
Access ElementLoop::access_of(const ElementAccess& a, const ArrayBases& at) const {
    Access access;
    access.op = op_of(a.kind);
    if (a.kind == AccessKind::barrier) return access;
    access.walk = walk_of(a.reach);
    access.width = static_cast<std::uint8_t>(a.width);
    access.dependent = a.dependent;
    access.fields = a.fields;
    access.elements = elements_of(a);
    access.every = a.every;
    access.turns = a.turns;
    access.lanes = a.lanes;
    access.shared = a.shared();
    if (!access.shared) {
        access.base = at.at(a.array) + a.first_field * access.elements * a.width;
    } else if (a.reach != Reach::random) {
        access.walk = Walk::thread;
        access.stride = a.reach == Reach::record ? a.fields : a.stride;
        access.step = a.reach == Reach::record ? 1 : p_.threads;
    }
    return access;
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
    for (const ElementAccess& a : p_.accesses) {
        Access access = access_of(a, at);
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
    const auto shared_bytes = static_cast<std::uint32_t>(p_.shared_bytes());
    return {p_.iterations, make_item_loop(p_.shape(p_.kernel, 0, 0, shared_bytes), std::move(loop))};
}

} // namespace numavp
