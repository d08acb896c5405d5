/// A list of bad machines: sockets, memories, networks, links and parts that cannot be, and their sentences.
#include <fmt/format.h>

#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

TEST_F(BadList, Machines) {
    expect_sentences({
        {{"explain", "gmn-4-sfbfly", "--set", "sockets=0"},
         "--set sockets: 0 is out of range; allowed are whole numbers from 1 to 4096 (sockets)"},
        {{"explain", "numa-4", "--set", "sockets=257"},
         "--set sockets: 257 sockets at one switch; 256 are allowed, or routers, as with network.topology mesh"},
        {{"explain", "numa-4", "--set", "sockets=4097"},
         "--set sockets: 4097 is out of range; allowed are whole numbers from 1 to 4096 (sockets)"},
        {{"explain", "gmn-4-sfbfly", "--set", "sockets=19"},
         "SOURCE/configs/systems/memory-networks/gmn-4-sfbfly.json: $.parts: they are 20 sockets, and the setting "
         "sockets says 19; "
         "leave it out, or take out that of an extended file with \"sockets\": null"},
        {{"explain", "gmn-4-sfbfly", "--set", "parts[1].count=15"},
         "--set parts[1].count: 4 of gpu with 4 cubes each need 16; there are 15 of cube"},
        {{"explain", "numa-4", "--set", "network.topology=mesh", "--set", "network.buffer_bytes=160", "--set",
          "packets.flit_bytes=128"},
         "--set network.buffer_bytes: 160 B do not hold a packet of 256 B in flits of 32 B; more are expected"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.sms=2"},
         "SOURCE/configs/systems/memory-networks/gmn-4-sfbfly.json: $.network.topology: cube[0] is a memory cube of "
         "sfbfly, and it has 2 SMs; 0 is allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "gpu.sms=0"},
         "--set gpu.sms: no socket has an SM; 1 or more is allowed, in one socket at least"},
        {{"explain", "dgx-h100", "--set", "parts[3].transit=true"},
         "--set parts[3].transit: a router passes packets on always; leave it out"},
        {{"explain", "dgx-h100", "--set", "parts[0].transit=1"},
         "--set parts[0].transit: 1 is not a truth value; allowed are true and false"},
        {{"explain", "gmn-4-sfbfly", "--set", "parts[0].transit=true"},
         "--set parts[0].transit: with the topology sfbfly ways are those of the topology; false is allowed, or the "
         "topology wires"},
        {{"check", "configs/systems/real/dgx-1.json", "--set", "gpu2.sms=8"},
         "--set gpu2.sms: $.gpu2: unknown key 'gpu2'; 'gpu[2]' is meant?"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.capacity_gib=0"},
         "SOURCE/configs/systems/memory-networks/gmn-4-sfbfly.json: $.socket.memory.capacity_gib: no socket has a "
         "memory; 1 GiB or more is allowed, in one socket at least"},
        {{"explain", "gmn-4-sfbfly", "--set", "socket[5].memory.capacity_gib=8"},
         "--set socket[5].memory.capacity_gib: $.socket[5].memory.device.address: 16 channels of 256 MiB for a memory "
         "of 8 GiB; devices that hold it are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "socket[18..20].sms=0"},
         "--set socket[18..20].sms: $.socket[18..20]: there are 20 of them, socket[0] to socket[19]"},
        {{"explain", "gmn-4-sfbfly", "--set", "socket[2..5].sms=0"},
         "--set socket[2..5].sms: $.socket[2..5]: cube has some of the same parts; ranges lie apart, or one "
         "inside the other"},
        {{"explain", "gmn-4-sfbfly", "--set", "placement.sockets_per_memory=3"},
         "--set placement.sockets_per_memory: 16 sockets have memory, and 3 of them a memory; a power of two that "
         "divides their number is allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "placement.sockets_per_memory=32"},
         "--set placement.sockets_per_memory: 16 sockets have memory, and 32 of them a memory; a power of two that "
         "divides their number is allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "placement.sockets_per_memory=0"},
         "--set placement.sockets_per_memory: 0 is out of range; allowed are whole numbers from 1 to 64 (sockets)"},
        {{"explain", "gmn-4-sfbfly", "--set", "translation.mode=full"},
         "SOURCE/configs/systems/memory-networks/gmn-4-sfbfly.json: $.gpu.memory.capacity_gib: with "
         "translation each socket has a memory, in which table pages lie; 1 GiB or more is allowed, or "
         "translation.mode off"},
        {{"explain", "numa-4", "--set", "placement.sockets_per_memory=2", "--set", "translation.mode=full"},
         "--set placement.sockets_per_memory: with translation a page lies in one socket's memory; 1 is allowed, or "
         "translation.mode off"},
        {{"explain", "numa-4", "--set", "socket.l2.size_kib=0", "--set", "socket.l2.organisation=coherent"},
         "--set socket.l2.organisation: coherent says what a cache holds, and l2.size_kib is 0; memory_side is "
         "allowed"},
        {{"explain", "numa-aware-4", "--set", "socket.l2.size_kib=0"},
         "SOURCE/configs/systems/numa-4-caches.json: $.socket.l2.organisation: numa_aware says what a cache holds, and "
         "l2.size_kib is 0; memory_side is allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.l2.slices=15"},
         "--set cube.l2.slices: 15 slices over 16 memory channels; the number of slices must be a multiple of "
         "that of channels"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.device.access_bytes=256"},
         "--set cube.memory.device.access_bytes: 256 bytes are more than a line; 128 are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.device.address=column:2 bank:4 row:10"},
         "--set cube.memory.device.address: 16 channels of 2 MiB for a memory of 4 GiB; devices that hold it "
         "are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.device.address=column:2 column:2"},
         "--set cube.memory.device.address: no bits of row; a memory with several rows is expected"},
        {{"explain", "h200", "--set", "socket.l2.pair_lines=6"},
         "--set socket.l2.pair_lines: 6 lines of two slices; 0 is allowed, and unless memory.model is axi4_rtl powers "
         "of "
         "two from 4 on, twice l2.interleave_lines"},
        {{"explain", "numa-aware-4", "--set", "socket.noc.router_ports=8"},
         "--set socket.noc.router_ports: 64 SMs and 32 slices at routers of 8 ports; 0 is allowed, or with as many "
         "SMs as slices a number of ports that divides theirs and is a multiple of that of the routers"},
        {{"explain", "uba-sm-side", "--set", "scale=4"},
         "SOURCE/configs/systems/nuba/uba-sm-side.json: $.half.noc.router_ports: 128 SMs and 128 slices at "
         "routers of 8 ports; 0 is allowed, or "},
        {{"explain", "uba-sm-side", "--set", "half.noc.latency_cycles=1"},
         "--set half.noc.latency_cycles: 1 cycle for two stages of routers; with router_ports 2 or more are allowed"},
        {{"explain", "uba-sm-side", "--set", "energy.noc.stages=3"},
         "SOURCE/configs/systems/nuba/uba-sm-side.json: $.energy.noc: 3 stages of crossbars with 8 ports, and the "
         "routers of half[0..1] have 8 in 2 stages; as many are allowed"},
        {{"explain", "nuba", "--set", "network.non_blocking=first"},
         "--set network.non_blocking: first names parts of a file with network.wires; with network.topology butterfly "
         "\"all\" is allowed, or \"\""},
        {{"explain", "numa-aware-4", "--set", "socket.l2.partial_lines=4"},
         "--set socket.l2.partial_lines: 4 lines with sectors written in part, of lines without sectors; 0 is allowed, "
         "or sector_bytes 32"},
        {{"explain", "h200", "--set", "socket.l2.pair_lines=2"}, "--set socket.l2.pair_lines: 2 lines of two slices; "},
        {{"explain", "numa-aware-4", "--set", "socket.l2.pair_lines=2", "socket.l2.slices=1",
          "socket.memory.channels=1"},
         "--set socket.l2.pair_lines: 1 slices are no pairs; 0 is allowed, or an even number of l2.slices"},
        {{"explain", "numa-aware-4", "--set", "socket.memory.model=timed", "socket.memory.device.refresh_spread=true"},
         "--set socket.memory.device.refresh_spread: this changes nothing: its memory.device.refresh is none, or "},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.device.queue_depth=2"},
         "--set cube.memory.device.queue_depth: 2 accesses of 32 bytes are less than a line; 4 are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "cube.memory.device.cube.links=4"},
         "--set cube.memory.device.cube.links: $.cube.memory.device.cube.quadrants: 4 quadrants for "
         "1 vaults; a divisor of the vaults is allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.topology=hypercube"},
         "--set network.topology: unknown fabric 'hypercube';"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.cubes_per_gpu=0"},
         "--set network.cubes_per_gpu: 0 is out of range; allowed are whole numbers from 1 to 64 (cubes)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.entry=random"},
         "--set network.entry: sfbfly has no channels between slices, so that packets reach a cube from its own slice "
         "alone; allowed are 'slice' and 'nearest'"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.entry=anywhere"},
         "--set network.entry: unknown entry 'anywhere'; allowed are 'slice', 'nearest', 'random'"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.dimensions=[3]"},
         "--set network.dimensions: 3 has room for 3 clusters, and there are 4 processors; the product of the "
         "dimensions must be the number of processors"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.dimensions=[2,0]"},
         "--set network.dimensions: $.network.dimensions[1]: 0 is out of range; allowed are whole numbers from 1 to "
         "4096 (routers)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.virtual_channels=0"},
         "--set network.virtual_channels: 0 is out of range; allowed are whole numbers from 1 to 16 (channels)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.topology=cube_ring", "--set", "network.virtual_channels=1"},
         "--set network.virtual_channels: minimal routing on cube_ring can't be kept from deadlock with 1; at least 2 "
         "are needed"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.buffer_bytes=128"},
         "--set network.buffer_bytes: 128 B do not hold a packet of 136 B in flits of 16 B; more are expected"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.buffer_bytes=65536", "--set", "network.flit_bytes=1"},
         "--set network.buffer_bytes: 65536 B are 65536 flits; 4096 are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.channel_ns=2000"},
         "--set network.channel_ns: 2000 ns are 2500 cycles of 1250000 kHz; 1000 are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.channel_ns=0"},
         "--set network.channel_ns: 0 is out of range; allowed are numbers from 0.1 to 1000000 (ns)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.cube_ns=5000"},
         "--set network.cube_ns: 5000 ns are 6250 cycles of 1250000 kHz; 1000 are allowed"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.noc_khz=0"},
         "--set network.noc_khz: 0 is out of range; allowed are whole numbers from 1000 to 100000000 (kHz)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.channels_per_cube=17"},
         "--set network.channels_per_cube: 17 is out of range; allowed are whole numbers from 1 to 16 (channels)"},
        {{"explain", "gmn-4-sfbfly", "--set", "network.parallel_channels=0"},
         "--set network.parallel_channels: 0 is out of range; allowed are whole numbers from 1 to 8 (channels)"},
        {{"explain", "numa-4", "--set", "network.topology=sfbfly", "--set", "translation.mode=full", "--set",
          "driver.execution=native"},
         "--set network.topology: sfbfly has no place for the host's memory, which the driver or the page tables need; "
         "another topology is allowed, or driver.execution none and translation.tables sockets"},
        {{"explain", "numa-4", "--set", "network.topology=wires"},
         "--set network.topology: $.network.wires: the topology wires has no wires; one or more are expected"},
        {{"explain", "numa-4", "--set", "network.topology=mesh", "--set", "network.dimensions=[3]"},
         "--set network.dimensions: they make a network of 3 sockets; there are 4"},
        {{"explain", "numa-4", "--set", "network.topology=ring", "--set", "network.concentration=3"},
         "--set network.concentration: 4 sockets do not fill routers with 3 each; a divisor is allowed"},
        {{"explain", "numa-4", "--set", "network.topology=tree", "--set", "network.dimensions=[2]"},
         "--set network.dimensions: they make a network of 2 sockets; there are 4"},
        {{"explain", "numa-4", "--set", "network.topology=dragonfly", "--set", "network.dimensions=[4]"},
         "--set network.dimensions: 1 dimensions are given for dragonfly; expected are 2: routers of a group, then "
         "groups"},
        {{"explain", "numa-4", "--set", "network.topology=torus", "--set", "network.virtual_channels=1", "--set",
          "network.dimensions=[4]"},
         "--set network.virtual_channels: minimal routing on torus can't be kept from deadlock with 1; at least 2 are "
         "needed"},
        {{"explain", "numa-4", "--set", "link.lane_gbps=0"},
         "--set link.lane_gbps: 0 is out of range; allowed are numbers from 0.001 to 10000 (GB/s)"},
        {{"explain", "numa-4", "--set", "link.lanes_out=0"},
         "--set link.lanes_out: 0 is out of range; allowed are whole numbers from 1 to 64 (lanes)"},
        {{"explain", "numa-4", "--set", "link.latency_cycles=0"},
         "--set link.latency_cycles: 0 is out of range; allowed are whole numbers from 1 to 100000 (cycles)"},
        {{"explain", "numa-4", "--set", "link.cut=wires"},
         "--set link.cut: unknown cut of a link 'wires'; allowed are 'none', 'flits', 'flits_rtl'"},
        {{"explain", "numa-4", "--set", "sector_bytes=16"},
         "--set sector_bytes: 16 is no multiple of 32, which is expected"},
        {{"explain", "numa-4", "--set", "sector_bytes=32", "--set", "link.cut=flits"},
         "--set sector_bytes: flits of a cut link carry whole lines; 0 is allowed, or link.cut none"},
        {{"explain", "numa-4", "--set", "sector_bytes=32", "--set", "socket.memory.model=axi4_rtl"},
         "--set sector_bytes: the RTL channel behind AXI4 reads whole lines; 0 is allowed, or another memory.model"},
    });
}

/// Four sockets with some wires and links.
std::string wired(const std::string& wires, const std::string& links = "") {
    return R"({"extends": "numa-4", "network": {"topology": "wires", "links": [)" + links + R"(], "wires": [)" + wires +
           "]}}";
}

/// GPUs and memory cubes, each with place for some channels.
std::string cubes(unsigned gpus, unsigned all, const std::string& network = "", unsigned channels = 8) {
    return fmt::format(R"({{"extends": "sfbfly-4g16h", "parts": [{{"name": "gpu", "count": {}, "channels": 8}}, )"
                       R"({{"name": "cube", "count": {}, "channels": {}}}], "placement": {{"sockets_per_memory": 1}}, )"
                       R"("network": {{{}}}}})",
                       gpus, all, channels, network);
}

TEST_F(BadList, MachineFiles) {
    expect_sentences({
        {{"explain", "m.json"},
         "m.json: $.network.wires: the topology wires has no wires; one or more are expected",
         {{"m.json", R"({"extends": "numa-4", "network": {"topology": "wires", "wires": []}})"}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].to: there is no socket[4]; socket[0] to socket[3] are allowed",
         {{"m.json", wired(R"({"from": "socket[0]", "to": "socket[4]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].to: the wire joins socket[1] with itself; another part is expected",
         {{"m.json", wired(R"({"from": "socket[1]", "to": "socket[1]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires: no wire leads from socket[0] to socket[2]; requesters must reach every terminal",
         {{"m.json", wired(R"({"from": "socket[0]", "to": "socket[1]"}, {"from": "socket[2]", "to": "socket[3]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].channels: 0 is out of range; allowed are whole numbers from 1 to 16 (channels)",
         {{"m.json", wired(R"({"from": "socket[0]", "to": "socket[1]", "channels": 0})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].too: unknown key 'too', the nearest is 'to'; allowed are 'from', 'to', 'all', "
         "'shape', 'dimensions', 'link', 'channels'",
         {{"m.json", wired(R"({"from": "socket[0]", "too": "socket[1]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].from: unknown part 'gpu'; allowed are 'socket'",
         {{"m.json", wired(R"({"to": "socket[1]", "from": "gpu"})")}}},
        {{"explain", "m.json"},
         R"(m.json: $.network.wires[0].from: 0 names no part; a name in " ", such as socket[0] or socket[0..3], is expected)",
         {{"m.json", wired(R"({"to": "socket[1]", "from": 0})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].from: 'socket[1' names no part; one such as socket[2], or several such as "
         "socket[0..3], is expected",
         {{"m.json", wired(R"({"to": "socket[1]", "from": "socket[1"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].to: this end names no part; one or more are expected",
         {{"m.json", wired(R"({"from": "socket"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].all: the wire has from or to besides; all alone, or both ends, is expected",
         {{"m.json", wired(R"({"from": "socket[0]", "all": "socket"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].all: socket[1] is one part; two or more are joined with each other",
         {{"m.json", wired(R"({"all": "socket[1]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].to: 2 parts and 3 can't be joined in turn; as many, or a multiple, are expected",
         {{"m.json", wired(R"({"from": "socket[0..1]", "to": "socket[1..3]"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[0].link: unknown link 'nvlnk', the nearest is 'nvlink'; allowed are 'nvlink'",
         {{"m.json", wired(R"({"all": "socket", "link": "nvlnk"})", R"({"name": "nvlink"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires[1].link: socket[1] and socket[0] are joined by another link already; wires between "
         "two "
         "parts are of one link",
         {{"m.json",
           wired(R"({"all": "socket"}, {"from": "socket[1]", "to": "socket[0]", "link": "a"})", R"({"name": "a"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.links[0].name: the link has no name; one is expected, for wires to name",
         {{"m.json", wired(R"({"all": "socket"})", R"({"gbytes_per_s": 2})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.links[1].name: 'a' is there twice; names must differ",
         {{"m.json", wired(R"({"all": "socket"})", R"({"name": "a"}, {"name": "a"})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.links[0].gbytes_per_s: 200 GB/s are more than a router carries, 32 B a cycle of 4000000 "
         "kHz; "
         "128 are allowed, or a faster noc_khz",
         {{"m.json", wired(R"({"all": "socket"})", R"({"name": "a", "gbytes_per_s": 200})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.links[0].gbytes_per_s: a flit of 32 B would take 12800 cycles of 4000000 kHz; 1000 are "
         "allowed",
         {{"m.json", wired(R"({"all": "socket"})", R"({"name": "a", "gbytes_per_s": 0.01})")}}},
        {{"explain", "m.json"},
         "m.json: $.network.topology: ring has no place for network.links; the topology wires is allowed",
         {{"m.json", R"({"extends": "numa-4", "network": {"topology": "ring", "links": [{"name": "a"}]}})"}}},
        {{"explain", "m.json"},
         "m.json: $.network.topology: ring has no place for parts that are routers alone; the topology wires is "
         "allowed",
         {{"m.json",
           R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 4}, {"name": "hub", "kind": "router"}], "network": {"topology": "ring"}})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts: they are 6 sockets, and the setting sockets says 4; leave it out, or take out that of an "
         "extended "
         "file with \"sockets\": null",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 6}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].name: 'GPU' is no name of parts; a small letter, then small letters, digits and _ are "
         "allowed",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "GPU", "count": 4}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].name: 'host' is a word of these files; another name is expected",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "host", "count": 4}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].kind: b[0] has SMs, and a part of kind cube has none; socket is allowed, with or without",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "a", "count": 2, "kind": "gpu"},
           {"name": "b", "count": 2, "kind": "cube"}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].kind: b[1] has no SMs, and a part of kind gpu has some; socket is allowed, with or "
         "without",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "a", "count": 2, "kind": "gpu"},
           {"name": "b", "count": 2, "kind": "gpu"}], "b[1]": {"sms": 0}})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].kind: unknown kind of part 'gpus', the nearest is 'gpu'; allowed are 'socket', ",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "a", "count": 4, "kind": "gpus"}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].kind: nothing needs a host; driver.execution native or riscv is expected, or "
         "translation.tables host",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "a", "count": 4}, {"name": "b", "kind": "host"}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[2].count: a machine has one host; 1 part of that kind is allowed",
         {{"m.json", R"({"extends": "numa-4", "translation": {"mode": "full", "tables": "host"},
           "parts": [{"name": "a", "count": 4}, {"name": "b", "kind": "host"}, {"name": "c", "kind": "host"}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].name: 'gpu' is there twice; names must differ",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 2}, {"name": "gpu", "count": 2}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].name: it is missing; the name of these parts is expected",
         {{"m.json",
           R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 2}, {"count": 2}], "cpu": {"sms": 0}})"}}},
        {{"explain", "m.json"},
         "m.json: $.cpus: unknown key 'cpus'; 'cpu' is what the parts are called",
         {{"m.json",
           R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 2}, {"name": "cpu", "count": 2}], "cpus": {"sms": 0}})"}}},
        {{"explain", "oct"}, "system: unknown system 'oct'; allowed are ", {{"oct.json", R"({"extends": "numa-4"})"}}},
        {{"graph", "m.json"},
         "m.json: this is a system; graph takes no machine: ",
         {{"m.json", R"({"extends": "numa-4"})"}}},
        {{"graph", "dgx-1"}, "dgx-1: this is a system; graph takes no machine: "},
        {{"explain", "m.json"},
         "m.json: $.parts: they are 0 sockets; 1 to ",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "hub", "kind": "router"}]})"}}},
        {{"explain", "m.json"},
         "m.json: $.gpu[4]: there are 4 of them, gpu[0] to gpu[3]",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 4}], "gpu[4]": {"sms": 2}})"}}},
        {{"explain", "m.json"},
         "m.json: $.cpu: unknown key 'cpu'",
         {{"m.json", R"({"extends": "numa-4", "cpu": {"sms": 2}})"}}},
        {{"explain", "m.json"},
         "m.json: $.network.wires: an object is not a list; a list [ ] is expected",
         {{"m.json", R"({"extends": "numa-4", "network": {"topology": "wires", "wires": {"from": 0, "to": 1}}})"}}},
        {{"explain", "m.json"},
         "m.json: $.socket.use: there is no file no-such-part.json; a file beside this one, or one in configs/parts, "
         "is expected",
         {{"m.json", R"({"extends": "numa-4", "socket": {"use": "no-such-part"}})"}}},
        {{"explain", "m.json"},
         "m.json: $.socket.use: this is not a file; the name of a JSON file is expected",
         {{"m.json", R"({"extends": "numa-4", "socket": {"use": 4}})"}}},
        {{"explain", "m.json"},
         "b.json: $.socket.memory.device.timing.x.use: the file uses itself; a chain of files without a circle is "
         "expected",
         {{"m.json", R"({"extends": "numa-4", "socket": {"memory": {"device": {"use": "a"}}}})"},
          {"a.json", R"({"timing": {"use": "b"}})"},
          {"b.json", R"({"x": {"use": "a"}})"}}},
        {{"explain", "m.json"},
         "m.json: $.extends: the file extends itself; a chain of files without a circle is expected",
         {{"m.json", R"({"extends": "m"})"}}},
        {{"explain", "m.json"},
         "m.json: $.socket[3]: there are 2 of them, socket[0] to socket[1]",
         {{"m.json", R"({"extends": "numa-4", "sockets": 2, "socket[3]": {"sms": 1}})"}}},
        {{"explain", "m.json"},
         "m.json: $.socket[1..3]: socket[0..2] has some of the same parts; ranges lie apart, or one inside the other",
         {{"m.json", R"({"extends": "numa-4", "socket[0..2]": {"sms": 1}, "socket[1..3]": {"sms": 2}})"}}},
        {{"explain", "m.json"},
         "m.json: $.gpu[0]: unknown part 'gpu'; allowed are ",
         {{"m.json", R"({"extends": "numa-4", "gpu[0]": {"sms": 1}})"}}},
        {{"explain", "m.json"},
         "m.json: $.socket[0]: socket[00] has some of the same parts; ranges lie apart, or one inside the other",
         {{"m.json", R"({"extends": "numa-4", "socket[0]": {"sms": 1}, "socket[00]": {"sms": 2}})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].count: 4 of gpu with 4 cubes each need 16; there are 15 of cube",
         {{"m.json", cubes(4, 15)}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].count: 3 of gpu with 4 cubes each need 12; there are 17 of cube",
         {{"m.json", cubes(3, 17)}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].channels: cube[0] needs 8 channels to other parts, and it has 3; as many as are needed "
         "must be allowed, or 0 for any number",
         {{"m.json", cubes(4, 16, R"("topology": "dfbfly")", 3)}}},
        {{"explain", "m.json"},
         "m.json: $.parts[1].channels: cube[0] needs 9 channels to other parts, and it has 8; as many as are needed "
         "must be allowed, or 0 for any number",
         {{"m.json", cubes(8, 32, R"("topology": "dfbfly", "dimensions": [2, 4])")}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].channels: gpu[0] needs 16 channels to other parts, and it has 8; as many as are needed",
         {{"m.json", cubes(4, 16, R"("channels_per_cube": 4)")}}},
        {{"explain", "m.json"},
         "m.json: $.network.flit_bytes: 0 is out of range; allowed are whole numbers from 1 to 256 (B)",
         {{"m.json", cubes(4, 16, R"("flit_bytes": 0)")}}},
        {{"explain", "m.json"},
         "m.json: $.network.channel_ns: 9000 ns are 11250 cycles of 1250000 kHz; 1000 are allowed",
         {{"m.json", cubes(4, 16, R"("channel_ns": 9000)")}}},
        {{"explain", "m.json"},
         "m.json: $.network.topology: unknown fabric 'hypercube';",
         {{"m.json", cubes(4, 16, R"("topology": "hypercube")")}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].count: 17 clusters form no rectangle for the slices of sfbfly;",
         {{"m.json", cubes(17, 68)}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].channels: gpu[1] needs 2 channels to other parts, and it has 1; as many as are needed "
         "must be allowed, or 0 for any number",
         {{"m.json", R"({"extends": "numa-4", "parts": [{"name": "gpu", "count": 4, "channels": 1}], )"
                     R"("network": {"topology": "line"}})"}}},
        {{"explain", "numa-4", "--set", "topology=ring"},
         "--set topology: unknown key 'topology'; 'network.topology' is meant?"},
        {{"explain", "m.json"},
         "m.json: $.network.wires: no wire leads to hub[1]; one or more are expected",
         {{"m.json",
           R"({"extends": "numa-4", "sockets": null, "parts": [{"name": "gpu", "count": 2}, {"name": "hub", "count": 2, "kind": "router"}], "network": {"topology": "wires", "wires": [{"from": "gpu", "to": "hub[0]"}]}})"}}},
        {{"explain", "m.json"},
         "m.json: $.parts[0].name: 'switch' is a word of these files; another name is expected",
         {{"m.json", R"({"extends": "numa-4", "sockets": null, "parts": [{"name": "switch", "count": 4}]})"}}},
        {{"explain", "numa-4", "--set", "noc_khz=1000000"},
         "--set noc_khz: unknown key 'noc_khz'; 'network.noc_khz' is meant?"},
        {{"explain", "gpu-8-cpu-2", "--set", "parts.pcie.channels=1"},
         "--set parts.pcie.channels: $.parts[2].channels: pcie[0] needs 3 channels to other parts, and it has 1;"},
        {{"explain", "flatfly-64", "--set", "parts.node.channels=1"},
         "--set parts.node.channels: $.parts[0].channels: with the topology flattened_butterfly and several sockets at "
         "a router a part has no channels of its own; 0 is allowed"},
        {{"explain", "sfbfly-4g16h", "--set", "parts.cube.terminals=8"},
         "--set parts.cube.terminals: $.parts[1].terminals: with the topology sfbfly a socket has one terminal, and a "
         "cube network.terminals_per_cube; 1 is allowed"},
    });
}

} // namespace
} // namespace numavp::test
