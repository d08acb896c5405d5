/// The frame in which pattern programs are written: a warp's program emits a few instructions at a time.
///
/// A program type P is an immutable description (sizes, addresses) with a nested type `P::Warp`, constructed as
/// `Warp(const P&, std::uint64_t block, unsigned warp)`. `Warp` derives from `StepStream<Warp, I, L>` and has
/// `void step(Emitter&)`, which is called when the stream has run dry and emits 1 to I instructions with at most
/// L address lists; the last one of the last step is `Emitter::exit`. No allocation, and one virtual call a step.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "sw/work/workload.h"

namespace numavp {

/// Addresses of the 32 lanes of a warp: lane i accesses base + i * stride.
struct Lanes {
    std::uint64_t base = 0;
    std::int32_t stride = 4;
    std::uint8_t width = 4;
    std::uint32_t mask = 0xffffffff;
};

/// Each lane accesses `width` bytes behind those of the lane before.
inline Lanes contiguous(std::uint64_t base, unsigned width, std::uint32_t mask = 0xffffffff) {
    return {base, static_cast<std::int32_t>(width), static_cast<std::uint8_t>(width), mask};
}

/// All lanes access the same word.
inline Lanes broadcast(std::uint64_t base, unsigned width) {
    return {base, 0, static_cast<std::uint8_t>(width), 0xffffffff};
}

/// Mask of the lanes whose element, first + lane, is below `count`.
inline std::uint32_t lanes_below(std::uint64_t first, std::uint64_t count) {
    if (first >= count) return 0;
    const std::uint64_t left = count - first;
    return left >= kWarpLanes ? 0xffffffffU : static_cast<std::uint32_t>((1ULL << left) - 1);
}

/// Addresses of single lanes: filled in by the program, then handed to `Emitter::load` and its like.
struct LaneList {
    std::uint64_t* address; ///< 32 entries
    std::uint32_t mask = 0;

    void set(unsigned lane, std::uint64_t where) {
        address[lane] = where;
        mask |= 1U << lane;
    }
};

/// Collects the instructions of one step.
class Emitter {
  public:
    using Sources = std::initializer_list<std::uint8_t>;

    Emitter(Inst* out, [[maybe_unused]] unsigned room, std::uint64_t* lists, [[maybe_unused]] unsigned list_room)
        : out_(out), lists_(lists)
#ifndef NDEBUG
          ,
          room_(room), list_room_(list_room)
#endif
    {
    }
    unsigned count() const { return count_; }

    /// `repeat` independent operations, issued back to back; `latency` 0 means the SM's default.
    Inst& compute(std::uint8_t dst, Sources sources, unsigned repeat = 1, unsigned latency = 0) {
        Inst& inst = add(Op::compute, dst, sources);
        inst.repeat = static_cast<std::uint16_t>(repeat);
        inst.latency = static_cast<std::uint16_t>(latency);
        return inst;
    }
    Inst& load(std::uint8_t dst, const Lanes& lanes, Sources sources) { return at(add(Op::load, dst, sources), lanes); }
    Inst& load(std::uint8_t dst, const LaneList& lanes, unsigned width, Sources sources) {
        return at(add(Op::load, dst, sources), lanes, width);
    }
    Inst& store(const Lanes& lanes, Sources sources) { return at(add(Op::store, kNoReg, sources), lanes); }
    Inst& store(const LaneList& lanes, unsigned width, Sources sources) {
        return at(add(Op::store, kNoReg, sources), lanes, width);
    }
    Inst& atomic(std::uint8_t dst, const LaneList& lanes, unsigned width, Sources sources) {
        return at(add(Op::atomic, dst, sources), lanes, width);
    }
    Inst& atomic(std::uint8_t dst, const Lanes& lanes, Sources sources) {
        return at(add(Op::atomic, dst, sources), lanes);
    }
    Inst& reduce(const Lanes& lanes, Sources sources) { return at(add(Op::reduce, kNoReg, sources), lanes); }
    Inst& reduce(const LaneList& lanes, unsigned width, Sources sources) {
        return at(add(Op::reduce, kNoReg, sources), lanes, width);
    }
    Inst& shared(std::uint8_t dst, Sources sources, unsigned repeat = 1) {
        Inst& inst = add(Op::shared, dst, sources);
        inst.repeat = static_cast<std::uint16_t>(repeat);
        return inst;
    }
    /// `repeat` independent matrix instructions.
    Inst& matrix(MatrixOp op, std::uint8_t dst, Sources sources, unsigned repeat = 1) {
        Inst& inst = compute(dst, sources, repeat);
        inst.unit = ExecutionUnit::tensor;
        inst.matrix = op;
        return inst;
    }
    /// Reads of shared memory by 16 bytes a lane, one behind the other (ldmatrix.x4), for `bytes` in all.
    Inst& fragments(std::uint8_t dst, std::uint64_t bytes) {
        constexpr std::uint64_t kEach = std::uint64_t{kWarpLanes} * 16;
        Inst& inst = shared(dst, {}, static_cast<unsigned>((bytes + kEach - 1) / kEach));
        inst.width = 16;
        inst.stride = 16;
        return inst;
    }
    void barrier() { add(Op::barrier, kNoReg, {}); }
    void fence() { add(Op::fence, kNoReg, {}); }
    void exit() { add(Op::exit, kNoReg, {}); }

    /// A list to fill, valid until the next step.
    LaneList list() {
#ifndef NDEBUG
        assert(list_count_ < list_room_);
#endif
        return {lists_ + std::size_t{kWarpLanes} * list_count_++};
    }

  private:
    Inst& add(Op op, std::uint8_t dst, Sources sources) {
#ifndef NDEBUG
        assert(count_ < room_ && sources.size() <= 4);
#endif
        Inst& inst = out_[count_++];
        inst = Inst{};
        inst.op = op;
        inst.dst = dst;
        unsigned i = 0;
        for (const std::uint8_t source : sources) inst.src[i++] = source;
        return inst;
    }
    static Inst& at(Inst& inst, const Lanes& lanes) {
        inst.base = lanes.base;
        inst.stride = lanes.stride;
        inst.width = lanes.width;
        inst.mask = lanes.mask;
        return inst;
    }
    static Inst& at(Inst& inst, const LaneList& lanes, unsigned width) {
        inst.mode = AddressMode::list;
        inst.list = lanes.address;
        inst.width = static_cast<std::uint8_t>(width);
        inst.mask = lanes.mask;
        return inst;
    }

    Inst* out_;
    std::uint64_t* lists_;
    unsigned count_ = 0;
    unsigned list_count_ = 0;
#ifndef NDEBUG
    unsigned room_;
    unsigned list_room_;
#endif
};

/// A warp's stream with a buffer of one step.
template <class Derived, unsigned kInsts, unsigned kLists = 0> class StepStream : public WarpStream {
  private:
    InstSpan make() final {
        Emitter emitter(buffer_.data(), kInsts, lists_.data(), kLists);
        static_cast<Derived*>(this)->step(emitter);
        return {buffer_.data(), buffer_.data() + emitter.count()};
    }
    std::array<Inst, kInsts> buffer_;
    std::array<std::uint64_t, std::size_t{kLists} * kWarpLanes> lists_;
};

/// The kernel of a program. It must outlive the blocks that it has opened.
template <class P> class ProgramKernel final : public Kernel {
  public:
    ProgramKernel(KernelShape shape, P program) : shape_(std::move(shape)), program_(std::move(program)) {}
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        return std::make_unique<Block>(program_, index, shape_.warps());
    }
    void set_accesses(std::uint64_t accesses) { shape_.accesses = accesses; }

  private:
    class Block final : public BlockStreams {
      public:
        Block(const P& program, std::uint64_t block, unsigned warps) {
            warps_.reserve(warps); // warps don't move: instructions point into them
            for (unsigned w = 0; w < warps; ++w) warps_.emplace_back(program, block, w);
        }
        WarpStream& warp(unsigned w) override { return warps_[w]; }

      private:
        std::vector<typename P::Warp> warps_;
    };

    KernelShape shape_;
    P program_;
};

template <class P> std::shared_ptr<ProgramKernel<P>> make_kernel(KernelShape shape, P program) {
    return std::make_shared<ProgramKernel<P>>(std::move(shape), std::move(program));
}

} // namespace numavp
