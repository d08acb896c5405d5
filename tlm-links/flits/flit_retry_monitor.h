/// Monitors of the two ends of a line that repeats flits (rtl/flit_retry_pins.h): each checks the pins of one end edge
/// by edge, whatever stands there, and reports the broken rule and the edge. No SystemC.
/// rtl/flit_retry_sender_checker.sv and rtl/flit_retry_receiver_checker.sv have these rules as assertions.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "rtl/flit_retry_pins.h"

namespace numavp {

/// CRC of a flit's number, control and data, as rtl/flit_crc.sv.
std::uint32_t retry_crc(const rtl::RetryFlitPins& flit);

/// The first broken rules, each "<edge>: <rule>"; at most 16 are kept.
class RetryBreaches {
  public:
    void require(bool holds, const char* rule);
    void next_edge() { ++edge_; }
    const std::vector<std::string>& all() const { return all_; }

  private:
    std::uint64_t edge_ = 0;
    std::vector<std::string> all_;
};

/// Sending end: flits go in the order in which they came from above, each with the next number and the right CRC, a new
/// one with a credit and a place in the retry buffer; after a request the repetition begins with the flit that was
/// asked for, goes on to the last one that was sent, and its bytes are those of the first time. Its partner
/// acknowledges in order, and asks for the oldest flit that is left.
class FlitRetrySenderMonitor {
  public:
    /// `buffer_flits`: of the retry buffer. `patience`: edges for which a repetition, or a flit that can go, may be
    /// owed.
    explicit FlitRetrySenderMonitor(unsigned buffer_flits, std::uint64_t patience = 10'000)
        : buffer_flits_(buffer_flits), patience_(patience) {}
    void observe(const rtl::CxsTransmitterPins& above, const rtl::RetryFlitPins& line,
                 const rtl::RetryAnswerPins& answer);
    /// Checks at the end that everything has been sent and acknowledged.
    void finish();
    const std::vector<std::string>& breaches() const { return breaches_.all(); }
    std::uint64_t sent() const { return sent_; }         ///< flits, each counted once
    std::uint64_t repeated() const { return repeated_; } ///< each time

  private:
    struct Came {
        unsigned cntl;
        rtl::CxsData data;
    };
    void check_line(const rtl::RetryFlitPins& line);
    void check_answer(const rtl::RetryAnswerPins& answer);

    unsigned buffer_flits_;
    std::uint64_t patience_;
    RetryBreaches breaches_;
    std::deque<Came> came_; ///< not acknowledged yet; the first one is number `oldest_`
    std::uint64_t oldest_ = 0, sent_ = 0, next_ = 0, credits_ = 0, repeated_ = 0;
    std::uint64_t waited_ = 0; ///< edges for a repetition, or for a flit that can go
    bool asked_ = false;       ///< and it has not begun
};

/// Receiving end: it acknowledges each flit that came with the expected number and the right CRC, in order, asks for
/// the expected one after another or a wrong one, not again before its repetition is due, and passes on what it has
/// acknowledged, each once, in order; a flit has a place, and a place that is free gives a credit. How long a flit may
/// wait before it is passed on is not checked: that is up to the receiver below.
class FlitRetryReceiverMonitor {
  public:
    /// `round_trip`: as of FlitRetryReceiverBlock. `places`: for flits. `patience`: edges for which an answer, or the
    /// credit of a free place, may be owed.
    FlitRetryReceiverMonitor(unsigned round_trip, unsigned places, std::uint64_t patience = 10'000)
        : round_trip_(round_trip), places_(places), patience_(patience) {}
    void observe(const rtl::RetryFlitPins& line, const rtl::RetryAnswerPins& answer,
                 const rtl::CxsTransmitterPins& below);
    /// Checks at the end that everything that came has been acknowledged and passed on.
    void finish();
    const std::vector<std::string>& breaches() const { return breaches_.all(); }
    std::uint64_t requests() const { return requests_; } ///< to repeat

  private:
    void check_answer(const rtl::RetryAnswerPins& answer);
    void check_below(const rtl::CxsTransmitterPins& below);
    void check_line(const rtl::RetryFlitPins& line);

    std::uint64_t round_trip_;
    unsigned places_;
    std::uint64_t patience_;
    RetryBreaches breaches_;
    std::deque<rtl::RetryFlitPins> held_; ///< came, and have not been passed on
    std::uint64_t expected_ = 0, told_ = 0, credits_ = 0, requests_ = 0;
    std::uint64_t owed_ = 0;  ///< edges for which an answer is owed
    std::uint64_t free_ = 0;  ///< edges for which a place has been free and no credit came
    std::uint64_t since_ = 0; ///< edges since the last request for the expected flit; 0: there was none
    bool missing_ = false;    ///< another flit, or a wrong one, has come since the last right one
};

} // namespace numavp
