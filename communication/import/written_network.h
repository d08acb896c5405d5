/// Wires of a machine that was found, as the sections `link` and `network` of a system's file.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "communication/import/found_machine.h"

namespace numavp {

/// A wire of the file between two of its parts.
struct WrittenWire {
    std::string from, to;
    std::string kind; ///< "pcie", "nvlink"; empty: the common channel
    double gbytes_per_s = 0;
};

struct WrittenNetwork {
    ordered_json link, network;
};

/// A socket's port and link carry the sum of all its wires; a router has no limit besides its wires. `sockets` are the
/// labels of parts with a port. A wire beyond what a network carries gets the nearest bandwidth, and a note.
WrittenNetwork write_network(std::vector<WrittenWire> wires, const std::set<std::string>& sockets, ImportNotes& notes);

} // namespace numavp
