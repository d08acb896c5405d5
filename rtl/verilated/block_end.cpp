#include "rtl/block_end.h"

#include <fmt/format.h>
#include <systemc>

#include "base/values/error.h"

namespace numavp::rtl {

void end_by_block(const std::string& place, const std::string& how) {
    const std::string sentence = fmt::format("{}: the RTL block ended the simulation at {} by {}", place,
                                             sc_core::sc_time_stamp().to_string(), how);
    SC_REPORT_ERROR(kBlockEnd, sentence.c_str());
    throw ModelError(sentence); // a report handler of the program's let the error pass
}

} // namespace numavp::rtl
