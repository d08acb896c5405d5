#include "communication/records/chakra_trace.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/json_file.h"
#include "communication/records/protobuf_wire.h"

namespace numavp {

namespace {

/// The number of an attribute, whichever of the integer types it was written as; 0 of others.
std::uint64_t number_of(const WireField& value) {
    constexpr std::uint32_t kDouble = 3, kFloat = 5, kSint32 = 15, kSint64 = 17;
    if (value.number == kDouble || value.number == kFloat) {
        double number = 0;
        if (value.number == kDouble) {
            std::memcpy(&number, &value.value, sizeof number);
        } else {
            const auto bits = static_cast<std::uint32_t>(value.value);
            float narrow = 0;
            std::memcpy(&narrow, &bits, sizeof narrow);
            number = static_cast<double>(narrow);
        }
        constexpr double kMost = 9e15; // whole numbers are exact below
        return number >= 0 && number < kMost ? static_cast<std::uint64_t>(std::llround(number)) : 0;
    }
    if (value.number == kSint32 || value.number == kSint64) return (value.value >> 1) ^ (~(value.value & 1) + 1);
    return value.value;
}

/// False if the attribute is cut.
bool take_attribute(std::string_view bytes, ChakraNode& node) {
    std::string_view name;
    WireField value;
    constexpr std::uint32_t kName = 1, kDoc = 2, kText = 29;
    for (WireReader reader(bytes); !reader.done();) {
        const std::optional<WireField> field = reader.field();
        if (!field) return false;
        if (field->number == kName)
            name = field->bytes;
        else if (field->number != kDoc)
            value = *field;
    }
    const std::uint64_t number = number_of(value);
    if (name == "is_cpu_op") node.on_cpu = number != 0;
    if (name == "num_ops") node.operations = number;
    if (name == "tensor_size") node.tensor_bytes = number;
    if (name == "comm_type") node.kind = number;
    if (name == "comm_size") node.bytes = number;
    if (name == "comm_src") node.from = number;
    if (name == "comm_dst") node.to = number;
    if (name == "comm_tag") node.tag = number;
    if (name == "pg_name" && value.number == kText) node.group = std::string(value.bytes);
    return true;
}

bool take_field(const WireField& field, ChakraNode& node) {
    enum Field : std::uint32_t { id = 1, name = 2, type = 3, control = 4, data = 5, duration = 7, attribute = 10 };
    switch (field.number) {
    case id: node.id = field.value; return true;
    case name: node.name = printable(std::string(field.bytes)); return true;
    case type: node.type = field.value; return true;
    case control: return append_numbers(field, node.follows);
    case data: return append_numbers(field, node.waits);
    case duration: node.duration_us = field.value; return true;
    case attribute: return take_attribute(field.bytes, node);
    default: return true;
    }
}

} // namespace

bool looks_like_chakra(std::string_view bytes, bool whole) {
    WireReader messages(bytes);
    const std::optional<std::string_view> first = messages.sized();
    if (!first || messages.done()) return false;
    constexpr std::uint32_t kVersion = 1, kAttributes = 2;
    for (WireReader fields(*first); !fields.done();) {
        const std::optional<WireField> field = fields.field();
        if (!field || field->type != 2 || (field->number != kVersion && field->number != kAttributes)) return false;
    }
    return whole ? messages.sized().has_value() : messages.varint().has_value();
}

namespace {
constexpr std::uint64_t kMostMessageBytes = std::uint64_t{64} << 20; // metadata and nodes are a thousandth of it
constexpr std::size_t kMostTraceNodes = 10'000'000;
constexpr std::size_t kMostKeptBytes = std::size_t{1} << 30; // of names and waits

/// Messages of a stream, each behind its length.
class MessageReader {
  public:
    MessageReader(std::istream& in, const std::string& path) : in_(in), path_(path) {}

    bool done() { return in_.peek() == std::istream::traits_type::eof(); }
    /// The next message, which `what` names in errors; valid until the next call.
    std::string_view next(const std::string& what) {
        const std::uint64_t size = length(what);
        if (size > kMostMessageBytes)
            throw ConfigError(path_,
                              fmt::format("{} has {} bytes; at most {} are allowed", what, size, kMostMessageBytes));
        // Piece by piece: a length that nothing follows takes no memory.
        constexpr std::size_t kPiece = std::size_t{1} << 20;
        bytes_.clear();
        while (bytes_.size() < size) {
            const std::size_t had = bytes_.size(), piece = std::min<std::size_t>(kPiece, size - had);
            bytes_.resize(had + piece);
            in_.read(bytes_.data() + had, static_cast<std::streamsize>(piece));
            if (static_cast<std::size_t>(in_.gcount()) != piece) cut(what);
        }
        return bytes_;
    }

  private:
    [[noreturn]] void cut(const std::string& what) const {
        throw ConfigError(path_, fmt::format("it ends within {}", what));
    }
    std::uint64_t length(const std::string& what) {
        std::string digits;
        for (int byte = 0x80; (byte & 0x80) != 0; digits += static_cast<char>(byte)) {
            byte = in_.get();
            if (byte == std::istream::traits_type::eof()) cut(what);
            if (digits.size() == 10) throw ConfigError(path_, fmt::format("{} has no length", what));
        }
        const std::optional<std::uint64_t> size = WireReader(digits).varint();
        if (!size) throw ConfigError(path_, fmt::format("{} has no length", what));
        return *size;
    }

    std::istream& in_;
    const std::string& path_;
    std::string bytes_;
};
} // namespace

ChakraTrace read_chakra(std::istream& in, const std::string& path) {
    ChakraTrace trace{path, {}};
    MessageReader messages(in, path);
    if (!messages.done()) messages.next("its metadata");
    std::size_t kept = 0;
    while (!messages.done()) {
        const std::string what = fmt::format("node {}", trace.nodes.size() + 1);
        if (trace.nodes.size() == kMostTraceNodes)
            throw ConfigError(path,
                              fmt::format("it has more than {} nodes, the most that are allowed", kMostTraceNodes));
        ChakraNode node;
        for (WireReader fields(messages.next(what)); !fields.done();) {
            const std::optional<WireField> field = fields.field();
            if (!field || !take_field(*field, node)) throw ConfigError(path, what + " is cut");
        }
        kept +=
            node.name.size() + node.group.size() + sizeof(std::uint64_t) * (node.waits.size() + node.follows.size());
        if (kept > kMostKeptBytes)
            throw ConfigError(path, fmt::format("names and dependences up to {} have more than {} bytes, the most that "
                                                "are allowed",
                                                what, kMostKeptBytes));
        trace.nodes.push_back(std::move(node));
    }
    return trace;
}

ChakraTrace read_chakra(std::string_view bytes, const std::string& path) {
    std::istringstream in{std::string(bytes)};
    return read_chakra(in, path);
}

ChakraTrace read_chakra_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(path, "cannot read it");
    ChakraTrace trace = read_chakra(in, path);
    if (in.bad()) throw ConfigError(path, "cannot read it");
    return trace;
}

} // namespace numavp
