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

// --- the whole run

const manySockets = sockets.length > 16; // more bars than half a page has room for
const byNames = () => Math.max(320, 110 + 26 * Math.min(16, sockets.length));

// Registered shares and rates (results.ratios): their values come with the page, nothing is divided here.
const ratios = Object.fromEntries((data.ratios || []).map((ratio) => [ratio.name, ratio]));
const ratioOf = (s, name) => ratios[name]?.owners[`socket${s}`] ?? null;
const ratioOverTime = (s, name) => ratios[name]?.intervals[`socket${s}`] || [];
const times100 = (values) => values.map((value) => (isNumber(value) ? 100 * value : null));
const ratioText = (ratio, value) => (ratio.share ? percent(value) : `${plain(value)}${isNumber(value) ? ` ${ratio.unit}` : ""}`);

function memoryBandwidth(parent) {
    barFigure(parent, {
        id: "memory-bandwidth", wide: manySockets, title: "Memory bandwidth", height: 260, unit: "GB/s", stacked: true,
        categories: sockets.map(socketName), text: (value) => `${plain(value)} GB/s`, totalName: "together",
        caption: "Mean over the run.",
        series: [{name: "read", colour: "green", values: sockets.map((s) => ratioOf(s, "memory.read_gbps"))},
            {name: "written", colour: "yellow", values: sockets.map((s) => ratioOf(s, "memory.write_gbps"))}],
        limits: [...new Set(sockets.map(memoryGbps))].filter((value) => value > 0).map((value) => ({value, name: "wired"})),
    });
}

function linkBandwidth(parent) {
    barFigure(parent, {
        id: "link-bandwidth", wide: manySockets, title: "Link bandwidth", height: 260, unit: "GB/s",
        categories: sockets.map(socketName), text: (value) => `${plain(value)} GB/s`,
        caption: "Mean over the run. Lanes that turn can carry more than is wired one way.",
        series: [{name: "out", colour: "blue", values: sockets.map((s) => ratioOf(s, "link.gbps"))},
            {name: "in", colour: "orange", values: sockets.map((s) => ratioOf(s, "link.in_gbps"))}],
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
    ["L1 hits", "l1_hit_rate", percent], ["L2 hits", "l2_hit_rate", percent], ["on the way", "l2_merged_share", percent],
    ["L2 misses", "l2_miss_rate", percent], ["remote loads", "remote_share", percent],
    ["memory", "memory_bytes", bytesText], ["memory GB/s", "memory_gbps", (v) => fixed(v, 1)],
    ["links", "link_bytes", bytesText], ["links GB/s", "link_gbps", (v) => fixed(v, 1)], ["link energy", "link_energy_pj", energyText],
    ["load latency, ns", "load_latency_ns", plain], ["99 %, ns", "load_p99_ns", plain], ["page faults", "faults", grouped]];

// Ratios that have no title above: of any module.
const otherColumns = () => (data.kernel_figures || []).filter(({name, detail}) => !detail && !kernelColumns.some(([, key]) => key === name))
    .map(({name, unit}) => [name.replaceAll("_", " ") + (unit ? `, ${unit}` : ""), name, unit ? plain : percent]);

function kernelTable(parent, rows) {
    const most = 100;
    const there = kernelColumns.concat(otherColumns()).filter(([, key]) => rows.some((row) => isNumber(row[key])));
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

function byKernel(parent, rows) {
    if (rows.length === 0) return;
    kernelTable(parent, rows);
    streamTable(parent);
}

// Rows by stream, of runs with several.
function streamTable(parent) {
    const rows = data.summary.streams || [];
    if (rows.filter((row) => row.kind === "stream").length < 2) return;
    const there = kernelColumns.concat(otherColumns()).filter(([, key]) => rows.some((row) => isNumber(row[key])));
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

const partNames = {sm: ["SM and L1", "grey"], noc: ["crossbar", "yellow"], link: ["links and switch", "orange"],
    slice: ["L2", "blue"], home: ["L2 at home", "sky"], memory: ["memory", "green"]};

function latencies(parent) {
    const kinds = ["local", "remote"].filter((kind) =>
        sockets.some((s) => statistics[`socket${s}`].load_latency[kind].loads > 0));
    if (kinds.length === 0) return;
    const rows = kinds.flatMap((kind) => sockets.map((s) => ({kind, s, of: statistics[`socket${s}`].load_latency[kind]})))
        .filter((row) => !manySockets || row.of.loads > 0); // of many, those without loads would be most of the picture
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
    if (!statistics.switch || !statistics.switch.from0 || !isNumber(statistics.switch.from0.to1?.bytes)) return; // a large system counts no pairs
    const cells = sockets.flatMap((from) => sockets.filter((to) => to !== from).map((to) =>
        [from, to, statistics.switch[`from${from}`][`to${to}`].bytes]));
    const total = Math.max(1, cells.reduce((sum, cell) => sum + cell[2], 0));
    matrixFigure(parent, {
        id: "traffic", wide: manySockets, title: "Traffic from socket to socket", height: manySockets ? 110 + 11 * sockets.length : byNames(), unit: "B",
        rows: sockets.map(socketName), columns: sockets.map(socketName), cells, text: bytesText, shown: sockets.length <= 8,
        caption: "Requests, responses and write-backs over the whole run.",
        tipRows: (value) => [[null, "bytes", grouped(value)], [null, "bandwidth", `${plain(value / results.time_ns)} GB/s`],
            [null, "share of all", percent(value / total)]],
    });
}

// Of a system whose links end at routers: how busy each channel between two of them was.
function networkChannels(parent) {
    if (!data.channels || !data.channels.length) return;
    const nameOf = (channel) => `${channel.from} to ${channel.to}`;
    const shown = [...data.channels].sort((a, b) => b.use - a.use).slice(0, 12);
    barFigure(parent, {
        id: "network-channels", title: "Channels of the network", height: 76 + 24 * shown.length, unit: "%", horizontal: true,
        barWidth: 16, categories: shown.map(nameOf), text: shareText, axisText: (value) => `${value} %`,
        caption: "Of what each channel could carry, from router to router" +
            (data.channels.length > shown.length ? `; the ${shown.length} busiest of ${data.channels.length}.` : "."),
        series: [{name: "use", colour: "orange", values: shown.map((channel) => 100 * channel.use)}],
    });
}

function channelTable(parent) {
    if (!data.channels || !data.channels.length) return;
    foldedTable(parent, {
        id: "channel-table", title: `Channels of the network, each way: ${grouped(data.channels.length)}`, rows: data.channels,
        columns: [
            {title: "from", left: true, value: (c) => c.from}, {title: "to", left: true, value: (c) => c.to},
            {title: "link", left: true, value: (c) => c.link || "common"}, {title: "cycles", value: (c) => c.cycles},
            {title: "GB/s", value: (c) => c.use * c.gbps, text: (v) => fixed(v, 2)},
            {title: "of", value: (c) => c.gbps, text: (v) => fixed(v, 2)},
            {title: "use", value: (c) => c.use, text: percent},
            {title: "energy (uJ)", value: (c) => c.energy_uj, text: (v) => fixed(v, 2)},
        ],
    });
}

function hitRates(parent) {
    const kinds = [["L1", "l1_hit_rate", "yellow"], ["L2, own lines", "l2_local_hit_rate", "blue"],
        ["L2, remote lines", "l2_remote_hit_rate", "purple"], ["L2, for other sockets", "l2_incoming_hit_rate", "sky"]];
    const there = kinds.filter(([, key]) => data.summary.sockets.some((socket) => isNumber(socket[key])));
    barFigure(parent, {
        id: "hit-rates", wide: manySockets, title: "Cache hit rates", height: byNames(), unit: "%", max: 100,
        categories: sockets.map(socketName), text: shareText, axisText: (value) => `${value} %`,
        caption: "Over the run, by whose loads they are and where the line lives.",
        series: there.map(([name, key, colour]) => ({name, colour,
            values: data.summary.sockets.map((socket) => (isNumber(socket[key]) ? 100 * socket[key] : null))})),
    });
}

// What became of reads of L2s, from hit to miss.
function l2Reads(parent) {
    const parts = [["hits", "l2.hit_rate", "blue"], ["hits on lines on their way", "l2.merged_share", "sky"], ["misses", "l2.miss_rate", "grey"]];
    const cached = sockets.filter((s) => parts.some(([, name]) => isNumber(ratioOf(s, name))));
    if (cached.length === 0) return;
    barFigure(parent, {
        id: "l2-reads", wide: manySockets, title: "Reads of the L2s", height: byNames(), unit: "%", max: 100, stacked: true,
        categories: cached.map(socketName), text: shareText, axisText: (value) => `${value} %`,
        caption: "A read finds its line, meets it on its way (it is answered when the line is there), or fetches it.",
        series: parts.map(([name, ratio, colour]) => ({name, colour, values: times100(cached.map((s) => ratioOf(s, ratio)))})),
    });
}

// Every ratio that a module registers.
function ratioTable(parent) {
    if (!data.ratios?.length) return;
    const owners = sockets.filter((s) => data.ratios.some((ratio) => `socket${s}` in ratio.owners)).slice(0, mostNamed);
    foldedTable(parent, {id: "ratios", title: "Shares and rates", rows: data.ratios, columns: [
        {title: "name", left: true, value: (row) => row.name},
        {title: "all", value: (row) => row.all, text: (value, row) => ratioText(row, value)},
        ...owners.map((s) => ({title: socketName(s), value: (row) => row.owners[`socket${s}`] ?? null, text: (value, row) => ratioText(row, value)})),
        {title: "description", left: true, long: true, value: (row) => row.doc}]});
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
    // In a network channels have the energy; links of no length have none.
    if (isNumber(summary.link_energy_pj) && (!summary.network || summary.link_energy_pj !== 0))
        row.append(tile(energyText(summary.link_energy_pj), "link energy"));
    if (isNumber(summary.network?.energy_pj)) row.append(tile(energyText(summary.network.energy_pj + (summary.network.idle_energy_pj ?? 0)), "network energy"));
    main.append(row);
    if (summary.caveats?.length)
        main.append(el("p", {class: "caveat"}, `Too small for a conclusion: ${summary.caveats.map((caveat) => caveat.words).join("; ")}.`));
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
    ratioTable(parent);
    const path = {title: "path", left: true, value: (row) => row.path};
    const value = {title: "value", value: (row) => row.value, text: (v) => (v === null ? missing : String(v))};
    foldedTable(parent, {id: "statistics", title: "All statistics", rows: leaves(statistics, ""), columns: [path, value,
        {title: "unit", left: true, value: (row) => meaning(row.path).unit},
        {title: "description", left: true, long: true, value: (row) => meaning(row.path).doc}]});
    foldedTable(parent, {id: "configuration", title: "Configuration", rows: leaves(config, ""), columns: [path, value]});
    foldedTable(parent, {id: "cost", title: "The run itself", rows: leaves({workload: results.workload, run: data.run}, ""),
        columns: [path, {...value, left: true, long: true}]});
}

// --- the page

function runPage() {
    const {workload} = results;
    const how = [`scale ${workload.scale}`];
    if (workload.seed !== null) how.push(`seed ${workload.seed}`);
    const own = (data.run.own || []).map(({replaces, path, sha1}) =>
        `In the place of our ${replaces.replace("_", " ")}: ${path} (SHA-1 ${sha1}).`);
    document.getElementById("subtitle").append(
        ...[workload.description, config.description, how.join(", ") + ".", ...own].filter(Boolean).flatMap((t) => [t, el("br")]));
    verdictSentence(main, data.summary);
    tiles();
    const cards = cardsOf(main);
    verdictTable(cards, data.summary);
    const kernels = kernelRows();
    if (kernels.length > 0) kernelTimes(cards, kernels);
    rooflines(cards, data.summary);
    topologyFigure(cards, {configuration: config, paths: data.paths, sockets: data.summary.sockets});
    copyFigures(cards);
    energyFigure(cards);
    slotFigures(cards);
    if (hasColumn("link.out_bytes")) {
        linkUseFigure(cards, recorded, {id: "link-use", title: "Use of the links"});
        lanes(cards);
        if (hasColumn("link.errors")) errorsOverTime(cards);
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
    l2Reads(cards);
    translationFigures(cards);
    driverFigures(cards);
    summaryTable(cards);
    channelTable(cards);
    byKernel(cards, kernels);
    memoryUse(cards);
    hitsOverTime(cards);
    numbers(main);
}

runPage();
startTheme();
