/// Tiles of matrices in memory, as the warps of a block load and store them: 16 bytes a lane, rows one after the other.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "sw/loops/program.h"

namespace numavp {

/// Elements of the matrices that tensor cores multiply.
enum class Element : std::uint8_t { fp16, bf16, fp8 };
inline constexpr NameTable<Element> kElements{"element",
                                              {{Element::fp16, "fp16", "2 bytes"},
                                               {Element::bf16, "bf16", "2 bytes"},
                                               {Element::fp8, "fp8", "1 byte; results have 2"}}};
constexpr unsigned bytes_of(Element element) { return element == Element::fp8 ? 1 : 2; }
constexpr MatrixData data_of(Element element) { return element == Element::fp8 ? MatrixData::fp8 : MatrixData::half; }

/// Rows of `row_bytes`, a multiple of 16, which begin `pitch` bytes apart.
struct Tile {
    static constexpr std::uint64_t kPiece = 16; ///< bytes of a lane
    static constexpr std::uint64_t kWarpBytes = kPiece * kWarpLanes;

    std::uint64_t base = 0;
    std::uint64_t pitch = 0;
    std::uint64_t row_bytes = kPiece;
    std::uint64_t rows = 0;

    /// Instructions of a warp that move the tile. Warp w of W makes those with a number that is w modulo W.
    std::uint64_t moves() const { return moves_of(rows * row_bytes); }
    static constexpr std::uint64_t moves_of(std::uint64_t bytes) { return (bytes + kWarpBytes - 1) / kWarpBytes; }

    /// Addresses of instruction `move`, which is below moves().
    LaneList lanes(Emitter& e, std::uint64_t move) const {
        LaneList list = e.list();
        const std::uint64_t all = rows * row_bytes;
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            const std::uint64_t byte = move * kWarpBytes + lane * kPiece;
            if (byte < all) list.set(lane, base + byte / row_bytes * pitch + byte % row_bytes);
        }
        return list;
    }
};

/// Instructions of a warp of `warps` that moves its part of so many; the same for each warp, of which some make none.
constexpr unsigned turns_of(std::uint64_t moves, unsigned warps) {
    return static_cast<unsigned>((moves + warps - 1) / warps);
}

} // namespace numavp
