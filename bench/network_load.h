/// A network of routers under load, for the bench.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace numavp {

/// Uniform packets of 9 flits at `rate` flits a cycle and terminal: packets, flits moved by routers, CPU seconds.
nlohmann::ordered_json measure_network(const std::string& network, double rate, std::uint64_t packets);

} // namespace numavp
