/// A block of attention on tensor cores: the loop of FlashAttention-2, forward, and its split-KV form for decode.
///
/// A block has a tile of query rows and walks the tiles of keys and values of its KV head from the last to the first: V
/// is loaded while the scores Q * K are made, the next K while softmax and P * V are. Each warp has rows of its own,
/// and reads all of K and V from shared memory. Causal: tiles that lie above the diagonal are left out, those on it are
/// done whole. For decode a block has query heads of a group as rows, and a part of the context; a second kernel
/// combines the parts. Latent keys: values are the first elements of the keys' rows, so that a tile is loaded once, the
/// next one beside it while it is used. Asynchronous matrix instructions (wgmma of each warp, tcgen05 of the first)
/// read shared memory themselves, and a product's are issued at once; warps wait for the scores before softmax, and for
/// a tile's products at the barrier behind which its place in shared memory is loaded again. Not modelled: writes into
/// shared memory and tensor memory, shuffles between lanes of a row, dropout, softmax of a tile beside the products of
/// the next.
#pragma once

#include <memory>

#include "sw/loops/tile.h"

namespace numavp {

struct AttentionLoop {
    std::uint64_t q = 0, k = 0, v = 0, o = 0, sums = 0; ///< addresses; with splits `o` and `sums` are of parts
    std::uint64_t batch = 1, kv_heads = 1, group = 1, queries = 1, context = 1;
    unsigned head_dim = 128; ///< elements of a row of queries or keys
    unsigned value_dim = 0;  ///< of values and results; 0: as of keys
    unsigned tile_q = 128, tile_kv = 64, warps = 4, row_groups = 4;
    unsigned splits = 0; ///< of the context, for decode; 0: prefill, query heads are not packed
    Element element = Element::fp16;
    MatrixOp op = MatrixOp::hmma_16816;
    bool causal = false, q_in_registers = false;
    bool latent = false;      ///< values lie in the keys' rows; `v` is not used
    bool heads_first = false; ///< memory is by batch, head, token, else by batch, token, head
    /// Bytes from a token's queries to the next token's, and of keys and values; 0: no more than its heads have. Of
    /// memory by batch, token, head.
    std::uint64_t q_pitch = 0, kv_pitch = 0;
    std::uint64_t v_head_pitch = 0; ///< bytes from a head's values to the next head's; 0: no more than it has
    bool bypass_l1 = true;

    static constexpr unsigned kMostTurns = 32; ///< loads of a warp for a tile

    std::uint64_t heads() const { return kv_heads * group; }
    /// Query rows of all blocks that share keys: tokens of a head, or (decode) the heads of a group.
    std::uint64_t rows() const { return splits != 0 ? group : queries; }
    std::uint64_t query_blocks() const { return (rows() + tile_q - 1) / tile_q; }
    std::uint64_t blocks() const { return query_blocks() * batch * (splits != 0 ? splits * kv_heads : heads()); }
    unsigned values() const { return value_dim != 0 ? value_dim : head_dim; }
    std::uint64_t row_bytes() const { return std::uint64_t{head_dim} * bytes_of(element); }
    std::uint64_t value_bytes() const { return std::uint64_t{values()} * bytes_of(element); }
    std::uint64_t q_token_bytes() const { return q_pitch != 0 ? q_pitch : heads() * row_bytes(); }
    std::uint64_t k_token_bytes() const { return kv_pitch != 0 ? kv_pitch : kv_heads * row_bytes(); }
    std::uint64_t v_head_bytes() const { return v_head_pitch != 0 ? v_head_pitch : value_bytes(); }
    std::uint64_t v_token_bytes() const { return kv_pitch != 0 ? kv_pitch : kv_heads * v_head_bytes(); }
    bool is_asynchronous() const { return shape_of(op).is_asynchronous(); }
    std::uint64_t shared_bytes() const {
        return (q_in_registers ? 0 : tile_q * row_bytes()) +
               tile_kv * (row_bytes() + (latent ? row_bytes() : value_bytes()));
    }
    unsigned turns_q() const { return turns_of(Tile::moves_of(tile_q * row_bytes()), warps); }
    unsigned turns_k() const { return turns_of(Tile::moves_of(tile_kv * row_bytes()), warps); }
    unsigned turns_v() const { return latent ? 0 : turns_of(Tile::moves_of(tile_kv * value_bytes()), warps); }
    std::uint64_t kv_tiles() const { return (context + tile_kv - 1) / tile_kv; }

    /// Place of a block: coordinates by its number.
    struct Place {
        std::uint64_t query_block, head, kv_head, batch, split;
        std::uint64_t first, end; ///< tiles of keys and values
    };
    Place place(std::uint64_t block) const;
    /// Tiles of keys that query block `i` needs.
    std::uint64_t tiles_of(std::uint64_t i) const;
    Tile tile_of_q(const Place& at) const;
    Tile tile_of_k(const Place& at, std::uint64_t tile) const;
    Tile tile_of_v(const Place& at, std::uint64_t tile) const;
    Tile tile_of_o(const Place& at) const;
    /// Global memory instructions of all blocks.
    std::uint64_t accesses() const;

  private:
    /// Rows of the tokens of a tile of keys or values.
    Tile tile_of_tokens(std::uint64_t array, const Place& at, std::uint64_t tile, std::uint64_t of_token,
                        std::uint64_t of_head, std::uint64_t of_row) const;
    /// Stores of the sums of a block of decode.
    std::uint64_t sum_stores(const Place& at) const { return turns_of(tile_of_o(at).rows, kWarpLanes); }
};

std::shared_ptr<Kernel> make_attention(KernelShape shape, const AttentionLoop& loop);

/// Combines the parts of split attention: a warp a row, weights by the parts' sums of exponentials.
struct AttentionCombine {
    std::uint64_t parts = 0, sums = 0, o = 0;
    std::uint64_t rows = 1;              ///< query heads of all sequences
    unsigned head_dim = 128, splits = 1; ///< elements of a row of results; parts
    static constexpr unsigned kThreads = 128;
    std::uint64_t blocks() const { return (rows + kThreads / kWarpLanes - 1) / (kThreads / kWarpLanes); }
    std::uint64_t accesses() const;
    unsigned sum_loads() const { return (splits + kWarpLanes - 1) / kWarpLanes; }
    unsigned row_loads() const { return static_cast<unsigned>(Tile::moves_of(head_dim * sizeof(float))); }
};
std::shared_ptr<Kernel> make_attention_combine(KernelShape shape, const AttentionCombine& combine);

} // namespace numavp
