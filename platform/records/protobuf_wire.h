/// Fields of protobuf messages without their schema: what a reader of a few fields needs of the encoding
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
    /// Nothing if what is left is cut or is none.
    std::optional<std::uint64_t> varint();
    std::optional<WireField> field();
    /// A length, and as many bytes.
    std::optional<std::string_view> sized();

  private:
    std::optional<std::uint64_t> fixed(std::size_t bytes);

    std::string_view rest_;
};

/// Repeated whole numbers: one, or several in a packed field. False if the field is cut.
bool append_numbers(const WireField& field, std::vector<std::uint64_t>& numbers);

} // namespace numavp
