#include "models/dispatch/block_order.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace numavp {
namespace {

/// A digit in an order: its number of values, and the distance in block numbers of two neighbours.
struct OrderedDigit {
    std::uint64_t count;
    std::uint64_t stride;
    bool downward;
};

/// The digit called `name`, with its stride in block numbers; count 0 if there is none.
OrderedDigit find_digit(const KernelShape& shape, char name) {
    std::uint64_t stride = 1;
    for (const GridDigit& digit : shape.digits) {
        if (digit.name == name) return {digit.count, stride, false};
        stride *= digit.count;
    }
    return {0, 0, false};
}

bool has_digits(const KernelShape& shape, std::string_view names) {
    return std::all_of(names.begin(), names.end(), [&](char name) { return find_digit(shape, name).count != 0; });
}

/// Whether the two digits `names` are the fastest ones.
bool lead(const KernelShape& shape, std::string_view names) {
    return names.find(shape.digits[0].name) != std::string_view::npos &&
           names.find(shape.digits[1].name) != std::string_view::npos;
}

/// Digits in the order of `names`, then all others in their own order.
std::vector<OrderedDigit> digits_in_order(const KernelShape& shape, std::string_view names, bool longest_first) {
    std::vector<OrderedDigit> digits;
    for (const char name : names) {
        digits.push_back(find_digit(shape, name));
        digits.back().downward = longest_first && name == 'q';
    }
    for (const GridDigit& digit : shape.digits)
        if (names.find(digit.name) == std::string_view::npos) digits.push_back(find_digit(shape, digit.name));
    return digits;
}

/// Mixed-radix numbers with their digits in another order.
class DigitOrder final : public BlockOrder {
  public:
    explicit DigitOrder(std::vector<OrderedDigit> digits) : digits_(std::move(digits)) {}
    std::uint64_t block(std::uint64_t place) const override {
        std::uint64_t number = 0;
        for (const OrderedDigit& digit : digits_) {
            const std::uint64_t value = place % digit.count;
            place /= digit.count;
            number += (digit.downward ? digit.count - 1 - value : value) * digit.stride;
        }
        return number;
    }

  private:
    std::vector<OrderedDigit> digits_;
};

/// A contiguous part of another order for each socket, where place p is on socket p modulo sockets.
class BandedOrder final : public BlockOrder {
  public:
    BandedOrder(DigitOrder order, std::uint64_t blocks, unsigned sockets)
        : order_(std::move(order)), each_(blocks / sockets), more_(blocks % sockets), sockets_(sockets) {}
    std::uint64_t block(std::uint64_t place) const override {
        const std::uint64_t socket = place % sockets_;
        return order_.block(socket * each_ + std::min(socket, more_) + place / sockets_);
    }

  private:
    DigitOrder order_;
    std::uint64_t each_, more_; ///< blocks of each socket; sockets that have one more
    std::uint64_t sockets_;
};

/// Tiles of a matrix, with what both orders of them need.
struct Tiles {
    OrderedDigit columns, rows;
    std::uint64_t plane() const { return columns.count * rows.count; }
    std::uint64_t block(std::uint64_t row, std::uint64_t column, std::uint64_t rest) const {
        return row * rows.stride + column * columns.stride + rest * plane();
    }
};

/// CUTLASS 2.x, GemmIdentityThreadblockSwizzle: groups of columns, a row of a group after the other. The last group is
/// as wide as columns are left; there CUTLASS starts blocks that end at once.
class GroupedOrder final : public BlockOrder {
  public:
    GroupedOrder(const Tiles& tiles, unsigned most) : tiles_(tiles), width_(width_of(most, tiles.columns.count)) {}
    std::uint64_t block(std::uint64_t place) const override {
        const std::uint64_t rest = place / tiles_.plane(), in_plane = place % tiles_.plane();
        const std::uint64_t first = in_plane / (width_ * tiles_.rows.count) * width_;
        const std::uint64_t width = std::min(width_, tiles_.columns.count - first);
        const std::uint64_t in_group = in_plane - first * tiles_.rows.count;
        return tiles_.block(in_group / width, first + in_group % width, rest);
    }

  private:
    static std::uint64_t width_of(unsigned most, std::uint64_t columns) {
        if (most >= 8 && columns >= 6) return 8;
        if (most >= 4 && columns >= 3) return 4;
        return most >= 2 && columns >= 2 ? 2 : 1;
    }
    Tiles tiles_;
    std::uint64_t width_;
};

/// HipKittens: chunks of consecutive numbers for each socket as long as whole rounds are left, then windows of rows,
/// down the columns of each.
class WindowedOrder final : public BlockOrder {
  public:
    WindowedOrder(const Tiles& tiles, const BlockOrderConfig& config, unsigned sockets)
        : tiles_(tiles), window_(config.window), chunk_(config.chunk), sockets_(sockets) {}
    std::uint64_t block(std::uint64_t place) const override {
        const std::uint64_t rest = place / tiles_.plane();
        const std::uint64_t at = chunked(place % tiles_.plane(), rest * tiles_.plane() % sockets_);
        const std::uint64_t first = at / (window_ * tiles_.columns.count) * window_;
        const std::uint64_t height = std::min(window_, tiles_.rows.count - first);
        const std::uint64_t in_window = at - first * tiles_.columns.count;
        return tiles_.block(first + in_window % height, in_window / height, rest);
    }

  private:
    /// `first`: socket of the first place of the plane.
    std::uint64_t chunked(std::uint64_t place, std::uint64_t first) const {
        const std::uint64_t round = sockets_ * chunk_;
        if (place >= tiles_.plane() / round * round) return place;
        const std::uint64_t socket = (place + first) % sockets_, local = place / sockets_;
        return local / chunk_ * round + socket * chunk_ + local % chunk_;
    }
    Tiles tiles_;
    std::uint64_t window_, chunk_, sockets_;
};

/// Digits of an attention order, fastest first.
std::string_view digits_of(BlockOrderPolicy policy) {
    switch (policy) {
    case BlockOrderPolicy::qb_minor: return "qgvb";
    case BlockOrderPolicy::qb_major: return "bgvq";
    case BlockOrderPolicy::hkv_major: return "bgqv";
    case BlockOrderPolicy::bt_hkv_minor: return "bvgq";
    case BlockOrderPolicy::hq_minor_swz: return "qbgv"; // a band of heads is a contiguous part of this
    case BlockOrderPolicy::by_number:
    case BlockOrderPolicy::grouped:
    case BlockOrderPolicy::windowed: break;
    }
    return "";
}

} // namespace

std::unique_ptr<BlockOrder> make_block_order(const BlockOrderConfig& config, const KernelShape& shape,
                                             unsigned sockets) {
    if (config.of_attention()) {
        const std::string_view digits = digits_of(config.policy);
        if (!has_digits(shape, digits)) return nullptr;
        DigitOrder order(digits_in_order(shape, digits, config.longest_first));
        if (config.policy != BlockOrderPolicy::hq_minor_swz) return std::make_unique<DigitOrder>(std::move(order));
        return std::make_unique<BandedOrder>(std::move(order), shape.blocks, std::max(sockets, 1U));
    }
    if (config.policy == BlockOrderPolicy::by_number) {
        if (!config.longest_first || !has_digits(shape, "q")) return nullptr;
        std::vector<OrderedDigit> digits = digits_in_order(shape, "", false);
        for (std::size_t i = 0; i < digits.size(); ++i) digits[i].downward = shape.digits[i].name == 'q';
        return std::make_unique<DigitOrder>(std::move(digits));
    }
    if (!has_digits(shape, "nm") || !lead(shape, "nm")) return nullptr;
    const Tiles tiles{find_digit(shape, 'n'), find_digit(shape, 'm')};
    if (config.policy == BlockOrderPolicy::grouped) return std::make_unique<GroupedOrder>(tiles, config.group);
    return std::make_unique<WindowedOrder>(tiles, config, std::max(sockets, 1U));
}

} // namespace numavp
