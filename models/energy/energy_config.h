/// The energy of a machine as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class EnergyModel : std::uint8_t { none, events };
enum class NocForm : std::uint8_t { none, wires, crossbars };
enum class NetworkForm : std::uint8_t { packages, crossbars };

inline constexpr NameTable<EnergyModel> kEnergyModels{
    "energy model",
    {{EnergyModel::none, "none", "Only that of links and networks, by the bit."},
     {EnergyModel::events, "events",
      "Also what events in SMs, caches, memories and crossbars cost, and what time does."}}};
inline constexpr NameTable<NocForm> kNocForms{
    "form of a network on chip",
    {{NocForm::none, "none", "It costs nothing."},
     {NocForm::wires, "wires", "Links between two points with a register each, without buffers."},
     {NocForm::crossbars, "crossbars", "Stages of crossbars with buffers, and the wires to, between and from them."}}};
inline constexpr NameTable<NetworkForm> kNetworkForms{
    "form of a network",
    {{NetworkForm::packages, "packages", "Channels between packages cost their energy by the bit; routers nothing."},
     {NetworkForm::crossbars, "crossbars", "On one chip: routers are crossbars with buffers, channels are wires."}}};

/// Layout of a socket's crossbar.
struct NocEnergyConfig {
    NocForm form = NocForm::none;
    unsigned ports = 8, stages = 2, buffer_flits = 8;
    double wire_mm = 12.0;
};

/// Layout of the network between sockets, where these are parts of one chip.
struct NetworkEnergyConfig {
    NetworkForm form = NetworkForm::packages;
    unsigned buffer_flits = 8;
    bool split = false;
    double channel_mm = 6.0, terminal_mm = 6.0;
};

struct EnergyConfig {
    EnergyModel model = EnergyModel::none;
    double constant_w = 32.3, sm_w = 0.48;
    double sm_cycle_pj = 125, instruction_pj = 23, operands_pj = 228, compute_pj = 218;
    double l1_hit_pj = 506, l1_miss_pj = 338, l1_store_pj = 393;
    double l2_read_pj = 69, l2_fill_pj = 135, l2_write_pj = 270;
    double memory_read_pj = 2062, memory_write_pj = 1179, activate_pj = 333;
    double wire_factor = 1.0, inner_wires = 0.0;
    NocEnergyConfig noc;
    NetworkEnergyConfig network;

    bool given() const { return model != EnergyModel::none; }
};

template <class V> void describe(V& v, NocEnergyConfig& c) {
    v.choice("form", c.form, kNocForms, "Layout of the crossbar between SMs and L2 of a socket.");
    v.integer("ports", c.ports, 2, 64, "ports", "Ports of each crossbar, in and out (NUBA, section 6: 8).");
    v.integer("stages", c.stages, 1, 16, "stages", "Crossbars that a packet passes (NUBA, section 6: 2).");
    v.integer("buffer_flits", c.buffer_flits, 1, 32, "flits",
              "Flits that the buffer of a crossbar's input holds. A choice: no paper gives it; DSENT's example has 8.");
    v.real("wire_mm", c.wire_mm, 0.0, 1000.0, "mm",
           "Length of the wires that a packet travels. A choice: 3 within a partition of 22 mm2, 12 within half a die "
           "of 700 mm2.");
}
template <class V> void describe(V& v, NetworkEnergyConfig& c) {
    v.choice("form", c.form, kNetworkForms, "Layout of the network between sockets.");
    v.integer("buffer_flits", c.buffer_flits, 1, 32, "flits",
              "Flits that the buffer of an input holds, in the network. A choice, as the noc's.");
    v.boolean(
        "split", c.split,
        "Whether a router is two crossbars, one for requests and one for responses, with half of its ports each.");
    v.real("channel_mm", c.channel_mm, 0.0, 1000.0, "mm",
           "Length of a channel. A choice: 6, a third of the mean distance of two points on a die of 700 mm2.");
    v.real("terminal_mm", c.terminal_mm, 0.0, 1000.0, "mm",
           "Length of the wires at a terminal. A choice: as channels.");
}
template <class V> void describe(V& v, EnergyConfig& c) {
    constexpr double kMost = 1e9;
    v.choice("model", c.model, kEnergyModels, "Model of energy: the components that are counted.");
    v.real("constant_w", c.constant_w, 0.0, 1e6, "W",
           "Power of board and peripherals of the whole machine, however many sockets (AccelWattch, MICRO 2021, Quadro "
           "GV100, constant_power).");
    v.real("sm_w", c.sm_w, 0.0, 1e6, "W", "Static power of an SM (AccelWattch: 38.6 W of 80 active SMs).");
    v.real("sm_cycle_pj", c.sm_cycle_pj, 0.0, kMost, "pJ",
           "Energy of the pipeline of an SM in a cycle that issues (AccelWattch).");
    v.real("instruction_pj", c.instruction_pj, 0.0, kMost, "pJ",
           "Energy of front end and scheduler for a warp instruction (AccelWattch: 5.9 and 17.3).");
    v.real(
        "operands_pj", c.operands_pj, 0.0, kMost, "pJ",
        "Energy of the registers of a warp instruction: two operands read (80 each), one written (68; AccelWattch).");
    v.real("compute_pj", c.compute_pj, 0.0, kMost, "pJ",
           "Energy of the computation of a warp instruction that is no access: mean of INT (220) and FP32 (215; "
           "AccelWattch).");
    v.real("l1_hit_pj", c.l1_hit_pj, 0.0, kMost, "pJ", "Energy of a sector that a load finds in the L1 (AccelWattch).");
    v.real("l1_miss_pj", c.l1_miss_pj, 0.0, kMost, "pJ",
           "Energy of a sector that a load does not find in the L1 (AccelWattch).");
    v.real("l1_store_pj", c.l1_store_pj, 0.0, kMost, "pJ",
           "Energy of a sector that a store or an atomic sends on from the L1 (AccelWattch, write miss).");
    v.real("l2_read_pj", c.l2_read_pj, 0.0, kMost, "pJ",
           "Energy of a sector read from the L2 (AccelWattch, read hit).");
    v.real("l2_fill_pj", c.l2_fill_pj, 0.0, kMost, "pJ",
           "Energy of a sector filled into the L2 (AccelWattch: 4.5 and 130).");
    v.real("l2_write_pj", c.l2_write_pj, 0.0, kMost, "pJ",
           "Energy of a sector written into the L2 (AccelWattch, write hit).");
    v.real("memory_read_pj", c.memory_read_pj, 0.0, kMost, "pJ",
           "Energy of 32 bytes read from memory, with the controller (AccelWattch).");
    v.real("memory_write_pj", c.memory_write_pj, 0.0, kMost, "pJ",
           "Energy of 32 bytes written to memory, with the controller (AccelWattch).");
    v.real("activate_pj", c.activate_pj, 0.0, kMost, "pJ",
           "Energy of a row opened and closed, in timed memory (AccelWattch).");
    v.real("wire_factor", c.wire_factor, 0.0, 100.0, "",
           "Energy of wires on the chip over DSENT's (24 fJ/bit/mm); 3 is the low end of published ones.");
    v.real("inner_wires", c.inner_wires, 0.0, 1.0, "",
           "Share of the wires inside a crossbar that counts; DSENT: 0, physical: 1.");
    v.object("noc", c.noc, "Energy of the crossbar of a socket.");
    v.object("network", c.network, "Energy of the network between sockets.");
}

} // namespace numavp
