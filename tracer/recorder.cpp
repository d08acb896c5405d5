#include "tracer/recorder.h"

#include <algorithm>

namespace numavp::tracer {
namespace {

std::uint64_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); } // NOLINT

/// A name with what JSON escapes.
std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') made += '\\';
        made += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return made + '"';
}

void write_list(std::ostream& out, const char* member, const std::vector<std::uint64_t>& ids) {
    out << ",\"" << member << "\":[";
    for (std::size_t i = 0; i < ids.size(); ++i) out << (i == 0 ? "" : ",") << ids[i];
    out << ']';
}

} // namespace

std::uint64_t Recorder::make(std::uint64_t address, std::uint64_t bytes, MemoryKind kind, unsigned device) {
    const std::uint64_t id = ++values_;
    out_ << "{\"allocation\":{\"id\":" << id << ",\"pos\":" << address << ",\"size\":" << bytes
         << ",\"loc\":{\"type\":";
    if (kind == MemoryKind::device)
        out_ << "\"cuda\",\"id\":" << device << "}";
    else
        out_ << "\"host\",\"id\":0}";
    out_ << ",\"mem\":{\"type\":\"" << (kind == MemoryKind::pinned ? "pagelocked" : "pageable") << "\"}}}\n";
    out_ << "{\"val\":{\"id\":" << id << ",\"size\":" << bytes << ",\"allocation\":" << id << "}}\n";
    ranges_[address] = {bytes, id};
    return id;
}

void Recorder::allocated(const void* address, std::uint64_t bytes, MemoryKind kind, unsigned device) {
    if (address == nullptr || bytes == 0) return;
    const std::lock_guard lock(mutex_);
    make(number_of(address), bytes, kind, device);
}

void Recorder::freed(const void* address) {
    const std::lock_guard lock(mutex_);
    ranges_.erase(number_of(address));
}

std::uint64_t Recorder::value_at(const void* address, std::uint64_t bytes) const {
    const std::uint64_t at = number_of(address);
    auto found = ranges_.upper_bound(at);
    if (found == ranges_.begin()) return 0;
    --found;
    const bool inside = at - found->first < found->second.bytes && at - found->first + bytes <= found->second.bytes;
    return inside ? found->second.value : 0;
}

std::uint64_t Recorder::value_or_host(const void* address, std::uint64_t bytes) {
    const std::uint64_t known = value_at(address, bytes);
    return known != 0 ? known : make(number_of(address), bytes, MemoryKind::pageable, 0);
}

void Recorder::write(const Call& call, const std::vector<std::uint64_t>& inputs,
                     const std::vector<std::uint64_t>& outputs, std::uint64_t bytes, const char* activity) {
    const std::uint64_t id = ++calls_;
    if (call.duration != 0)
        out_ << "{\"" << activity << "\":{\"correlation_id\":" << id << ",\"stream_id\":" << call.stream
             << ",\"dur\":" << call.duration << "}}\n";
    out_ << "{\"api\":{\"name\":" << quoted(call.name) << ",\"device\":" << call.device << ",\"correlation_id\":" << id
         << ",\"wall_start\":" << call.begin << ",\"wall_end\":" << std::max(call.begin, call.end);
    if (!call.symbol.empty()) out_ << ",\"symbolname\":" << quoted(call.symbol);
    if (bytes != 0) out_ << ",\"dstCount\":" << bytes;
    write_list(out_, "inputs", inputs);
    write_list(out_, "outputs", outputs);
    out_ << "}}\n" << std::flush;
}

void Recorder::copied(const Call& call, const void* to, const void* from, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::lock_guard lock(mutex_);
    const std::uint64_t input = value_or_host(from, bytes), output = value_or_host(to, bytes);
    write(call, {input}, {output}, bytes, "transfer");
}

void Recorder::computed(const Call& call, const std::vector<const void*>& reads,
                        const std::vector<const void*>& writes) {
    const std::lock_guard lock(mutex_);
    const auto values = [this](const std::vector<const void*>& addresses) {
        std::vector<std::uint64_t> ids;
        for (const void* address : addresses) {
            const std::uint64_t id = value_at(address, 1);
            if (id != 0 && std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
        }
        return ids;
    };
    write(call, values(reads), values(writes), 0, "compute");
}

std::uint64_t Recorder::stream_number(const void* handle) {
    if (handle == nullptr) return 0;
    const std::lock_guard lock(mutex_);
    return streams_.emplace(handle, streams_.size() + 1).first->second;
}

} // namespace numavp::tracer
