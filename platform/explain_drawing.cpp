#include "platform/explain_drawing.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "platform/build.h"
#include "platform/cli_text.h"

namespace numavp {
namespace {

using Lines = std::vector<std::string>;

/// "+-----+" around lines that are padded to the same width.
Lines box(const Lines& content) {
    std::size_t width = 0;
    for (const std::string& line : content) width = std::max(width, line.size());
    Lines out = {"+" + std::string(width + 2, '-') + "+"};
    for (const std::string& line : content) out.push_back("| " + line + std::string(width - line.size(), ' ') + " |");
    out.push_back(out.front());
    return out;
}

/// Blocks of as many lines beside each other, with the same gap between.
Lines beside(const std::vector<Lines>& blocks, const std::string& gap) {
    Lines out(blocks.front().size());
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += (b == 0 ? "" : gap) + blocks[b][i];
    return out;
}

Lines socket_content(const SystemConfig& c, const std::string& title) {
    return {title, fmt::format("{} SMs", c.socket.sms * c.scale),
            "L2 " + bytes_text(std::uint64_t{c.socket.l2.size_kib} * c.scale * 1024),
            fmt::format("{:g} GB/s", c.socket.memory.bandwidth_gbps * c.scale)};
}

/// SMs, crossbar, L2, memory from left to right.
Lines inside(const SystemConfig& c) {
    const SocketConfig& s = c.socket;
    const unsigned slices = s.l2.slices * c.scale;
    const std::vector<Lines> boxes = {
        box({fmt::format("{} SMs", s.sms * c.scale), fmt::format("L1 {} KiB", s.sm.l1.size_kib),
             fmt::format("{} warps", s.sm.warps)}),
        box({"crossbar", fmt::format("{} x {}", s.sms * c.scale, slices),
             fmt::format("{} cycles", s.noc.latency_cycles)}),
        box({fmt::format("{} L2 slices", slices), fmt::format("{} KiB, {}-way", s.l2.size_kib / s.l2.slices, s.l2.ways),
             std::string(kL2Organisations.name(s.l2.organisation))}),
        box({fmt::format("{} channels", s.memory.channels * c.scale),
             fmt::format("{:g} GB/s each", s.memory.bandwidth_gbps / s.memory.channels),
             fmt::format("{:g} ns", s.memory.latency_ns)}),
    };
    const Lines wire = {"   ", "   ", "---", "   ", "   "};
    std::vector<Lines> row;
    for (const Lines& b : boxes) {
        if (!row.empty()) row.push_back(wire);
        row.push_back(b);
    }
    return beside(row, "");
}

/// The crossbar's wire to the link, below the drawing of a socket's inside.
void add_link(const SystemConfig& c, Lines& lines) {
    const std::size_t at = lines.front().find("+   +") + 6; // under the second box
    const std::string blanks(at + 2, ' ');
    lines.push_back(blanks + "|");
    lines.push_back(blanks + fmt::format("+--- link: {} lanes out, {} in, {:g} GB/s each, {}, {} cycles --- {}",
                                         c.link.lanes_out, c.link.lanes_in, c.link.lane_gbps,
                                         kLaneBalancers.name(c.link.balancer), c.link.latency_cycles,
                                         has_network(c) ? "network" : "switch"));
}

std::string joined(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) out += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return out;
}

/// Sockets above, the switch below.
Lines fabric(const SystemConfig& c) {
    std::vector<Lines> sockets;
    const unsigned n = c.sockets;
    for (unsigned s = 0; s < n; ++s)
        if (n <= 4 || s < 3 || s + 1 == n) sockets.push_back(box(socket_content(c, fmt::format("socket {}", s))));
    if (n > 4) {
        Lines dots(sockets.front().size(), "   ");
        dots[2] = "...";
        sockets.insert(sockets.end() - 1, dots);
    }
    Lines lines = beside(sockets, "  ");
    std::string wires(lines.front().size(), ' ');
    std::size_t at = 0;
    for (const Lines& socket : sockets) {
        const std::size_t width = socket.front().size();
        if (socket[0][0] == '+') wires[at + width / 2] = '|';
        at += width + 2;
    }
    lines.push_back(wires);
    const std::string links = fmt::format("{:g} GB/s out, {:g} GB/s in", c.link.lanes_out * c.link.lane_gbps,
                                          c.link.lanes_in * c.link.lane_gbps);
    lines.push_back(wires + "  " + links);
    const std::string text =
        has_network(c) ? "network: " + network_facts(c).words
                       : fmt::format("switch: {:g} GB/s in all, {} cycles",
                                     static_cast<double>(switch_bytes_per_s(c)) / 1e9, c.switch_.latency_cycles);
    const std::size_t width = std::max(text.size(), wires.size() < 4 ? 0 : wires.size() - 4);
    for (const std::string& line : box({text + std::string(width - text.size(), ' ')})) lines.push_back(line);
    return lines;
}

} // namespace

std::string drawing(const SystemConfig& config) {
    std::string text;
    if (config.sockets > 1) text = joined(fabric(config)) + "\n  inside a socket:\n";
    Lines lines = inside(config);
    if (config.sockets > 1) add_link(config, lines);
    return text + joined(lines);
}

} // namespace numavp
