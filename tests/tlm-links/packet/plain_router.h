/// The router of router_core.h written down a second time, in nested loops: every cycle it looks at every input,
/// virtual channel and output, and keeps nothing that follows from something else.
#pragma once

#include <deque>
#include <vector>

#include "tlm-links/packet/router_core.h"

namespace numavp::test {

class PlainRouter {
  public:
    /// A packet: its output, the virtual channels there that it may take, its flits.
    struct Packet {
        RouterCore::Route route;
        unsigned flits;
    };
    /// A flit that was given the switch.
    struct Gone {
        unsigned in, in_vc, out, out_vc;
        bool head, tail;
    };

    PlainRouter(unsigned ports, unsigned vcs, unsigned credits, const std::vector<Packet>& packets)
        : ports_(ports), vcs_(vcs), packets_(packets), inputs_(ports, std::vector<Input>(vcs)),
          outputs_(ports, std::vector<Output>(vcs, {credits, false, 0})), port_(ports) {}

    /// Half cycles that an output takes for a flit, at least two.
    void set_interval(unsigned output, unsigned halves) { port_[output].interval = halves; }
    void arrive(Cycle now, unsigned in, unsigned vc, PacketIndex packet) {
        Input& i = inputs_[in][vc];
        ++i.flits;
        if (packet == kNoPacket) return;
        i.packets.push_back(packet);
        if (i.packets.size() == 1) begin(i, now + 1);
    }
    void credit(unsigned out, unsigned vc) { ++outputs_[out][vc].credits; }

    std::vector<Gone> step(Cycle now) {
        std::vector<Gone> gone = give_switch(now);
        give_channels(now);
        for (Gone& g : gone) leave(now, g);
        return gone;
    }

  private:
    struct Input {
        std::deque<PacketIndex> packets;
        unsigned flits = 0, sent = 0;
        Cycle asks_at = 0;
        bool has_channel = false;
        unsigned out_vc = 0;
        unsigned last_out = ~0U, last_vc = 0; ///< the channel that it accepted last
    };
    struct Output {
        unsigned credits;
        bool taken;
        unsigned turn; ///< input times channels, plus channel, that is asked first
    };
    struct Port {
        unsigned vc_turn = 0, grant_turn = 0, accept_turn = 0;
        unsigned interval = 2;
        std::uint64_t free_at = 0; ///< in half cycles
    };

    const Packet& front(const Input& i) const { return packets_[i.packets.front()]; }
    static void begin(Input& i, Cycle asks_at) {
        i.asks_at = asks_at;
        i.has_channel = false;
        i.sent = 0;
    }
    bool open(unsigned out, Cycle now) const { return port_[out].free_at <= 2 * now; }
    bool could_send(unsigned in, unsigned vc, unsigned out) const {
        const Input& i = inputs_[in][vc];
        return !i.packets.empty() && i.has_channel && i.flits != 0 && front(i).route.port == out &&
               outputs_[out][i.out_vc].credits != 0;
    }
    /// The virtual channel of an input that asks for an output; `vcs_` if none does.
    unsigned asking(unsigned in, unsigned out) const {
        for (unsigned k = 0; k < vcs_; ++k)
            if (const unsigned vc = (port_[in].vc_turn + k) % vcs_; could_send(in, vc, out)) return vc;
        return vcs_;
    }
    std::vector<Gone> give_switch(Cycle now) {
        std::vector<unsigned> granted(ports_, ports_); // by output: the input
        for (unsigned out = 0; out < ports_; ++out)
            for (unsigned k = 0; k < ports_ && open(out, now) && granted[out] == ports_; ++k)
                if (const unsigned in = (port_[out].grant_turn + k) % ports_; asking(in, out) != vcs_)
                    granted[out] = in;
        std::vector<Gone> gone;
        for (unsigned in = 0; in < ports_; ++in) {
            for (unsigned k = 0; k < ports_; ++k) {
                const unsigned out = (port_[in].accept_turn + k) % ports_;
                if (granted[out] != in) continue;
                gone.push_back({in, asking(in, out), out, 0, false, false});
                break;
            }
        }
        for (const Gone& g : gone) {
            port_[g.out].grant_turn = (g.in + 1) % ports_;
            port_[g.in].accept_turn = (g.out + 1) % ports_;
            port_[g.in].vc_turn = (g.in_vc + 1) % vcs_;
        }
        return gone;
    }

    bool asks_channel(unsigned in, unsigned vc, unsigned out, unsigned out_vc, Cycle now) const {
        const Input& i = inputs_[in][vc];
        return !i.packets.empty() && !i.has_channel && i.asks_at <= now && front(i).route.port == out &&
               (front(i).route.vcs >> out_vc & 1U) != 0;
    }
    void give_channels(Cycle now) {
        for (unsigned out = 0; out < ports_; ++out) {
            std::vector<unsigned> granted(vcs_, ports_ * vcs_); // by channel: input times channels, plus channel
            for (unsigned v = 0; v < vcs_; ++v)
                for (unsigned k = 0; k < ports_ * vcs_ && !outputs_[out][v].taken && granted[v] == ports_ * vcs_; ++k)
                    if (const unsigned q = (outputs_[out][v].turn + k) % (ports_ * vcs_);
                        asks_channel(q / vcs_, q % vcs_, out, v, now))
                        granted[v] = q;
            for (unsigned q = 0; q < ports_ * vcs_; ++q) accept_channel(q, out, granted);
        }
    }
    /// The first after the one that the input had last at this output; else the first of all.
    void accept_channel(unsigned q, unsigned out, const std::vector<unsigned>& granted) {
        Input& i = inputs_[q / vcs_][q % vcs_];
        const unsigned turn = i.last_out == out ? i.last_vc + 1 : 0;
        for (unsigned k = 0; k < vcs_; ++k) {
            const unsigned v = (turn + k) % vcs_;
            if (granted[v] != q) continue;
            i.has_channel = true;
            i.out_vc = i.last_vc = v;
            i.last_out = out;
            outputs_[out][v].taken = true;
            outputs_[out][v].turn = (q + 1) % (ports_ * vcs_);
            return;
        }
    }

    void leave(Cycle now, Gone& g) {
        Input& i = inputs_[g.in][g.in_vc];
        Port& out = port_[g.out];
        g.out_vc = i.out_vc;
        g.head = i.sent == 0;
        g.tail = ++i.sent == front(i).flits;
        --i.flits;
        --outputs_[g.out][g.out_vc].credits;
        if (out.interval > 2) out.free_at = (out.free_at + 2 > 2 * now ? out.free_at : 2 * now) + out.interval;
        if (!g.tail) return;
        outputs_[g.out][g.out_vc].taken = false;
        i.packets.pop_front();
        if (!i.packets.empty()) begin(i, now + 2);
    }

    unsigned ports_, vcs_;
    const std::vector<Packet>& packets_;
    std::vector<std::vector<Input>> inputs_;
    std::vector<std::vector<Output>> outputs_;
    std::vector<Port> port_;
};

} // namespace numavp::test
