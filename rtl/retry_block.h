/// rtl/retry_sender.sv as a C++ object: pins in plain structs, one call per clock edge (rtl/blocks.h).
#pragma once

#include <memory>

namespace numavp::rtl {

class RetrySenderBlock {
  public:
    struct Inputs {
        bool item = false;
        unsigned item_units = 1; ///< 8 bits
        bool acknowledge = false;
        bool again = false;
    };
    struct Outputs {
        bool taken = false, valid = false, last = false;
        unsigned sequence_number = 0; ///< 8 bits
    };
    /// Constant pins: units of the largest item (8 bits), and of the retry buffer (20 bits; at most 255 items).
    RetrySenderBlock(unsigned largest_units, unsigned buffer_units);
    ~RetrySenderBlock();
    /// Puts `inputs` on the pins and gives a rising edge of the clock; returns the outputs after it.
    Outputs edge(const Inputs& inputs);

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl
