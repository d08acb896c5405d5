/// Packets of GdbCommands that query the target's properties and abilities, and `monitor`.
#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "base/values/name_table.h"
#include "models/riscv/gdb_commands.h"

namespace numavp {

using gdb::Fields;
using gdb::kMalformed;
using gdb::kOk;

namespace {

/// Text of `monitor` in one packet: two digits a byte, a letter before them.
constexpr std::size_t kConsoleBytes = GdbCommands::kPacketBytes / 2 - 8;

} // namespace

GdbReply GdbCommands::query(std::string_view packet) {
    if (packet == "QStartNoAckMode") {
        GdbReply reply = GdbReply(kOk);
        reply.without_acks = true;
        return reply;
    }
    if (packet == "qC") return fmt::format("QC{:x}", core_ + 1);
    if (packet == "qfThreadInfo") return thread_list();
    if (packet == "qsThreadInfo") return "l";
    if (packet == "qSymbol::") return kOk; // no symbol is wanted
    Fields fields(packet);
    if (fields.skip("qSupported"))
        return fmt::format("PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;vContSupported+", kPacketBytes);
    // The simulation was there before the debugger: at its end GDB detaches, which lets it go on.
    if (fields.skip("qAttached")) return "1";
    if (fields.skip("qThreadExtraInfo,")) {
        const auto core = core_of(fields.rest());
        return core ? gdb::to_hex(fmt::format("core {}", *core)) : kMalformed;
    }
    if (fields.skip("qXfer:features:read:")) return description_part(fields);
    if (fields.skip("qRcmd,")) return monitor(fields.rest());
    return "";
}

std::string GdbCommands::description_part(Fields fields) const {
    if (fields.until(':') != "target.xml") return "E02"; // no such annex
    const auto offset = fields.number();
    if (!offset || !fields.skip(",")) return kMalformed;
    const auto length = fields.number();
    if (!length || !fields.at_end() || *offset > description_.size()) return kMalformed;
    // Half a packet, since an escape doubles a byte.
    const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(*length, kPacketBytes / 2 - 1));
    const std::string_view part = std::string_view(description_).substr(static_cast<std::size_t>(*offset), most);
    return (*offset + part.size() == description_.size() ? "l" : "m") + gdb::escape(part);
}

GdbReply GdbCommands::monitor(std::string_view digits) {
    const auto line = gdb::from_hex(digits);
    if (!line) return kMalformed;
    GdbReply reply = GdbReply(kOk);
    const std::string answer = monitor_text(*line);
    for (std::size_t from = 0; from < answer.size(); from += kConsoleBytes)
        reply.console.push_back("O" + gdb::to_hex(std::string_view(answer).substr(from, kConsoleBytes)));
    return reply;
}

std::string GdbCommands::monitor_text(const std::string& line) {
    std::istringstream stream(line);
    const std::vector<std::string> words{std::istream_iterator<std::string>(stream), {}};
    const std::vector<GdbCommand> commands = target_.monitor_commands();
    if (!words.empty() && words[0] != "help") {
        if (auto answer = target_.monitor(words)) {
            if (!answer->empty() && answer->back() != '\n') *answer += '\n';
            return *answer;
        }
        std::vector<std::string_view> known{"help"};
        for (const GdbCommand& command : commands) known.push_back(command.name);
        return unknown_name("monitor command", words[0], known) + "\n";
    }
    std::string help = "help: the commands of monitor\n";
    for (const GdbCommand& command : commands) help += fmt::format("{}: {}\n", command.name, command.doc);
    return help;
}

std::string gdb_description(const std::vector<GdbCsr>& csrs) {
    std::string xml = "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
                      "<target version=\"1.0\">\n<architecture>riscv:rv64</architecture>\n"
                      // gdb takes an unknown target for Linux, and steps over mret as over a call of that kernel.
                      "<osabi>none</osabi>\n"
                      "<feature name=\"org.gnu.gdb.riscv.cpu\">\n";
    const auto add = [&xml](const std::string& name, unsigned number, const char* type) {
        xml += fmt::format("<reg name=\"{}\" bitsize=\"64\" regnum=\"{}\" type=\"{}\"/>\n", name, number, type);
    };
    for (unsigned i = 0; i < kGdbPc; ++i) add(fmt::format("x{}", i), i, "int");
    add("pc", kGdbPc, "code_ptr");
    xml += "</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n";
    for (const GdbCsr& csr : csrs) add(csr.name, kGdbFirstCsr + csr.number, "int");
    return xml + "</feature>\n</target>\n";
}

} // namespace numavp
