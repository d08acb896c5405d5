#include "communication/records/chakra_trace.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
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
    case control:
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

ChakraTrace read_chakra(std::string_view bytes, const std::string& path) {
    ChakraTrace trace{path, {}};
    WireReader messages(bytes);
    messages.sized(); // the metadata
    while (!messages.done()) {
        const std::optional<std::string_view> message = messages.sized();
        const std::size_t number = trace.nodes.size() + 1;
        if (!message) throw ConfigError(path, fmt::format("it ends within node {}", number));
        ChakraNode node;
        for (WireReader fields(*message); !fields.done();) {
            const std::optional<WireField> field = fields.field();
            if (!field || !take_field(*field, node)) throw ConfigError(path, fmt::format("node {} is cut", number));
        }
        trace.nodes.push_back(std::move(node));
    }
    return trace;
}

ChakraTrace read_chakra_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (!in.good() && !in.eof()) throw ConfigError(path, "cannot read it");
    return read_chakra(bytes, path);
}

} // namespace numavp
