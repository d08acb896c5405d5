/// An FST as VCD, by the reader that comes with Verilator, for builds that have it.
#pragma once

#include <cstdio>
#include <string>

#ifdef NUMAVP_HAS_FST
#include <gtkwave/fstapi.h>
#endif

namespace numavp::test {

#ifdef NUMAVP_HAS_FST
inline constexpr bool kHasFst = true;
/// False if it is no FST.
inline bool vcd_of_fst(const std::string& fst, const std::string& vcd) {
    void* reader = fstReaderOpen(fst.c_str());
    if (reader == nullptr) return false;
    std::FILE* out = std::fopen(vcd.c_str(), "wb");
    fstReaderSetVcdExtensions(reader, 0);
    fstReaderProcessHier(reader, out);
    fstReaderSetFacProcessMaskAll(reader);
    fstReaderIterBlocks(reader, nullptr, nullptr, out);
    fstReaderClose(reader);
    return std::fclose(out) == 0;
}
#else
inline constexpr bool kHasFst = false;
inline bool vcd_of_fst(const std::string&, const std::string&) { return false; }
#endif

} // namespace numavp::test
