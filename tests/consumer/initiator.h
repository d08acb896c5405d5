/// An initiator of another team: writes ranges of memory, reads them back, and compares with a copy of its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

class Initiator final : public sc_core::sc_module {
  public:
    struct Range {
        std::uint64_t base;
        std::vector<unsigned char> copy; ///< what must be there
    };

    SC_HAS_PROCESS(Initiator);
    Initiator(sc_core::sc_module_name name, const std::vector<std::uint64_t>& bases, unsigned bytes)
        : sc_module(name), socket("socket") {
        for (const std::uint64_t base : bases) ranges_.push_back({base, std::vector<unsigned char>(bytes)});
        socket.register_nb_transport_bw(this, &Initiator::nb_transport_bw);
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<Initiator> socket;

    /// Every range is written and read back once blocking, once non-blocking.
    bool finished() const { return finished_; }
    std::uint64_t compared() const { return compared_; }
    std::uint64_t to_compare() const { return kStyles * ranges_.size() * ranges_.front().copy.size(); }
    std::uint64_t wrong() const { return wrong_; }
    const std::vector<Range>& ranges() const { return ranges_; }

  private:
    using Payload = tlm::tlm_generic_payload;
    static constexpr unsigned kStyles = 2;
    static constexpr unsigned kOutstanding = 3;

    struct Access final : Payload {
        const unsigned char* expected = nullptr;
        std::vector<unsigned char> data;
    };
    struct Manager final : tlm::tlm_mm_interface {
        void free(Payload* payload) override { delete static_cast<Access*>(payload); }
    };

    void run() {
        for (unsigned style = 0; style < kStyles; ++style)
            for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND})
                for (Range& range : ranges_) {
                    pass(range, command, style == 0);
                    while (outstanding_ != 0) wait(answered_);
                }
        finished_ = true;
    }

    /// The whole range in pieces of any length and alignment.
    void pass(Range& range, tlm::tlm_command command, bool blocking) {
        for (std::size_t at = 0; at < range.copy.size();) {
            const std::size_t n = std::min<std::size_t>(1 + random() % 300, range.copy.size() - at);
            auto* access = new Access;
            access->set_mm(&manager_);
            access->acquire();
            access->data.resize(n);
            if (command == tlm::TLM_WRITE_COMMAND)
                for (std::size_t i = 0; i < n; ++i)
                    access->data[i] = range.copy[at + i] = static_cast<unsigned char>(random());
            else
                access->expected = &range.copy[at];
            access->set_command(command);
            access->set_address(range.base + at);
            access->set_data_ptr(access->data.data());
            access->set_data_length(static_cast<unsigned>(n));
            access->set_streaming_width(static_cast<unsigned>(n));
            blocking ? call(*access) : send(*access);
            at += n;
        }
    }
    void call(Access& access) {
        sc_core::sc_time delay(random() % 4000, sc_core::SC_PS);
        socket->b_transport(access, delay);
        wait(delay);
        ++outstanding_;
        check(access);
    }
    void send(Access& access) {
        while (outstanding_ == kOutstanding) wait(answered_);
        ++outstanding_;
        requesting_ = &access;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        switch (socket->nb_transport_fw(access, phase, delay)) {
        case tlm::TLM_COMPLETED: requesting_ = nullptr; return check(access);
        case tlm::TLM_UPDATED: requesting_ = nullptr; break; // END_REQ
        case tlm::TLM_ACCEPTED: break;
        }
        while (requesting_) wait(request_ended_);
        wait(sc_core::sc_time(700, sc_core::SC_PS));
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
        if (requesting_ == &payload) { // END_REQ, or BEGIN_RESP that implies it
            requesting_ = nullptr;
            request_ended_.notify(sc_core::SC_ZERO_TIME);
        }
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        check(static_cast<Access&>(payload));
        return tlm::TLM_COMPLETED;
    }
    void check(Access& access) {
        const bool failed = !access.is_response_ok();
        if (failed) wrong_ += access.data.size();
        for (std::size_t i = 0; access.expected && !failed && i < access.data.size(); ++i) {
            ++compared_;
            wrong_ += access.data[i] != access.expected[i];
        }
        access.release();
        --outstanding_;
        answered_.notify(sc_core::SC_ZERO_TIME);
    }
    unsigned random() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<unsigned>(state_ >> 40);
    }

    std::vector<Range> ranges_;
    Manager manager_;
    Access* requesting_ = nullptr; ///< in its request phase
    unsigned outstanding_ = 0;
    sc_core::sc_event request_ended_, answered_;
    bool finished_ = false;
    std::uint64_t compared_ = 0, wrong_ = 0;
    std::uint64_t state_ = 1;
};
