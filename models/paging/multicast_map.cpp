#include "models/paging/multicast_map.h"

#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

MulticastMap::MulticastMap(const Units& units, std::uint64_t page_bytes) : units_(units), page_bytes_(page_bytes) {}

void MulticastMap::add(MulticastArray array) {
    if (units_.count == 0) throw ModelError("a multicast array on a machine without reduction units");
    Placed placed;
    placed.first_page = array.base / page_bytes_;
    placed.pages = (array.bytes + page_bytes_ - 1) / page_bytes_;
    placed.number = pages_;
    placed.array = std::move(array);
    pages_ += placed.pages;
    arrays_.push_back(std::move(placed));
}

std::optional<PageEntry> MulticastMap::place(std::uint64_t virtual_page) const {
    for (const Placed& placed : arrays_) {
        if (virtual_page < placed.first_page || virtual_page - placed.first_page >= placed.pages) continue;
        const std::uint64_t number = placed.number + virtual_page - placed.first_page;
        const std::uint64_t unit = units_.first + number % units_.count;
        const std::uint64_t physical = unit << units_.socket_shift | number / units_.count * page_bytes_;
        return PageEntry{physical >> kLineShift};
    }
    return std::nullopt;
}

MulticastMap::Target MulticastMap::target(std::uint64_t physical) const {
    const std::uint64_t unit = (physical >> units_.socket_shift) - units_.first;
    const std::uint64_t within = physical & ((std::uint64_t{1} << units_.socket_shift) - 1);
    const std::uint64_t number = within / page_bytes_ * units_.count + unit;
    for (const Placed& placed : arrays_)
        if (number >= placed.number && number - placed.number < placed.pages)
            return {&placed.array, (number - placed.number) * page_bytes_ + within % page_bytes_};
    throw ModelError(fmt::format("the line at {:#x} lies in no multicast array", physical));
}

} // namespace numavp
