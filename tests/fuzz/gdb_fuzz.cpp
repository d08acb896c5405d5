/// GDB's packets: a line of the input is a packet, framed here so that it gets past the checksum; one that begins with
/// '!' is sent as it is, and one that begins with '^' is a stop of the simulation.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include "models/riscv/gdb_protocol.h"
#include "tests/models/riscv/gdb/fake_target.h"

namespace {

using namespace numavp;

void require(bool holds, const char* what, std::string_view sent, std::string_view out) {
    if (holds) return;
    std::cerr << what << "\n  sent: " << sent << "\n  answer: " << out << '\n';
    std::abort();
}

/// Packets in what goes to the debugger, which must be acknowledgements and whole packets only.
std::size_t packets_in(std::string_view sent, std::string_view out) {
    std::size_t packets = 0;
    for (std::size_t at = 0; at < out.size();) {
        if (out[at] == '+' || out[at] == '-') {
            ++at;
            continue;
        }
        const std::size_t hash = out.find('#', at);
        require(out[at] == '$' && hash != std::string_view::npos, "no packet", sent, out);
        const std::string_view payload = out.substr(at + 1, hash - at - 1);
        require(payload.size() <= GdbCommands::kPacketBytes, "an answer is too long", sent, out);
        const std::string whole = gdb::frame(payload);
        require(out.substr(at, whole.size()) == whole, "a wrong checksum", sent, out);
        at += whole.size();
        ++packets;
    }
    return packets;
}

class Session {
  public:
    void line(std::string_view text) {
        const char kind = text.empty() ? '\0' : text.front();
        if (kind == '^')
            stop(text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0);
        else if (kind == '!')
            take(text.substr(1));
        else
            packet(text);
        require(target_.breaches.empty(), target_.breaches.c_str(), text, "");
    }

  private:
    GdbAction take(std::string_view bytes) {
        std::string out;
        GdbAction action = protocol_.receive(bytes, out);
        const GdbAction first = action;
        for (unsigned more = 0; action != GdbAction::none && more < 100; ++more) action = protocol_.receive("", out);
        packets_ = packets_in(bytes, out);
        return first;
    }
    void packet(std::string_view payload) {
        if (payload.find_first_of("$#") != std::string_view::npos) return; // not one packet
        take("$#00");                                                      // ends what a raw line may have begun
        const GdbAction action = take(gdb::frame(payload));
        const bool silent = action == GdbAction::resume || action == GdbAction::kill;
        require(silent ? packets_ <= 1 : packets_ >= 1, "not the answers that it needs", payload, "");
    }
    void stop(unsigned char why) {
        std::string out;
        const auto last = static_cast<unsigned>(GdbStop::Why::access_watch);
        protocol_.stopped({static_cast<GdbStop::Why>(why % (last + 1)), why / 8U % 2, why * std::uint64_t{0x01010101}},
                          out);
        require(packets_in("^", out) <= 1, "two stop replies", "^", out);
    }

    test::FakeTarget target_;
    GdbProtocol protocol_{target_};
    std::size_t packets_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    Session session;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        session.line(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return 0;
}
