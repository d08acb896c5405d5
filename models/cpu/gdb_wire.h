/// The letters of GDB's remote protocol: frames with checksums, hexadecimal, escapes. No meaning, no sockets.
///
/// "Debugging with GDB", appendix E.1 (Overview) and E.2 (Packets). Run-length encoding of answers is not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace numavp::gdb {

/// Two digits a byte.
std::string to_hex(std::string_view bytes);
/// Nothing if the digits are odd in number or no digits.
std::optional<std::string> from_hex(std::string_view digits);

/// A register as packets have it: 16 digits, the lowest byte first.
std::string register_to_hex(std::uint64_t value);
std::optional<std::uint64_t> register_from_hex(std::string_view digits);

/// Binary data: what frames are made of is escaped.
std::string escape(std::string_view bytes);
/// Nothing if it ends within an escape.
std::optional<std::string> unescape(std::string_view text);

/// `$payload#checksum`.
std::string frame(std::string_view payload);

/// Reads a packet from left to right.
class Fields {
  public:
    explicit Fields(std::string_view text) : text_(text) {}
    /// Passes `prefix` if it comes next.
    bool skip(std::string_view prefix);
    /// A number of 1 to 16 hexadecimal digits.
    std::optional<std::uint64_t> number();
    /// What stands before the next `end`, or all that is left; passes the `end` too.
    std::string_view until(char end);
    std::string_view rest() const { return text_; }
    bool at_end() const { return text_.empty(); }

  private:
    std::string_view text_;
};

/// What a byte from the debugger completes.
enum class FrameEvent : std::uint8_t { none, packet, bad_checksum, too_long, ack, nack, interrupt };

/// Finds packets in a stream of bytes. What stands between packets is skipped; a `$` within one begins it anew.
class Framer {
  public:
    explicit Framer(std::size_t longest) : longest_(longest) {}
    FrameEvent take(char byte);
    /// Behind FrameEvent::packet: what stood between `$` and `#`, until the next byte is taken.
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
