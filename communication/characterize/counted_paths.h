/// Mapping of logical paths to links by counters, as C. Pearson's thesis proposes it (sections 3.2.4 and 6.2): a known
/// quantity is moved between two ends, and the rise of each link's counter tells which links carried it.
///
/// Counters come from a machine (NVML's of NVLinks, PCM's of PCIe) or from a simulated one. They are CSV with the
/// columns src, dst, bytes, link_from, link_to, link, counted_bytes: the ends of the move as in files of measurements,
/// its size, the parts that the link joins in the direction that was counted, its kind (may be empty where one link
/// joins the two), and by how much its counter rose. A direction without a row was not counted, or did not rise.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "communication/characterize/host_program.h"

namespace numavp {

/// One move, and by how many bytes the counter of each direction of a link rose.
struct CountedMove {
    TransferEnd from, to;
    std::uint64_t bytes = 0;
    std::vector<double> counted; ///< by the links of HostMachine::graph(); 0: not counted
};

/// Reads a file. ConfigError with the line of the first wrong row.
std::vector<CountedMove> read_counted(const std::string& path, const HostMachine& machine);
/// Reads a stream; errors call it `path`.
std::vector<CountedMove> parse_counted(std::istream& in, const std::string& path, const HostMachine& machine);

/// The links that carried a move.
struct CountedPath {
    std::vector<unsigned> links;   ///< of the graph, in order from the source; without those of `others`
    std::vector<unsigned> others;  ///< carried it too, but continue no way from the source
    std::vector<unsigned> assumed; ///< the way that predictions take
    bool arrives = false;          ///< `links` lead to the destination
    bool as_assumed() const { return arrives && others.empty() && links == assumed; }
    /// Share of what the counters of `links` saw beyond the data: headers, framing. 0 if there are no links.
    double overhead = 0;
};

/// A link carried the move if its counter rose by at least half of its bytes: headers make it rise by more than the
/// bytes, while requests of reads, acknowledgements and other traffic stay below.
CountedPath counted_path(const HostMachine& machine, const CountedMove& move);

/// One line for each move: its ends, its links, and whether predictions take the same.
std::string counted_paths_text(const HostMachine& machine, const std::vector<CountedMove>& moves);

} // namespace numavp
