/// Timing parameters of a DRAM device, in cycles of its command clock.
///
/// Each is the least distance between two commands. The names are those of the JEDEC standards without the "t"; the
/// suffixes _s and _l mean "to another bank group" and "within a bank group".
#pragma once

#include <algorithm>

#include "base/config/config.h"

namespace numavp {

/// Defaults: HBM of NUBA, Table 1; what that table leaves open is a choice, stated at the field.
struct DramTiming {
    unsigned rcd = 7, rp = 7, ras = 17, rc = 24;
    unsigned cl = 7, cwl = 2, burst = 1;
    unsigned ccd_s = 1, ccd_l = 1, rrd_s = 4, rrd_l = 5, faw = 20;
    unsigned rtp = 7, wr = 8, wtr_s = 2, wtr_l = 4, rtw = 8;
    unsigned refi = 1365, rfc = 91;
    bool operator==(const DramTiming& o) const;
    /// Bound on the cycles of an access to a bank with another open row, after an access in the other direction.
    unsigned idle_cycles() const { return ras + rp + rc + rcd + std::max(cl, cwl) + burst + wr + wtr_l + rtw; }
    void validate(const Place& place) const;
};

template <class V> void describe(V& v, DramTiming& t) {
    v.integer("rcd", t.rcd, 1, 1000, "cycles", "Distance from activate to read or write of the bank.");
    v.integer("rp", t.rp, 1, 1000, "cycles", "Distance from precharge to activate of the bank, or to refresh.");
    v.integer("ras", t.ras, 1, 1000, "cycles", "Distance from activate to precharge of the bank.");
    v.integer("rc", t.rc, 1, 1000, "cycles", "Distance from activate to activate of the bank.");
    v.integer("cl", t.cl, 1, 1000, "cycles", "Distance from read to its first data.");
    v.integer("cwl", t.cwl, 1, 1000, "cycles", "Distance from write to its first data.");
    v.integer("burst", t.burst, 1, 64, "cycles", "Time that the data of a column access take.");
    v.integer("ccd_s", t.ccd_s, 1, 1000, "cycles",
              "Distance from read to read, write to write, of different bank groups.");
    v.integer("ccd_l", t.ccd_l, 1, 1000, "cycles", "Distance from read to read, write to write, within a bank group.");
    v.integer("rrd_s", t.rrd_s, 1, 1000, "cycles", "Distance from activate to activate of different bank groups.");
    v.integer("rrd_l", t.rrd_l, 1, 1000, "cycles", "Distance from activate to activate within a bank group.");
    v.integer("faw", t.faw, 1, 1000, "cycles", "Window with at most four activates.");
    v.integer("rtp", t.rtp, 1, 1000, "cycles", "Distance from read to precharge of the bank.");
    v.integer("wr", t.wr, 1, 1000, "cycles", "Distance from end of write data to precharge (not in NUBA; a choice).");
    v.integer("wtr_s", t.wtr_s, 1, 1000, "cycles", "Distance from end of write data to a read of another bank group.");
    v.integer("wtr_l", t.wtr_l, 1, 1000, "cycles", "Distance from end of write data to a read of the same bank group.");
    v.integer("rtw", t.rtw, 1, 1000, "cycles",
              "Distance from read to write (not in NUBA; cl + burst + 2 - cwl leaves a free cycle).");
    v.integer(
        "refi", t.refi, 2, 1000000, "cycles",
        "Mean interval of the refreshes of a bank, together with the others or by itself (JEDEC: 3.9 us above 85 C).");
    v.integer("rfc", t.rfc, 1, 100000, "cycles", "Distance from refresh to activate (260 ns for 4 Gb; a choice).");
}

} // namespace numavp
