#include "platform/explain/explain_drawing.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/words/text.h"

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

Lines socket_content(const SystemConfig& c, unsigned socket) {
    const SocketConfig& s = c.socket_at(socket);
    return {c.parts.empty() ? fmt::format("socket {}", socket) : c.socket_name(socket),
            s.sms == 0 ? "no SMs" : fmt::format("{} SMs", s.sms * c.scale),
            s.l2.has_cache() ? "L2 " + bytes_text(std::uint64_t{s.l2.size_kib} * c.scale * 1024) : "no cache",
            s.has_memory() ? fmt::format("{:g} GB/s", memory_speed(c, s).gbps) : "no memory"};
}

/// SMs, crossbar, L2, memory from left to right; below them the crossbar's wire to the link.
Lines inside(const SystemConfig& c, const SocketConfig& s) {
    const unsigned slices = s.l2.slices * c.scale;
    std::vector<Lines> boxes;
    if (s.sms != 0)
        boxes.push_back(box({fmt::format("{} SMs", s.sms * c.scale), fmt::format("L1 {} KiB", s.sm.l1.size_kib),
                             fmt::format("{} warps", s.sm.warps)}));
    boxes.push_back(box(
        {"crossbar", s.sms == 0 ? fmt::format("link x {}", slices) : fmt::format("{} x {}", s.sms * c.scale, slices),
         fmt::format("{} cycles", s.noc.latency_cycles)}));
    if (s.l2.has_cache())
        boxes.push_back(box({fmt::format("{} L2 slices", slices),
                             fmt::format("{} KiB, {}-way", s.l2.size_kib / s.l2.slices, s.l2.ways),
                             std::string(kL2Organisations.name(s.l2.organisation))}));
    else
        boxes.push_back(box({fmt::format("{} controllers", slices), "no cache", "atomics"}));
    if (s.has_memory() && s.memory.cache.given())
        boxes.push_back(box({fmt::format("{} cache banks", slices),
                             fmt::format("{} KiB, {}-way", s.memory.cache.size_kib / s.l2.slices, s.memory.cache.ways),
                             "memory side"}));
    if (s.has_memory())
        boxes.push_back(box({fmt::format("{} channels", s.memory.channels * c.scale),
                             fmt::format("{:g} GB/s each", memory_speed(c, s).gbps / (s.memory.channels * c.scale)),
                             fmt::format("{:g} ns", memory_speed(c, s).latency_ns)}));
    const Lines wire = {"   ", "   ", "---", "   ", "   "};
    std::vector<Lines> row;
    for (const Lines& b : boxes) {
        if (!row.empty()) row.push_back(wire);
        row.push_back(b);
    }
    Lines lines = beside(row, "");
    if (c.sockets == 1) return lines;
    const std::size_t crossbar = s.sms == 0 ? 0 : boxes.front().front().size() + wire.front().size();
    const std::string blanks(crossbar + 4, ' ');
    const LinkConfig link = s.own_link.of(c.link);
    lines.push_back(blanks + "|");
    lines.push_back(blanks + fmt::format("+--- link: {} lanes out, {} in, {:g} GB/s each, {}, {} cycles --- {}",
                                         link.lanes_out, link.lanes_in, link.lane_gbps,
                                         kLaneBalancers.name(link.balancer), link.latency_cycles,
                                         has_network(c) ? "network" : "switch"));
    return lines;
}

/// Of many sockets: the first three and the last; where they differ, the first and last of each kind.
std::vector<unsigned> drawn_sockets(const SystemConfig& c) {
    const std::vector<SocketGroup> groups = socket_groups(c);
    std::vector<unsigned> drawn;
    for (unsigned s = 0; s < c.sockets; ++s) {
        const auto ends = [s](const SocketGroup& g) { return s == g.range.first || s == g.range.last; };
        const bool kind = groups.size() > 1 && std::any_of(groups.begin(), groups.end(), ends);
        if (c.sockets <= 4 || kind || (groups.size() == 1 && (s < 3 || s + 1 == c.sockets))) drawn.push_back(s);
    }
    return drawn;
}

std::string joined(const Lines& lines) {
    std::string out;
    for (const std::string& line : lines) out += "  " + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    return out;
}

/// Sockets above, the switch below.
Lines fabric(const SystemConfig& c) {
    std::vector<Lines> sockets;
    unsigned next = 0;
    for (const unsigned s : drawn_sockets(c)) {
        const Lines drawn = box(socket_content(c, s));
        if (s != next) {
            sockets.emplace_back(drawn.size(), "   ");
            sockets.back()[2] = "...";
        }
        sockets.push_back(drawn);
        next = s + 1;
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
    const auto range = [&](unsigned LinkConfig::*lanes) {
        unsigned least = c.link_at(0).*lanes, most = least;
        for (unsigned s = 1; s < c.sockets; ++s) {
            least = std::min(least, c.link_at(s).*lanes);
            most = std::max(most, c.link_at(s).*lanes);
        }
        const std::string text = fmt::format("{:g}", most * c.link.lane_gbps);
        return least == most ? text : fmt::format("{:g} to ", least * c.link.lane_gbps) + text;
    };
    const std::string links =
        fmt::format("{} GB/s out, {} GB/s in", range(&LinkConfig::lanes_out), range(&LinkConfig::lanes_in));
    lines.push_back(wires + "  " + links);
    const std::string text =
        has_network(c) ? "network: " + network_words(c)
                       : fmt::format("switch: {:g} GB/s in all, {} cycles",
                                     static_cast<double>(switch_bytes_per_s(c)) / 1e9, c.switch_.latency_cycles);
    const std::size_t width = std::max(text.size(), wires.size() < 4 ? 0 : wires.size() - 4);
    for (const std::string& line : box({text + std::string(width - text.size(), ' ')})) lines.push_back(line);
    return lines;
}

} // namespace

std::string drawing(const SystemConfig& config) {
    std::string text;
    if (config.sockets > 1) text = joined(fabric(config));
    const std::vector<SocketGroup> groups = socket_groups(config);
    for (const SocketGroup& group : groups) {
        if (config.sockets > 1) text += "\n  inside " + (groups.size() == 1 ? "a socket" : group.name()) + ":\n";
        text += joined(inside(config, *group.config));
    }
    return text;
}

} // namespace numavp
