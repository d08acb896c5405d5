#include "sw/traces/trace_binary.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <zstd.h>

#include "base/values/error.h"

namespace numavp {
namespace {

constexpr std::size_t kMaxFrameText = std::size_t{64} << 20; ///< of some thousand lines
constexpr std::size_t kBlockNumbers = 11;

} // namespace

bool is_binary_trace(const std::string& path) {
    constexpr std::string_view kEnd = ".tracez";
    return path.size() > kEnd.size() && path.compare(path.size() - kEnd.size(), kEnd.size(), kEnd) == 0;
}

/// zstd with the trace's dictionary.
class BinaryTrace::Frames {
  public:
    explicit Frames(std::string_view dictionary)
        : context_(ZSTD_createDCtx()), dictionary_(ZSTD_createDDict(dictionary.data(), dictionary.size())) {
        if (context_ && dictionary_) ZSTD_DCtx_refDDict(context_, dictionary.empty() ? nullptr : dictionary_);
    }
    ~Frames() {
        ZSTD_freeDDict(dictionary_);
        ZSTD_freeDCtx(context_);
    }
    Frames(const Frames&) = delete;
    Frames& operator=(const Frames&) = delete;

    bool sound() const { return context_ != nullptr && dictionary_ != nullptr; }
    /// Expands one frame; a sentence if it can't be, else "".
    std::string expand(std::string_view frame, std::string& text) {
        ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
        ZSTD_inBuffer in{frame.data(), frame.size(), 0};
        text.clear();
        for (std::size_t left = 1; left != 0;) {
            const std::size_t had = text.size();
            if (had > kMaxFrameText) return "a chunk of instructions is longer than 64 MiB";
            text.resize(had + ZSTD_DStreamOutSize());
            ZSTD_outBuffer out{text.data() + had, text.size() - had, 0};
            left = ZSTD_decompressStream(context_, &out, &in);
            text.resize(had + out.pos);
            if (ZSTD_isError(left) != 0) return std::string("its zstd data is corrupt: ") + ZSTD_getErrorName(left);
            if (left != 0 && in.pos == in.size && out.pos == 0) return "its zstd data is cut off";
        }
        return in.pos == in.size ? "" : "a chunk has more bytes than its zstd frame";
    }

  private:
    ZSTD_DCtx* context_;
    ZSTD_DDict* dictionary_;
};

template <class N> N BinaryTrace::take(std::size_t& at, const char* what) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof(N))
        fail("it ends within " + std::string(what) + "; a whole .tracez of Accel-Sim 2.0 is expected");
    N value = 0;
    for (std::size_t i = 0; i < sizeof(N); ++i)
        value |= static_cast<N>(static_cast<N>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i));
    at += sizeof(N);
    return value;
}

void BinaryTrace::fail(const std::string& what) const { throw ConfigError(place_, what); }

BinaryTrace::BinaryTrace(std::string_view bytes, std::string place) : bytes_(bytes), place_(std::move(place)) {
    const std::size_t nul = bytes_.find('\0');
    if (nul == std::string_view::npos) fail("no byte 0 ends its header; a .tracez of Accel-Sim 2.0 is expected");
    header_ = std::string(bytes_.substr(0, nul)) + "\n#\n"; // a .traceg's header ends with a line of '#'
    std::size_t at = nul + 1;
    const auto dictionary = take<std::uint32_t>(at, "the dictionary's size");
    take<std::uint32_t>(at, "the size of chunks");
    if (bytes_.size() - at < dictionary) fail("it ends within its dictionary; a whole .tracez is expected");
    frames_ = std::make_unique<Frames>(bytes_.substr(at, dictionary));
    if (!frames_->sound()) fail("its dictionary is none of zstd");
    std::size_t end = bytes_.size() < sizeof(std::uint64_t) ? 0 : bytes_.size() - sizeof(std::uint64_t);
    const auto footer = take<std::uint64_t>(end, "the footer's place");
    if (footer < at + dictionary || footer > bytes_.size())
        fail("its last 8 bytes name no place in it; it is cut off, or was not written to its end");
    footer_ = static_cast<std::size_t>(footer);
    blocks_ = take<std::uint32_t>(footer_, "its footer");
}

BinaryTrace::~BinaryTrace() = default;

std::size_t BinaryTrace::read(char* out, std::size_t room) {
    std::size_t got = 0;
    while (got < room) {
        if (given_ == piece_.size()) {
            piece_ = next_piece();
            given_ = 0;
            if (piece_.empty()) break;
        }
        const std::size_t part = std::min(room - got, piece_.size() - given_);
        std::memcpy(out + got, piece_.data() + given_, part);
        given_ += part;
        got += part;
    }
    return got;
}

std::string BinaryTrace::next_piece() {
    if (!header_.empty()) return std::exchange(header_, "");
    if (chunks_ != 0) return frame_piece();
    if (in_block_ && warp_ < warps_) return warp_piece();
    if (std::exchange(in_block_, false)) return "#END_TB\n";
    return blocks_ != 0 ? block_piece() : "";
}

std::string BinaryTrace::block_piece() {
    std::uint32_t numbers[kBlockNumbers];
    for (std::uint32_t& number : numbers) number = take<std::uint32_t>(footer_, "its footer");
    --blocks_;
    in_block_ = true;
    warps_ = numbers[kBlockNumbers - 1];
    warp_ = 0;
    return "#BEGIN_TB\nthread block = " + std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," +
           std::to_string(numbers[2]) + "\n";
}

std::string BinaryTrace::warp_piece() {
    const auto instructions = take<std::uint32_t>(footer_, "its footer");
    const auto chunks = take<std::uint32_t>(footer_, "its footer");
    const auto place = take<std::uint64_t>(footer_, "its footer");
    for (std::uint32_t i = 0; i < chunks; ++i) take<std::uint32_t>(footer_, "its footer");
    chunk_ = place < bytes_.size() ? static_cast<std::size_t>(place) : bytes_.size();
    if (take<std::uint32_t>(chunk_, "a warp") != instructions || take<std::uint32_t>(chunk_, "a warp") != chunks)
        fail("its footer and warp " + std::to_string(warp_) + " of a block differ in the number of instructions");
    chunks_ = chunks;
    return "warp = " + std::to_string(warp_++) + "\ninsts = " + std::to_string(instructions) + "\n";
}

std::string BinaryTrace::frame_piece() {
    const auto size = take<std::uint32_t>(chunk_, "a chunk of instructions");
    if (bytes_.size() - chunk_ < size) fail("it ends within a chunk of instructions; a whole .tracez is expected");
    std::string text;
    if (const std::string fault = frames_->expand(bytes_.substr(chunk_, size), text); !fault.empty()) fail(fault);
    chunk_ += size;
    --chunks_;
    if (text.find('#') != std::string::npos) fail("a chunk of instructions holds a '#', which no instruction has");
    if (text.empty() || text.back() != '\n') text += '\n';
    return text;
}

} // namespace numavp
