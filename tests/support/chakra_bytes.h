/// Execution traces of Chakra, message by message as protobuf encodes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace numavp::test::chakra {

inline std::string varint(std::uint64_t number) {
    std::string bytes;
    for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
    return bytes + static_cast<char>(number);
}
inline std::string sized(const std::string& bytes) { return varint(bytes.size()) + bytes; }
inline std::string number_field(unsigned field, std::uint64_t number) { return varint(field << 3) + varint(number); }
inline std::string text_field(unsigned field, const std::string& bytes) {
    return varint(field << 3 | 2) + sized(bytes);
}
/// `type`: field of the value; 13 is uint64, 27 bool.
inline std::string attribute(const std::string& name, std::uint64_t number, unsigned type = 13) {
    return text_field(10, text_field(1, name) + number_field(type, number));
}
inline std::string group(const std::string& name) {
    return text_field(10, text_field(1, "pg_name") + text_field(29, name));
}
/// Ids of nodes that a node waits for, packed; field 5 by data, 4 by control.
inline std::string waits(const std::vector<unsigned>& ids, unsigned field = 5) {
    std::string packed;
    for (const unsigned id : ids) packed += varint(id);
    return packed.empty() ? "" : text_field(field, packed);
}
inline std::string node(unsigned id, unsigned type, const std::string& more, const std::vector<unsigned>& before = {}) {
    return sized(number_field(1, id) + text_field(2, "n" + std::to_string(id)) + number_field(3, type) + waits(before) +
                 more);
}
inline std::string lasts(unsigned us) { return number_field(7, us); }
inline std::string on_cpu(bool is = true) { return attribute("is_cpu_op", is ? 1 : 0, 27); }
inline std::string communicates(unsigned kind, std::uint64_t bytes) {
    return attribute("comm_type", kind, 9) + attribute("comm_size", bytes);
}

inline const std::string kMetadata = sized(text_field(1, "0.0.4"));
enum Type : unsigned { metadata = 1, load = 2, store = 3, compute = 4, send = 5, receive = 6, collective = 7 };

} // namespace numavp::test::chakra
