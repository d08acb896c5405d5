/// What every network of the table must keep, each contract by its name. A contract says what is wrong with a network,
/// or nothing.
#pragma once

#include <string>
#include <vector>

#include "tlm-links/topology/topology.h"

namespace numavp::test {

struct Contract {
    const char* name;
    std::string (*breach)(const TopologySpec&, const Topology&);
};

extern const std::vector<Contract> kContracts;

/// Specifications over all topologies, sizes, entries, routings and parallel channels, those included that are refused.
/// `small`: up to 16 routers, one of each kind.
std::vector<TopologySpec> contract_specs(bool small);

/// Part of the sentence with which `spec` must be refused; empty if it must be made.
std::string expected_refusal(const TopologySpec& spec);

/// For messages: the name and what is chosen.
std::string describe(const TopologySpec& spec);

} // namespace numavp::test
