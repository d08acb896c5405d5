/// Work for a GPU, and the interfaces by which it is read: launches of kernels, thread blocks, warps, instructions.
///
/// A source of work (pattern program, trace, recorded stream) implements `Kernel`; the SMs pull instructions from it,
/// one warp at a time. All is lazy and repeatable: a block of a kernel always yields the same streams, independent of
/// the blocks opened before and of their order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/values/types.h"
#include "sw/work/host_phase.h"
#include "sw/work/matrix_op.h"

namespace numavp {

/// Operation of an instruction, as far as it matters to time and traffic.
enum class Op : std::uint8_t {
    compute, ///< arithmetic; `dst` is ready `latency` cycles after issue
    load,    ///< global or local memory; `dst` is ready when all its lines have come
    store,   ///< global or local memory; does not block, waited for by a fence and by the end of the kernel
    atomic,  ///< performed at the line's home; `dst` gets the old value
    reduce,  ///< an atomic whose old value is not needed (RED): acknowledged like a store
    shared,  ///< shared-memory access; `dst` is ready after the SM's shared-memory latency. Addresses matter to banks
             ///< alone: a pattern that gives none has no conflict
    barrier, ///< all warps of the block meet
    fence,   ///< system-scope fence: waits for this warp's stores, then makes caches coherent
    exit     ///< the warp ends; the last instruction of every stream
};

/// Unit of an SM that executes arithmetic (`Op::compute`). The default of patterns is single precision.
enum class ExecutionUnit : std::uint8_t {
    single_precision, ///< FADD, FFMA, ...
    integer,          ///< IMAD, LOP3, ISETP, moves
    half_precision,   ///< HFMA2, ...
    double_precision, ///< DFMA, ...
    special,          ///< MUFU
    convert,          ///< F2I, I2F, ... and POPC, FLO, BREV
    tensor,           ///< HMMA, IMMA, ...
    branch,           ///< BRA, BSYNC, ...
    other             ///< shuffles, votes, constants, special registers
};
inline constexpr unsigned kExecutionUnits = 9;

inline constexpr std::uint8_t kNoReg = 255; ///< also RZ of SASS: reads as ready, writes are dropped

/// Representation of the lanes' addresses.
enum class AddressMode : std::uint8_t {
    affine, ///< lane i accesses base + i * stride
    list    ///< lane i accesses list[i] (32 entries, inactive lanes ignored)
};

/// One warp instruction. For memory operations each active lane accesses `width` bytes.
struct Inst {
    Op op = Op::compute;
    std::uint8_t dst = kNoReg;
    std::uint8_t src[4] = {kNoReg, kNoReg, kNoReg, kNoReg};
    std::uint8_t width = 4; ///< bytes a lane accesses: 1, 2, 4, 8 or 16
    AddressMode mode = AddressMode::affine;
    bool bypass_l1 = false;    ///< .STRONG.GPU and the like: the access goes past L1
    bool read_only = false;    ///< ld.global.ro: the line is never written in this kernel
    std::uint16_t latency = 0; ///< compute: cycles to the result; 0 means the SM's default
    std::uint16_t repeat = 1;  ///< counts as this many warp instructions, issued back to back; 0 only on an
                               ///< exit that a trace does not have: it ends the warp and is not counted
    ExecutionUnit unit = ExecutionUnit::single_precision; ///< compute: where
    MatrixOp matrix = MatrixOp::unknown;                  ///< compute on the tensor unit: which instruction
    std::uint32_t mask = 0xffffffff;                      ///< active lanes
    std::int32_t stride = 4;                              ///< bytes from lane to lane in affine mode
    std::uint64_t base = 0;                               ///< virtual byte address of lane 0 in affine mode
    const std::uint64_t* list = nullptr; ///< 32 virtual byte addresses in list mode; owned by the stream
    std::uint64_t cookie = 0;            ///< for functional tests: handed back with the data
    /// Load: it is repeated until its line, a flag, has been signalled so often, and takes these signals; 0: a plain
    /// load. One warp at a time waits for a flag.
    std::uint16_t awaits = 0;
    bool signals = false; ///< store, reduce: its line is a flag, or stands for one in each member of a multicast array

    /// Virtual byte address of a lane.
    std::uint64_t address(unsigned lane) const {
        if (mode == AddressMode::list) return list[lane];
        return base + static_cast<std::uint64_t>(std::int64_t{stride} * lane);
    }
};

/// Instructions of a warp that follow each other: [next, end).
struct InstSpan {
    const Inst* next = nullptr;
    const Inst* end = nullptr;
};

/// The instructions of one warp, in order.
class WarpStream {
  public:
    virtual ~WarpStream() = default;
    /// The next instruction; it stays valid until the next call. Must not be called after `Op::exit`. Throws
    /// ConfigError if a trace is found corrupt here.
    const Inst* fetch() {
        if (made_.next == made_.end) made_ = make();
        return made_.next++;
    }
    /// The instruction of the next call if it is made already, else null; to be prefetched.
    const Inst* coming() const { return made_.next != made_.end ? made_.next : nullptr; }

  private:
    /// Makes the next instructions, at least one; the ones before are no longer needed. They may lie in the stream,
    /// which does not move after the first.
    virtual InstSpan make() = 0;
    InstSpan made_;
};

/// The warps of one thread block that is running.
class BlockStreams {
  public:
    virtual ~BlockStreams() = default;
    /// Stream of warp `w` (0 <= w < Kernel::shape().warps()); owned by the block.
    virtual WarpStream& warp(unsigned w) = 0;
};

/// A digit of block numbers: what it counts, such as tiles of rows, and its number of values.
struct GridDigit {
    char name = 0;
    std::uint64_t count = 1;
};

/// Size of a kernel, and the resources of an SM that its blocks need.
struct KernelShape {
    std::string name;
    std::uint64_t blocks = 1;       ///< thread blocks of the grid, flattened (z·gy + y)·gx + x
    std::uint32_t threads = 256;    ///< threads of a block, 1 to 2048
    std::uint32_t registers = 32;   ///< registers of a thread, 1 to 255
    std::uint32_t shared_bytes = 0; ///< shared memory of a block
    std::uint64_t accesses = 0;     ///< declared global memory instructions of all warps; 0 if not known
    double share = 1.0;             ///< of its work that each block does, (0, 1]: below 1 in a sample of a kernel
    bool flags = false;             ///< warps wait for flags, so that all blocks must be resident at once

    /// Digits of block numbers, fastest first, whose product is `blocks`; empty: not known.
    std::vector<GridDigit> digits{};
    unsigned warps() const { return (threads + kWarpLanes - 1) / kWarpLanes; }
};

/// A kernel: its shape and its blocks.
class Kernel {
  public:
    virtual ~Kernel() = default;
    virtual const KernelShape& shape() const = 0;
    /// Opens block `index` (0 <= index < shape().blocks). Lazy and repeatable.
    /// Throws ConfigError if a trace is found corrupt here.
    virtual std::unique_ptr<BlockStreams> open(std::uint64_t index) = 0;
    /// The first block from `index` on that has an instruction; shape().blocks or more if none has. For code that walks
    /// a kernel without simulating it.
    virtual std::uint64_t next_block(std::uint64_t index) { return index; }
    /// Name of the kernel in errors that occur while it runs.
    virtual std::string place() const { return "kernel " + shape().name; }
};

/// One command of the host, in program order.
struct Launch {
    enum class What : std::uint8_t { kernel, copy_to_device, copy_to_host, copy_peer, host } what = What::kernel;
    std::shared_ptr<Kernel> kernel;          ///< what == kernel; may be shared by repeated launches
    std::uint64_t stream = 0;                ///< launches of one stream run in order, of several side by side
    std::uint64_t address = 0;               ///< copy: of the device's bytes; between arrays: of those that are read
    std::uint64_t bytes = 0;                 ///< copy: size
    std::shared_ptr<const HostPhase> host{}; ///< what == host: the host's own work
    std::uint64_t number =
        0; ///< kernel: of all kernels of the workload, from 1; 0: its place among those that are here
    std::uint64_t target = 0; ///< copy between arrays: of the bytes that are written, as far into their line
};

/// Elements that a switch adds up.
enum class SumElement : std::uint8_t { fp32, fp16, bf16 };
constexpr unsigned bytes_of(SumElement element) { return element == SumElement::fp32 ? 4 : 2; }

/// Value of Range::gpu for an array that the system places.
inline constexpr std::uint32_t kAnyGpu = ~std::uint32_t{0};

/// A range of virtual memory that the workload uses.
struct Range {
    std::string name;
    std::uint64_t base = 0;
    std::uint64_t bytes = 0;
    std::uint32_t gpu = kAnyGpu; ///< in whose memory it lies
    std::string gpu_from{};      ///< file and JSON path of that setting
    /// Of a multicast array, which has no memory of its own: indices of the ranges that it stands for.
    std::vector<std::size_t> members{};
    SumElement element = SumElement::fp32; ///< of a multicast array: what reads add up
    bool multicast() const { return !members.empty(); }
};

/// A whole workload.
struct Workload {
    std::string name;
    std::string description;
    std::vector<Launch> launches;
    std::vector<Range> ranges; ///< declared memory; empty for traces
    bool copies_between_arrays() const {
        return std::any_of(launches.begin(), launches.end(),
                           [](const Launch& l) { return l.what == Launch::What::copy_peer; });
    }
    std::uint64_t footprint_bytes() const {
        std::uint64_t sum = 0;
        for (const Range& r : ranges) sum += r.multicast() ? 0 : r.bytes;
        return sum;
    }
    bool waits_for_flags() const {
        return std::any_of(launches.begin(), launches.end(),
                           [](const Launch& l) { return l.kernel && l.kernel->shape().flags; });
    }
    std::uint64_t total_blocks() const {
        std::uint64_t sum = 0;
        for (const Launch& l : launches)
            if (l.kernel) sum += l.kernel->shape().blocks;
        return sum;
    }
    /// Mean thread blocks of a launch, weighted by the launch's declared accesses, including those that a sample leaves
    /// out: the "time-weighted average CTAs" of the NUMA-aware paper's Table 2, as far as they can be known without a
    /// run. 0 if no launch declares accesses.
    double weighted_blocks() const {
        double sum = 0;
        double weights = 0;
        for (const Launch& l : launches) {
            if (!l.kernel) continue;
            const auto weight = static_cast<double>(l.kernel->shape().accesses) / l.kernel->shape().share;
            sum += weight * static_cast<double>(l.kernel->shape().blocks);
            weights += weight;
        }
        return weights == 0 ? 0 : sum / weights;
    }
};

} // namespace numavp
