#include "models/host/copy_engine.h"

#include <fmt/format.h>

namespace numavp {

namespace {
using CopyReg = CopyEngineRegister;
constexpr unsigned kCopyWireDepth = 64;
constexpr std::uint64_t kCopy = 1, kFill = 2;
} // namespace

CopyEngine::CopyEngine(const CopyEngineConfig& config, const Resources& r)
    : Arbiter(r.domain, r.rank), config_(config), pool_(r.pool), map_(r.map), tables_(r.tables), host_(r.host),
      line_(r.line), device_(r.device) {
    ports_.resize(host_.value + 2U);
    for (unsigned p = config.alone ? host_.value : 0; p < host_.value + (config.alone ? 1U : 2U); ++p) {
        ports_[p] =
            std::make_unique<InitiatorPort>(("copy_port" + std::to_string(p)).c_str(), r.domain,
                                            WireSpec{kCopyWireDepth, Part::sm}, static_cast<RequesterIf&>(*this), p);
        ports_[p]->set_feeder(*this);
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
    const std::uint64_t memory = address >> map_.socket_shift;
    if (memory > host_.value || (config_.alone && memory != host_.value) || bytes_ == 0 || address % kLineBytes != 0 ||
        bytes_ % kLineBytes != 0)
        return false;
    const std::uint64_t size = memory == host_.value ? config_.host_bytes : config_.socket_bytes;
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
    engine_ = to == host_ && !fills_ ? from : to;
    from_ = source_;
    to_ = target_;
    size_ = bytes_;
    asked_ = written_ = 0;
    busy_ = true;
    started_ps_ = domain_.clockwork().now_ps();
    ++(fills_ ? counts_.fills : counts_.copies);
    (fills_ ? counts_.filled_bytes : counts_.copied_bytes) += size_;
    wake();
}

// --- lines

InitiatorPort& CopyEngine::port_to(std::uint64_t line) {
    const unsigned away = map_.home_of(line) == host_ ? 0 : 1;
    return *ports_[engine_ == host_ ? host_.value + away : engine_.value];
}

Txn& CopyEngine::request(Kind kind, std::uint64_t line) {
    Txn& txn = pool_.make(kind, line, ByteMask::full());
    txn.requester = engine_;
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    return txn;
}

void CopyEngine::arbitrate() {
    if (!busy_) return;
    const bool wrote = fills_ ? fill_next() : write_next();
    const bool read = !fills_ && read_next();
    if (wrote || read) wake(); // else a response or a place on a wire does
}

bool CopyEngine::may_ask() const { return asked_ < size_ && in_flight_ < config_.lines_in_flight; }

bool CopyEngine::fill_next() {
    InitiatorPort& port = port_to(to_);
    if (!may_ask() || !port.ready()) return false;
    Txn& txn = request(Kind::store, to_ + asked_);
    txn.data.fill(0);
    asked_ += kLineBytes;
    ++in_flight_;
    port.send(txn, domain_.now() + 1);
    return true;
}

bool CopyEngine::read_next() {
    InitiatorPort& port = port_to(from_);
    if (!may_ask() || !port.ready()) return false;
    Txn& txn = request(Kind::load, from_ + asked_);
    asked_ += kLineBytes;
    ++in_flight_;
    port.send(txn, domain_.now() + 1);
    return true;
}

/// A line that has come goes to its target.
bool CopyEngine::write_next() {
    InitiatorPort& port = port_to(to_);
    if (read_.empty() || !port.ready()) return false;
    Txn& line = read_.pop();
    Txn& txn = request(Kind::store, to_ + (line.line - from_));
    if (pool_.functional) txn.data = line.data;
    line.release();
    port.send(txn, domain_.now() + 1);
    return true;
}

bool CopyEngine::response(unsigned, Txn& txn) {
    wake();
    if (txn.kind == Kind::load) {
        read_.push(txn);
        return true;
    }
    if (fills_ && tables_.contains(txn.line))
        for (unsigned i = 0; i < kLineBytes; i += 8) tables_.memory().write(txn.line + i, {0});
    txn.release();
    --in_flight_;
    written_ += kLineBytes;
    progress_ps_ = domain_.clockwork().now_ps();
    if (written_ == size_) finish();
    return true;
}

void CopyEngine::finish() {
    busy_ = false;
    ++done_;
    counts_.busy_ps += domain_.clockwork().now_ps() - started_ps_;
    const SocketId to = map_.home_of(to_);
    if (on_end) on_end(started_ps_, size_, fills_ ? to : map_.home_of(from_), to);
    raise();
}

std::string CopyEngine::waiting_for() const {
    if (!busy_) return "";
    return fmt::format("{} of {} bytes of a {}", size_ - written_, size_, fills_ ? "fill" : "copy");
}

} // namespace numavp
