#include "models/fault_server/copy_engine.h"

#include <fmt/format.h>

namespace numavp {

namespace {
using CopyReg = CopyEngineRegister;
constexpr unsigned kRankOfMovers = 1000; ///< behind the host's other devices
constexpr std::uint64_t kCopy = 1, kFill = 2;
} // namespace

CopyEngine::CopyEngine(const CopyEngineConfig& config, const Resources& r)
    : config_(config), domain_(r.domain), map_(r.map), tables_(r.tables), host_(r.host), line_(r.line),
      device_(r.device) {
    movers_.resize(host_.value + 1U);
    for (unsigned s = config.alone ? host_.value : 0; s <= host_.value; ++s) {
        const Rank rank{r.rank.socket, r.rank.kind, kRankOfMovers + s};
        movers_[s] = std::make_unique<LineMover>(
            fmt::format("copy_port{}_0", s), config.lines_in_flight,
            LineMover::Resources{r.domain, rank, r.pool, r.map, SocketId(s), static_cast<LineMover::Client&>(*this)});
    }
}

// --- registers

std::uint64_t CopyEngine::peek_register(std::size_t index) const {
    switch (static_cast<CopyReg>(index)) {
    case CopyReg::source: return source_;
    case CopyReg::target: return target_;
    case CopyReg::bytes: return bytes_;
    case CopyReg::status: return std::uint64_t{busy_} | std::uint64_t{refused_} << 1;
    case CopyReg::control: return control_;
    case CopyReg::done_count: return done_;
    default: return 0;
    }
}

std::uint64_t CopyEngine::read_register(std::size_t index) {
    if (static_cast<CopyReg>(index) == CopyReg::done_count) {
        done_read_ = done_;
        raise();
    }
    return peek_register(index);
}

void CopyEngine::write_register(std::size_t index, std::uint64_t value) {
    switch (static_cast<CopyReg>(index)) {
    case CopyReg::source: source_ = value; break;
    case CopyReg::target: target_ = value; break;
    case CopyReg::bytes: bytes_ = value; break;
    case CopyReg::control: control_ = value & 1; break;
    case CopyReg::command: command(value); break;
    default: break;
    }
    raise();
}

/// The range of the command at `address` lies in one memory, in whole lines.
bool CopyEngine::sound(std::uint64_t address) const {
    const std::uint64_t memory = address >> map_.socket_shift, last = own_memory(host_).value;
    if (memory > last || (config_.alone && memory != last) || bytes_ == 0 || address % kLineBytes != 0 ||
        bytes_ % kLineBytes != 0)
        return false;
    const std::uint64_t size = memory == last ? config_.host_bytes : config_.socket_bytes;
    const std::uint64_t offset = address - (memory << map_.socket_shift);
    return bytes_ <= size && offset <= size - bytes_;
}

void CopyEngine::command(std::uint64_t code) {
    const SocketId to = map_.home_of(target_), from = map_.home_of(source_);
    refused_ = busy_ || (code != kCopy && code != kFill) || !sound(target_) ||
               (code == kCopy && (!sound(source_) || (to == host_ && from == host_)));
    if (refused_) {
        ++counts_.refused;
        return;
    }
    fills_ = code == kFill;
    size_ = bytes_;
    written_ = 0;
    busy_ = true;
    started_ps_ = domain_.clockwork().now_ps();
    ++(fills_ ? counts_.fills : counts_.copies);
    (fills_ ? counts_.filled_bytes : counts_.copied_bytes) += size_;
    movers_[(to == host_ && !fills_ ? from : to).value]->move({source_, target_, bytes_, fills_});
}

// --- lines

void CopyEngine::line_moved(const MoveRange& range, std::uint64_t line) {
    if (range.fill && tables_.contains(line))
        for (unsigned i = 0; i < kLineBytes; i += 8) tables_.memory().write(line + i, {0});
    written_ += kLineBytes;
    progress_ps_ = domain_.clockwork().now_ps();
}

void CopyEngine::range_moved(const MoveRange& range) {
    busy_ = false;
    ++done_;
    counts_.busy_ps += domain_.clockwork().now_ps() - started_ps_;
    const SocketId to = map_.home_of(range.to);
    if (on_end) on_end(started_ps_, size_, range.fill ? to : map_.home_of(range.from), to);
    raise();
}

std::string CopyEngine::waiting_for() const {
    if (!busy_) return "";
    return fmt::format("{} of {} bytes of a {}", size_ - written_, size_, fills_ ? "fill" : "copy");
}

} // namespace numavp
