#include "models/riscv/gdb_commands.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {

using gdb::Fields;
using gdb::kBusy;
using gdb::kFault;
using gdb::kFull;
using gdb::kMalformed;
using gdb::kOk;

namespace {

constexpr unsigned kGeneralRegisters = kGdbPc + 1; ///< of the packets g and G
constexpr std::size_t kRegisterDigits = 16;
constexpr unsigned kSignalInterrupt = 2;
constexpr unsigned kSignalTrap = 5;

struct GdbRange {
    std::uint64_t address;
    std::uint64_t bytes;
};

/// `address,bytes` as most packets have it, whatever the numbers are.
std::optional<GdbRange> address_and_bytes(Fields& fields) {
    const auto address = fields.number();
    if (!address || !fields.skip(",")) return std::nullopt;
    const auto bytes = fields.number();
    if (!bytes) return std::nullopt;
    return GdbRange{*address, *bytes};
}

/// Empty, or over the end of the address space; the sum of the two would have wrapped.
bool wraps(const GdbRange& range) { return range.bytes == 0 || range.bytes - 1 > ~range.address; }

} // namespace

GdbCommands::GdbCommands(GdbTarget& target) : target_(target), description_(gdb_description(target.csrs())) {}

GdbReply GdbCommands::answer(std::string_view packet) {
    const char letter = packet.empty() ? '\0' : packet.front();
    const Fields fields(packet.substr(std::min<std::size_t>(1, packet.size())));
    switch (letter) {
    case '?': return stop_reply();
    case 'g': return registers();
    case 'G': return set_registers(fields.rest());
    case 'p': return one_register(fields);
    case 'P': return set_one_register(fields);
    case 'm': return memory(fields);
    case 'M': return set_memory(fields, false);
    case 'X': return set_memory(fields, true);
    case 'Z': return change_point(fields, true);
    case 'z': return change_point(fields, false);
    case 'H': return select_thread(fields);
    case 'T': return GdbReply(core_of(fields.rest()) ? kOk : kMalformed);
    case 'c':
    case 'C':
    case 's':
    case 'S': return resume_one(packet);
    case 'v': return multi_letter(packet);
    case 'q':
    case 'Q': return query(packet);
    case 'D':
    case 'k': return answer_running(packet);
    default: return "";
    }
}

GdbReply GdbCommands::answer_running(std::string_view packet) {
    GdbReply reply;
    if (packet == "D" || packet.substr(0, 2) == "D;") {
        reply.text = kOk;
        reply.action = GdbAction::detach;
    } else if (packet == "k") {
        reply.action = GdbAction::kill;
    } else if (packet.substr(0, 6) == "vKill;") {
        reply.text = kOk;
        reply.action = GdbAction::kill;
    } else {
        reply.text = kBusy;
    }
    return reply;
}

std::string GdbCommands::stopped(const GdbStop& stop) {
    stop_ = stop;
    core_ = step_core_ = stop.core;
    return stop_reply();
}

void GdbCommands::leave() {
    for (const GdbPoint& point : points_) target_.remove(point);
    points_.clear();
    target_.resume(std::nullopt);
}

std::string GdbCommands::stop_reply() const {
    const char* watch = "";
    switch (stop_.why) {
    case GdbStop::Why::write_watch: watch = "watch"; break;
    case GdbStop::Why::read_watch: watch = "rwatch"; break;
    case GdbStop::Why::access_watch: watch = "awatch"; break;
    default: break;
    }
    const unsigned signal = stop_.why == GdbStop::Why::interrupted ? kSignalInterrupt : kSignalTrap;
    const std::string data = *watch != '\0' ? fmt::format("{}:{:x};", watch, stop_.address) : "";
    return fmt::format("T{:02x}{}thread:{:x};", signal, data, stop_.core + 1);
}

// ---- threads -------------------------------------------------------------------------------------------------------

std::optional<unsigned> GdbCommands::core_of(std::string_view thread) const {
    Fields fields(thread);
    const auto number = fields.number();
    if (!number || !fields.at_end() || *number == 0 || *number > target_.cores()) return std::nullopt;
    return static_cast<unsigned>(*number - 1);
}

std::string GdbCommands::select_thread(Fields fields) {
    const bool for_registers = fields.skip("g");
    if (!for_registers && !fields.skip("c")) return kMalformed;
    if (fields.rest() == "0" || fields.rest() == "-1") return kOk; // any, or all
    const auto core = core_of(fields.rest());
    if (!core) return kMalformed;
    (for_registers ? core_ : step_core_) = *core;
    return kOk;
}

std::string GdbCommands::thread_list() const {
    std::string list;
    for (unsigned core = 0; core < target_.cores(); ++core)
        list += fmt::format("{}{:x}", core == 0 ? "m" : ",", core + 1);
    return list;
}

// ---- registers and memory ------------------------------------------------------------------------------------------

std::string GdbCommands::registers() {
    std::string digits;
    for (unsigned i = 0; i < kGeneralRegisters; ++i) {
        const auto value = target_.read_register(core_, i);
        digits += value ? gdb::register_to_hex(*value) : std::string(kRegisterDigits, 'x');
    }
    return digits;
}

std::string GdbCommands::set_registers(std::string_view digits) {
    std::vector<std::uint64_t> values;
    if (digits.size() != kGeneralRegisters * kRegisterDigits) return kMalformed;
    for (std::size_t i = 0; i < kGeneralRegisters; ++i) {
        const auto value = gdb::register_from_hex(digits.substr(i * kRegisterDigits, kRegisterDigits));
        if (!value) return kMalformed;
        values.push_back(*value);
    }
    for (unsigned i = 0; i < kGeneralRegisters; ++i) {
        if (!target_.write_register(core_, i, values[i])) return kMalformed;
    }
    return kOk;
}

std::string GdbCommands::one_register(Fields fields) {
    const auto number = fields.number();
    if (!number || !fields.at_end() || *number >= kGdbFirstCsr + kGdbCsrs) return kMalformed;
    const auto value = target_.read_register(core_, static_cast<unsigned>(*number));
    return value ? gdb::register_to_hex(*value) : kMalformed;
}

std::string GdbCommands::set_one_register(Fields fields) {
    const auto number = fields.number();
    if (!number || !fields.skip("=") || *number >= kGdbFirstCsr + kGdbCsrs) return kMalformed;
    const auto value = gdb::register_from_hex(fields.rest());
    if (!value) return kMalformed;
    return target_.write_register(core_, static_cast<unsigned>(*number), *value) ? kOk : kMalformed;
}

std::string GdbCommands::memory(Fields fields) {
    const auto range = address_and_bytes(fields);
    if (!range || !fields.at_end()) return kMalformed;
    if (wraps(*range)) return kFault;
    // An answer may have fewer bytes than the packet asks for.
    std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(range->bytes, kPacketBytes / 2)), '\0');
    if (!target_.read_memory(range->address, reinterpret_cast<unsigned char*>(bytes.data()), bytes.size()))
        return kFault;
    return gdb::to_hex(bytes);
}

std::string GdbCommands::set_memory(Fields fields, bool binary) {
    const auto range = address_and_bytes(fields);
    if (!range || !fields.skip(":")) return kMalformed;
    const auto bytes = binary ? gdb::unescape(fields.rest()) : gdb::from_hex(fields.rest());
    if (!bytes || bytes->size() != range->bytes) return kMalformed;
    if (bytes->empty()) return kOk; // how GDB asks whether there is the packet
    if (wraps(*range)) return kFault;
    const auto* from = reinterpret_cast<const unsigned char*>(bytes->data());
    return target_.write_memory(range->address, from, bytes->size()) ? kOk : kFault;
}

// ---- points --------------------------------------------------------------------------------------------------------

std::string GdbCommands::change_point(Fields fields, bool insert) {
    const auto type = fields.number();
    if (!type || !fields.skip(",")) return kMalformed;
    const auto range = address_and_bytes(fields);
    if (!range || !fields.at_end()) return kMalformed;
    GdbPoint point;
    point.address = range->address;
    switch (*type) {
    case 0: // software and hardware breakpoints are one thing here: no instruction is overwritten
    case 1: break;
    case 2: point.kind = GdbPoint::Kind::write; break;
    case 3: point.kind = GdbPoint::Kind::read; break;
    case 4: point.kind = GdbPoint::Kind::access; break;
    default: return ""; // no such kind
    }
    if (point.kind != GdbPoint::Kind::instruction) {
        if (wraps(*range)) return kMalformed;
        point.bytes = range->bytes;
    }
    if (insert) return insert_point(point);
    const auto found = std::find(points_.begin(), points_.end(), point);
    if (found != points_.end()) {
        target_.remove(point);
        points_.erase(found);
    }
    return kOk;
}

std::string GdbCommands::insert_point(const GdbPoint& point) {
    if (std::find(points_.begin(), points_.end(), point) != points_.end()) return kOk;
    if (points_.size() == kMostPoints) return kFull;
    if (!target_.insert(point)) return kMalformed;
    points_.push_back(point);
    return kOk;
}

// ---- going on ------------------------------------------------------------------------------------------------------

GdbReply GdbCommands::resume(std::optional<unsigned> step) {
    target_.resume(step);
    GdbReply reply;
    reply.action = GdbAction::resume;
    return reply;
}

GdbReply GdbCommands::resume_one(std::string_view packet) {
    const char letter = packet.front();
    Fields fields(packet.substr(1));
    if (letter == 'C' || letter == 'S') { // with a signal, which the cores have no use for
        if (!fields.number()) return kMalformed;
        if (!fields.at_end() && !fields.skip(";")) return kMalformed;
    }
    if (!fields.at_end()) {
        const auto address = fields.number();
        if (!address || !fields.at_end() || !target_.write_register(step_core_, kGdbPc, *address)) return kMalformed;
    }
    const bool steps = letter == 's' || letter == 'S';
    return resume(steps ? std::optional(step_core_) : std::nullopt);
}

GdbReply GdbCommands::multi_letter(std::string_view packet) {
    Fields fields(packet);
    if (packet == "vCont?") return "vCont;c;C;s;S";
    if (fields.skip("vCont;")) return resume_threads(fields.rest());
    if (fields.skip("vKill;")) return answer_running(packet);
    return ""; // vMustReplyEmpty too
}

GdbReply GdbCommands::resume_threads(std::string_view actions) {
    // The leftmost action that names a thread holds for it; one without a thread holds for all that are left.
    bool resumes = false;
    std::optional<unsigned> step;
    std::vector<bool> told(target_.cores(), false);
    for (Fields fields(actions); !fields.at_end();) {
        Fields action(fields.until(';'));
        const bool steps = action.skip("s") || action.skip("S");
        if (!steps && !action.skip("c") && !action.skip("C")) return kMalformed;
        action.number(); // the signal
        const bool all = action.at_end() || action.rest() == ":-1";
        const bool named = !all && action.skip(":");
        const auto core = named ? core_of(action.rest()) : std::nullopt;
        if (!all && !core) return kMalformed;
        resumes = true;
        // GDB steps one thread at a time; of several the one that it looks at, or the first, is it.
        const auto apply = [&](unsigned which) {
            if (!told[which] && steps && !step) step = which;
            told[which] = true;
        };
        if (core)
            apply(*core);
        else {
            apply(core_);
            for (unsigned which = 0; which < told.size(); ++which) apply(which);
        }
    }
    return resumes ? resume(step) : GdbReply(kMalformed);
}

} // namespace numavp
