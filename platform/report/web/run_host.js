// The report of a run: translation, the driver, energy and copies, of systems that have them.
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
            id: "tlb-rates", wide: manySockets, title: "TLB hit rates", height: byNames(), unit: "%", max: 100, categories: sockets.map(socketName),
            text: shareText, axisText: (value) => `${value} %`,
            caption: "L1: line accesses that did not wait for a translation. L2: requests of the SMs that it answered.",
            series: rates.map(([name, key, colour]) => ({name, colour,
                values: translation.map((socket) => (isNumber(socket[key]) ? 100 * socket[key] : null))})),
        });
    barFigure(parent, {
        id: "walks", wide: manySockets, title: "Time of walks and waits", height: byNames(), unit: "ns", categories: sockets.map(socketName),
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
    const lines = rates.map(([name, , colour]) => ({name, colour}));
    if (lines.length > 0)
        timeFigure(parent, run, {
            id: "tlb-over-time", title: "TLB hits over time", unit: "%", max: 100, text: shareText, axisText: (value) => `${value} %`,
            caption: "As above, in each interval; no line where nothing was looked up.", lines,
            panels: sockets.map((s) => ({name: socketName(s), values: lines.map(({name}) =>
                times100(ratioOverTime(s, name === "L1 TLB" ? "mmu.l1_hit_rate" : "mmu.l2_hit_rate")))})),
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
