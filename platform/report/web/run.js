// The report of a run: what is drawn from results.json.
const results = data.results;
const config = results.configuration;
const sockets = Array.from({length: config.sockets}, (_, i) => i);
const mostNamed = 12; // beside each other on an axis; more are numbers
if (sockets.length <= mostNamed) socketName = (s) => partName(config, s);
const statistics = results.statistics;
const series = results.series;

const recorded = recordedRun(config, series, data.events);
const {run, column} = recorded;
const hasColumn = (name) => Object.hasOwn(series.columns, `socket0.${name}`);
const intervals = series.cycles.map((cycle, i) => cycle - (i ? series.cycles[i - 1] : 0));

// --- over time

function lanes(parent) {
    timeFigure(parent, run, {
        id: "lanes", title: "Lanes", unit: "lanes", level: true, stacked: true, text: (value) => plain(value),
        max: config.link.lanes_out + config.link.lanes_in,
        caption: "How many lanes of a link face out and in. Where they do not add up, a lane is turning.",
        lines: [{name: "out", colour: "blue"}, {name: "in", colour: "orange"}],
        panels: sockets.map((s) => ({name: socketName(s),
            values: [column(s, "link.lanes_out"), column(s, "link.lanes_in")]})),
    });
}

function ways(parent, level, title, all) {
    const local = (s) => column(s, `ways.${level}_local`);
    if (!sockets.some((s) => local(s).some((value) => value > 0))) return;
    // A CPU's memory has neither cache.
    const own = (s) => socketAt(config, s);
    const cached = sockets.filter((s) => (level === "l1" ? own(s).sms > 0 : own(s).l2.size_kib > 0));
    timeFigure(parent, run, {
        id: `ways-${level}`, title, unit: "ways", level: true, stacked: true, max: all, text: (value) => plain(value),
        caption: "How many ways hold lines of the socket's own memory, and how many hold remote lines.",
        lines: [{name: "local", colour: "green"}, {name: "remote", colour: "purple"}],
        panels: cached.map((s) => ({name: socketName(s), values: [local(s), local(s).map((value) => all - value)]})),
    });
}

// Wired to a socket's memory in GB/s; 0 where it has none.
function memoryGbps(s) {
    const path = pathInside({paths: data.paths, configuration: config}, s, "memory channel");
    return path ? path.gbps : 0;
}

function memoryUse(parent) {
    const room = (s) => recorded.bytesPerCycle(memoryGbps(s));
    timeFigure(parent, run, {
        id: "memory-use", title: "Use of the memories", unit: "%", max: 100, text: shareText,
        axisText: (value) => `${value} %`,
        caption: "Of what a socket's channels could carry, in each interval.",
        lines: [{name: "memory", colour: "green"}],
        panels: sockets.filter((s) => memoryGbps(s) > 0).map((s) => ({name: socketName(s),
            values: [shares(column(s, "memory.bytes"), intervals.map((cycles) => cycles * room(s)), 100)]})),
    });
}

function hitsOverTime(parent) {
    const rate = (s, hits, all) => shares(column(s, hits), column(s, all), 100);
    timeFigure(parent, run, {
        id: "hits-over-time", title: "Cache hits over time", unit: "%", max: 100, text: shareText,
        axisText: (value) => `${value} %`,
        caption: "Of the load lines that the L1s looked up and of the reads that the L2 served; no line where there were none.",
        lines: [{name: "L1", colour: "yellow"}, {name: "L2", colour: "blue"}],
        panels: sockets.map((s) => ({name: socketName(s),
            values: [rate(s, "l1.hits", "l1.load_lines"), rate(s, "l2.hits", "l2.reads")]})),
    });
}

// Results of earlier versions have no slots.
function slotFigures(parent) {
    const {slots} = results;
    if (!slots || slots.series.cycles.length === 0) return;
    const values = (s, name) => ownOf(slots.series.columns, `socket${s}.${name}`, {values: []}).values;
    const ends = slots.series.cycles;
    // An interval has so many slots of a socket, whatever the clock of its SMs is.
    const slotsOf = (s) => ends.map((_, i) => Object.keys(slotCauses).reduce((sum, cause) => sum + (values(s, `slots.${cause}`)[i] || 0), 0));
    const each = (s, list, whole) => {
        const all = slotsOf(s);
        return list.map((value, i) => (all[i] > 0 ? value * whole / all[i] : 0));
    };
    const causes = Object.keys(slotCauses).filter((cause) => cause !== "translation" || slots.sockets.some((socket) => socket[cause] > 0));
    const slotted = sockets.filter((s) => slots.sockets[s].schedulers > 0); // one without SMs has none
    timeFigure(parent, run, {
        id: "slots", title: "Issue slots of the schedulers", unit: "%", max: 100, stacked: true, text: shareText,
        axisText: (value) => `${value} %`,
        caption: "What became of each scheduler's slot in each cycle: issued, or the wait of the warp that is nearest to " +
            "issue, in the order of the legend. Where nothing is coloured the socket has no warp.",
        lines: causes.map((cause) => ({name: slotCauses[cause][0], colour: slotCauses[cause][1]})),
        panels: slotted.map((s) => ({name: socketName(s),
            values: causes.map((cause) => each(s, values(s, `slots.${cause}`), 100))})),
    });
    const line = (spec, colour, name) => {
        const panels = slotted.map((s) => ({name: socketName(s), values: [each(s, values(s, name), slots.sockets[s].schedulers)]}));
        timeFigure(parent, run, {max: roundUp(most(panels)), text: (value) => plain(value), ...spec, panels,
            lines: [{name: spec.unit, colour}]});
    };
    const room = config.scale * Math.max(...sockets.map((s) => socketAt(config, s)).map((socket) => socket.sms * socket.sm.warps));
    line({id: "occupancy", title: "Resident warps", unit: "warps",
        caption: `Of a socket, on each interval's average; at most ${grouped(room)} fit.`},
    "purple", "warp_cycles");
    line({id: "ipc", title: "Instructions a cycle", unit: "instructions a cycle",
        caption: `Warp instructions that a socket issued in a cycle of its SMs; its schedulers could at most ${grouped(Math.max(...slots.sockets.map((socket) => socket.schedulers)))}.`},
    "green", "slots.issued");
    tableFigure(parent, {
        id: "slots-by-socket", title: "Issue slots by socket", caption: "Means over the run; IPC is of the SMs' clock, shares are of all slots of the socket's schedulers.",
        columns: [{title: "socket", left: true, value: (row) => row.socket},
            {title: "IPC", value: (row) => row.ipc, text: (value) => fixed(value, 2)},
            {title: "warps", value: (row) => row.warps, text: (value) => fixed(value, 1)},
            {title: "last warp ends", value: (row) => row.last_warp_ns, text: timeText}].concat(
            causes.map((cause) => ({title: slotCauses[cause][0], value: (row) => row.shares[cause], text: (value) => percent(value)}))),
        rows: data.summary.slots.map((socket, s) => ({socket: s, ...socket})).filter((row) => slotted.includes(row.socket)),
    });
}

// --- the whole run

const byNames = () => Math.max(320, 110 + 26 * sockets.length);

function memoryBandwidth(parent) {
    const rate = (s, name) => statistics[`socket${s}`].memory[name] / results.time_ns;
    barFigure(parent, {
        id: "memory-bandwidth", title: "Memory bandwidth", height: 260, unit: "GB/s", stacked: true,
        categories: sockets.map(socketName), text: (value) => `${plain(value)} GB/s`, totalName: "together",
        caption: "Mean over the run.",
        series: [{name: "read", colour: "green", values: sockets.map((s) => rate(s, "read_bytes"))},
            {name: "written", colour: "yellow", values: sockets.map((s) => rate(s, "write_bytes"))}],
        limits: [...new Set(sockets.map(memoryGbps))].filter((value) => value > 0).map((value) => ({value, name: "wired"})),
    });
}

function linkBandwidth(parent) {
    const rate = (s, way) => statistics[`socket${s}`].link[way].bytes / results.time_ns;
    barFigure(parent, {
        id: "link-bandwidth", title: "Link bandwidth", height: 260, unit: "GB/s",
        categories: sockets.map(socketName), text: (value) => `${plain(value)} GB/s`,
        caption: "Mean over the run. Lanes that turn can carry more than is wired one way.",
        series: [{name: "out", colour: "blue", values: sockets.map((s) => rate(s, "out"))},
            {name: "in", colour: "orange", values: sockets.map((s) => rate(s, "in"))}],
        limits: [{value: Math.max(config.link.lanes_out, config.link.lanes_in) * config.link.lane_gbps, name: "wired one way"}],
    });
}

// --- by kernel

// Rows of results.kernels with their figures, the longest first.
function kernelRows() {
    if (!results.kernels || !data.kernel_figures) return [];
    const columns = {...results.kernels.rows};
    for (const {name, values} of data.kernel_figures) columns[name] = values;
    const names = Object.keys(columns);
    const rows = columns.name.map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
    return rows.sort((a, b) => b.cycles - a.cycles);
}

const shortName = (name, most = 40) => (name.length > most ? `${name.slice(0, most - 1)}\u2026` : name);

function kernelTimes(parent, rows) {
    const most = 12;
    const times = new Map();
    for (const row of rows) {
        const known = times.get(row.name) || {kernel: 0, together: 0, outside: 0, launches: 0};
        known[row.kind === "overlap" ? "together" : row.kind === "outside" ? "outside" : "kernel"] += row.cycles;
        known.launches += row.launches;
        times.set(row.name, known);
    }
    const all = (time) => time.kernel + time.together + time.outside;
    const names = [...times].sort((a, b) => all(b[1]) - all(a[1])).slice(0, most);
    const us = (cycles) => cycles * 1000 / config.clock_khz;
    const kinds = [["one kernel", "kernel", "blue"], ["several side by side", "together", "purple"], ["outside kernels", "outside", "grey"]]
        .filter(([, kind]) => names.some(([, time]) => time[kind] > 0));
    barFigure(parent, {
        id: "kernel-times", title: "Time by kernel", height: 76 + 26 * names.length, unit: "\u00b5s", stacked: true,
        horizontal: true, barWidth: 16, wide: true, text: (value) => `${plain(value)} \u00b5s`,
        categories: names.map(([name, time]) => shortName(name) + (time.launches > 1 && time.together === 0 ? ` \u00d7 ${time.launches}` : "")),
        caption: "Of the run's time: in which launches of a kernel ran alone, several ran (or flushed) side by side, or none did: " +
            "launch, flush, copies." + (times.size > most ? ` The ${most} longest of ${times.size} names.` : ""),
        series: kinds.map(([name, kind, colour]) => ({name, colour, values: names.map(([, time]) => us(time[kind]) || null)})),
    });
}

const kernelColumns = [
    ["cycles", "cycles", grouped], ["warp instructions", "warp_instructions", grouped], ["a cycle", "ipc", (v) => fixed(v, 2)],
    ["L1 hits", "l1_hit_rate", percent], ["L2 hits", "l2_hit_rate", percent], ["remote loads", "remote_share", percent],
    ["memory", "memory_bytes", bytesText], ["memory GB/s", "memory_gbps", (v) => fixed(v, 1)],
    ["links", "link_bytes", bytesText], ["links GB/s", "link_gbps", (v) => fixed(v, 1)], ["link energy", "link_energy_pj", energyText],
    ["load latency, ns", "load_latency_ns", plain], ["99 %, ns", "load_p99_ns", plain], ["page faults", "faults", grouped]];

function kernelTable(parent, rows) {
    const most = 100;
    const there = kernelColumns.filter(([, key]) => rows.some((row) => isNumber(row[key])));
    tableFigure(parent, {
        id: "kernels", title: "By kernel", filter: rows.length > 12 ? "words to look for" : undefined, rows: rows.slice(0, most),
        caption: "What was counted while each launch alone ran, while several ran side by side, and outside kernels: the rows sum " +
            "to the run. Sums over all sockets; load latency of lines that left an SM." +
            (rows.length > most ? ` The ${most} longest of ${rows.length} rows; results.json has all.` : ""),
        columns: [{title: "launch", value: (row) => row.launch || row.of, text: (value) => (isNumber(value) ? String(value) : value || missing)},
            {title: "kernel", left: true, text: (name) => shortName(name),
                value: (row) => row.name + (row.kind === "folded" ? ` \u00d7 ${row.launches}` : "")},
            ...(new Set(rows.map((row) => row.streams).filter(Boolean)).size > 1 ? [{title: "stream", value: (row) => row.streams}] : [])].concat(
            there.map(([title, key, text]) => ({title, value: (row) => row[key], text: (value) => (isNumber(value) ? text(value) : missing)}))),
    });
}

function byKernel(parent) {
    const rows = kernelRows();
    if (rows.length === 0) return;
    kernelTimes(parent, rows);
    kernelTable(parent, rows);
    streamTable(parent);
}

// Rows by stream, of runs with several.
function streamTable(parent) {
    const rows = data.summary.streams || [];
    if (rows.filter((row) => row.kind === "stream").length < 2) return;
    const there = kernelColumns.filter(([, key]) => rows.some((row) => isNumber(row[key])));
    const name = (row) => (row.kind === "outside" ? "outside kernels" : row.streams === null ? "further launches"
        : row.streams) + (row.kind === "overlap" ? ", side by side" : "");
    tableFigure(parent, {
        id: "streams", title: "By stream", rows,
        caption: "What was counted while launches of one stream alone ran, while those of several ran side by side (not divided), " +
            "and outside kernels: the rows sum to the run. Sums over all sockets.",
        columns: [{title: "stream", left: true, value: name},
            {title: "launches", value: (row) => row.launches, text: (value) => (isNumber(value) ? grouped(value) : missing)}].concat(
            there.map(([title, key, text]) => ({title, value: (row) => row[key], text: (value) => (isNumber(value) ? text(value) : missing)}))),
    });
}

// --- translation and the driver, of systems that have them

const summaryOf = (name) => data.summary[name] || null;
const most = (panels) => Math.max(1, ...panels.flatMap((panel) => panel.values.flatMap((values) => values.filter(isNumber))));
// The next of 1, 2, 5, 10, 20, ...: half of it is a whole number from 2 on.
function roundUp(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return Math.max(2, [1, 2, 4, 6, 8, 10].find((step) => step * power >= value) * power);
}

function countsOverTime(parent, spec) {
    timeFigure(parent, run, {...spec, max: roundUp(most(spec.panels)), text: (value) => plain(value), axisText: (value) => plain(value)});
}

function translationFigures(parent) {
    const translation = summaryOf("translation");
    if (!translation || !hasColumn("mmu.walks")) return;
    const rates = [["L1 TLB", "l1_tlb_hit_rate", "yellow"], ["L2 TLB", "l2_tlb_hit_rate", "blue"]]
        .filter(([, key]) => translation.some((socket) => isNumber(socket[key])));
    if (rates.length > 0)
        barFigure(parent, {
            id: "tlb-rates", title: "TLB hit rates", height: byNames(), unit: "%", max: 100, categories: sockets.map(socketName),
            text: shareText, axisText: (value) => `${value} %`,
            caption: "L1: line accesses that did not wait for a translation. L2: requests of the SMs that it answered.",
            series: rates.map(([name, key, colour]) => ({name, colour,
                values: translation.map((socket) => (isNumber(socket[key]) ? 100 * socket[key] : null))})),
        });
    barFigure(parent, {
        id: "walks", title: "Time of walks and waits", height: byNames(), unit: "ns", categories: sockets.map(socketName),
        text: (value) => `${plain(value)} ns`,
        caption: `${grouped(translation.reduce((all, socket) => all + socket.walks, 0))} walks. Means of a walk, to the page's ` +
            "translation or its fault, and of an instruction's wait for a page, with the fault.",
        series: [{name: "walk", colour: "sky", values: translation.map((socket) => socket.walk_ns)},
            {name: "wait for a page", colour: "purple", values: translation.map((socket) => socket.wait_ns)}],
    });
    const panels = (names) => sockets.map((s) => ({name: socketName(s), values: names.map((name) => column(s, `mmu.${name}`))}));
    countsOverTime(parent, {
        id: "walks-over-time", title: "Walks and faults over time", unit: "in the interval",
        caption: "Page walks that began, and page faults that a driver was told of or that were placed at once.",
        lines: [{name: "walks", colour: "sky"}, {name: "faults", colour: "orange"}], panels: panels(["walks", "faults"]),
    });
    const rate = (s, part, rest) => shares(part(s), part(s).map((value, i) => value + rest(s)[i]), 100);
    const of = (name) => (s) => column(s, `mmu.${name}`);
    const known = (s) => of("l1_hits")(s).map((lines, i) => Math.max(0, lines - of("l1_misses")(s)[i]));
    const lines = rates.map(([name, , colour]) => ({name, colour}));
    if (lines.length > 0)
        timeFigure(parent, run, {
            id: "tlb-over-time", title: "TLB hits over time", unit: "%", max: 100, text: shareText, axisText: (value) => `${value} %`,
            caption: "As above, in each interval; no line where nothing was looked up.", lines,
            panels: sockets.map((s) => ({name: socketName(s), values: lines.map(({name}) => (name === "L1 TLB"
                ? rate(s, known, of("l1_misses")) : rate(s, of("l2_hits"), of("l2_misses"))))})),
        });
}

function energyFigure(parent) {
    const energy = summaryOf("energy");
    if (!energy) return;
    const parts = Object.entries(energy.components_pj).filter(([, pj]) => pj > 0);
    barFigure(parent, {
        id: "energy", title: "Energy by component", height: 130, unit: "mJ", stacked: true, horizontal: true, barWidth: 22,
        totalName: "all", text: (value) => `${plain(value)} mJ`, categories: ["run"], wide: true,
        caption: `${plain(energy.power_w)} W in the mean. What each component counts stands with the statistics of the group energy.`,
        series: parts.map(([name, pj], i) => ({name: name.replace(/_/g, " "), colour: palette[i % palette.length], values: [pj * 1e-9]})),
    });
}

function copyFigures(parent) {
    const copies = summaryOf("copies"), host = summaryOf("host");
    if (!copies && !host) return;
    const ways = copies ? [["to devices", copies.to_device, "orange"], ["to the host", copies.to_host, "sky"],
        ...(copies.peer ? [["between arrays", copies.peer, "purple"]] : [])] : [];
    const rest = Math.max(0, data.summary.time_ns - (copies ? copies.busy_ns : 0) - (host ? host.busy_ns : 0));
    const said = [
        ...(copies ? [`${copies.peer ? "Copies" : "Copies between host and devices"}, ${percent(copies.share)} of the run's time with one under way`] : []),
        ...(host ? [`${copies ? "t" : "T"}he host's own work, ${percent(host.share)}`] : [])];
    barFigure(parent, {
        id: "run-time", title: "Where the time went", height: 130, unit: "\u00b5s", stacked: true, horizontal: true, barWidth: 22,
        totalName: "all", text: (value) => `${plain(value)} \u00b5s`, categories: ["run"], wide: true,
        caption: `${said.join(", ")}, and the rest: kernels, their launches and flushes.` +
            (copies ? " Copies that run side by side count once each." : ""),
        series: [...ways.map(([name, way, colour]) => ({name: `copies ${name}`, colour, values: [way.time_ns / 1000]})),
            ...(host ? [{name: "the host's work", colour: "green", values: [host.busy_ns / 1000]}] : []),
            {name: "kernels and the rest", colour: "blue", values: [rest / 1000]}],
    });
    if (host)
        tableFigure(parent, {
            id: "host-work", title: "The host's own work", caption: "Of all phases: instructions a cycle of the core, lines of " +
                "128 bytes that items load and store, and those that were fetched and written back.", rows: [host],
            columns: [{title: "phases", value: (row) => row.phases, text: grouped},
                {title: "\u00b5s", value: (row) => row.busy_ns / 1000, text: (value) => fixed(value, 1)},
                {title: "instructions", value: (row) => row.instructions, text: grouped},
                {title: "a cycle", value: (row) => row.ipc, text: (value) => fixed(value, 2)},
                {title: "loads", value: (row) => row.loads, text: grouped}, {title: "stores", value: (row) => row.stores, text: grouped},
                {title: "fetched", value: (row) => row.fetched, text: grouped},
                {title: "written back", value: (row) => row.written, text: grouped},
                {title: "GB/s", value: (row) => row.gbps, text: (value) => fixed(value, 1)}],
        });
    if (!copies) return;
    tableFigure(parent, {
        id: "copies", title: copies.peer ? "Copies" : "Copies between host and devices", caption: "From the beginning to the end of each copy, summed.", rows: ways,
        columns: [{title: "copies", left: true, value: (row) => row[0]},
            {title: "number", value: (row) => row[1].copies, text: grouped},
            {title: "bytes", value: (row) => row[1].bytes, text: bytesText},
            {title: "\u00b5s", value: (row) => row[1].time_ns / 1000, text: (value) => fixed(value, 1)},
            {title: "GB/s", value: (row) => row[1].gbps, text: (value) => fixed(value, 1)}],
    });
}

const faultParts = {arrival: ["to the queue", "grey"], queue: ["in the queue", "yellow"], handling: ["the driver", "orange"],
    replay: ["back to the sockets", "sky"]};

function driverFigures(parent) {
    const driver = summaryOf("driver");
    if (!driver) return;
    if (driver.faults > 0)
        barFigure(parent, {
            id: "fault-latency", title: "Latency of page faults", height: 130, unit: "\u00b5s", stacked: true, horizontal: true,
            barWidth: 22, totalName: "mean latency", text: (value) => `${plain(value)} \u00b5s`, categories: ["mean"], wide: true,
            caption: `${grouped(driver.faults)} faults. Half take at most ${timeText(driver.p50_ns)}, 99 % at most ` +
                `${timeText(driver.p99_ns)}, the longest ${timeText(driver.max_ns)}. Each part from one step to the next.`,
            series: Object.entries(faultParts).map(([part, [name, colour]]) =>
                ({name, colour, values: [driver.parts_ns[part] / 1000]})),
        });
    const columnOf = (name) => (ownOf(series.columns, `host.${name}`) || {values: []}).values;
    const panels = [["done", "faults.done"], ["queued", "faults.queued"]].map(([name, from]) =>
        ({name, values: [columnOf(from)], max: roundUp(most([{values: [columnOf(from)]}]))})).filter((panel) => panel.values[0].length > 0);
    if (panels.length > 0)
        countsOverTime(parent, {
            id: "faults-over-time", title: "Faults at the driver over time", unit: "faults", panels,
            caption: "Those that it completed in the interval, and those that waited in the queue at its end.",
            lines: [{name: "faults", colour: "orange"}],
        });
    const link = (way) => (way ? `${plain(way.gbps)} GB/s, ${percent(way.use)} of ${plain(config.host.link_gbps)} GB/s` : missing);
    const rows = [["faults completed", driver.faults, grouped], ["busy with faults", driver.busy, percent],
        [driver.replicas === undefined ? "pages taken out of their frame (migrations)" : "pages taken out of all caches",
            driver.migrations, grouped],
        ["replicas of pages made", driver.replicas ?? null, grouped],
        ["replicas given up for pages", driver.replicas_dropped ?? null, grouped],
        ["pages that a store took the replicas of", driver.collapses ?? null, grouped],
        ["notes of remote accesses", driver.notes, grouped], ["copies", driver.copies, grouped],
        ["bytes copied", driver.copied_bytes, bytesText], ["fills with zeros", driver.fills, grouped],
        ["bytes filled", driver.filled_bytes, bytesText], ["host link, out of the host", driver.host_link_out, link],
        ["host link, into the host", driver.host_link_in, link]].filter(([, value]) => value !== null);
    tableFigure(parent, {
        id: "driver", title: "The driver and its host", caption: "Over the whole run; a share is of the run's time.", rows,
        columns: [{title: "what", left: true, value: (row) => row[0]},
            {title: "value", value: (row) => (isNumber(row[1]) ? row[1] : row[2](row[1])), text: (value, row) => row[2](row[1])}],
    });
}

const partNames = {sm: ["SM and L1", "grey"], noc: ["crossbar", "yellow"], link: ["links and switch", "orange"],
    slice: ["L2", "blue"], home: ["L2 at home", "sky"], memory: ["memory", "green"]};

function latencies(parent) {
    const kinds = ["local", "remote"].filter((kind) =>
        sockets.some((s) => statistics[`socket${s}`].load_latency[kind].loads > 0));
    if (kinds.length === 0) return;
    const rows = kinds.flatMap((kind) => sockets.map((s) => ({kind, s, of: statistics[`socket${s}`].load_latency[kind]})));
    const per = (row, ps) => (row.of.loads > 0 && isNumber(ps) ? ps / row.of.loads / 1000 : null);
    const parts = Object.entries(partNames).map(([part, [name, colour]]) =>
        ({name, colour, values: rows.map((row) => per(row, row.of.parts[`${part}_ps`]))}));
    const translated = rows.some((row) => isNumber(row.of.translation_ps));
    if (translated)
        parts.unshift({name: "translation, before", colour: "brown", values: rows.map((row) => per(row, row.of.translation_ps))});
    barFigure(parent, {
        id: "latency", title: "Latency of loads that missed L1", height: 76 + 26 * rows.length, unit: "ns", stacked: true,
        horizontal: true, barWidth: 16, totalName: translated ? "mean, with translation" : "mean latency",
        text: (value) => `${plain(value)} ns`,
        categories: rows.map((row) => `${socketName(row.s)}, ${row.kind}`), wide: true,
        caption: "Mean, and where the time was spent: each picosecond counts in one part, waiting where it was waited." +
            (translated ? " Translation comes before: since the load's instruction began to wait for a page, page faults included." : ""),
        series: parts,
    });
}

function traffic(parent) {
    if (!statistics.switch || !statistics.switch.from0) return;
    const cells = sockets.flatMap((from) => sockets.filter((to) => to !== from).map((to) =>
        [from, to, statistics.switch[`from${from}`][`to${to}`].bytes]));
    const total = Math.max(1, cells.reduce((sum, cell) => sum + cell[2], 0));
    matrixFigure(parent, {
        id: "traffic", title: "Traffic from socket to socket", height: byNames(), unit: "B",
        rows: sockets.map(socketName), columns: sockets.map(socketName), cells, text: bytesText, shown: sockets.length <= 8,
        caption: "Requests, responses and write-backs over the whole run.",
        tipRows: (value) => [[null, "bytes", grouped(value)], [null, "bandwidth", `${plain(value / results.time_ns)} GB/s`],
            [null, "share of all", percent(value / total)]],
    });
}

// Of a system whose links end at routers: how busy each channel between two of them was.
function networkChannels(parent) {
    if (!statistics.network) return;
    const cycles = results.time_ns * config.network.noc_khz / 1e6;
    const all = Object.entries(statistics.network).filter(([name]) => name.startsWith("channel") && name !== "channel_flits")
        .map(([, channel]) => [`${channel.from}\u2192${channel.to}`, 100 * channel.flits / cycles])
        .sort((a, b) => b[1] - a[1]);
    const shown = all.slice(0, 12);
    barFigure(parent, {
        id: "network-channels", title: "Channels of the network", height: 360, unit: "%",
        categories: shown.map(([name]) => name), text: shareText, axisText: (value) => `${value} %`,
        caption: `Of each channel's cycles, those in which it carried a flit, from router to router` +
            (all.length > shown.length ? `; the ${shown.length} busiest of ${all.length}.` : "."),
        series: [{name: "use", colour: "orange", values: shown.map(([, use]) => use)}],
    });
}

function hitRates(parent) {
    const kinds = [["L1", "l1_hit_rate", "yellow"], ["L2, own lines", "l2_local_hit_rate", "blue"],
        ["L2, remote lines", "l2_remote_hit_rate", "purple"], ["L2, for other sockets", "l2_incoming_hit_rate", "sky"]];
    const there = kinds.filter(([, key]) => data.summary.sockets.some((socket) => isNumber(socket[key])));
    barFigure(parent, {
        id: "hit-rates", title: "Cache hit rates", height: byNames(), unit: "%", max: 100,
        categories: sockets.map(socketName), text: shareText, axisText: (value) => `${value} %`,
        caption: "Over the run, by whose loads they are and where the line lives.",
        series: there.map(([name, key, colour]) => ({name, colour,
            values: data.summary.sockets.map((socket) => (isNumber(socket[key]) ? 100 * socket[key] : null))})),
    });
}

// --- numbers

function tiles() {
    const {summary} = data;
    const tile = (value, name) => el("div", {class: "tile"}, el("b", {}, value), el("span", {}, name));
    const row = el("div", {class: "tiles"},
        tile(timeText(summary.time_ns), `${grouped(summary.cycles)} cycles`),
        tile(plain(summary.ipc), "warp instructions a cycle"),
        tile(grouped(summary.blocks), `thread blocks in ${grouped(summary.kernels)} kernel${summary.kernels === 1 ? "" : "s"}`),
        tile(grouped(summary.transactions_completed), "memory transactions"));
    if (isNumber(summary.link_energy_pj)) row.append(tile(energyText(summary.link_energy_pj), "link energy"));
    main.append(row);
}

const summaryColumns = [
    ["memory GB/s", "memory_gbps", (v) => fixed(v, 1)], ["use", "memory_use", percent],
    ["link out GB/s", "out_gbps", (v) => fixed(v, 1)], ["of", "out_could_gbps", (v) => fixed(v, 1)], ["use", "out_use", percent],
    ["link in GB/s", "in_gbps", (v) => fixed(v, 1)], ["of", "in_could_gbps", (v) => fixed(v, 1)], ["use", "in_use", percent],
    ["remote loads", "remote_share", percent], ["L1 hits", "l1_hit_rate", percent],
    ["L2 hits, own", "l2_local_hit_rate", percent], ["L2 hits, remote", "l2_remote_hit_rate", percent],
    ["lanes out", "lanes_out", plain], ["lanes in", "lanes_in", plain],
    ["L2 ways, local", "l2_local_ways", plain], ["L1 ways, local", "l1_local_ways", plain]];

function summaryTable(parent) {
    const there = summaryColumns.filter(([, key]) => data.summary.sockets.some((socket) => isNumber(socket[key])));
    tableFigure(parent, {
        id: "summary", title: "By socket", caption: "Means over the run; lanes and ways as they were at the end." +
            (sockets.length > 1 ? " A link's use is its GB/s of what the lanes that faced this way could carry." : ""),
        columns: [{title: "socket", left: true, value: (row) => row.socket}].concat(
            there.map(([title, key, text]) => ({title, value: (row) => row[key], text: (value) => text(value)}))),
        rows: data.summary.sockets.map((socket, s) => ({socket: config.parts?.length ? socketName(s) : s, ...socket})),
    });
}

// Leaves of a tree as {path, value}.
function leaves(value, path) {
    if (value === null || typeof value !== "object") return [{path, value}];
    return Object.entries(value).flatMap(([key, member]) => leaves(member, path ? `${path}.${key}` : key));
}

// The unit of a statistic: its path with * for indices, which not all digits are ("l1").
function unitOf(path) {
    const steps = path.split(".");
    const find = (before, i) => {
        if (i === steps.length) return ownOf(results.units, before.join("."));
        return find([...before, steps[i]], i + 1) ||
            (/\D\d+$/.test(steps[i]) ? find([...before, steps[i].replace(/\d+$/, "*")], i + 1) : undefined);
    };
    return find([], 0);
}
const meaning = (path) => unitOf(path) || unitOf(path.replace(/\.[^.]*$/, "")) || {unit: "", doc: ""};

function numbers(parent) {
    const path = {title: "path", left: true, value: (row) => row.path};
    const value = {title: "value", value: (row) => row.value, text: (v) => (v === null ? missing : String(v))};
    foldedTable(parent, {id: "statistics", title: "All statistics", rows: leaves(statistics, ""), columns: [path, value,
        {title: "unit", left: true, value: (row) => meaning(row.path).unit},
        {title: "what it is", left: true, long: true, value: (row) => meaning(row.path).doc}]});
    foldedTable(parent, {id: "configuration", title: "Configuration", rows: leaves(config, ""), columns: [path, value]});
    foldedTable(parent, {id: "cost", title: "The run itself", rows: leaves({workload: results.workload, run: data.run}, ""),
        columns: [path, {...value, left: true, long: true}]});
}

// --- the page

function runPage() {
    const {workload} = results;
    const how = [`scale ${workload.scale}`];
    if (workload.seed !== null) how.push(`seed ${workload.seed}`);
    document.getElementById("subtitle").append(
        ...[workload.description, config.description, how.join(", ") + "."].filter(Boolean).flatMap((t) => [t, el("br")]));
    tiles();
    const cards = cardsOf(main);
    topologyFigure(cards, {configuration: config, paths: data.paths, sockets: data.summary.sockets});
    copyFigures(cards);
    energyFigure(cards);
    slotFigures(cards);
    if (hasColumn("link.out_bytes")) {
        linkUseFigure(cards, recorded, {id: "link-use", title: "Use of the links"});
        lanes(cards);
        ways(cards, "l2", "Ways of the L2s", config.socket.l2.ways);
        if (config.socket.partition.l1) ways(cards, "l1", "Ways of the L1s", config.socket.sm.l1.ways);
    }
    memoryBandwidth(cards);
    if (hasColumn("link.out_bytes")) linkBandwidth(cards);
    latencies(cards);
    latencyFigures(cards, results.access_latency);
    traffic(cards);
    if (data.traffic) trafficMatrixFigure(cards, {traffic: data.traffic, configuration: config, time_ns: results.time_ns});
    vaultFigure(cards, {statistics, configuration: config, sockets, time_ns: results.time_ns});
    if (data.layout && data.channels.length)
        networkFigure(cards, "The use of each channel over the whole run. The two directions of a channel lie beside each other, " +
            "on the right hand of who goes along them. Point at a channel or a router for its name and numbers." +
            (data.traffic ? "" : " With the setting network.traffic_matrix a run counts who asks whom, and a matrix shows it."));
    networkChannels(cards);
    hitRates(cards);
    translationFigures(cards);
    driverFigures(cards);
    summaryTable(cards);
    byKernel(cards);
    memoryUse(cards);
    hitsOverTime(cards);
    numbers(main);
}

runPage();
startTheme();
