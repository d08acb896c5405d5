/// The core of a bridge from AXI4-Lite: takes accesses off plain-struct pins, one cycle per call, and hands them on one
/// after the other. No SystemC.
///
/// It holds up to one read and one write, of which one is served at a time. Each access of the pins is served exactly
/// once, which registers with read side effects need. If both wait, they take turns. Address and data of a write may
/// come in either order. While an access of a direction is held the ready of that direction is low.
#pragma once

#include <cstdint>

#include "rtl/axi4_lite_pins.h"

namespace numavp {

/// A word to be read or written.
struct AxiLiteAccess {
    bool write = false;
    std::uint64_t address = 0; ///< as it is on the pins, aligned or not
    std::uint64_t data = 0;
    unsigned strobes = rtl::kAxiLiteStrobes; ///< of a write
};

class AxiLiteSubordinateCore {
  public:
    AxiLiteSubordinateCore() { open(); }

    /// Simulates a rising edge at which the manager drives `m`.
    void edge(const rtl::AxiLiteManagerPins& m);
    /// Pins that the subordinate drives after the last edge.
    const rtl::AxiLiteSubordinatePins& pins() const { return pins_; }

    /// Next access to be served, or null while one is being served or none has come.
    AxiLiteAccess* next_request();
    /// Ends the service of the current access (a read's data is in it); its answer is on the pins after the next edge.
    void finish(unsigned response);
    /// True if no answer is due to the manager: no more edges are needed.
    bool idle() const { return !has_read_ && !has_address_ && !has_data_; }

  private:
    void open();
    void show_answer();

    rtl::AxiLiteSubordinatePins pins_;
    AxiLiteAccess read_, write_;
    AxiLiteAccess* serving_ = nullptr;
    unsigned response_ = rtl::kAxiOkay;                              ///< to it
    bool finished_ = false;                                          ///< its answer is to be shown
    bool has_read_ = false, has_address_ = false, has_data_ = false; ///< until they are answered
    bool writes_turn_ = true;
};

} // namespace numavp
