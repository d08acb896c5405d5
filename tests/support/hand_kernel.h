/// Kernels written by hand: a list of instructions for each warp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sw/work/workload.h"

namespace numavp::test {

using WarpCode = std::vector<Inst>;

/// What warp `warp` of block `block` runs; the exit is added.
using CodeOf = std::function<WarpCode(std::uint64_t block, unsigned warp)>;

inline Inst memory_inst(Op op, std::uint64_t base, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst;
    inst.op = op;
    inst.base = base;
    inst.dst = dst;
    inst.src[0] = src;
    return inst;
}
/// 32 lanes of 4 bytes: one whole line.
inline Inst load(std::uint64_t base, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    return memory_inst(Op::load, base, dst, src);
}
/// The same past the L1.
inline Inst load_past_l1(std::uint64_t base, std::uint8_t dst = kNoReg, std::uint8_t src = kNoReg) {
    Inst inst = load(base, dst, src);
    inst.bypass_l1 = true;
    return inst;
}
inline Inst store(std::uint64_t base, std::uint8_t src = kNoReg) { return memory_inst(Op::store, base, kNoReg, src); }
inline Inst atomic(std::uint64_t base, std::uint8_t dst = kNoReg) { return memory_inst(Op::atomic, base, dst); }
inline Inst fence() {
    Inst inst;
    inst.op = Op::fence;
    return inst;
}

class HandKernel final : public Kernel {
  public:
    HandKernel(KernelShape shape, CodeOf code) : shape_(std::move(shape)), code_(std::move(code)) {}
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        auto block = std::make_unique<Block>();
        for (unsigned w = 0; w < shape_.warps(); ++w) block->warps.emplace_back(code_(index, w));
        return block;
    }

  private:
    struct Stream final : WarpStream {
        explicit Stream(WarpCode c) : code(std::move(c)) {
            code.emplace_back();
            code.back().op = Op::exit;
        }
        InstSpan make() override { return {code.data(), code.data() + code.size()}; }
        WarpCode code;
    };
    struct Block final : BlockStreams {
        WarpStream& warp(unsigned w) override { return warps[w]; }
        std::vector<Stream> warps;
    };
    KernelShape shape_;
    CodeOf code_;
};

inline Launch hand_launch(const std::string& name, std::uint64_t blocks, unsigned warps, CodeOf code,
                          std::uint64_t stream = 0) {
    KernelShape shape;
    shape.name = name;
    shape.blocks = blocks;
    shape.threads = warps * kWarpLanes;
    Launch launch;
    launch.kernel = std::make_shared<HandKernel>(shape, std::move(code));
    launch.stream = stream;
    return launch;
}

/// Virtual memory that the kernels use; far from 0, so that a forgotten base shows.
inline constexpr std::uint64_t kHandBase = 0x10000000;

inline Workload hand_workload(std::vector<Launch> launches) {
    Workload workload;
    workload.name = "by-hand";
    workload.launches = std::move(launches);
    return workload;
}

} // namespace numavp::test
