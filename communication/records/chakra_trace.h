/// Execution traces in Chakra's format (MLCommons, schema 0.0.4): of one rank, a message after another, each behind its
/// length: metadata first, then nodes.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace numavp {

struct ChakraNode {
    enum Type : std::uint64_t { metadata = 1, load = 2, store = 3, compute = 4, send = 5, receive = 6, collective = 7 };

    std::uint64_t id = 0, type = 0, duration_us = 0;
    std::string name, group;                 ///< attribute pg_name
    std::vector<std::uint64_t> waits;        ///< ids of nodes whose data it needs
    std::vector<std::uint64_t> follows;      ///< ids of nodes that it waits for by control alone
    bool on_cpu = false;                     ///< is_cpu_op
    std::uint64_t operations = 0;            ///< num_ops
    std::uint64_t tensor_bytes = 0;          ///< tensor_size
    std::uint64_t kind = 0, bytes = 0;       ///< comm_type, comm_size
    std::uint64_t from = 0, to = 0, tag = 0; ///< comm_src, comm_dst, comm_tag

    /// The call on the host behind a collective, send or receive (c10d::allreduce_): it names no bytes, and takes its
    /// duration. The node of the GPU has them.
    bool is_host_call() const { return on_cpu && bytes == 0 && kind != kBarrier && type >= send && type <= collective; }

    static constexpr std::uint64_t kBarrier = 9; ///< of CollectiveCommType
};

struct ChakraTrace {
    std::string path; ///< for errors
    std::vector<ChakraNode> nodes;
};

/// Whether bytes may be such a trace: messages that fill them, of which the first has no field but those of metadata.
/// Without `whole`, `bytes` are the beginning of a file, and may end within the first node.
bool looks_like_chakra(std::string_view bytes, bool whole = true);

/// Parses a trace, node by node. ConfigError with the message that is cut off, larger than any node is, or no node, and
/// for a trace of more nodes than a graph may have.
ChakraTrace read_chakra(std::istream& in, const std::string& path);
/// The same of bytes, and of a file.
ChakraTrace read_chakra(std::string_view bytes, const std::string& path);
ChakraTrace read_chakra_file(const std::string& path);

} // namespace numavp
