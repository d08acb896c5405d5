/// The lexical level of GDB's remote protocol: frames with checksums, hexadecimal, escapes. No meaning, no network.
///
/// "Debugging with GDB", appendix E.1 (Overview) and E.2 (Packets). Run-length encoding of answers is not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace numavp::gdb {

/// Hexadecimal text, two digits per byte.
std::string to_hex(std::string_view bytes);
/// Bytes of a hexadecimal text; none if it has an odd number of digits or other characters.
std::optional<std::string> from_hex(std::string_view digits);

/// A register's value as in packets: 16 digits, the lowest byte first.
std::string register_to_hex(std::uint64_t value);
std::optional<std::uint64_t> register_from_hex(std::string_view digits);

/// Escapes the characters of binary data that have a meaning in frames.
std::string escape(std::string_view bytes);
/// Inverse of escape(); none if the text ends within an escape.
std::optional<std::string> unescape(std::string_view text);

/// Frame of a payload: `$payload#checksum`.
std::string frame(std::string_view payload);

/// Reads the fields of a packet from left to right.
class Fields {
  public:
    explicit Fields(std::string_view text) : text_(text) {}
    /// Skips `prefix` and returns true if it comes next.
    bool skip(std::string_view prefix);
    /// Reads a number of 1 to 16 hexadecimal digits; none if there is none.
    std::optional<std::uint64_t> number();
    /// Returns the text before the next `end`, or the rest if there is none; skips the `end` too.
    std::string_view until(char end);
    std::string_view rest() const { return text_; }
    bool at_end() const { return text_.empty(); }

  private:
    std::string_view text_;
};

/// Event that a byte from the debugger completes.
enum class FrameEvent : std::uint8_t { none, packet, bad_checksum, too_long, ack, nack, interrupt };

/// Finds packets in a stream of bytes. Bytes between packets are skipped; a `$` within a packet begins a new one.
class Framer {
  public:
    explicit Framer(std::size_t longest) : longest_(longest) {}
    FrameEvent take(char byte);
    /// After FrameEvent::packet: the text between `$` and `#`, valid until the next byte is taken.
    std::string_view packet() const { return packet_; }

  private:
    enum class State : std::uint8_t { between, inside, first_digit, second_digit };

    FrameEvent take_between(char byte);
    void take_inside(char byte);
    FrameEvent ended();

    std::size_t longest_;
    State state_ = State::between;
    std::string packet_;
    bool too_long_ = false;
    std::uint8_t sum_ = 0;
    char first_ = 0;
};

} // namespace numavp::gdb
