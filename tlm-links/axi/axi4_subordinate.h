/// The core of a bridge from AXI4: takes bursts off plain-struct pins, one cycle per call, and hands them on as
/// accesses to consecutive bytes. No SystemC.
///
/// Any number of ids. Answers come in the order of the requests within an id and direction, else as they finish; bursts
/// are not interleaved. A read is ordered by its address handshake, a write by its last beat: from then on a burst
/// waits while an older one that it overlaps is open, unless both read. So overlapping writes of one id end in order,
/// as AXI requires, and a manager that waits for an answer sees the data that was answered. Beyond AXI, this order also
/// holds between ids. Write data is taken after its address.
/// Each channel stalls when its places are taken: arready and awready go low; wready is low without an address.
/// A burst that is not INCR of full beats within 4 KB, or whose WLAST is misplaced, is answered SLVERR, one that leaves
/// the range DECERR; neither is handed on. Not done: FIXED, WRAP, narrow beats, exclusive access.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl/axi4_pins.h"

namespace numavp {

/// A burst as bytes at consecutive addresses, from its start address to the end of its last beat.
struct Axi4Burst {
    unsigned index = 0; ///< of its place, which is the same object for one burst after the other
    bool write = false;
    unsigned id = 0;
    std::uint64_t address = 0;
    unsigned bytes = 0;
    bool partial = false; ///< of a write: not all bytes are enabled

    /// Buffer from the byte at `address` on: for the data that a read returns, or with the data of a write.
    unsigned char* data() { return lanes + address % rtl::kAxiBytes; }
    /// Byte enables of a partial write: 0xff for each byte that is written, else 0.
    unsigned char* enables() { return strobes + address % rtl::kAxiBytes; }

    // The subordinate's.
    unsigned char* lanes = nullptr; ///< of the first beat on
    unsigned char* strobes = nullptr;
    unsigned beats = 0;
    unsigned beat = 0; ///< next to be taken or shown
    unsigned response = rtl::kAxiOkay;
    bool unanswered = false;
    bool finished = false;
    bool held = false;             ///< by the module that serves it
    bool behind = false;           ///< an older burst of its id and direction is unanswered
    Axi4Burst* follower = nullptr; ///< the next one of its id and direction
    Axi4Burst* next = nullptr;     ///< in the queue that it waits in
};

struct Axi4SubordinateConfig {
    unsigned reads = 16;        ///< bursts that may be taken and not answered
    unsigned writes = 16;       ///< the same
    std::uint64_t size = ~0ULL; ///< addresses from here on are answered DECERR
};

class Axi4Subordinate {
  public:
    explicit Axi4Subordinate(const Axi4SubordinateConfig& config);
    Axi4Subordinate(const Axi4Subordinate&) = delete;
    Axi4Subordinate& operator=(const Axi4Subordinate&) = delete;

    /// Simulates a rising edge at which the manager drives `m`.
    void edge(const rtl::AxiManagerPins& m);
    /// Pins that the subordinate drives after the last edge.
    const rtl::AxiSubordinatePins& pins() const { return pins_; }

    /// Next burst to be served, or null. It stays open until `finish()`, and its buffer is reserved until `release()`.
    Axi4Burst* next_request();
    /// Ends the service of a burst: its answer is on the pins from the next edge on, or when its turn comes.
    void finish(Axi4Burst& burst, unsigned response);
    /// Tells that the caller no longer uses the burst's buffer, which may then be reused.
    void release(Axi4Burst& burst);
    /// True if no answer is due to the manager: no more edges are needed.
    bool idle() const { return unanswered_ == 0 && !pins_.b.valid && !pins_.r.valid; }
    unsigned places() const { return static_cast<unsigned>(bursts_.size()); }

  private:
    class Queue {
      public:
        bool empty() const { return !first_; }
        Axi4Burst* front() const { return first_; }
        void push(Axi4Burst& burst);
        Axi4Burst* pop();

      private:
        Axi4Burst* first_ = nullptr;
        Axi4Burst* last_ = nullptr;
    };

    std::vector<Axi4Burst*>& free_places(bool write) { return write ? free_writes_ : free_reads_; }
    void end_answers(const rtl::AxiManagerPins& m);
    void take_data(const rtl::AxiManagerPins& m);
    static void store(Axi4Burst& burst, std::uint64_t strobes, const rtl::AxiData& data);
    Axi4Burst& take_address(const rtl::AxiAddressPins& a, bool write);
    unsigned refusal(const rtl::AxiAddressPins& a) const;
    void queue_behind_its_id(Axi4Burst& burst);
    void taken(Axi4Burst& burst);
    void finished(Axi4Burst& burst);
    void answered(Axi4Burst& burst);
    void free_if_done(Axi4Burst& burst);
    bool must_wait(const Axi4Burst& burst) const;
    void show_write_response();
    void show_read_beat();

    std::uint64_t size_;
    rtl::AxiSubordinatePins pins_;
    std::vector<unsigned char> bytes_; ///< lanes and strobes of all places
    std::vector<Axi4Burst> bursts_;    ///< places of reads, then of writes
    std::vector<Axi4Burst*> free_reads_;
    std::vector<Axi4Burst*> free_writes_;
    Queue data_due_;              ///< writes, in the order of their addresses
    Queue waiting_;               ///< to be served
    std::vector<Axi4Burst*> out_; ///< being served
    Queue write_answers_;         ///< that may be shown
    Queue read_answers_;
    Axi4Burst* reading_ = nullptr; ///< whose beats are being shown
    unsigned unanswered_ = 0;
};

} // namespace numavp
