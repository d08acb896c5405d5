/// A socket's link to the switch: lanes that can turn around, in both directions, for requests and responses.
///
/// Packets are striped over all lanes that face their way, so a direction is one server of bandwidth and keeps its
/// order. Turning a lane lets the packet in service end (quiesce), then takes the switch time, in which the lane counts
/// for neither direction. Out is from the socket (egress), in is to it (ingress). Requests and responses have separate
/// queues; a direction alternates between them.
/// With `errors` a packet that arrives wrong is sent again, with all behind it (tlm-links/retry), and a direction with
/// too many errors loses a lane. Not modelled: the microseconds of PLL resynchronisation (the paper hides them).
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/microseconds.h"
#include "tlm-links/lanes/lane_turner.h"
#include "tlm-links/link/link_config.h"
#include "tlm-links/link/link_line.h"
#include "tlm-links/link/turn_set.h"
#include "tlm-links/protocol/ports.h"
#include "tlm-links/retry/error_window.h"

namespace numavp {

class WaveGroup;

class Link final : public sc_core::sc_module,
                   public ModelPart,
                   private RequesterIf,
                   private ResponderIf,
                   private LaneDirections {
  public:
    /// Called whenever lanes have turned: edge, lanes out, lanes in.
    using LaneHook = std::function<void(Cycle, LaneSplit)>;
    /// Called when a packet is sent that will have to be sent again: edge, edge at which it arrives, its errors.
    using ErrorHook = std::function<void(Cycle, Cycle, LaneWay, std::uint64_t)>;

    Link(sc_core::sc_module_name name, const LinkConfig& config, ClockDomain& domain, Rank rank);
    ~Link() override;

    tlm::tlm_target_socket<>& socket_out(unsigned i) { return socket_out_[i]->socket; }
    tlm::tlm_initiator_socket<>& switch_out() { return switch_out_.socket; }
    tlm::tlm_target_socket<>& switch_in() { return switch_in_.socket; }
    tlm::tlm_initiator_socket<>& socket_in() { return socket_in_.socket; }

    /// Call it when a kernel starts while no other runs: the balancer sets the lanes of the start.
    void launch();
    /// Takes another balancer, parameters or times, between edges; all else of `config` stays as it was built.
    void change(const LinkConfig& config);
    /// No kernel runs: sampling stops until the next launch.
    void rest();
    /// Retires a lane of a direction at an edge, after which it rests for `retrain_cycles`: call it before statistics
    /// are added.
    void retire_at(LaneWay way, Cycle edge, Cycle retrain_cycles);
    LaneSplit lanes() const { return turner_.lanes(); }
    unsigned turning() const { return turner_.turning(); }
    std::uint64_t lane_turns() const { return turner_.turns(); }
    unsigned retired_lanes() const { return turner_.retired(); }
    const DirectionCounts& out() const { return out_.counts; }
    const DirectionCounts& in() const { return in_.counts; }
    /// Bytes that have left in a direction by now; and lane-cycles in which its lanes could have carried bytes, none of
    /// them after rest().
    std::uint64_t busy_bytes_out() const { return out_.line.busy_bytes(domain_.now()); }
    std::uint64_t busy_bytes_in() const { return in_.line.busy_bytes(domain_.now()); }
    std::uint64_t lane_cycles_out() const { return lane_cycles(LaneWay::out); }
    std::uint64_t lane_cycles_in() const { return lane_cycles(LaneWay::in); }
    /// Bytes that the lanes that face in now carry in `cycles` cycles.
    std::uint64_t ingress_capacity_bytes(Cycle cycles) const { return in_.line.capacity_bytes(cycles); }
    unsigned held() const { return held_out() + held_in(); }
    unsigned held_out() const { return out_.held(); } ///< packets that wait for a direction's lanes
    unsigned held_in() const { return in_.held(); }
    const Txn* sample_held() const;
    const LinkConfig& config() const { return config_; }
    void on_lanes(LaneHook hook) { lane_hook_ = std::move(hook); }
    void on_errors(ErrorHook hook) { error_hook_ = std::move(hook); }
    double sent_energy_pj() const;
    std::uint64_t errors() const; ///< both directions
    std::uint64_t replayed_bytes() const;
    /// Of packets sent again, both directions: half of the energy of the whole way, since they cross one of two links.
    double replay_energy_pj() const;

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
        Cycle free_at(Cycle now) const { return std::max(line.free_at(now), paused_until); }
        Cycle serve(Cycle now, unsigned bytes);
        Link& link;
        LinkLine line;
        ErrorWindow wear;
        Cycle paused_until = 0; ///< while it goes over to fewer lanes
        struct Retirement {
            Cycle at, retrain_cycles;
        };
        std::vector<Retirement> retirements{}; ///< of lanes, to come
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
        void arbitrate() override {
            wake_when_due(link.retire_due());
            wake_when_due(link.turner_.act(link.domain_.now()));
        }
        void start() { wake_at_start(); }
        void wake_when_due(Cycle next) {
            if (next != kNever) wake_at(next);
        }
        Link& link;
    };

    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void set_retry(Direction& d, const char* stream) const;
    void note_errors(Direction& d, Cycle now, Cycle left);
    Cycle retire_due();
    void add_errors(StatGroup& g, const Direction& d) const;
    void admit_request(Direction& d, unsigned input);
    void admit_response(Direction& d, unsigned input);
    Wire& response_wire(Direction& d, Txn& txn);
    Cycle cycles_of(double us) const { return edges_in_us(us, domain_.khz()); }
    const Direction& direction(LaneWay way) const { return way == LaneWay::out ? out_ : in_; }
    void set_lanes(LaneWay way, unsigned lanes) override;
    Cycle free_at(LaneWay way) const override { return direction(way).line.settled_at(); }
    std::uint64_t carried(LaneWay way) const override { return direction(way).line.busy_bytes(domain_.now()); }
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
    bool can_retire_;
    LaneHook lane_hook_;
    ErrorHook error_hook_;
    WaveGroup* lane_waves_ = nullptr; ///< null: no waveforms
};

} // namespace numavp
