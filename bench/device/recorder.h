/// The machine of kernels.h that notes what a warp does, and writes it as a trace in Accel-Sim's format.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "bench/device/kernels.h"

namespace numavp::device {

/// An instruction of a warp. Registers are numbers; none is -1.
struct Recorded {
    const char* opcode = "";
    int destination = -1;
    std::array<int, 3> sources{-1, -1, -1};
    unsigned width = 0;                            ///< bytes of a lane; 0: no access
    std::array<std::uint64_t, kLanes> addresses{}; ///< of an access
};

/// Notes one warp: a body runs once for each lane, which adds its addresses.
class Recorder {
  public:
    struct Word {
        int in = -1;       ///< register
        unsigned adds = 0; ///< of its words, before its first use: a compiler puts all loads before them
    };
    struct Pointer {
        std::uint64_t address = 0;
        int in = -1;
    };

    Recorder(unsigned block, unsigned warp, unsigned blocks, unsigned warps)
        : block_(block), warp_(warp), blocks_(blocks), warps_(warps) {}
    /// Begins with the body of `lane`, which starts with what makes the thread's number.
    void begin(unsigned lane);
    const std::vector<Recorded>& instructions() const { return instructions_; }

    std::uint64_t array(unsigned n) const { return kFirst + n * kArrayBytes; }
    Pointer at(unsigned n, std::uint32_t index, unsigned bytes);
    unsigned in_block() const { return warp_ * kLanes + lane_; }
    std::uint32_t thread() const { return (block_ * warps_ + warp_) * kLanes + lane_; }
    std::uint32_t threads() const { return blocks_ * warps_ * kLanes; }
    Word word(unsigned n) const { return {static_cast<int>(kFirstWord + n), 0}; }
    std::uint32_t nothing() const { return 0; }
    Pointer pointer(std::uint64_t address) const { return {address, kThread}; }

    template <unsigned Width> Word load(const Pointer& p) {
        const char* const opcode = Width == 16 ? "LDG.E.128" : Width == 8 ? "LDG.E.64" : "LDG.E";
        return {access(opcode, true, {p.in, -1, -1}, Width, p.address), Width / 4 - 1};
    }
    template <bool PastL1> Pointer follow(const Pointer& p, std::uint64_t next) {
        return {next, access(PastL1 ? "LDG.E.64.STRONG.GPU" : "LDG.E.64", true, {p.in, -1, -1}, 8, p.address)};
    }
    void store(const Pointer& p, Word v) { access("STG.E", false, {p.in, used(v), -1}, 4, p.address); }
    void add(const Pointer& p) { access("REDG.E.ADD.STRONG.GPU", false, {p.in, kThread, -1}, 4, p.address); }
    Word fma(Word a, Word b, Word c) {
        const bool square = a.in == b.in;
        const int first = used(a), second = square ? first : used(b);
        return arithmetic("FFMA", {first, second, used(c)});
    }
    Word special(Word a) { return arithmetic("MUFU.EX2", {used(a), -1, -1}); }
    Word integer(Word a, Word b, Word c) { return arithmetic("IMAD", {a.in, b.in, c.in}); }
    void shared_store(unsigned at, Word v) { access("STS", false, {kThread, used(v), -1}, 4, at); }
    Word shared_load(unsigned at) { return {access("LDS", true, {kThread, -1, -1}, 4, at), 0}; }
    /// The register of a value that an instruction reads.
    int used(Word& v) {
        for (; v.adds != 0; --v.adds) v.in = arithmetic("FADD", {v.in, v.in, -1}).in;
        return v.in;
    }
    void barrier() { add_instruction({"BAR.SYNC.DEFER_BLOCKING", -1, {-1, -1, -1}, 0, {}}); }
    std::uint32_t random(std::uint32_t x);
    void keep(Word v) { arithmetic("ISETP.NE.AND", {used(v), -1, -1}); }
    void keep(const Pointer& p) { arithmetic("ISETP.NE.AND", {p.in, -1, -1}); }
    /// After the body.
    void end() { add_instruction({"EXIT", -1, {-1, -1, -1}, 0, {}}); }
    /// After all lanes: a body that did nothing needs no number of a thread either.
    void drop_unused();

  private:
    static constexpr std::uint64_t kFirst = 0x7f0000000000;
    static constexpr int kThread = 0;     ///< the register of the thread's number
    static constexpr int kArguments = 10; ///< of the kernel: arrays
    static constexpr unsigned kFirstWord = 2, kFirstFree = 16, kRegisters = 250;
    static constexpr std::size_t kOfBegin = 6; ///< instructions that begin() adds

    Word arithmetic(const char* opcode, std::array<int, 3> sources);
    int access(const char* opcode, bool result, std::array<int, 3> sources, unsigned width, std::uint64_t address);
    int add_instruction(Recorded inst);
    int free_register() { return static_cast<int>(kFirstFree + results_++ % (kRegisters - kFirstFree)); }

    unsigned block_, warp_, blocks_, warps_;
    unsigned lane_ = 0;
    std::size_t next_ = 0; ///< of the instructions
    unsigned results_ = 0; ///< so far
    int index_ = kThread;  ///< register of a number that `random` made, for the next address
    std::vector<Recorded> instructions_;
};

/// What a launch has.
struct LaunchShape {
    std::string name;
    unsigned blocks, warps, shared_bytes;
};
/// The lines before the first block, and those of a warp.
void write_head(std::ostream& out, const LaunchShape& shape);
void write_warp(std::ostream& out, unsigned warp, const std::vector<Recorded>& instructions);

/// Writes the trace of a kernel.
template <class Body> void write_trace(std::ostream& out, const LaunchShape& shape, const Body& body) {
    write_head(out, shape);
    for (unsigned block = 0; block < shape.blocks; ++block) {
        out << "\n#BEGIN_TB\n\nthread block = " << block << ",0,0\n\n";
        for (unsigned warp = 0; warp < shape.warps; ++warp) {
            Recorder recorder(block, warp, shape.blocks, shape.warps);
            for (unsigned lane = 0; lane < kLanes; ++lane) {
                recorder.begin(lane);
                body(recorder);
                recorder.end();
            }
            recorder.drop_unused();
            write_warp(out, warp, recorder.instructions());
        }
        out << "#END_TB\n";
    }
}

} // namespace numavp::device
