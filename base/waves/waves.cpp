#include "base/waves/waves.h"

#include <algorithm>

#include "base/values/error.h"

namespace numavp {

std::string wave_bits(std::uint64_t value, unsigned count) {
    std::string bits(count, '0');
    for (unsigned i = 0; i < std::min(count, 64U); ++i)
        if ((value >> i & 1) != 0) bits[count - 1 - i] = '1';
    return bits;
}

namespace {
/// The byte's bits go to the place of byte `index`, the lowest being the last characters.
void put_byte(std::string& bits, std::size_t index, unsigned char byte) {
    for (unsigned i = 0; i < 8; ++i) bits[bits.size() - 1 - 8 * index - i] = (byte >> i & 1) != 0 ? '1' : '0';
}

std::string bits_of_text(const std::string& text, unsigned characters) {
    std::string bits(std::size_t{8} * characters, '0');
    for (std::size_t i = 0; i < std::min<std::size_t>(text.size(), characters); ++i)
        put_byte(bits, i, static_cast<unsigned char>(text[text.size() - 1 - i]));
    return bits;
}
} // namespace

// --- all signals

Waves::Waves(std::unique_ptr<WaveFile> file, std::uint64_t from_ps, std::uint64_t to_ps)
    : file_(std::move(file)), from_ps_(from_ps), to_ps_(to_ps) {}

Waves::~Waves() = default;

Waves::Signal Waves::declare(WaveSignal signal) {
    const std::string name = signal.scope + "." + signal.name;
    if (running_) throw ModelError("the waveform " + name + " is declared after the first value");
    if (!names_.insert(name).second) throw ModelError("there are two waveforms " + name);
    values_.emplace_back(signal.bits, 'x');
    signals_.push_back(std::move(signal));
    return signals_.size() - 1;
}

void Waves::set(Signal signal, std::uint64_t at_ps, std::uint64_t value) {
    set(signal, at_ps, wave_bits(value, signals_[signal].bits));
}

void Waves::set(Signal signal, std::uint64_t at_ps, std::string bits) {
    if (at_ps < now_ps_ || bits.size() != signals_[signal].bits)
        throw ModelError("the waveform " + signals_[signal].scope + "." + signals_[signal].name +
                         " is set in the past, or has another width");
    running_ = true;
    held_back_[at_ps].emplace_back(signal, std::move(bits));
}

void Waves::advance(std::uint64_t now_ps) {
    if (now_ps < now_ps_) throw ModelError("the time of waveforms goes back");
    now_ps_ = now_ps;
    while (!held_back_.empty() && held_back_.begin()->first < now_ps) {
        apply(held_back_.begin()->first, held_back_.begin()->second);
        held_back_.erase(held_back_.begin());
    }
}

void Waves::begin(std::uint64_t ps) {
    begun_ = true;
    file_->declare(signals_);
    file_->time(ps);
    for (Signal s = 0; s < signals_.size(); ++s)
        if (!signals_[s].same_as) file_->value(s, values_[s]);
    shown_ = values_;
}

void Waves::apply(std::uint64_t ps, const std::vector<Change>& changes) {
    if (ps > to_ps_) return;
    if (!begun_ && ps > from_ps_) begin(from_ps_);
    std::vector<Signal> changed;
    for (const auto& [signal, bits] : changes) {
        values_[signal] = bits;
        changed.push_back(signal);
    }
    if (begun_)
        write(ps, changed);
    else if (ps == from_ps_)
        begin(ps);
}

void Waves::write(std::uint64_t ps, const std::vector<Signal>& changed) {
    bool timed = false;
    for (const Signal s : changed) {
        if (values_[s] == shown_[s]) continue;
        if (!timed) file_->time(ps);
        timed = true;
        file_->value(s, values_[s]);
        shown_[s] = values_[s];
    }
}

void Waves::close() {
    const std::uint64_t end = end_ps();
    advance(now_ps_ + 1);
    if (!begun_) begin(from_ps_);
    file_->time(end);
    file_->close();
}

// --- a group

void WaveGroup::add(const std::string& scope, const std::string& name, unsigned bits,
                    std::function<std::uint64_t()> read, WaveRadix radix) {
    numbers_.push_back({waves_.declare({scope, name, bits, radix, name_}), std::move(read), 0});
}

void WaveGroup::add_bytes(const std::string& scope, const std::string& name, const unsigned char* bytes,
                          unsigned count) {
    const auto read = [bytes, count] {
        std::string bits(std::size_t{8} * count, '0');
        for (unsigned i = 0; i < count; ++i) put_byte(bits, i, bytes[i]);
        return bits;
    };
    wides_.push_back({waves_.declare({scope, name, 8 * count, WaveRadix::hexadecimal, name_}), read});
}

void WaveGroup::add_text(const std::string& scope, const std::string& name, unsigned characters,
                         std::function<std::string()> read) {
    wides_.push_back({waves_.declare({scope, name, 8 * characters, WaveRadix::text, name_}),
                      [characters, read = std::move(read)] { return bits_of_text(read(), characters); }});
}

void WaveGroup::sample() {
    const std::uint64_t now = clock_.now_ps();
    waves_.advance(now);
    for (Number& n : numbers_) {
        const std::uint64_t value = n.read();
        if (value == n.last && !first_) continue;
        n.last = value;
        waves_.set(n.signal, now, value);
    }
    for (const Wide& w : wides_) waves_.set(w.signal, now, w.read());
    first_ = false;
}

} // namespace numavp
