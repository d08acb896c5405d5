/// Order in which a kernel's blocks are given out, as data. Its code is in block_order.h, which few sources include.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class BlockOrderPolicy : std::uint8_t {
    by_number,
    grouped,
    windowed,
    qb_minor,
    qb_major,
    hkv_major,
    bt_hkv_minor,
    hq_minor_swz
};

inline constexpr NameTable<BlockOrderPolicy> kBlockOrders{
    "block order",
    {{BlockOrderPolicy::by_number, "by_number", "Blocks by their numbers in the kernel's grid."},
     {BlockOrderPolicy::grouped, "grouped",
      "Tiles of a matrix in groups of columns, down the rows of each group (CUTLASS 2.x, "
      "GemmIdentityThreadblockSwizzle)."},
     {BlockOrderPolicy::windowed, "windowed",
      "Tiles of a matrix in chunks that stay on a socket, within windows of rows (HipKittens, W and C)."},
     {BlockOrderPolicy::qb_minor, "qb_minor",
      "Attention: query blocks fastest, then heads of a group, KV heads, batch: a head at a time over all sockets."},
     {BlockOrderPolicy::qb_major, "qb_major",
      "Attention: batch fastest, then heads of a group, KV heads, query blocks: block first."},
     {BlockOrderPolicy::hkv_major, "hkv_major",
      "Attention: batch fastest, then heads of a group, query blocks, KV heads."},
     {BlockOrderPolicy::bt_hkv_minor, "bt_hkv_minor",
      "Attention: batch fastest, then KV heads, heads of a group, query blocks."},
     {BlockOrderPolicy::hq_minor_swz, "hq_minor_swz",
      "Attention: each socket has a contiguous band of query heads, one head at a time (head first, swizzled)."}}};

struct BlockOrderConfig {
    BlockOrderPolicy policy = BlockOrderPolicy::by_number;
    unsigned group = 8;
    unsigned window = 8, chunk = 64;
    bool longest_first = false;

    bool given() const { return policy != BlockOrderPolicy::by_number || longest_first; }
    bool of_attention() const { return policy >= BlockOrderPolicy::qb_minor; }
};

template <class V> void describe(V& v, BlockOrderConfig& c) {
    v.choice("policy", c.policy, kBlockOrders,
             "Policy that orders the blocks of a kernel before dispatch.split gives them out. A kernel without the "
             "tiles or heads that the policy names keeps its order.");
    v.integer(
        "group", c.group, 1, 8, "columns",
        "Columns of tiles in a group (grouped), at most: 8 only from 6 columns of tiles on, 4 from 3, 2 from 2, as "
        "in CUTLASS 2.x.");
    v.integer("window", c.window, 1, 65536, "rows", "Rows of tiles in a window (windowed; HipKittens: W).");
    v.integer("chunk", c.chunk, 1, 1U << 24, "blocks",
              "Consecutive blocks that stay on a socket (windowed; HipKittens: C).");
    v.boolean("longest_first", c.longest_first,
              "Whether query blocks go from the last to the first: under a causal mask the last takes longest.");
}

} // namespace numavp
