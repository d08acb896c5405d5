#include "sw/traces/trace_writer.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <unordered_map>

#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

#include "base/values/error.h"
#include "sw/traces/trace_header.h"

namespace numavp {
namespace {

struct LatencyClass {
    unsigned latency;
    const char* opcode;
};
/// One opcode for each latency of the reader's table.
constexpr std::array<LatencyClass, 9> kLatencyClasses = {{{4, "FFMA"},
                                                          {5, "IMAD"},
                                                          {6, "HFMA2"},
                                                          {8, "DFMA"},
                                                          {10, "POPC"},
                                                          {14, "MUFU.RCP"},
                                                          {23, "SHFL.BFLY"},
                                                          {26, "LDC"},
                                                          {32, "HMMA.16816.F32"}}};

std::string arithmetic_opcode(unsigned latency) {
    for (const LatencyClass& row : kLatencyClasses)
        if (row.latency >= latency) return row.opcode;
    return kLatencyClasses.back().opcode;
}

std::string width_suffix(unsigned width) {
    switch (width) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    case 32: return ".256";
    default: return "";
    }
}

std::string opcode_of(const Inst& inst, std::uint8_t dst) {
    const std::string suffixes = width_suffix(inst.width) + (inst.bypass_l1 ? ".STRONG.GPU" : "");
    switch (inst.op) {
    case Op::compute: return arithmetic_opcode(inst.latency);
    case Op::load: return "LDG.E" + suffixes + (inst.read_only ? ".CONSTANT" : "");
    case Op::store: return "STG.E" + suffixes;
    case Op::atomic: return "ATOMG.E.ADD" + suffixes;
    case Op::reduce: return "RED.E.ADD" + suffixes;
    case Op::shared: return dst == kNoReg ? "STS" : "LDS";
    case Op::barrier: return "BAR.SYNC";
    case Op::fence: return "MEMBAR.SC.SYS";
    case Op::exit: return "EXIT";
    }
    return "NOP";
}

/// Writes the lines of warps; gives each distinct static instruction a separate PC.
class LineWriter {
  public:
    LineWriter(fmt::memory_buffer& out, unsigned mode) : out_(out), mode_(mode) {}

    /// Appends the lines of one instruction; returns how many.
    unsigned write(const Inst& inst) {
        if (inst.repeat == 0) return 0;
        const std::string with_result = static_text(inst, inst.dst);
        if (inst.repeat > 1) {
            const std::string without = static_text(inst, kNoReg);
            for (unsigned i = 1; i < inst.repeat; ++i) line(inst, without);
        }
        line(inst, with_result);
        return inst.repeat;
    }

  private:
    static bool is_memory(const Inst& inst) {
        return inst.op == Op::load || inst.op == Op::store || inst.op == Op::atomic || inst.op == Op::reduce;
    }
    static std::string static_text(const Inst& inst, std::uint8_t dst) {
        std::string text = dst == kNoReg ? "0 " : fmt::format("1 R{} ", dst);
        text += opcode_of(inst, dst);
        unsigned sources = 0;
        std::string names;
        for (const std::uint8_t source : inst.src) {
            if (source == kNoReg) continue;
            ++sources;
            names += fmt::format(" R{}", source);
        }
        unsigned width = 0;
        if (is_memory(inst)) width = inst.width;
        if (inst.op == Op::shared) width = 4;
        return text + fmt::format(" {}{} {}", sources, names, width);
    }
    void line(const Inst& inst, const std::string& text) {
        const auto pc = pcs_.try_emplace(text, pcs_.size() * 16).first->second;
        fmt::format_to(std::back_inserter(out_), "{:04x} {:08x} {}", pc, inst.mask, text);
        if (is_memory(inst))
            addresses(inst);
        else if (inst.op == Op::shared)
            fmt::format_to(std::back_inserter(out_), " 1 0x0 4");
        fmt::format_to(std::back_inserter(out_), " 0\n");
    }
    void addresses(const Inst& inst) {
        auto to = std::back_inserter(out_);
        std::uint32_t mask = inst.mask;
        if (mask == 0) {
            fmt::format_to(to, " 1 0x0 0");
            return;
        }
        const auto first = static_cast<unsigned>(__builtin_ctz(mask));
        std::uint64_t last = inst.address(first);
        std::int64_t stride = 0;
        if (mode_ != 0 && has_stride(inst, stride)) {
            fmt::format_to(to, " 1 {:#x} {}", last, stride);
            return;
        }
        const bool differences = mode_ == 2;
        fmt::format_to(to, " {} {:#x}", differences ? 2 : 0, last);
        for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
            const std::uint64_t next = inst.address(static_cast<unsigned>(__builtin_ctz(mask)));
            if (differences)
                fmt::format_to(to, " {}", static_cast<std::int64_t>(next - last));
            else
                fmt::format_to(to, " {:#x}", next);
            last = next;
        }
    }
    /// One run of at least two active lanes with equal differences.
    static bool has_stride(const Inst& inst, std::int64_t& stride) {
        const auto first = static_cast<unsigned>(__builtin_ctz(inst.mask));
        const std::uint32_t run = inst.mask >> first;
        const auto lanes = static_cast<unsigned>(__builtin_popcount(run));
        if ((run & (run + 1)) != 0 || lanes < 2) return false;
        const std::uint64_t step = inst.address(first + 1) - inst.address(first);
        for (unsigned i = 2; i < lanes; ++i)
            if (inst.address(first + i) - inst.address(first + i - 1) != step) return false;
        stride = static_cast<std::int64_t>(step);
        return true;
    }

    fmt::memory_buffer& out_;
    unsigned mode_;
    std::unordered_map<std::string, std::uint64_t> pcs_;
};

void write_header(const KernelShape& shape, std::ostream& out, std::uint64_t id, std::uint64_t stream) {
    if (shape.blocks > kMaxGridX)
        throw ConfigError(shape.name, "has more blocks than a grid has in x; at most 2147483647 can be written");
    out << "-kernel name = " << shape.name << "\n-kernel id = " << id << "\n-grid dim = (" << shape.blocks
        << ",1,1)\n-block dim = (" << shape.threads << ",1,1)\n-shmem = " << shape.shared_bytes
        << "\n-nregs = " << shape.registers << "\n-binary version = 80\n-cuda stream id = " << stream
        << "\n-shmem base_addr = 0x00007f0000000000\n-local mem base_addr = 0x00007f0002000000"
        << "\n-nvbit version = 1.7\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
        << "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
           "[adrrescompress?] [mem_addresses] immediate\n\n";
}

std::ofstream create(const std::filesystem::path& path) {
    std::ofstream file(path, std::ios::binary);
    if (!file) throw ConfigError(path.string(), "can't be written: " + std::string(std::strerror(errno)));
    return file;
}

} // namespace

void write_trace(Kernel& kernel, std::ostream& out, const TraceWriterOptions& options, std::uint64_t id,
                 std::uint64_t stream) {
    const KernelShape& shape = kernel.shape();
    write_header(shape, out, id, stream);
    fmt::memory_buffer lines;
    LineWriter writer(lines, options.address_mode);
    for (std::uint64_t b = 0; b < shape.blocks; ++b) {
        const std::unique_ptr<BlockStreams> block = kernel.open(b);
        out << "#BEGIN_TB\n\nthread block = " << b << ",0,0\n\n";
        for (unsigned w = 0; w < shape.warps(); ++w) {
            lines.clear();
            std::uint64_t count = 0;
            WarpStream& warp = block->warp(w);
            for (bool ended = false; !ended;) {
                const Inst& inst = *warp.fetch();
                count += writer.write(inst);
                ended = inst.op == Op::exit;
            }
            out << "warp = " << w << "\ninsts = " << count << "\n";
            out.write(lines.data(), static_cast<std::streamsize>(lines.size()));
            out << "\n";
        }
        out << "#END_TB\n\n";
    }
}

std::string write_trace_folder(const Workload& workload, const std::string& folder, const TraceWriterOptions& options) {
    namespace fs = std::filesystem;
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) throw ConfigError(folder, "can't be made: " + failure.message());
    const fs::path list_path = fs::path(folder) / "kernelslist.g";
    std::ofstream list = create(list_path);
    std::uint64_t id = 0;
    for (const Launch& launch : workload.launches) {
        if (launch.what == Launch::What::copy_to_device) {
            list << fmt::format("MemcpyHtoD,{:#018x},{}\n", launch.address, launch.bytes);
            continue;
        }
        if (!launch.kernel) continue; // the format has no copies to the host
        const std::string name = fmt::format("kernel-{}.traceg{}", ++id, options.compress ? ".xz" : "");
        list << name << "\n";
        std::ofstream file = create(fs::path(folder) / name);
        if (options.compress) {
            boost::iostreams::filtering_ostream compressed;
            compressed.push(boost::iostreams::lzma_compressor());
            compressed.push(file);
            write_trace(*launch.kernel, compressed, options, id, launch.stream);
        } else {
            write_trace(*launch.kernel, file, options, id, launch.stream);
        }
        if (!file.flush()) throw ConfigError((fs::path(folder) / name).string(), "can't be written to its end");
    }
    if (!list.flush()) throw ConfigError(list_path.string(), "can't be written to its end");
    return list_path.string();
}

} // namespace numavp
