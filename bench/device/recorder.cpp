#include "bench/device/recorder.h"

#include <iterator>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace numavp::device {

void Recorder::begin(unsigned lane) {
    lane_ = lane;
    next_ = 0;
    results_ = 0;
    index_ = kThread;
    add_instruction({"LDC", 1, {-1, -1, -1}, 0, {}});
    add_instruction({"S2R", kThread, {-1, -1, -1}, 0, {}});
    add_instruction({"S2UR", 1, {-1, -1, -1}, 0, {}});
    add_instruction({"LDC", kArguments, {-1, -1, -1}, 0, {}});
    add_instruction({"IMAD", kThread, {kThread, 1, -1}, 0, {}});
    add_instruction({"LDC.64", kArguments, {-1, -1, -1}, 0, {}});
}

void Recorder::drop_unused() {
    if (instructions_.size() == kOfBegin + 1) instructions_.erase(instructions_.begin(), instructions_.end() - 1);
}

int Recorder::add_instruction(Recorded inst) {
    if (lane_ == 0) {
        instructions_.push_back(inst);
    } else if (next_ >= instructions_.size() || std::string_view(instructions_[next_].opcode) != inst.opcode ||
               instructions_[next_].sources != inst.sources) {
        throw std::logic_error("lanes of a warp differ in their instructions");
    }
    Recorded& noted = instructions_[next_++];
    noted.addresses[lane_] = inst.addresses[0];
    return noted.destination;
}

Recorder::Word Recorder::arithmetic(const char* opcode, std::array<int, 3> sources) {
    return {add_instruction({opcode, free_register(), sources, 0, {}}), 0};
}

int Recorder::access(const char* opcode, bool result, std::array<int, 3> sources, unsigned width,
                     std::uint64_t address) {
    Recorded inst{opcode, result ? free_register() : -1, sources, width, {}};
    inst.addresses[0] = address;
    return add_instruction(inst);
}

/// The index of an element, unless it is the thread's number, and its address.
Recorder::Pointer Recorder::at(unsigned n, std::uint32_t index, unsigned bytes) {
    const Word address = arithmetic("IMAD.WIDE.U32", {index_, kArguments, -1});
    index_ = kThread;
    return {array(n) + index * static_cast<std::uint64_t>(bytes), address.in};
}

std::uint32_t Recorder::random(std::uint32_t x) {
    Word v = arithmetic("SHF.R.U32.HI", {kThread, -1, -1});
    v = arithmetic("LOP3.LUT", {v.in, kThread, -1});
    v = arithmetic("IMAD", {v.in, -1, -1});
    Word w = arithmetic("SHF.R.U32.HI", {v.in, -1, -1});
    w = arithmetic("LOP3.LUT", {w.in, v.in, -1});
    index_ = arithmetic("IMAD", {w.in, -1, -1}).in;
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    return (x ^ (x >> 15)) * 0x846ca68bU;
}

void write_head(std::ostream& out, const LaunchShape& shape) {
    fmt::print(out,
               "-kernel name = {}\n-kernel id = 1\n-grid dim = ({},1,1)\n-block dim = ({},1,1)\n-shmem = {}\n"
               "-nregs = 32\n-binary version = 90\n-cuda stream id = 0\n-shmem base_addr = 0x00007e0000000000\n"
               "-local mem base_addr = 0x00007e8000000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 3\n\n"
               "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
               "[mem_addresses]\n\n\n",
               shape.name, shape.blocks, shape.warps * kLanes, shape.shared_bytes);
}

void write_warp(std::ostream& out, unsigned warp, const std::vector<Recorded>& instructions) {
    std::string text = fmt::format("warp = {}\ninsts = {}\n", warp, instructions.size());
    auto at = std::back_inserter(text);
    unsigned pc = 0;
    for (const Recorded& inst : instructions) {
        fmt::format_to(at, "{:04x} ffffffff ", pc);
        pc += 16;
        if (inst.destination < 0)
            text += "0 ";
        else
            fmt::format_to(at, "1 R{} ", inst.destination);
        unsigned sources = 0;
        for (const int source : inst.sources) sources += source >= 0 ? 1U : 0U;
        fmt::format_to(at, "{} {} ", inst.opcode, sources);
        for (const int source : inst.sources)
            if (source >= 0) fmt::format_to(at, "R{} ", source);
        if (inst.width == 0) {
            text += "0 \n";
            continue;
        }
        const std::uint64_t stride = inst.addresses[1] - inst.addresses[0];
        bool even = stride < (1ULL << 31);
        for (unsigned lane = 1; lane < kLanes; ++lane)
            even = even && inst.addresses[lane] - inst.addresses[lane - 1] == stride;
        if (even) {
            fmt::format_to(at, "{} 1 {:#x} {} \n", inst.width, inst.addresses[0], stride);
        } else {
            fmt::format_to(at, "{} 0 ", inst.width);
            for (const std::uint64_t address : inst.addresses) fmt::format_to(at, "{:#x} ", address);
            text += '\n';
        }
    }
    out << text << '\n';
}

} // namespace numavp::device
