#include "sw/traces/trace_kernel.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "sw/traces/trace_decoder.h"

namespace numavp {
namespace {

constexpr std::uint16_t kNotCounted = 0;

/// The stream of a warp that does nothing but end; not an instruction of the trace, so not counted.
Inst end_of_warp() {
    Inst inst;
    inst.op = Op::exit;
    inst.repeat = kNotCounted;
    return inst;
}

class TraceWarp final : public WarpStream {
  public:
    TraceCore* core_ = nullptr;
    TraceCursor cursor_;

  private:
    InstSpan make() override {
        if (cursor_.remaining == 0)
            cursor_.inst = end_of_warp();
        else
            core_->decode(cursor_);
        return {&cursor_.inst, &cursor_.inst + 1};
    }
};

/// A block's warps. It keeps the text alive.
class TraceBlock final : public BlockStreams {
  public:
    TraceBlock(std::shared_ptr<TraceCore> core, unsigned warps, std::uint64_t block)
        : core_(std::move(core)), warps_(warps), lists_(new std::uint64_t[std::size_t{kWarpLanes} * warps]) {
        for (unsigned w = 0; w < warps; ++w) {
            warps_[w].core_ = core_.get();
            warps_[w].cursor_.list = &lists_[std::size_t{kWarpLanes} * w];
            warps_[w].cursor_.warp_number = block * warps + w;
        }
    }
    WarpStream& warp(unsigned w) override { return warps_[w]; }

    /// Finds each warp's instruction lines in the block's text [begin, end).
    void find_warps(const char* begin, const char* end) {
        at_ = begin;
        end_ = end;
        std::vector<bool> seen(warps_.size(), false);
        while (next_line()) {
            if (starts_with("thread block")) continue;
            if (core_->of_today() && starts_with("cluster")) continue;
            const std::uint64_t w = value_of("warp");
            if (w >= warps_.size())
                core_->fail(line_, "warp " + std::to_string(w) + " is not of this block; 0 to " +
                                       std::to_string(warps_.size() - 1) + " are allowed");
            if (seen[w]) core_->fail(line_, "warp " + std::to_string(w) + " is there twice in its block");
            seen[w] = true;
            if (!next_line()) core_->fail(line_, "the block ends after 'warp ='; 'insts = <count>' must follow");
            const std::uint64_t count = value_of("insts");
            skip_instructions(warps_[w].cursor_, count);
        }
    }

  private:
    /// Goes to the next line that is not blank.
    bool next_line() {
        while (at_ < end_) {
            Scanner scanner{at_};
            line_ = at_;
            scanner.skip_blanks();
            if (*scanner.at != '\n') return true;
            at_ = scanner.at + 1;
        }
        return false;
    }
    bool starts_with(std::string_view word) {
        if (static_cast<std::size_t>(end_ - line_) < word.size() || word != std::string_view(line_, word.size()))
            return false;
        Scanner scanner{line_};
        scanner.skip_line();
        at_ = scanner.at;
        return true;
    }
    /// Value of a line "<key> = <n>".
    std::uint64_t value_of(std::string_view key) {
        Scanner scanner{line_};
        std::uint64_t value = 0;
        if (scanner.word() != key || scanner.word() != "=" || !scanner.decimal(value) || !scanner.at_line_end())
            core_->fail(line_, "'" + std::string(key) + " = <count>' is expected here");
        at_ = scanner.at + 1;
        return value;
    }
    void skip_instructions(TraceCursor& cursor, std::uint64_t count) {
        cursor.at = at_;
        cursor.remaining = count;
        for (std::uint64_t i = 0; i < count; ++i) {
            Scanner scanner{at_};
            if (at_ < end_) scanner.skip_blanks();
            if (at_ >= end_ || kHexDigit[static_cast<unsigned char>(*scanner.at)] < 0)
                core_->fail(at_, "the warp has " + std::to_string(i) +
                                     " instructions, but 'insts = " + std::to_string(count) + "' says more");
            at_ = static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_))) + 1;
        }
    }

    std::shared_ptr<TraceCore> core_;
    std::vector<TraceWarp> warps_;
    std::unique_ptr<std::uint64_t[]> lists_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    const char* line_ = nullptr;
};

bool keyword_at(const char* at, const char* end, std::string_view word) {
    return static_cast<std::size_t>(end - at) >= word.size() && word == std::string_view(at, word.size());
}

} // namespace

TraceKernel::TraceKernel(const std::string& path) : path_(path) {
    header_ = parse_trace_header(TraceText::head(path, kMaxTraceHeaderBytes), path);
    set_shape();
}

TraceKernel::TraceKernel(std::shared_ptr<const TraceText> text)
    : header_(parse_trace_header(text->view().substr(0, kMaxTraceHeaderBytes), text->place())) {
    core_ = std::make_shared<TraceCore>(std::move(text), header_, unknown_);
    set_shape();
}

TraceKernel::~TraceKernel() = default;

void TraceKernel::set_shape() {
    shape_.name = header_.kernel_name;
    shape_.blocks = header_.blocks();
    shape_.threads = header_.threads();
    shape_.registers = header_.registers;
    shape_.shared_bytes = header_.shared_bytes;
}

void TraceKernel::load() {
    if (!core_) {
        core_ = std::make_shared<TraceCore>(TraceText::load(path_), header_, unknown_);
        opened_ = 0;
    }
    if (!indexed_) build_index();
    indexed_ = true;
}

void TraceKernel::build_index() {
    const TraceText& text = core_->text();
    const char* at = text.begin() + header_.body_offset;
    const char* open_block = nullptr; // line #BEGIN_TB of a block that has not ended
    index_.clear();
    while (at < text.end()) {
        at = static_cast<const char*>(std::memchr(at, '#', static_cast<std::size_t>(text.end() - at)));
        if (at == nullptr) break;
        const bool begins = keyword_at(at, text.end(), "#BEGIN_TB");
        const bool ends = keyword_at(at, text.end(), "#END_TB");
        if (begins && open_block != nullptr) core_->fail(at, "a block begins before the one before it has ended");
        if (ends && open_block == nullptr) core_->fail(at, "a block ends that has not begun");
        const auto* newline =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(text.end() - at)));
        const char* next = newline == nullptr ? text.end() : newline + 1;
        if (begins) open_block = at;
        if (ends) {
            const auto begin = static_cast<std::size_t>(open_block - text.begin()) + std::strlen("#BEGIN_TB");
            const auto end = static_cast<std::size_t>(at - text.begin());
            index_.push_back({block_number(begin, end), begin, end});
            open_block = nullptr;
        }
        at = next;
    }
    if (open_block != nullptr) core_->fail(text.end(), "the trace ends within a thread block; '#END_TB' is missing");
    std::sort(index_.begin(), index_.end(), [](const Entry& a, const Entry& b) { return a.block < b.block; });
    const auto twice = std::adjacent_find(index_.begin(), index_.end(),
                                          [](const Entry& a, const Entry& b) { return a.block == b.block; });
    if (twice != index_.end()) core_->fail(text.begin() + twice->begin, "this thread block is in the trace twice");
    refuse_empty_grid();
}

/// Blocks that are not in the file are simulated too, each for a moment: of a wrong header they are hours.
void TraceKernel::refuse_empty_grid() const {
    constexpr std::uint64_t kMostEmpty = std::uint64_t{1} << 24, kMostForOne = 1000;
    const std::uint64_t there = index_.size(), empty = shape_.blocks - there;
    if (empty <= std::max(kMostEmpty, kMostForOne * there)) return;
    throw ConfigError(core_->text().place(), "the header's grid has " + std::to_string(shape_.blocks) +
                                                 " thread blocks, and " + std::to_string(there) +
                                                 " of them are in the file; up to 16777216 empty ones are allowed, or "
                                                 "1000 for each that is there");
}

/// Reads "thread block = x,y,z" after #BEGIN_TB.
std::uint64_t TraceKernel::block_number(std::size_t begin, std::size_t end) const {
    const TraceText& text = core_->text();
    const std::string_view body = text.view().substr(begin, end - begin);
    const char* at = text.begin() + begin;
    if (body.empty() || body.back() != '\n') core_->fail(at, "'#END_TB' must stand on a line of its own");
    const std::size_t key = body.find_first_not_of(" \t\r\n");
    constexpr std::string_view kKey = "thread block = ";
    if (key == std::string_view::npos || body.compare(key, kKey.size(), kKey) != 0)
        core_->fail(at, "'thread block = x,y,z' must follow '#BEGIN_TB'");
    const char* p = at + key + kKey.size();
    std::uint64_t xyz[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3; ++i) {
        const char* first = p;
        for (; *p >= '0' && *p <= '9' && p - first < 11; ++p)
            xyz[i] = xyz[i] * 10 + static_cast<std::uint64_t>(*p - '0');
        if (p == first || (i < 2 && *p++ != ','))
            core_->fail(at + key, "'thread block = x,y,z' must follow '#BEGIN_TB'");
        if (xyz[i] >= header_.grid[i])
            core_->fail(at + key, "the thread block is outside of the grid of " + std::to_string(header_.grid[0]) +
                                      " x " + std::to_string(header_.grid[1]) + " x " +
                                      std::to_string(header_.grid[2]) + " blocks");
    }
    return (xyz[2] * header_.grid[1] + xyz[1]) * header_.grid[0] + xyz[0];
}

const TraceKernel::Entry* TraceKernel::find(std::uint64_t block) const {
    if (block < index_.size() && index_[block].block == block) return &index_[block]; // no block is missing
    const auto entry = std::lower_bound(index_.begin(), index_.end(), block,
                                        [](const Entry& e, std::uint64_t b) { return e.block < b; });
    return entry != index_.end() && entry->block == block ? &*entry : nullptr;
}

void TraceKernel::check() {
    if (in_memory()) { // its lines were made by a reader that has checked them
        present_blocks();
        return;
    }
    TraceKernel walked(path_); // the counts of this one are those of the run
    for (const std::uint64_t index : walked.present_blocks()) {
        const std::unique_ptr<BlockStreams> block = walked.open(index);
        for (unsigned w = 0; w < walked.shape().warps(); ++w)
            while (block->warp(w).fetch()->op != Op::exit) {}
    }
}

std::vector<std::uint64_t> TraceKernel::present_blocks() {
    if (!indexed_) load();
    std::vector<std::uint64_t> blocks;
    blocks.reserve(index_.size());
    for (const Entry& entry : index_) blocks.push_back(entry.block);
    return blocks;
}

std::uint64_t TraceKernel::next_block(std::uint64_t index) {
    if (!indexed_) load();
    const auto entry = std::lower_bound(index_.begin(), index_.end(), index,
                                        [](const Entry& e, std::uint64_t b) { return e.block < b; });
    return entry == index_.end() ? shape_.blocks : entry->block;
}

std::unique_ptr<BlockStreams> TraceKernel::open(std::uint64_t index) {
    if (!indexed_) load();
    const Entry* entry = find(index);
    if (entry == nullptr) return std::make_unique<TraceBlock>(nullptr, shape_.warps(), index);
    load(); // again, if the text was let go
    auto block = std::make_unique<TraceBlock>(core_, shape_.warps(), index);
    const char* text = core_->text().begin();
    block->find_warps(text + entry->begin, text + entry->end);
    if (++opened_ == index_.size() && !path_.empty()) core_.reset();
    return block;
}

void refuse_bad_traces(const Workload& workload) {
    std::set<std::string> checked; // a file may be launched again
    for (const Launch& launch : workload.launches)
        if (auto* const kernel = dynamic_cast<TraceKernel*>(launch.kernel.get()))
            if (kernel->in_memory() || checked.insert(kernel->file()).second) kernel->check();
}

OpcodeCounts unknown_opcodes(const Workload& workload) {
    OpcodeCounts all;
    std::set<const TraceKernel*> seen; // a kernel may be launched again
    for (const Launch& launch : workload.launches) {
        const auto* const kernel = dynamic_cast<const TraceKernel*>(launch.kernel.get());
        if (kernel == nullptr || !seen.insert(kernel).second) continue;
        for (const auto& [opcode, count] : kernel->unknown_opcodes()) all[opcode] += count;
    }
    return all;
}

std::string unknown_opcodes_text(const OpcodeCounts& unknown) {
    std::string text;
    for (const auto& [opcode, count] : unknown) {
        text += text.empty() ? "opcodes that are not known count as arithmetic of the default latency: " : ", ";
        text += quotable(opcode) + " (" + std::to_string(count) +
                (count == 1 ? " warp instruction)" : " warp instructions)");
    }
    return text;
}

} // namespace numavp
