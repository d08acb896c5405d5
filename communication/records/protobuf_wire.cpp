#include "communication/records/protobuf_wire.h"

namespace numavp {

std::optional<std::uint64_t> WireReader::varint() {
    constexpr std::size_t kMost = 10; // 7 bits a byte
    std::uint64_t value = 0;
    for (std::size_t at = 0; at < rest_.size() && at < kMost; ++at) {
        const auto byte = static_cast<unsigned char>(rest_[at]);
        value |= std::uint64_t{byte & 0x7fU} << (7 * at);
        if (byte < 0x80) {
            rest_.remove_prefix(at + 1);
            return value;
        }
    }
    return {};
}

std::optional<std::string_view> WireReader::sized() {
    const std::optional<std::uint64_t> size = varint();
    if (!size || *size > rest_.size()) return {};
    const std::string_view bytes = rest_.substr(0, *size);
    rest_.remove_prefix(*size);
    return bytes;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
    if (rest_.size() < bytes) return {};
    std::uint64_t value = 0;
    for (std::size_t at = 0; at < bytes; ++at)
        value |= std::uint64_t{static_cast<unsigned char>(rest_[at])} << (8 * at);
    rest_.remove_prefix(bytes);
    return value;
}

std::optional<WireField> WireReader::field() {
    const std::optional<std::uint64_t> key = varint();
    constexpr std::uint64_t kMostKey = 0xffffffff;
    if (!key || *key > kMostKey || *key < 8) return {};
    WireField field{static_cast<std::uint32_t>(*key >> 3), static_cast<std::uint32_t>(*key & 7), 0, {}};
    std::optional<std::uint64_t> value;
    if (field.type == 0) value = varint();
    if (field.type == 1) value = fixed(8);
    if (field.type == 5) value = fixed(4);
    if (field.type == 2) {
        const std::optional<std::string_view> bytes = sized();
        if (!bytes) return {};
        field.bytes = *bytes;
        return field;
    }
    if (!value) return {};
    field.value = *value;
    return field;
}

bool append_numbers(const WireField& field, std::vector<std::uint64_t>& numbers) {
    if (field.type != 2) {
        numbers.push_back(field.value);
        return true;
    }
    for (WireReader packed(field.bytes); !packed.done();) {
        const std::optional<std::uint64_t> number = packed.varint();
        if (!number) return false;
        numbers.push_back(*number);
    }
    return true;
}

} // namespace numavp
