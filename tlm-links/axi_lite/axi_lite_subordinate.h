/// The core of a bridge from AXI4-Lite: takes accesses off plain-struct pins, a cycle a call, and hands them on one
/// after the other. No SystemC.
///
/// A read and a write may be held, of which one is served at a time: each access of the pins is served exactly once, as
/// registers that change when they are read need it. If both wait, they take turns. Address and data of a write may
/// come in either order. While an access of a direction is held its ready is low.
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

    /// A rising edge at which the manager drives `m`.
    void edge(const rtl::AxiLiteManagerPins& m);
    /// What it drives after it.
    const rtl::AxiLiteSubordinatePins& pins() const { return pins_; }

    /// Next access to be served, or null while one is being served or none has come.
    AxiLiteAccess* next_request();
    /// The one that is being served has been, with its data if it reads: on the pins from the next edge on.
    void finish(unsigned response);
    /// Nothing is owed to the manager: no more edges are needed.
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
