#include "models/riscv/gdb_protocol.h"

#include <utility>

namespace numavp {

using gdb::FrameEvent;

GdbAction GdbProtocol::receive(std::string_view bytes, std::string& out) {
    waiting_ += bytes;
    std::size_t taken = 0;
    GdbAction action = GdbAction::none;
    while (taken < waiting_.size() && action == GdbAction::none) action = take(framer_.take(waiting_[taken++]), out);
    waiting_.erase(0, taken);
    return action;
}

GdbAction GdbProtocol::take(FrameEvent event, std::string& out) {
    switch (event) {
    case FrameEvent::packet: return answer(out);
    case FrameEvent::bad_checksum:
        // Without acknowledgements the debugger does not send it again; executing it would be worse than an error.
        if (acknowledges_)
            out += '-';
        else
            send("E84", out);
        return GdbAction::none;
    case FrameEvent::too_long:
        if (acknowledges_) out += '+';
        send("E90", out);
        return GdbAction::none;
    case FrameEvent::nack:
        if (acknowledges_) out += last_sent_;
        return GdbAction::none;
    // One that comes after the stop was meant for the running simulation: the stop has answered it.
    case FrameEvent::interrupt: return running_ ? GdbAction::interrupt : GdbAction::none;
    default: return GdbAction::none;
    }
}

GdbAction GdbProtocol::answer(std::string& out) {
    if (acknowledges_) out += '+';
    const GdbReply reply = running_ ? commands_.answer_running(framer_.packet()) : commands_.answer(framer_.packet());
    for (const std::string& text : reply.console) send(text, out);
    if (reply.text) send(*reply.text, out);
    if (reply.without_acks) acknowledges_ = false;
    if (reply.action == GdbAction::resume) running_ = true;
    if (reply.action == GdbAction::detach) leave();
    return reply.action;
}

void GdbProtocol::send(std::string_view payload, std::string& out) {
    last_sent_ = gdb::frame(payload);
    out += last_sent_;
}

void GdbProtocol::stopped(const GdbStop& stop, std::string& out) {
    const std::string reply = commands_.stopped(stop);
    if (std::exchange(running_, false)) send(reply, out);
}

void GdbProtocol::ended(int status, std::string& out) {
    if (!std::exchange(running_, false)) return;
    send("W" + gdb::to_hex(std::string(1, static_cast<char>(status))), out);
}

void GdbProtocol::leave() { commands_.leave(); }

} // namespace numavp
