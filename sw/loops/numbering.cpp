#include "sw/loops/numbering.h"

#include <algorithm>
#include <numeric>

#include "base/values/rng.h"

namespace numavp {

Numbering::Numbering(std::uint64_t cells, std::uint64_t window, std::uint64_t seed) : cells_(cells) {
    if (window <= 1) return;
    number_of_.resize(cells);
    std::iota(number_of_.begin(), number_of_.end(), 0U);
    Rng rng(seed);
    for (std::uint64_t begin = 0; begin < cells; begin += window)
        for (std::uint64_t i = std::min(cells, begin + window) - 1; i > begin; --i)
            std::swap(number_of_[i], number_of_[begin + rng.below(i - begin + 1)]);
    place_of_.resize(cells);
    for (std::uint64_t place = 0; place < cells; ++place)
        place_of_[number_of_[place]] = static_cast<std::uint32_t>(place);
}

std::uint64_t Numbering::neighbour(std::uint64_t number, std::int64_t shift) const {
    const std::uint64_t place = place_of_.empty() ? number : place_of_[number];
    const std::int64_t end = static_cast<std::int64_t>(cells_) - 1;
    const std::int64_t there = std::clamp<std::int64_t>(static_cast<std::int64_t>(place) + shift, 0, end);
    return number_of_.empty() ? static_cast<std::uint64_t>(there) : number_of_[static_cast<std::size_t>(there)];
}

std::uint64_t RandomMap::element(std::uint64_t item, std::uint32_t slot) const {
    const std::uint64_t runs = (elements_ + run_ - 1) / run_;
    const Rng rng(seed_, item / run_);
    Rng drawn = rng.fork(cluster_ == 0 ? slot : 0);
    std::uint64_t run = drawn.below(runs);
    for (std::uint32_t i = 0; i < skew_; ++i) run = drawn.below(run + 1);
    std::uint64_t first = run * run_;
    if (cluster_ != 0) first += rng.fork(slot + 1).below(cluster_);
    return std::min(elements_ - 1, first + item % run_);
}

} // namespace numavp
