/// A socket's link to the switch: lanes that can turn around, in both directions, for requests and responses.
///
/// Packets are striped over all lanes that face their way, so a direction is one server of bandwidth and keeps its
/// order. Turning a lane lets the packet in service end (quiesce), then takes the switch time, in which the lane counts
/// for neither direction. Out is from the socket (egress), in is to it (ingress). Requests and responses have separate
/// queues; a direction alternates between them.
/// Not modelled: errors and retries, the microseconds of PLL resynchronisation (the paper hides them).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "tlm-links/lanes/lane_turner.h"
#include "tlm-links/link/link_config.h"
#include "tlm-links/link/turn_set.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

class WaveGroup;

/// Totals of one direction.
struct DirectionCounts {
    std::uint64_t request_packets = 0;
    std::uint64_t response_packets = 0;
    std::uint64_t bytes = 0;
};

class Link final : public sc_core::sc_module,
                   public ModelPart,
                   private RequesterIf,
                   private ResponderIf,
                   private LaneDirections {
  public:
    /// Called whenever lanes have turned: edge, lanes out, lanes in.
    using LaneHook = std::function<void(Cycle, LaneSplit)>;

    Link(sc_core::sc_module_name name, const LinkConfig& config, ClockDomain& domain, Rank rank);
    ~Link() override;

    tlm::tlm_target_socket<>& socket_out(unsigned i) { return socket_out_[i]->socket; }
    tlm::tlm_initiator_socket<>& switch_out() { return switch_out_.socket; }
    tlm::tlm_target_socket<>& switch_in() { return switch_in_.socket; }
    tlm::tlm_initiator_socket<>& socket_in() { return socket_in_.socket; }

    /// Call it when a kernel starts while no other runs: the balancer sets the lanes of the start.
    void launch();
    /// No kernel runs: sampling stops until the next launch.
    void rest();
    LaneSplit lanes() const { return turner_.lanes(); }
    unsigned turning() const { return turner_.turning(); }
    std::uint64_t lane_turns() const { return turner_.turns(); }
    const DirectionCounts& out() const { return out_.counts; }
    const DirectionCounts& in() const { return in_.counts; }
    /// Bytes that have left in a direction by now; and lane-cycles in which its lanes could have carried bytes, none of
    /// them after rest().
    std::uint64_t busy_bytes_out() const { return out_.server.busy_bytes(domain_.now()); }
    std::uint64_t busy_bytes_in() const { return in_.server.busy_bytes(domain_.now()); }
    std::uint64_t lane_cycles_out() const { return lane_cycles(LaneWay::out); }
    std::uint64_t lane_cycles_in() const { return lane_cycles(LaneWay::in); }
    /// Bytes that the lanes that face in now carry in `cycles` cycles.
    std::uint64_t ingress_capacity_bytes(Cycle cycles) const { return in_.server.capacity_bytes(cycles); }
    unsigned held() const { return held_out() + held_in(); }
    unsigned held_out() const { return out_.held(); } ///< packets that wait for a direction's lanes
    unsigned held_in() const { return in_.held(); }
    const Txn* sample_held() const;
    const LinkConfig& config() const { return config_; }
    void on_lanes(LaneHook hook) { lane_hook_ = std::move(hook); }
    double sent_energy_pj() const;

    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string holding() const override;

  private:
    /// Serialises the requests and responses of one direction.
    struct Direction final : Arbiter {
        Direction(Link& owner, ClockDomain& domain, Rank rank, std::uint64_t bytes_per_s, unsigned inputs);
        void arbitrate() override;
        bool send_request(Cycle now);
        void follow(const Txn& txn, const Wire& wire) const;
        bool send_response(Cycle now);
        unsigned held() const;
        Link& link;
        BandwidthServer server;
        DirectionCounts counts;
        std::vector<Inlet> requests;  ///< one an input
        std::vector<Inlet> responses; ///< one an input
        Wire* request_wire = nullptr;
        bool outward = true;
        bool response_turn = false;
        unsigned turn = 0;
        TurnSet pending; ///< request inputs that hold something
    };
    /// Samples the directions and turns lanes; a separate arbiter, so that it acts after the directions of an edge.
    struct Control final : Arbiter {
        Control(Link& owner, ClockDomain& domain, Rank rank) : Arbiter(domain, rank), link(owner) {}
        void arbitrate() override { wake_when_due(link.turner_.act(link.domain_.now())); }
        void wake_when_due(Cycle next) {
            if (next != kNever) wake_at(next);
        }
        Link& link;
    };

    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void admit_request(Direction& d, unsigned input);
    void admit_response(Direction& d, unsigned input);
    Wire& response_wire(Direction& d, Txn& txn);
    const Direction& direction(LaneWay way) const { return way == LaneWay::out ? out_ : in_; }
    void set_lanes(LaneWay way, unsigned lanes) override;
    Cycle free_at(LaneWay way) const override { return direction(way).server.free_at(); }
    std::uint64_t carried(LaneWay way) const override { return direction(way).server.busy_bytes(domain_.now()); }
    std::uint64_t lane_cycles_of(std::uint64_t bytes) const override;
    std::uint64_t lane_cycles(LaneWay way) const {
        return rests_ ? ended_lane_cycles_[static_cast<unsigned>(way)] : turner_.lane_cycles(way, domain_.now());
    }
    void lanes_changed(Cycle now) override;

    LinkConfig config_;
    ClockDomain& domain_;
    std::vector<std::unique_ptr<TargetPort>> socket_out_;
    InitiatorPort switch_out_;
    TargetPort switch_in_;
    InitiatorPort socket_in_;
    Direction out_;
    Direction in_;
    Control control_;
    LaneTurner turner_;
    std::array<std::uint64_t, 2> ended_lane_cycles_{}; ///< at rest(), by LaneWay
    bool rests_ = false;
    LaneHook lane_hook_;
    WaveGroup* lane_waves_ = nullptr; ///< null: no waveforms
};

} // namespace numavp
