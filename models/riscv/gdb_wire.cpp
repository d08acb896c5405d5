#include "models/riscv/gdb_wire.h"

#include <algorithm>

namespace numavp::gdb {
namespace {

constexpr char kDigits[] = "0123456789abcdef";
constexpr char kEscape = '}';
constexpr unsigned char kEscapeBit = 0x20;
constexpr unsigned kRegisterDigits = 16;

std::optional<unsigned> digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return std::nullopt;
}

std::optional<unsigned> two_digits(char high, char low) {
    const auto h = digit(high);
    const auto l = digit(low);
    if (!h || !l) return std::nullopt;
    return *h << 4 | *l;
}

void append_hex(std::string& text, unsigned byte) {
    text += kDigits[byte >> 4 & 15];
    text += kDigits[byte & 15];
}

char escaped(char c) { return static_cast<char>(static_cast<unsigned char>(c) ^ kEscapeBit); }

} // namespace

std::string to_hex(std::string_view bytes) {
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) append_hex(text, static_cast<unsigned char>(c));
    return text;
}

std::optional<std::string> from_hex(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto byte = two_digits(digits[i], digits[i + 1]);
        if (!byte) return std::nullopt;
        bytes += static_cast<char>(*byte);
    }
    return bytes;
}

std::string register_to_hex(std::uint64_t value) {
    std::string text;
    for (unsigned shift = 0; shift < 64; shift += 8) append_hex(text, static_cast<unsigned>(value >> shift & 255));
    return text;
}

std::optional<std::uint64_t> register_from_hex(std::string_view digits) {
    if (digits.size() != kRegisterDigits) return std::nullopt;
    const auto bytes = from_hex(digits);
    if (!bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = bytes->size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>((*bytes)[i]);
    return value;
}

std::string escape(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    for (const char c : bytes) {
        const bool special = c == '$' || c == '#' || c == '*' || c == kEscape;
        if (special) text += kEscape;
        text += special ? escaped(c) : c;
    }
    return text;
}

std::optional<std::string> unescape(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != kEscape) {
            bytes += text[i];
        } else {
            if (++i == text.size()) return std::nullopt;
            bytes += escaped(text[i]);
        }
    }
    return bytes;
}

std::string frame(std::string_view payload) {
    unsigned sum = 0;
    for (const char c : payload) sum += static_cast<unsigned char>(c);
    std::string text = "$";
    text += payload;
    text += '#';
    append_hex(text, sum & 255);
    return text;
}

bool Fields::skip(std::string_view prefix) {
    if (text_.substr(0, prefix.size()) != prefix) return false;
    text_.remove_prefix(prefix.size());
    return true;
}

std::optional<std::uint64_t> Fields::number() {
    std::uint64_t value = 0;
    std::size_t digits = 0;
    for (; digits < text_.size(); ++digits) {
        const auto next = digit(text_[digits]);
        if (!next) break;
        if (digits == kRegisterDigits) return std::nullopt; // it would wrap
        value = value << 4 | *next;
    }
    if (digits == 0) return std::nullopt;
    text_.remove_prefix(digits);
    return value;
}

std::string_view Fields::until(char end) {
    const std::size_t length = std::min(text_.find(end), text_.size());
    const std::string_view field = text_.substr(0, length);
    text_.remove_prefix(std::min(length + 1, text_.size()));
    return field;
}

FrameEvent Framer::take(char byte) {
    switch (state_) {
    case State::between: return take_between(byte);
    case State::inside: take_inside(byte); return FrameEvent::none;
    case State::first_digit:
        first_ = byte;
        state_ = State::second_digit;
        return FrameEvent::none;
    default:
        state_ = State::between;
        const auto sum = two_digits(first_, byte);
        return sum && *sum == sum_ ? ended() : FrameEvent::bad_checksum;
    }
}

FrameEvent Framer::ended() { return too_long_ ? FrameEvent::too_long : FrameEvent::packet; }

FrameEvent Framer::take_between(char byte) {
    switch (byte) {
    case '$': take_inside(byte); return FrameEvent::none;
    case '+': return FrameEvent::ack;
    case '-': return FrameEvent::nack;
    case '\x03': return FrameEvent::interrupt;
    default: return FrameEvent::none;
    }
}

void Framer::take_inside(char byte) {
    if (byte == '$') {
        state_ = State::inside;
        packet_.clear();
        too_long_ = false;
        sum_ = 0;
    } else if (byte == '#') {
        state_ = State::first_digit;
    } else {
        sum_ = static_cast<std::uint8_t>(sum_ + static_cast<unsigned char>(byte));
        if (packet_.size() < longest_)
            packet_ += byte;
        else
            too_long_ = true;
    }
}

} // namespace numavp::gdb
