/// Two memories of another team, on tlm_utils alone: one loosely timed, one with the four phases of the base protocol.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

/// Bytes below `size`; what was never written reads as zero.
class Store {
  public:
    explicit Store(std::uint64_t size) : size_(size) {}
    /// Inverts the first byte of the first write at `address` or above.
    void spoil_from(std::uint64_t address) { spoil_ = address; }

    unsigned reads = 0, writes = 0;

    void perform(tlm::tlm_generic_payload& payload) {
        const std::uint64_t address = payload.get_address();
        if (address + payload.get_data_length() > size_) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        ++(payload.is_write() ? writes : reads);
        for (unsigned i = 0; i < payload.get_data_length(); ++i) access_byte(payload, i, address + i);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    unsigned debug(tlm::tlm_generic_payload& payload) {
        if (!payload.is_read()) return 0;
        for (unsigned i = 0; i < payload.get_data_length(); ++i)
            payload.get_data_ptr()[i] = bytes_[payload.get_address() + i];
        return payload.get_data_length();
    }

  private:
    void access_byte(tlm::tlm_generic_payload& payload, unsigned i, std::uint64_t address) {
        const unsigned char* enables = payload.get_byte_enable_ptr();
        if (enables && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) return;
        unsigned char& data = payload.get_data_ptr()[i];
        if (payload.is_read()) {
            data = bytes_[address];
            return;
        }
        const bool spoil = address >= spoil_;
        bytes_[address] = static_cast<unsigned char>(spoil ? ~data : data);
        if (spoil) spoil_ = ~0ULL;
    }

    std::uint64_t size_;
    std::uint64_t spoil_ = ~0ULL;
    std::unordered_map<std::uint64_t, unsigned char> bytes_;
};

/// Blocking transport with an annotated delay; the socket itself serves non-blocking callers.
class LooseMemory final : public sc_core::sc_module {
  public:
    LooseMemory(sc_core::sc_module_name name, std::uint64_t size) : sc_module(name), store(size), socket("socket") {
        socket.register_b_transport(this, &LooseMemory::b_transport);
        socket.register_transport_dbg(this, &LooseMemory::debug);
    }
    Store store;
    tlm_utils::simple_target_socket<LooseMemory> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        store.perform(payload);
        delay += sc_core::sc_time(73.3, sc_core::SC_NS);
    }
    unsigned debug(tlm::tlm_generic_payload& payload) { return store.debug(payload); }
};

/// Non-blocking transport: END_REQ after 1.3 ns, BEGIN_RESP after 61.7 ns, one response at a time.
class PhasedMemory final : public sc_core::sc_module {
  public:
    PhasedMemory(sc_core::sc_module_name name, std::uint64_t size)
        : sc_module(name), store(size), socket("socket"), events_(this, &PhasedMemory::act) {
        socket.register_nb_transport_fw(this, &PhasedMemory::nb_transport_fw);
        socket.register_transport_dbg(this, &PhasedMemory::debug);
    }
    Store store;
    tlm_utils::simple_target_socket<PhasedMemory> socket;

  private:
    using Payload = tlm::tlm_generic_payload;

    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::BEGIN_REQ) payload.acquire();
        events_.notify(payload, phase, delay);
        return tlm::TLM_ACCEPTED;
    }
    unsigned debug(Payload& payload) { return store.debug(payload); }

    void act(Payload& payload, const tlm::tlm_phase& phase) {
        if (phase == tlm::BEGIN_REQ) {
            events_.notify(payload, tlm::END_REQ, sc_core::sc_time(1.3, sc_core::SC_NS));
            events_.notify(payload, tlm::BEGIN_RESP, sc_core::sc_time(61.7, sc_core::SC_NS));
        } else if (phase == tlm::END_REQ) {
            send(payload, tlm::END_REQ);
        } else if (phase == tlm::BEGIN_RESP) {
            store.perform(payload);
            waiting_.push_back(&payload);
            respond();
        } else {
            response_ended();
        }
    }
    tlm::tlm_sync_enum send(Payload& payload, tlm::tlm_phase phase) {
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        return socket->nb_transport_bw(payload, phase, delay);
    }
    void respond() {
        if (responding_ || waiting_.empty()) return;
        responding_ = true;
        if (send(*waiting_.front(), tlm::BEGIN_RESP) != tlm::TLM_ACCEPTED) response_ended();
    }
    void response_ended() {
        waiting_.front()->release();
        waiting_.pop_front();
        responding_ = false;
        respond();
    }

    std::deque<Payload*> waiting_; ///< the first one is in its response phase if `responding_`
    bool responding_ = false;
    tlm_utils::peq_with_cb_and_phase<PhasedMemory> events_;
};
