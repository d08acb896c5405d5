// Runs side by side: what differs, and how each spent its time. A is what the others are held against.
const {comparison} = data;
const runs = data.runs;
const others = runs.slice(1);
const letters = runs.map((run) => run.letter);
const colourOf = (i) => palette[i % palette.length];
const most = (values) => Math.max(0, ...values.filter(isNumber));

// --- numbers as they are compared

// "+12.3 %", "x 14" from a factor of 10 on, points of a percentage.
function changeText(first, value, unit) {
    if (!isNumber(first) || !isNumber(value)) return isNumber(value) ? "new" : isNumber(first) ? "gone" : missing;
    if (first === value) return "=";
    const sign = (number) => (number > 0 ? "+" : "\u2212");
    if (unit === "%") return `${sign(value - first)}${plain(Math.abs(value - first), 3)} points`;
    if (first === 0) return "from 0";
    const change = value / first - 1;
    if (change >= 9) return `\u00d7 ${plain(value / first, 3)}`;
    return `${sign(change)}${fixed(100 * Math.abs(change), Math.abs(change) < 0.0995 ? 2 : 1)} %`;
}

const valueColumns = () => runs.map((run, i) => ({title: run.letter, value: (row) => row.values[i], text: (value) => plain(value)}));
const changeColumns = () => others.map((run, i) => ({
    title: others.length === 1 ? "change" : `${run.letter} change`,
    value: (row) => row.changes[i], text: (_, row) => changeText(row.values[0], row.values[i + 1], row.unit)}));

function numberColumns(rows) {
    const over = rows.some((row) => row.over) ? [{title: "over", left: true, value: (row) => row.over, text: (value) => value}] : [];
    return [{title: "what", left: true, value: (row) => row.path}, {title: "unit", left: true, value: (row) => row.unit, text: (value) => value}, ...over,
        ...valueColumns(), ...changeColumns(),
        ...(runs.length > 2 ? [] : [{title: "description", left: true, long: true, value: (row) => row.doc}])];
}

function settings(parent) {
    const text = (value) => (value === null ? missing : typeof value === "number" ? plain(value, 12) : String(value));
    if (comparison.settings.length === 0) {
        card(parent, {id: "settings", title: "Settings", wide: true, caption: "All settings are the same."}, []);
        return;
    }
    tableFigure(parent, {
        id: "settings", title: "Settings that differ", rows: comparison.settings,
        caption: "Names first, then numbers by how far apart they are.",
        columns: [{title: "setting", left: true, value: (row) => row.path}].concat(
            runs.map((run, i) => ({title: run.letter, left: true, value: (row) => row.values[i], text}))),
    });
}

function headline(parent) {
    tableFigure(parent, {id: "headline", title: "In short", rows: comparison.headline,
        caption: "Over all sockets. A change is relative to A.", columns: numberColumns(comparison.headline)});
}

// Of paths with a *, "over" says what was made of the instances.
function statistics(parent) {
    if (comparison.statistics.length === 0) return;
    foldedTable(parent, {id: "statistics", rows: comparison.statistics, columns: numberColumns(comparison.statistics),
        title: `Statistics that differ: ${grouped(comparison.statistics.length)}, by the size of the change ` +
            `(${grouped(comparison.same)} are the same)`});
}

// The launches that are most cycles apart, with what differs most besides.
function kernelTable(parent) {
    const most = 100;
    const rows = comparison.kernels.filter((row) => row.numbers.some((number) => number.values.some((value) => value !== number.values[0])));
    if (rows.length === 0) return;
    const cycles = (row) => row.numbers[0];
    const besides = (row) => row.numbers.find((number) => number.path === row.most);
    const text = (number) => (number ? `${number.path.replaceAll("_", " ")}: ${number.values.map((value) => plain(value)).join(" | ")} ${number.unit}` : "");
    tableFigure(parent, {
        id: "kernels", title: "Kernels that differ", rows: rows.slice(0, most), filter: rows.length > 12 ? "words to look for" : undefined,
        caption: "By the difference of their cycles; launches are matched by number and name. Beside them, what differs most of the launch." +
            (rows.length > most ? ` The ${most} first of ${rows.length}; --csv has all.` : ""),
        columns: [{title: "launch", value: (row) => row.launch}, {title: "kernel", left: true, value: (row) => row.name,
            text: (name) => (name.length > 40 ? `${name.slice(0, 39)}\u2026` : name)}].concat(
            runs.map((run, i) => ({title: `${run.letter} cycles`, value: (row) => cycles(row).values[i], text: (value) => plain(value)})),
            others.map((run, i) => ({title: others.length === 1 ? "change" : `${run.letter} change`, value: (row) => cycles(row).changes[i],
                text: (_, row) => changeText(cycles(row).values[0], cycles(row).values[i + 1], "cycles")})),
            [{title: "differs most besides", left: true, value: (row) => text(besides(row))}]),
    });
}

// --- pictures

// Shares of all sockets' slots, one bar a run.
function slotFigures(parent) {
    const numbers = comparison.slots.filter((row) => !row.path.includes("socket"));
    const causes = Object.entries(slotCauses).filter(([cause]) => numbers.some((row) => row.path === cause && row.values.some((value) => value > 0)));
    if (causes.length > 0)
        barFigure(parent, {
            id: "slots", title: "Issue slots of the schedulers", height: 90 + 34 * runs.length, unit: "%", max: 100, stacked: true,
            horizontal: true, barWidth: 20, wide: true, text: shareText, axisText: (value) => `${value} %`, categories: letters,
            caption: "Of all slots of all sockets: issued, or the wait of the warp that is nearest to issue.",
            series: causes.map(([cause, [name, colour]]) =>
                ({name, colour, values: numbers.find((row) => row.path === cause).values})),
        });
    if (comparison.slots.length > 0)
        tableFigure(parent, {id: "slot-numbers", title: "Issue slots and warps", rows: comparison.slots,
            caption: "Shares of slots by cause, warps on the run's average, and when sockets had no warp any more.",
            columns: numberColumns(comparison.slots)});
    if (comparison.access_latency.length > 0)
        tableFigure(parent, {id: "access-latency", title: "Latency of accesses by class", rows: comparison.access_latency,
            caption: "Of loads, stores and atomics that left their SM, by where the home of their line is.",
            columns: numberColumns(comparison.access_latency)});
}

// Ratios on an axis of doublings, so that half and double are as far from A.
function largestChanges(parent) {
    const shown = comparison.statistics.filter((row) => row.values.every((value) => value > 0)).slice(0, 16);
    if (shown.length === 0) return;
    const doublings = shown.map((row) => others.map((_, i) => Math.log2(row.values[i + 1] / row.values[0])));
    const reach = Math.max(0.1, most(doublings.flat().map(Math.abs))) * 1.05;
    const ratio = (value) => `\u00d7 ${plain(2 ** value, 3)}`;
    const option = (c) => ({
        grid: {left: 8, right: 24, top: others.length > 1 ? 30 : 8, bottom: 4, containLabel: true},
        legend: others.length > 1 ? legend(c, others.map((run) => run.letter)) : {show: false},
        tooltip: tooltip(c, {trigger: "axis", axisPointer: {type: "shadow", shadowStyle: {color: c.faint, opacity: 0.6}},
            formatter: (params) => {
                const row = shown[params[0].dataIndex];
                return tip(row.path, runs.map((run, i) => [c[colourOf(i)], run.letter, `${plain(row.values[i])} ${row.unit}`,
                    i ? changeText(row.values[0], row.values[i], row.unit) : ""]));
            }}),
        xAxis: axis(c, {type: "value", min: -reach, max: reach, axisLabel: label(c, {formatter: ratio, showMinLabel: false, showMaxLabel: false})}),
        yAxis: categories(c, shown.map((row) => row.path), {inverse: true, axisLabel: label(c, {interval: 0}),
            axisLine: {show: true, onZero: true, lineStyle: {color: c.muted}}}),
        series: others.map((run, i) => ({type: "bar", name: run.letter, barMaxWidth: 14, emphasis: {disabled: true},
            itemStyle: {color: c[colourOf(i + 1)]}, data: doublings.map((row) => row[i])})),
    });
    const csv = () => [["statistic", "unit", ...letters]].concat(shown.map((row) => [row.path, row.unit, ...row.values]));
    figure(parent, {id: "changes", title: "Largest changes", wide: true, option, csv,
        height: 40 + shown.length * Math.max(20, 8 + 9 * others.length),
        caption: "Relative to A, of the statistics that all runs have and that are not 0; the table at the end has all."});
}

const partNames = {sm: ["SM and L1", "grey"], noc: ["crossbar", "yellow"], link: ["links and switch", "orange"],
    slice: ["L2", "blue"], home: ["L2 at home", "sky"], memory: ["memory", "green"]};

function latencies(parent) {
    const rows = ["local", "remote"].flatMap((kind) => runs.filter((run) => run.summary.load_latency[kind].loads > 0)
        .map((run) => ({name: `${run.letter}, ${kind}`, parts: run.summary.load_latency[kind].parts_ns})));
    if (rows.length === 0) return;
    barFigure(parent, {
        id: "latency", title: "Latency of loads that missed L1", height: 76 + 30 * rows.length, unit: "ns", stacked: true,
        horizontal: true, barWidth: 18, wide: true, totalName: "mean latency", text: (value) => `${plain(value)} ns`,
        caption: "Mean, and where the time was spent.", categories: rows.map((row) => row.name),
        series: Object.entries(partNames).map(([part, [name, colour]]) =>
            ({name, colour, values: rows.map((row) => row.parts[part] ?? null)})),
    });
}

const bySocket = [
    ["link-out", "Out of each socket", "GB/s", "out_gbps", 1], ["link-in", "Into each socket", "GB/s", "in_gbps", 1],
    ["memory", "Memory bandwidth", "GB/s", "memory_gbps", 1], ["remote", "Remote loads", "%", "remote_share", 100],
    ["l1-hits", "L1 hits", "%", "l1_hit_rate", 100], ["l2-hits", "L2 hits of own lines", "%", "l2_local_hit_rate", 100],
    ["l2-merged", "L2 hits on lines on their way", "%", "l2_merged_share", 100], ["l2-misses", "L2 misses", "%", "l2_miss_rate", 100]];

function socketFigures(parent) {
    const count = most(runs.map((run) => run.summary.sockets.length));
    const sockets = Array.from({length: count}, (_, s) => s);
    for (const [id, title, unit, key, factor] of bySocket) {
        const values = runs.map((run) => sockets.map((s) => {
            const socket = run.summary.sockets[s] || {};
            const value = socket[key] ?? socket.ratios?.[key];
            return isNumber(value) ? factor * value : null;
        }));
        if (!values.flat().some(isNumber)) continue;
        barFigure(parent, {id, title, unit, height: 240, categories: sockets.map(socketName),
            caption: unit === "%" ? "Over the run; no bar where there was nothing." : "Mean over the run.",
            text: (value) => `${plain(value)} ${unit}`, max: unit === "%" ? 100 : undefined,
            series: runs.map((run, i) => ({name: run.letter, colour: colourOf(i), values: values[i]}))});
    }
}

// Warp instructions a cycle, over all sockets, as [us, value] at the end of each interval.
function issueOf(run) {
    const columns = Object.entries(run.series.columns).filter(([name]) => name.endsWith(".sm.warp_instructions"));
    return run.series.cycles.map((cycle, i) => {
        const cycles = cycle - (i ? run.series.cycles[i - 1] : 0);
        const issued = columns.reduce((sum, [, column]) => sum + column.values[i], 0);
        return [cycle * 1000 / run.configuration.clock_khz, cycles > 0 ? issued / cycles : null];
    });
}

function overTime(parent) {
    const points = runs.map(issueOf);
    if (points.every((list) => list.length === 0)) return;
    const option = (c) => ({
        grid: {left: 8, right: 24, top: 34, bottom: 4, containLabel: true},
        legend: legend(c, letters),
        tooltip: tooltip(c, {trigger: "axis", formatter: (params) => tip(`${plain(params[0].data[0])} \u00b5s`,
            params.map((p) => [p.color, p.seriesName, plain(p.data[1])]))}),
        xAxis: axis(c, {type: "value", name: "\u00b5s", nameGap: 4, min: 0, splitLine: {show: false},
            axisLine: {show: true, lineStyle: {color: c.rule}}, axisLabel: label(c, {showMaxLabel: false})}),
        yAxis: axis(c, {type: "value", min: 0}),
        series: runs.map((run, i) => ({type: "line", name: run.letter, step: "end", showSymbol: false,
            lineStyle: {width: 1.6, color: c[colourOf(i)]}, itemStyle: {color: c[colourOf(i)]}, data: points[i]})),
    });
    const csv = () => [["run", "time_us", "warp instructions a cycle"]].concat(
        points.flatMap((list, i) => list.map(([us, value]) => [letters[i], us, value])));
    figure(parent, {id: "issue", title: "Warp instructions a cycle over time", wide: true, height: 260, option, csv,
        caption: "Over all sockets, in each interval. Where a line ends, its run has ended."});
}

function eachRun(parent) {
    for (const run of runs) {
        const names = (id, title) => ({id: `${id}-${run.letter}`, title: `${title}: ${run.letter}`});
        topologyFigure(parent, {configuration: run.configuration, paths: run.paths, sockets: run.summary.sockets}, names("system", "System"));
        if (Object.hasOwn(run.series.columns, "socket0.link.out_bytes"))
            linkUseFigure(parent, recordedRun(run.configuration, run.series, []), names("link-use", "Use of the links"));
    }
}

function tiles() {
    const row = el("div", {class: "tiles"});
    runs.forEach((run, i) => {
        const change = i ? `, ${changeText(runs[0].time_ns, run.time_ns, "ns")}` : "";
        row.append(el("div", {class: "tile"}, el("b", {}, timeText(run.time_ns)), el("span", {}, `${run.letter}${change}`)));
    });
    main.append(row);
}

function comparePage() {
    document.getElementById("subtitle").append(...runs.flatMap((run) =>
        [el("b", {}, run.letter), ` ${run.name}: ${run.workload.name} on ${run.configuration.name}, scale ${run.workload.scale}`, el("br")]));
    tiles();
    const cards = cardsOf(main);
    attributions(cards);
    headline(cards);
    settings(cards);
    largestChanges(cards);
    socketFigures(cards);
    slotFigures(cards);
    latencies(cards);
    overTime(cards);
    kernelTable(cards);
    eachRun(cards);
    statistics(main);
}

comparePage();
startTheme();
