/// Parts of a system by the names in its file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "base/config/instances.h"
#include "common/system/part_kind.h"

namespace numavp {

struct SystemConfig;

/// `count` parts, called `name[0]` to `name[count - 1]`. Packages are the sockets, numbered in the order of the list.
struct PartSystemConfig {
    std::string name;
    unsigned count = 1;
    PartKind kind = PartKind::socket;
    unsigned terminals = 1;
    unsigned channels = 0; ///< that each has place for; 0: any number
    bool transit = false;  ///< whatever its wires; see transit_rule.h
};
template <class V> void describe(V& v, PartSystemConfig& c) {
    v.text("name", c.name, "Name of the parts: small letters, digits and _.");
    v.integer("count", c.count, 1, 4096, "parts", "Number of parts of this name.");
    v.choice("kind", c.kind, kPartKinds, "Kind of the parts; their name says nothing about it.");
    v.integer("terminals", c.terminals, 1, 48, "terminals",
              "Ports between a socket and its router, side by side: each carries a flit a cycle each way, and a line's "
              "packets keep to one of them.");
    v.integer("channels", c.channels, 0, 64, "channels",
              "Channels to other parts, of each part, for routers of its own: in networks of wires or cubes, or with a "
              "router for each socket. A part that needs more is refused (memory networks, Table I: 8 of a GPU or "
              "cube); 0: any number.");
    v.boolean(
        "transit", c.transit,
        "Whether packets pass the parts on their way to others even where the parts hang on a switch, a PCIe tree "
        "or a CPU, with the topology wires; false: only where they do not, or where no other way leads.");
}

/// ConfigError if parts may not be called so.
void check_part_name(const std::string& name, const Place& place);
/// The sockets among the parts, by name; empty if a file names none.
std::vector<NamedParts> named_sockets(const std::vector<PartSystemConfig>& parts);
/// Index in `parts` of those to which a socket belongs; nothing if a file names none.
std::optional<std::size_t> part_of_socket(const std::vector<PartSystemConfig>& parts, unsigned socket);
/// Number of sockets among the parts; 0 if the file names no parts.
unsigned socket_count(const std::vector<PartSystemConfig>& parts);
/// ConfigError at the place of the list if a part's name is not allowed, or has not what its kind has.
void check_parts(const SystemConfig& config, const Place& place);

/// The parts that a switch or network joins, by number. The only place that gives parts their numbers: sockets first,
/// then the host if it has a memory, then reduction units, then routers alone.
class WiredParts {
  public:
    explicit WiredParts(const SystemConfig& config);

    unsigned count() const { return count_; }
    /// Parts that send and receive packets, not routers alone: the first of all.
    unsigned ends() const { return ends_; }
    /// Name of a part: "gpu[3]", or "socket[3]" if the file names no parts; the host's has no index.
    std::string label(unsigned number) const { return label(IndexRange{number, number}); }
    /// Name of a range of parts that have one name: "gpu[0..3]".
    std::string label(IndexRange numbers) const;
    /// Name without the index: "gpu".
    const std::string& name_of(unsigned number) const { return named(number).name; }
    PartKind kind_of(unsigned number) const { return named(number).kind; }
    /// True if the file says that packets to others may pass the part.
    bool says_transit(unsigned number) const { return named(number).transit; }
    /// Number of terminals between a part and its router.
    unsigned terminals_of(unsigned number) const { return named(number).terminals; }
    /// Numbers of the parts that "gpu", "gpu[2]" or "gpu[0..3]" names; ConfigError at `place`.
    std::vector<unsigned> find(const std::string& text, const Place& place) const;

  private:
    /// Parts of one name.
    struct Named {
        std::string name;
        PartKind kind;
        unsigned first, count, terminals;
        bool transit;
    };
    const Named& named(unsigned number) const;
    void add(const std::string& name, PartKind kind, unsigned count, unsigned terminals = 1, bool transit = false);

    std::vector<Named> named_;
    unsigned count_ = 0, ends_ = 0;
};

} // namespace numavp
