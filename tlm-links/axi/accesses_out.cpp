#include "tlm-links/axi/accesses_out.h"

#include <algorithm>

#include "tlm-links/axi/axi4_manager.h"

namespace numavp {

bool AccessesOut::must_wait(const Axi4Access& access) const {
    const std::uint64_t end = access.address + access.bytes.size();
    std::uint32_t touched = 0;
    each_count(access.address, end, [&](std::uint64_t i) { touched |= counts_[i]; });
    return touched != 0 && std::any_of(out_.begin(), out_.end(), [&](const Out& other) {
               return other.begin < end && access.address < other.end && (other.write || access.write);
           });
}

void AccessesOut::add(Axi4Access& access) {
    const std::uint64_t end = access.address + access.bytes.size();
    each_count(access.address, end, [&](std::uint64_t i) { ++counts_[i]; });
    access.place = out_.size();
    out_.push_back({&access, access.address, end, access.write});
}

void AccessesOut::remove(const Axi4Access& access) {
    Out& out = out_[access.place];
    each_count(out.begin, out.end, [&](std::uint64_t i) { --counts_[i]; });
    out = out_.back();
    out.access->place = access.place;
    out_.pop_back();
}

} // namespace numavp
