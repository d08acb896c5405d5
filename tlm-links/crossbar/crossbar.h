/// A crossbar of n ingress and m egress ports: the on-chip network of a socket and the switch between sockets.
///
/// Requests go from ingress to egress, responses back. Each direction has virtual output queues, a latency, and at each
/// output a round-robin arbiter and a bandwidth server. The queues of an input share its places: when these are all
/// taken by records for a busy output, the input's records for other outputs are held back too.
/// A total bandwidth, if given, bounds the requests and responses of all outputs together.
/// Optional: one packet per sector, which takes a number of cycles at input and output whatever its bytes, and inputs
/// with a single queue each, so that the first record blocks the others (crossbar_packets.cpp).
/// Not modelled: pipeline stages inside, speed-up limits of an input's buffer.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "base/values/fixed_array.h"
#include "tlm-links/crossbar/crossbar_config.h"
#include "tlm-links/crossbar/crossbar_input.h"
#include "tlm-links/crossbar/shared_server.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// Parameters of a crossbar that follow from the machine.
struct CrossbarShape {
    unsigned ingress = 1;
    unsigned egress = 1;
    std::uint64_t request_bytes_per_s = 0;  ///< of each output towards the egress ports
    std::uint64_t response_bytes_per_s = 0; ///< of each output towards the ingress ports
    std::uint64_t last_bytes_per_s = 0;     ///< of the last output each way, where a link is; 0: as the others
    unsigned last_queue_depth = 0;          ///< records that the last input each way holds; 0: as the others
    std::uint64_t total_bytes_per_s = 0;    ///< of all outputs together; 0: unbounded
    unsigned packet_cycles = 0;             ///< of a sector's packet at input and output; 0: bytes count
    bool input_fifo = false;                ///< with packet_cycles: no virtual output queues
    Part part = Part::noc;
    unsigned counted_ports = 0; ///< the first so many, of which the bytes towards them are statistics
};

/// Chooses the egress port of a request.
class RouteIf {
  public:
    virtual unsigned egress(unsigned ingress, const Txn& txn) const = 0;

  protected:
    ~RouteIf() = default;
};

/// Counts of one output.
struct OutputCounts {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
};

/// One direction of a crossbar: plain switching, without ports.
class Fabric {
  public:
    struct Spec {
        unsigned inputs, outputs, queue_depth, latency;
        std::uint64_t bytes_per_s;
        std::uint64_t last_bytes_per_s; ///< of the last output; 0: as the others
        bool responses;                 ///< which size of a record counts
        Rank rank;                      ///< of output 0; the others follow by index
        unsigned last_queue_depth = 0;  ///< of the last input; 0: as the others
        unsigned packet_cycles = 0;
        bool input_fifo = false;
    };
    /// Called when a record that waited at an input has got a place.
    class Upstream {
      public:
        virtual void admitted(unsigned input, Txn& txn) = 0;

      protected:
        ~Upstream() = default;
    };
    Fabric(ClockDomain& domain, const Spec& spec, Upstream& upstream, SharedServer* total);
    void connect(unsigned output, Wire& wire);
    /// True if there was room; else the record waits at the input until `admitted`.
    bool arrive(unsigned input, unsigned output, Txn& txn);
    const OutputCounts& counts(unsigned output) const { return outputs_[output].counts; }
    unsigned outputs() const { return spec_.outputs; }
    /// Number of records inside.
    unsigned held() const;
    /// What an arrival at `input` touches first.
    const void* touched_by_arrival(unsigned input) const { return &inputs_[input]; }
    /// One of the records that are held, for a report; null if none.
    const Txn* sample_held(unsigned& output) const;

  private:
    using Input = CrossbarInput;
    struct Fifo {                         ///< of an input whose first record blocks the others
        Cycle free_at = 0;                ///< first edge of its next packet
        TxnQueue behind;                  ///< all but the first record
        std::deque<std::uint16_t> leaves; ///< their outputs
    };
    /// Three cache lines: the first has all that an arrival touches, the second what a record that leaves needs
    /// besides, the third what is for records that wait and for other kinds of crossbars.
    struct alignas(64) Output final : Arbiter {
        Output(Fabric& owner, ClockDomain& domain, Rank rank, unsigned number);
        void arbitrate() override;
        void arbitrate_packets();
        void follow(const Txn& txn) const;
        /// The first input in turn that has a record for this output; -1: none.
        int next_input() const {
            if (many) return next_of_many();
            const std::uint64_t low = wanting[0], high = wanting[1];
            if ((low | high) == 0) return -1;
            if (turn >= 64) {
                if (const std::uint64_t later = high & (~0ULL << (turn - 64))) return 64 + __builtin_ctzll(later);
                return low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll(high);
            }
            const std::uint64_t later = low & (~0ULL << turn); // often none: chosen without a branch
            if (high != 0 && later == 0) return 64 + __builtin_ctzll(high);
            return __builtin_ctzll(later != 0 ? later : low);
        }
        int next_of_many() const;
        void name(unsigned input);
        static constexpr std::uint16_t kNone = 0xffff;
        int next_free_input(Cycle now) const;
        void want(unsigned input) {
            words()[input >> 6] |= 1ULL << (input & 63);
            wake();
        }
        void satisfied(unsigned input) { words()[input >> 6] &= ~(1ULL << (input & 63)); }
        std::uint64_t* words() { return many ? wide.get() : wanting.data(); }
        const std::uint64_t* words() const { return many ? wide.get() : wanting.data(); }
        const std::uint16_t number;
        std::array<std::uint64_t, 2> wanting{}; ///< bit per input that has a record for this output, if they suffice
        Wire* wire = nullptr;
        std::uint16_t turn = 0;      ///< input that is asked first
        std::uint16_t named = kNone; ///< input whose first record is among `touches`
        const bool many;             ///< more inputs than `wanting` has bits
        alignas(64) Fabric& fabric;
        BandwidthServer server;
        OutputCounts counts;
        Touches<3> touches{*this};
        Cycle busy_until = 0;                  ///< packet_cycles: its packet's end
        Cycle shared_until = 0;                ///< the shared bandwidth has work of this output until then
        std::unique_ptr<std::uint64_t[]> wide; ///< the same as `wanting` for more inputs
    };
    static_assert(sizeof(Output) == 192);
    void enqueue(unsigned input, unsigned output, Txn& txn);
    void admit(unsigned input);
    void queue_behind(unsigned input, unsigned output, Txn& txn);
    void next_of_fifo(unsigned input);
    Txn& take(unsigned input, Output& output);

    Spec spec_;
    Upstream& upstream_;
    SharedServer* total_;
    CrossbarInputs inputs_;
    std::vector<Fifo> fifos_; ///< of the inputs, with input_fifo
    FixedArray<Output> outputs_;
};

class Crossbar final : public sc_core::sc_module, public ModelPart, private RequesterIf, private ResponderIf {
  public:
    struct Resources {
        ClockDomain& domain;
        const RouteIf& route;
        Rank request_rank;
        Rank response_rank;
    };
    Crossbar(sc_core::sc_module_name name, const CrossbarConfig& config, const CrossbarShape& shape,
             const Resources& resources);

    tlm::tlm_target_socket<>& ingress(unsigned i) { return ingress_[i]->socket; }
    tlm::tlm_initiator_socket<>& egress(unsigned i) { return egress_[i]->socket; }
    const OutputCounts& requests(unsigned egress) const { return request_.counts(egress); }
    const OutputCounts& responses(unsigned ingress) const { return response_.counts(ingress); }
    /// Number of records inside that wait for an output.
    unsigned held() const { return request_.held() + response_.held(); }
    const Fabric& request_fabric() const { return request_; }
    const Fabric& response_fabric() const { return response_; }

    void add_statistics(StatGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string holding() const override;

  private:
    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    const void* touched_by_request(unsigned port) const override { return request_.touched_by_arrival(port); }
    const void* touched_by_response(unsigned port) const override { return response_.touched_by_arrival(port); }
    struct RequestSide final : Fabric::Upstream {
        Crossbar* owner = nullptr;
        void admitted(unsigned input, Txn& txn) override;
    } request_side_;
    struct ResponseSide final : Fabric::Upstream {
        Crossbar* owner = nullptr;
        void admitted(unsigned input, Txn& txn) override;
    } response_side_;

    unsigned counted_ports_;
    ClockDomain& domain_;
    const RouteIf& route_;
    std::unique_ptr<SharedServer> total_;
    std::vector<std::unique_ptr<TargetPort>> ingress_;
    std::vector<std::unique_ptr<InitiatorPort>> egress_;
    Fabric request_;
    Fabric response_;
};

} // namespace numavp
