#include "tests/platform/machine/random_program.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <fmt/format.h>

#include "platform/machine/system.h"

namespace numavp::test {

/// A kernel whose code is stored.
class RandomProgram::Code final : public Kernel {
  public:
    Code(KernelShape shape, std::vector<BlockCode> blocks) : shape_(std::move(shape)), blocks_(std::move(blocks)) {}
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        return std::make_unique<Streams>(blocks_[index]);
    }

  private:
    struct Stream final : WarpStream {
        const WarpCode* code = nullptr;
        std::size_t next = 0;
        InstSpan make() override {
            const Inst& inst = (*code)[next++].inst;
            return {&inst, &inst + 1};
        }
    };
    struct Streams final : BlockStreams {
        explicit Streams(const BlockCode& block) : streams(block.size()) {
            for (std::size_t w = 0; w < block.size(); ++w) streams[w].code = &block[w];
        }
        WarpStream& warp(unsigned w) override { return streams[w]; }
        std::vector<Stream> streams;
    };
    KernelShape shape_;
    std::vector<BlockCode> blocks_;
};

RandomProgram::RandomProgram(std::uint64_t seed, const RandomProgramShape& shape)
    : memory_(std::size_t{shape.lines} * kLineBytes, 0) {
    Rng rng(seed, 77);
    workload_.name = "random";
    const std::size_t half = memory_.size() / 2;
    if (shape.copies)
        workload_.ranges = {{"low", kBase, half, 0}, {"high", kBase + half, half, 1}};
    else
        workload_.ranges.push_back({"memory", kBase, memory_.size()});
    for (unsigned k = 0; k < shape.kernels; ++k) {
        make_kernel(rng, shape, k);
        if (shape.copies) make_copy(rng);
    }
}

/// At least half of an array, whole bytes, to anywhere in the other that lies alike within its line.
void RandomProgram::make_copy(Rng& rng) {
    const std::size_t half = memory_.size() / 2, lines = half / kLineBytes;
    const std::size_t begin = rng.below(kLineBytes), bytes = half / 2 + rng.below(half / 4);
    const auto line = [&rng, lines] { return rng.below(lines / 4 - 1) * kLineBytes; };
    std::size_t from = line() + begin, to = half + line() + begin;
    if (rng.below(2) == 0) std::swap(from, to);
    std::memcpy(&memory_[to], &memory_[from], bytes);
    Launch copy;
    copy.what = Launch::What::copy_peer;
    copy.address = kBase + from;
    copy.target = kBase + to;
    copy.bytes = bytes;
    workload_.launches.push_back(copy);
}

void RandomProgram::make_kernel(Rng& rng, const RandomProgramShape& shape, unsigned index) {
    std::vector<Word> words(memory_.size() / 4);
    const unsigned stream = index % shape.streams;
    for (std::size_t i = 0; i < words.size(); ++i) {
        Word& w = words[i];
        // Each stream has words of its own, scattered over the same lines.
        w.mine = (i * 0x9e3779b97f4a7c15ULL >> 40) % shape.streams == stream;
        const auto kind = rng.below(8);
        w.use = kind == 0 ? Use::atomic : kind < 4 ? Use::read_only : Use::owned;
        w.block = static_cast<unsigned>(rng.below(shape.blocks));
        for (int& o : w.owner) o = static_cast<int>(rng.below(shape.warps + 1)) - 1;
    }
    constexpr std::size_t kWordsOfLine = kLineBytes / 4;
    for (std::size_t first = 0; shape.read_only_lines != 0 && first < words.size(); first += kWordsOfLine)
        if (rng.below(100) < shape.read_only_lines)
            for (std::size_t i = first; i < first + kWordsOfLine; ++i) words[i].use = Use::read_only;
    std::vector<BlockCode> blocks(shape.blocks, BlockCode(shape.warps));
    for (unsigned b = 0; b < shape.blocks; ++b)
        for (unsigned phase = 0; phase < shape.phases; ++phase)
            for (unsigned w = 0; w < shape.warps; ++w) {
                WarpCode& code = blocks[b][w];
                for (unsigned i = 0; i < shape.accesses; ++i) make_access(rng, shape, words, b, w, phase, code);
                if (phase + 1 == shape.phases) continue;
                code.emplace_back();
                code.back().inst.op = Op::fence;
                code.emplace_back();
                code.back().inst.op = Op::barrier;
                // What another warp of the block made visible before the barrier is seen after a fence of our own.
                code.emplace_back();
                code.back().inst.op = Op::fence;
            }
    for (BlockCode& block : blocks)
        for (WarpCode& code : block) {
            code.emplace_back();
            code.back().inst.op = Op::exit;
            for (Stored& s : code) s.inst.list = s.addresses.data();
        }
    if (shape.read_only_lines != 0) mark_read_only(blocks);
    KernelShape form;
    form.name = fmt::format("kernel{}", index);
    form.blocks = shape.blocks;
    form.threads = shape.warps * kWarpLanes;
    form.registers = 8;
    Launch launch;
    launch.stream = stream;
    launch.kernel = std::make_shared<Code>(form, std::move(blocks));
    workload_.launches.push_back(launch);
}

/// Loads that touch no line that the kernel writes.
void RandomProgram::mark_read_only(std::vector<BlockCode>& blocks) {
    std::set<std::uint64_t> written;
    const auto each_line = [&](const Stored& s, const auto& use) {
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            if ((s.inst.mask >> lane & 1U) != 0) use(s.addresses[lane] / kLineBytes);
    };
    const auto each = [&](const auto& use) {
        for (BlockCode& block : blocks)
            for (WarpCode& code : block)
                for (Stored& s : code) use(s);
    };
    each([&](Stored& s) {
        const Op op = s.inst.op;
        if (op != Op::store && op != Op::reduce && op != Op::atomic) return;
        each_line(s, [&](std::uint64_t line) { written.insert(line); });
    });
    each([&](Stored& s) {
        if (s.inst.op != Op::load) return;
        s.inst.read_only = true;
        each_line(s, [&](std::uint64_t line) { s.inst.read_only &= written.count(line) == 0; });
    });
}

void RandomProgram::make_access(Rng& rng, const RandomProgramShape& shape, const std::vector<Word>& words,
                                unsigned block, unsigned warp, unsigned phase, WarpCode& code) {
    const auto kind = rng.below(10);
    const Op op = kind < 5 ? Op::load : kind < 8 ? Op::store : kind == 8 ? Op::reduce : Op::atomic;
    const bool adds = op == Op::reduce || op == Op::atomic;
    const unsigned width = adds ? 4 : shape.width;
    const auto may = [&](const Word& w) {
        if (!w.mine) return false;
        if (adds) return w.use == Use::atomic;
        if (w.use == Use::read_only) return op == Op::load;
        if (w.use == Use::atomic || w.block != block) return false;
        const int owner = w.owner[phase % w.owner.size()];
        return owner == static_cast<int>(warp) || (owner < 0 && op == Op::load);
    };
    Stored s;
    s.inst.op = op;
    s.inst.mode = AddressMode::list;
    s.inst.width = static_cast<std::uint8_t>(width);
    s.inst.mask = 0;
    s.inst.cookie = accesses_.size();
    s.inst.bypass_l1 = op == Op::load && rng.below(8) == 0;
    if (op == Op::load || op == Op::atomic) s.inst.dst = static_cast<std::uint8_t>(rng.below(6));
    if (rng.below(3) == 0) s.inst.src[0] = static_cast<std::uint8_t>(rng.below(6)); // sometimes waits, mostly not
    s.addresses.fill(0);
    Access access;
    // Lanes stay near each other, so that lines are shared by warps but an instruction does not touch too many.
    const std::size_t near = rng.below(words.size());
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (rng.below(4) == 0) continue;
        const std::size_t word = (near + rng.below(96)) % words.size();
        if (!may(words[word])) continue;
        const std::uint64_t offset = word * 4 + (adds ? 0 : rng.below(4 / width) * width);
        if (access.bytes.count(offset)) continue;
        s.inst.mask |= 1U << lane;
        s.addresses[lane] = kBase + offset;
        std::uint32_t operand = static_cast<std::uint32_t>(rng.next());
        for (unsigned i = 0; i < width; ++i) {
            unsigned char& byte = memory_[offset + i];
            if (op == Op::store) byte = static_cast<unsigned char>(operand >> (8 * i));
            access.bytes[offset + i] = op == Op::load ? byte : static_cast<unsigned char>(operand >> (8 * i));
        }
        if (adds) {
            std::uint32_t value;
            std::memcpy(&value, &memory_[offset], 4);
            value += operand;
            std::memcpy(&memory_[offset], &value, 4);
        }
    }
    access.checked = op == Op::load;
    if (access.checked) expected_ += access.bytes.size();
    accesses_.push_back(std::move(access));
    code.push_back(s);
}

std::string RandomProgram::wrong_loads() const {
    if (!mismatch_.empty() || compared_ == expected_) return mismatch_;
    return fmt::format("{} of {} loaded bytes were compared", compared_, expected_);
}

std::string RandomProgram::wrong_in(System& system) const {
    if (std::string wrong = wrong_loads(); !wrong.empty()) return wrong;
    std::vector<unsigned char> found(memory_.size());
    system.debug_read(kBase, found.data(), found.size());
    const auto [at, right] = std::mismatch(found.begin(), found.end(), memory_.begin());
    if (at == found.end()) return "";
    return fmt::format("memory has {:#04x} at offset {:#x} in the end, right is {:#04x}", *at, at - found.begin(),
                       *right);
}

void RandomProgram::produce(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, unsigned char* line) {
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (mask.test(i)) line[i] = accesses_[cookie].bytes.at(virtual_line - kBase + i);
}

void RandomProgram::consume(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask,
                            const unsigned char* line) {
    const Access& access = accesses_[cookie];
    if (!access.checked) return; // the old value of an atomic depends on the order
    for (unsigned i = 0; i < kLineBytes; ++i) {
        if (!mask.test(i)) continue;
        ++compared_;
        const std::uint64_t offset = virtual_line - kBase + i;
        const unsigned char right = access.bytes.at(offset);
        if (line[i] != right && mismatch_.empty())
            mismatch_ =
                fmt::format("load {} saw {:#04x} at offset {:#x}, right is {:#04x}", cookie, line[i], offset, right);
    }
}

} // namespace numavp::test
