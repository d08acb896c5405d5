/// The binary kernel traces of Accel-Sim 2.0 (.tracez), expanded into the text of a .traceg.
///
/// Little-endian: the header's text, a NUL, u32 bytes of the dictionary, u32 instructions of a chunk, the dictionary;
/// at the places that the footer names, for each warp u32 instructions, u32 chunks, and as often u32 bytes and a zstd
/// frame that holds lines as a .traceg has them. The footer is u32 blocks; for each block eleven u32 (block, cluster
/// and block in cluster as x, y, z, rank, warps) and for each warp u32 instructions, u32 chunks, u64 place, and as
/// often u32 instructions of the chunk. The last 8 bytes of the file are the place of the footer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace numavp {

bool is_binary_trace(const std::string& path);

/// Expands the file to text, piece by piece. ConfigError, at `place`, if the file is cut off or contradicts itself.
class BinaryTrace {
  public:
    /// `bytes` are those of the whole file, and must outlive this object.
    BinaryTrace(std::string_view bytes, std::string place);
    ~BinaryTrace();
    BinaryTrace(const BinaryTrace&) = delete;
    BinaryTrace& operator=(const BinaryTrace&) = delete;

    /// Fills `out` with up to `room` bytes of the text; 0 at the end.
    std::size_t read(char* out, std::size_t room);

  private:
    class Frames;

    std::string next_piece();
    std::string block_piece();
    std::string warp_piece();
    std::string frame_piece();
    template <class N> N take(std::size_t& at, const char* what) const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string_view bytes_;
    std::string place_;
    std::unique_ptr<Frames> frames_;
    std::string piece_; ///< text that is being handed out
    std::size_t given_ = 0;
    std::string header_;
    std::size_t footer_ = 0; ///< where it is read on
    std::size_t chunk_ = 0;  ///< the same of the warp's chunks
    std::uint32_t blocks_ = 0, warps_ = 0, warp_ = 0, chunks_ = 0;
    bool in_block_ = false;
};

} // namespace numavp
