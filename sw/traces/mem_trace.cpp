#include "sw/traces/mem_trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "sw/traces/sass_opcode.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {
namespace {

constexpr std::string_view kMark = "MEMTRACE: ";
constexpr const char* kLaunchForm = "'MEMTRACE: CTX 0x<n> - LAUNCH - Kernel pc 0x<n> - Kernel name <name> - grid "
                                    "launch id <n> - grid size <x>,<y>,<z> - "
                                    "block size <x>,<y>,<z> - nregs <n> - shmem <n> - cuda stream id <n>' is expected";
constexpr const char* kAccessForm =
    "'MEMTRACE: CTX 0x<n> - grid_launch_id <n> - CTA <x>,<y>,<z> - warp <n> - <opcode> - "
    "0x<a0> ... 0x<a31>' is expected";

using Triple = std::array<std::uint64_t, 3>;

/// A line, taken apart from the left.
class Fields {
  public:
    Fields(std::string_view rest, std::string place, const char* form)
        : rest_(rest), place_(std::move(place)), form_(form) {}

    void word(std::string_view expected) {
        if (rest_.substr(0, expected.size()) != expected) fail();
        rest_.remove_prefix(expected.size());
    }
    std::uint64_t number(int base = 10) {
        if (base == 16) word("0x");
        std::uint64_t value = 0;
        const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value, base);
        if (fault != std::errc()) fail();
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    Triple triple() {
        Triple xyz{};
        for (std::size_t i = 0; i < xyz.size(); ++i) {
            if (i != 0) word(",");
            xyz[i] = number();
        }
        return xyz;
    }
    /// What is left before the last `mark`, which a name may hold too.
    std::string before_last(std::string_view mark) {
        const std::size_t at = rest_.rfind(mark);
        if (at == std::string_view::npos) fail();
        std::string text(rest_.substr(0, at));
        rest_.remove_prefix(at + mark.size());
        return text;
    }
    std::string_view until(char end) {
        const std::size_t at = std::min(rest_.find(end), rest_.size());
        const std::string_view text = rest_.substr(0, at);
        rest_.remove_prefix(at);
        return text;
    }
    void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size())); }
    bool empty() const { return rest_.empty(); }
    const std::string& place() const { return place_; }
    [[noreturn]] void fail() const { throw ConfigError(place_, std::string("this is no line of mem_trace; ") + form_); }

  private:
    std::string_view rest_;
    std::string place_;
    const char* form_;
};

/// Bytes of a lane, as the Accel-Sim tracer finds them: the first suffix that is a number, or U8, S16 and the like.
unsigned width_of(std::string_view opcode) {
    for (std::size_t dot = opcode.find('.'); dot != std::string_view::npos; dot = opcode.find('.', dot + 1)) {
        std::string_view suffix = opcode.substr(dot + 1, opcode.find('.', dot + 1) - dot - 1);
        if (suffix == "U8" || suffix == "S8" || suffix == "U16" || suffix == "S16") suffix.remove_prefix(1);
        unsigned bits = 0;
        const auto [end, fault] = std::from_chars(suffix.data(), suffix.data() + suffix.size(), bits);
        if (fault != std::errc() || end != suffix.data() + suffix.size()) continue;
        if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128 || bits == 256) return bits / 8;
    }
    return 4;
}

/// One access as a .traceg has it behind the opcode: width, mode, addresses.
void append_addresses(const std::array<std::uint64_t, kWarpLanes>& address, std::uint32_t mask, unsigned width,
                      std::string& out) {
    std::array<char, 64> text{};
    const auto first = mask == 0 ? 0U : static_cast<unsigned>(__builtin_ctz(mask));
    const std::uint32_t run = mask >> first;
    const auto lanes = static_cast<unsigned>(__builtin_popcount(mask));
    const std::int64_t stride = lanes < 2 ? 0 : static_cast<std::int64_t>(address[first + 1] - address[first]);
    bool even = lanes >= 2 && (run & (run + 1)) == 0;
    for (unsigned k = 1; even && k < lanes; ++k)
        even = address[first + k] == address[first] + static_cast<std::uint64_t>(stride * k);
    if (even || mask == 0) {
        std::snprintf(text.data(), text.size(), " %u 1 0x%llx %lld", width,
                      static_cast<unsigned long long>(address[first]), static_cast<long long>(stride));
        out += text.data();
        return;
    }
    out += " " + std::to_string(width) + " 0";
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
        std::snprintf(text.data(), text.size(), " 0x%llx",
                      static_cast<unsigned long long>(address[static_cast<unsigned>(__builtin_ctz(left))]));
        out += text.data();
    }
}

/// A launch that is being read.
struct Traced {
    std::string place, header;
    Triple grid{};
    std::uint64_t warps = 1, stream = 0;
    struct Warp {
        std::string lines;
        std::size_t count = 0;
    };
    struct Block {
        std::vector<std::pair<std::uint64_t, Warp>> warps; ///< by the number in the trace, in the order of coming
    };
    std::map<std::uint64_t, Block> blocks;

    Warp& warp(std::uint64_t block, std::uint64_t number) {
        auto& all = blocks[block].warps;
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& w) { return w.first == number; });
        if (found != all.end()) return found->second;
        all.emplace_back(number, Warp{});
        return all.back().second;
    }
};

class MemTraceReader {
  public:
    explicit MemTraceReader(const std::string& path) : path_(path), text_(TraceText::load(path)) {}

    Workload read() {
        find_numbering();
        each_line([this](std::string_view line, std::size_t number) {
            take(line, path_ + ": line " + std::to_string(number));
            return true;
        });
        if (traced_.empty()) throw ConfigError(path_, std::string("no kernel is launched in it; ") + kLaunchForm);
        Workload workload;
        workload.name = std::filesystem::path(path_).filename().string();
        workload.description = "the accesses that mem_trace wrote to " + path_;
        for (Traced& traced : traced_) workload.launches.push_back(made_of(traced));
        return workload;
    }

  private:
    /// Calls `use` with each line of the tool and its number, until it returns false.
    template <class Use> void each_line(const Use& use) const {
        std::string_view rest = text_->view();
        for (std::size_t number = 1; !rest.empty(); ++number) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            const std::string_view line = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (line.substr(0, kMark.size()) == kMark && !use(line, number)) return;
        }
    }
    static bool is_launch(std::string_view line) { return line.find(" - LAUNCH - ") != std::string_view::npos; }
    /// The number behind a mark, if there is one.
    static std::optional<std::uint64_t> number_after(std::string_view line, std::string_view mark) {
        const std::size_t at = line.rfind(mark);
        if (at == std::string_view::npos) return {};
        line.remove_prefix(at + mark.size());
        std::uint64_t number = 0;
        const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), number);
        return fault == std::errc() && end != line.data() ? std::optional(number) : std::nullopt;
    }

    /// Tells whether accesses have their launch's number, as NVBit 1.7 writes them, or one less, as earlier versions
    /// do: these count the launch before they print its line. The counter of a process begins with 0.
    void find_numbering() {
        std::optional<std::uint64_t> first, last;
        bool below = false, same = false; // an access shows the one or the other
        std::size_t first_line = 0;
        bool accesses = false;
        each_line([&](std::string_view line, std::size_t number) {
            if (is_launch(line)) {
                last = number_after(line, " - grid launch id ");
                if (!first) {
                    first = last;
                    first_line = number;
                }
                return first.value_or(0) != 0; // a log from the beginning, of NVBit 1.7
            }
            const std::optional<std::uint64_t> id = number_after(line, "grid_launch_id ");
            if (!first || !last || !id) return true; // take() says what is wrong
            accesses = true;
            below = below || *id < *first;
            same = same || *id == *last; // the next one has not been launched
            return !(below && same);
        });
        if (first.value_or(0) == 0 || !accesses) return;
        if (below != same) {
            ahead_ = below;
        } else if (!below && *first == 1) {
            ahead_ = true;
        } else {
            throw ConfigError(path_ + ": line " + std::to_string(first_line),
                              "the first launch has the number " + std::to_string(*first) + ", and " +
                                  (below ? "some accesses have the number of their launch (NVBit 1.7), others one less "
                                           "(NVBit before)"
                                         : "nothing tells whether accesses have the number of their launch (NVBit 1.7) "
                                           "or one less (NVBit before)") +
                                  "; a log of one process from its first launch on is expected");
        }
    }

    void take(std::string_view line, std::string place) {
        line.remove_prefix(kMark.size());
        const bool launch = is_launch(line);
        Fields fields(line, std::move(place), launch ? kLaunchForm : kAccessForm);
        fields.word("CTX ");
        const std::uint64_t context = fields.number(16);
        fields.word(" - ");
        if (launch)
            take_launch(fields, context);
        else
            take_access(fields, context);
    }

    void take_launch(Fields& fields, std::uint64_t context) {
        fields.word("LAUNCH - Kernel pc ");
        fields.number(16);
        fields.word(" - Kernel name ");
        const std::string name = fields.before_last(" - grid launch id ");
        const std::uint64_t id = fields.number();
        fields.word(" - grid size ");
        Traced traced;
        traced.grid = fields.triple();
        fields.word(" - block size ");
        const Triple block = fields.triple();
        fields.word(" - nregs ");
        const std::uint64_t registers = fields.number();
        fields.word(" - shmem ");
        const std::uint64_t shared = fields.number();
        fields.word(" - cuda stream id ");
        const std::pair<std::uint64_t, std::uint64_t> stream(context, fields.number());
        fields.blanks();
        if (!fields.empty()) fields.fail();
        traced.stream = streams_.emplace(stream, streams_.size()).first->second;
        const auto xyz = [](const Triple& t) {
            return "(" + std::to_string(t[0]) + "," + std::to_string(t[1]) + "," + std::to_string(t[2]) + ")";
        };
        traced.header = "-kernel name = " + name + "\n-grid dim = " + xyz(traced.grid) +
                        "\n-block dim = " + xyz(block) +
                        "\n-nregs = " + std::to_string(std::max<std::uint64_t>(1, registers)) +
                        "\n-shmem = " + std::to_string(shared) +
                        "\n-cuda stream id = " + std::to_string(traced.stream) + "\n-accelsim tracer version = 5\n#\n";
        traced.warps = (parse_trace_header(traced.header, fields.place()).threads() + kWarpLanes - 1) / kWarpLanes;
        traced.place = path_ + ": launch " + std::to_string(id);
        if (!index_.emplace(std::pair(context, id), traced_.size()).second)
            throw ConfigError(fields.place(), "launch " + std::to_string(id) +
                                                  " of this context is there twice; each "
                                                  "launch has a number of its own");
        traced_.push_back(std::move(traced));
    }

    void take_access(Fields& fields, std::uint64_t context) {
        fields.word("grid_launch_id ");
        const std::uint64_t id = fields.number();
        const auto found = index_.find({context, id + (ahead_ ? 1 : 0)});
        if (found == index_.end() || (ahead_ && id == ~std::uint64_t{0}))
            throw ConfigError(fields.place(), "launch " + std::to_string(id) +
                                                  " of this context was not announced; its LAUNCH line is expected "
                                                  "before" +
                                                  (ahead_ ? ", with a number one higher, as the others have it" : ""));
        Traced& traced = traced_[found->second];
        fields.word(" - CTA ");
        const Triple cta = fields.triple();
        for (std::size_t i = 0; i < cta.size(); ++i)
            if (cta[i] >= traced.grid[i]) throw ConfigError(fields.place(), "the CTA is outside of the launch's grid");
        fields.word(" - warp ");
        const std::uint64_t warp = fields.number();
        fields.word(" - ");
        const std::string_view opcode = fields.until(' ');
        fields.word(" -");
        append(traced.warp((cta[2] * traced.grid[1] + cta[1]) * traced.grid[0] + cta[0], warp), opcode, fields);
    }

    void append(Traced::Warp& warp, std::string_view opcode, Fields& fields) {
        const OpcodeMeaning meaning = meaning_of_opcode(opcode);
        if (opcode.empty() || (meaning.space == MemorySpace::none && !meaning.moves_no_data))
            throw ConfigError(fields.place(), "'" + quotable(opcode) +
                                                  "' accesses memory in a way that is not supported; "
                                                  "LDG, LDL, LD, STG, STL, ST, ATOMG, ATOM, RED, LDS, "
                                                  "STS and ATOMS are supported");
        std::array<std::uint64_t, kWarpLanes> address{};
        std::uint32_t mask = 0;
        for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
            fields.blanks();
            address[lane] = fields.number(16);
            if (address[lane] != 0) mask |= 1U << lane;
        }
        fields.blanks();
        if (!fields.empty()) fields.fail();
        if (is_shared_half(opcode, address)) return;
        const std::size_t pc = pcs_.emplace(std::string(opcode), pcs_.size()).first->second * 16;
        std::array<char, 48> head{};
        std::snprintf(head.data(), head.size(), "%04zx %08x 0 ", pc, mask);
        warp.lines += head.data();
        warp.lines += opcode;
        warp.lines += " 0";
        append_addresses(address, mask, width_of(opcode), warp.lines);
        warp.lines += '\n';
        ++warp.count;
    }

    /// LDGSTS has two lines, offsets in shared memory first. These are far below any global address, and are not one
    /// more access of global memory.
    static bool is_shared_half(std::string_view opcode, const std::array<std::uint64_t, kWarpLanes>& address) {
        constexpr std::uint64_t kSharedWindow = std::uint64_t{16} << 20;
        return opcode.substr(0, opcode.find('.')) == "LDGSTS" &&
               std::all_of(address.begin(), address.end(), [](std::uint64_t a) { return a < kSharedWindow; });
    }

    /// The launch as the text of a .traceg.
    static Launch made_of(Traced& traced) {
        std::string text = std::move(traced.header);
        for (auto& [number, block] : traced.blocks) {
            text += "#BEGIN_TB\nthread block = " + std::to_string(number % traced.grid[0]) + "," +
                    std::to_string(number / traced.grid[0] % traced.grid[1]) + "," +
                    std::to_string(number / traced.grid[0] / traced.grid[1]) + "\n";
            std::map<std::uint64_t, Traced::Warp> warps = numbered(block, traced.warps);
            for (const auto& [w, warp] : warps)
                text += "warp = " + std::to_string(w) + "\ninsts = " + std::to_string(warp.count) + "\n" + warp.lines;
            text += "#END_TB\n";
            block.warps.clear();
        }
        traced.blocks.clear();
        const auto kernel = std::make_shared<TraceKernel>(TraceText::from_string(std::move(text), traced.place));
        Launch launch;
        launch.stream = traced.stream;
        launch.kernel = kernel;
        return launch;
    }

    /// Warps by their number in the block; what does not fit comes in order, and more than fit share one.
    static std::map<std::uint64_t, Traced::Warp> numbered(Traced::Block& block, std::uint64_t warps) {
        const bool fit =
            std::all_of(block.warps.begin(), block.warps.end(), [&](const auto& w) { return w.first < warps; });
        std::map<std::uint64_t, Traced::Warp> all;
        std::uint64_t next = 0;
        for (auto& [number, warp] : block.warps) {
            Traced::Warp& into = all[fit ? number : next++ % warps];
            into.lines += warp.lines;
            into.count += warp.count;
        }
        return all;
    }

    const std::string& path_;
    std::shared_ptr<const TraceText> text_;
    std::vector<Traced> traced_;
    bool ahead_ = false; ///< LAUNCH lines have a number one higher than their accesses
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> index_;     ///< by context and launch
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> streams_; ///< by context and stream
    std::map<std::string, std::size_t> pcs_;                                   ///< a place for each opcode
};

} // namespace

bool is_mem_trace(const std::string& path) {
    std::filesystem::path name(path);
    if (name.extension() == ".xz") name = name.stem();
    return name.extension() == ".memtrace";
}

Workload read_mem_trace(const std::string& path) { return MemTraceReader(path).read(); }

} // namespace numavp
