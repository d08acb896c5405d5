/// Fields of protobuf messages, read without a schema: the part of the encoding that readers of a few fields need
/// (protobuf.dev/programming-guides/encoding). The library would be one more package of a first run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace numavp {

struct WireField {
    std::uint32_t number = 0;
    std::uint32_t type = 0; ///< 0 varint, 1 eight bytes, 2 a length and bytes, 5 four bytes
    std::uint64_t value = 0;
    std::string_view bytes; ///< of type 2
};

class WireReader {
  public:
    explicit WireReader(std::string_view bytes) : rest_(bytes) {}

    bool done() const { return rest_.empty(); }
    /// The next number or field; none if the rest is cut off or malformed.
    std::optional<std::uint64_t> varint();
    std::optional<WireField> field();
    /// Reads a length and that many bytes.
    std::optional<std::string_view> sized();

  private:
    std::optional<std::uint64_t> fixed(std::size_t bytes);

    std::string_view rest_;
};

/// Appends the numbers of a repeated field, one or several packed. False if the field is cut off.
bool append_numbers(const WireField& field, std::vector<std::uint64_t>& numbers);

} // namespace numavp
