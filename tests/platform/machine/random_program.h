/// Random programs without data races, and what each of their loads must see.
///
/// Memory is an array of words. In each kernel a word is read-only for all, or belongs to one block, or takes
/// atomics only. A block's word has in each phase (between fences with barriers) one warp that may read and write
/// it, or only readers. Streams that run side by side have words of their own in the same lines. So every load has
/// one right value, which a sequential execution gives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/values/rng.h"
#include "models/sm/load_store.h"
#include "sw/work/workload.h"

namespace numavp {
class System;
}

namespace numavp::test {

struct RandomProgramShape {
    unsigned kernels = 3;
    unsigned blocks = 8;
    unsigned warps = 2;
    unsigned phases = 2;   ///< of a kernel, separated by fence and barrier
    unsigned accesses = 6; ///< memory instructions of a warp in a phase
    unsigned lines = 256;
    unsigned width = 4; ///< bytes of an access by loads and stores: 1, 2 or 4
    unsigned streams = 1;
    unsigned read_only_lines = 0; ///< percent of the lines of each kernel that it does not write; it says so
    /// Memory is two arrays, of GPUs 0 and 1, and behind each kernel a part of one is copied to the other.
    bool copies = false;
};

class RandomProgram final : public DataHooks {
  public:
    RandomProgram(std::uint64_t seed, const RandomProgramShape& shape);
    const Workload& workload() const { return workload_; }
    static constexpr std::uint64_t kBase = 0x10000000;
    std::size_t bytes() const { return memory_.size(); }
    /// The bytes after all kernels.
    const std::vector<unsigned char>& expected_memory() const { return memory_; }

    void produce(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, unsigned char* line) override;
    void consume(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, const unsigned char* line) override;

    /// What loads have seen that they should not; else, that not all were compared. Empty if all were right.
    std::string wrong_loads() const;
    /// The same, and what memory holds that it should not after `system` has run the program.
    std::string wrong_in(System& system) const;
    std::uint64_t compared_bytes() const { return compared_; }

  private:
    struct Access {
        std::map<std::uint64_t, unsigned char> bytes; ///< address to value: seen by a load, written by a store
        bool checked = false;
    };
    struct Stored {
        Inst inst;
        std::array<std::uint64_t, kWarpLanes> addresses;
    };
    using WarpCode = std::vector<Stored>;
    using BlockCode = std::vector<WarpCode>;
    class Code;
    enum class Use : std::uint8_t { read_only, owned, atomic };
    struct Word {
        Use use = Use::read_only;
        bool mine = true; ///< of the kernel's stream
        unsigned block = 0;
        std::array<int, 8> owner{}; ///< warp of each phase, -1: readers only
    };

    void make_kernel(Rng& rng, const RandomProgramShape& shape, unsigned index);
    void make_copy(Rng& rng);
    static void mark_read_only(std::vector<BlockCode>& blocks);
    void make_access(Rng& rng, const RandomProgramShape& shape, const std::vector<Word>& words, unsigned block,
                     unsigned warp, unsigned phase, WarpCode& code);

    Workload workload_;
    std::vector<unsigned char> memory_;
    std::vector<Access> accesses_;
    std::string mismatch_;
    std::uint64_t compared_ = 0;
    std::uint64_t expected_ = 0;
};

} // namespace numavp::test
