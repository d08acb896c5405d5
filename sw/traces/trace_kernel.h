/// A kernel read from an Accel-Sim SASS trace (.traceg, .traceg.xz or .tracez).
///
/// Tracer versions 1.2 to 6 and address modes 0 to 2. The constructor reads the header. When the first block is opened
/// the file is mapped (or decompressed) and indexed by one scan for '#'; it is released when every block in it has been
/// opened. Lines are parsed as they are fetched; a corrupt line is a ConfigError then.
///
/// Not in a trace, so not modelled: the registers that a wide load writes after its first, the fifth source register,
/// the loads that a DEPBAR waits for (LDGSTS has no destination). Uniform and predicate registers, which version 6 has,
/// carry no dependence, as in earlier versions; clusters of blocks have no meaning; values of registers are skipped.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/traces/sass_opcode.h"
#include "sw/traces/trace_header.h"
#include "sw/traces/trace_text.h"
#include "sw/work/workload.h"

namespace numavp {

class TraceCore;

/// A traced kernel. Blocks that are not in the file, and warps that are not in a block, end at once.
class TraceKernel : public Kernel {
  public:
    /// Reads the header of a trace in a file.
    explicit TraceKernel(const std::string& path);
    /// Reads the header of a trace in memory.
    explicit TraceKernel(std::shared_ptr<const TraceText> text);
    ~TraceKernel() override;

    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override;
    std::uint64_t next_block(std::uint64_t index) override;
    /// File and kernel name, for error messages.
    std::string place() const override { return path_.empty() ? Kernel::place() : path_ + ": " + Kernel::place(); }
    const TraceHeader& header() const { return header_; }
    bool in_memory() const { return path_.empty(); }
    const std::string& file() const { return path_; } ///< empty if it is in memory
    /// Reads all lines of the file and keeps nothing of it. ConfigError with the first line that can't be run.
    void check();
    /// Numbers of the blocks in the file, ascending; indexes the file if that was not done yet.
    std::vector<std::uint64_t> present_blocks();
    /// Warp instructions fetched so far with opcodes that are not in the table, by opcode. They are executed as
    /// arithmetic with the SM's default latency.
    const OpcodeCounts& unknown_opcodes() const { return *unknown_; }

  private:
    struct Entry {
        std::uint64_t block = 0;
        std::size_t begin = 0; ///< offset of the line after #BEGIN_TB
        std::size_t end = 0;   ///< offset of the line #END_TB
    };
    void set_shape();
    void load();
    void build_index();
    void refuse_empty_grid() const;
    std::uint64_t block_number(std::size_t begin, std::size_t end) const;
    const Entry* find(std::uint64_t block) const;

    std::string path_; ///< empty if the text came from memory
    TraceHeader header_;
    KernelShape shape_;
    std::shared_ptr<OpcodeCounts> unknown_ = std::make_shared<OpcodeCounts>();
    std::shared_ptr<TraceCore> core_; ///< text and decoder, while blocks are still to come
    std::vector<Entry> index_;
    bool indexed_ = false;
    std::uint64_t opened_ = 0; ///< blocks opened since the text was loaded
};

/// Checks the traces of a workload, each file once: what would end a run late ends it before anything is simulated.
void refuse_bad_traces(const Workload& workload);

/// Sum of unknown_opcodes() over all traces of a workload.
OpcodeCounts unknown_opcodes(const Workload& workload);
/// A sentence for the user about unknown opcodes; empty if there were none.
std::string unknown_opcodes_text(const OpcodeCounts& unknown);

} // namespace numavp
