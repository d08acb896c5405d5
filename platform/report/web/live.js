// The page of a run that goes on: it draws each state that it is answered.
socketName = (s) => state.sockets[s].name;

const socketNumbers = data.sockets.map((_, i) => i);
const mostPanels = 8; // sockets that get a panel of their own; of more, the mean and the busiest are drawn
const grouping = (list) => list.filter(isNumber);
const mean = (list) => (grouping(list).length ? grouping(list).reduce((sum, value) => sum + value, 0) / grouping(list).length : null);
const highest = (list) => (grouping(list).length ? Math.max(...grouping(list)) : null);
const asPercent = (value) => (isNumber(value) ? 100 * value : null);
const usOf = (cycle) => (cycle * 1000) / state.clock_khz;

// --- the head: status, progress, numbers

let before = null; // progress of the answer before

function showHead() {
    const {progress} = state;
    progressBar.value = progress.share;
    const speed = before && progress.elapsed_s > before.elapsed_s
        ? (progress.cycle - before.cycle) / (progress.elapsed_s - before.elapsed_s) : progress.cycle / progress.elapsed_s;
    if (!before || progress.elapsed_s > before.elapsed_s) before = progress;
    setTile("done", percent(progress.share), `after ${durationText(progress.elapsed_s)}`);
    setTile("left", isNumber(progress.left_s) ? durationText(progress.left_s) : missing, "time left, about");
    setTile("simulated", timeText(progress.time_ns), `${grouped(progress.cycle)} cycles`);
    setTile("kernels", `${grouped(progress.kernels_done)} of ${grouped(progress.kernels_total)}`, "kernels have ended");
    setTile("blocks", `${grouped(progress.blocks_done)} of ${grouped(progress.blocks_total)}`, "thread blocks have ended");
    if (isNumber(speed)) setTile("speed", grouped(speed), "cycles a second");
}

const statusTexts = {
    preparing: () => "The machine is being built.",
    running: () => "The run goes on; this page follows it.",
    branched: () => `The run goes on in several processes: ${state.message}. Each has a page of its own, listed below; the figures here are those at that moment.`,
    ended: () => `The run has ended: ${state.message}. This page keeps what it showed last.`,
    failed: () => `The run has failed: ${state.message}. This page keeps what it showed last.`,
    gone: () => `The run has ended or was stopped: nothing answers any more. Its results go to ${state.results}.`,
};

// --- figures; each reads `state` when it is drawn

// A chart under the mouse stays as it is, so that its numbers can be read.
function redrawUnlessRead({draw, section}) {
    if (!section.querySelector(".chart").matches(":hover")) draw();
}
const few = socketNumbers.length <= mostPanels; // their bars lie, beside names; those of many stand
const barsHeight = (each) => (few ? Math.max(240, 110 + each * socketNumbers.length) : 300);

function socketBars(parent) {
    const spec = {
        id: "now", title: "Use of links and memories now", height: barsHeight(48), unit: "%",
        max: 100, horizontal: few, barWidth: 14, text: shareText, axisText: (value) => `${value} %`, wide: true,
        caption: "Over the last 16 samples of the time series: of what the lanes that face a direction, and the channels of a memory, could carry. " +
            "Out is from the socket to the switch.",
        categories: socketNumbers.map(socketName),
        series: [{name: "link out", colour: "blue", values: []}, {name: "link in", colour: "orange", values: []},
            {name: "memory", colour: "green", values: []}],
    };
    drawn.push(() => ["link_out_use", "link_in_use", "memory_use"].forEach((key, k) => {
        spec.series[k].values = state.sockets.map((socket) => asPercent(socket[key]));
    }));
    const made = barFigure(parent, spec);
    drawn.push(() => redrawUnlessRead(made));
}

function slotBars(parent) {
    const causes = Object.keys(slotCauses);
    const spec = {
        id: "slots-now", title: "Issue slots now", height: barsHeight(26), unit: "%", max: 100, stacked: true,
        horizontal: few, barWidth: 16, text: shareText, axisText: (value) => `${value} %`, wide: true,
        caption: "What became of the slots of each socket's schedulers over the last 16 samples, in the order of the legend.",
        categories: socketNumbers.map(socketName),
        series: causes.map((cause) => ({name: slotCauses[cause][0], colour: slotCauses[cause][1], values: []})),
    };
    drawn.push(() => causes.forEach((cause, k) => {
        spec.series[k].values = state.sockets.map((socket) => asPercent(socket.slots[cause]));
    }));
    const made = barFigure(parent, spec);
    drawn.push(() => redrawUnlessRead(made));
}

// Times of the history, and kernels on top: what timeFigure draws over.
const timeline = {times: [], cycles: [], kernels: [], launches: []};

function takeTimeline() {
    const {history, kernels, progress} = state;
    timeline.cycles = history.cycles;
    timeline.times = history.cycles.map(usOf);
    timeline.kernels = kernels.ended.map((kernel) => ({name: kernel.name, begin: usOf(kernel.begin), end: usOf(kernel.end)})).reverse()
        .concat(kernels.running.map((kernel) => ({name: kernel.name, begin: usOf(kernel.begin), end: usOf(progress.cycle)})));
}

// A figure over time is made when there is something to draw, and keeps its panels from then on.
function timeFigureLater(parent, spec, fill) {
    const place = parent.appendChild(el("div", {class: "card-place"}));
    let made = null;
    drawn.push(() => {
        if (timeline.times.length < 2) return;
        spec.panels = fill();
        if (spec.panels.length === 0) return;
        if (!made) {
            made = timeFigure(place, timeline, spec);
            place.replaceWith(made.section);
            listContents();
        }
        redrawUnlessRead(made);
    });
}

// Of each socket with values; of many sockets their mean and the highest.
function panelsOf(lists) {
    const there = socketNumbers.filter((s) => lists.every((list) => list[s].some(isNumber)));
    const times = (values) => values.map(asPercent);
    if (there.length <= mostPanels) return there.map((s) => ({name: socketName(s), values: lists.map((list) => times(list[s]))}));
    const over = (kind) => lists.map((list) => timeline.times.map((_, i) => asPercent(kind(there.map((s) => list[s][i])))));
    return [{name: "mean", values: over(mean)}, {name: "busiest", values: over(highest)}];
}

function figuresOverTime(parent) {
    const common = {unit: "%", max: 100, text: shareText, axisText: (value) => `${value} %`};
    timeFigureLater(parent, {...common, id: "link-use", title: "Use of the links over the run",
        caption: "Of what the lanes that face a direction could carry. The whole run so far in at most 240 intervals; on top are the kernels.",
        lines: [{name: "out", colour: "blue"}, {name: "in", colour: "orange"}]},
    () => panelsOf([state.history.link_out, state.history.link_in]));
    timeFigureLater(parent, {...common, id: "memory-use", title: "Use of the memories over the run",
        caption: "Of what a socket's channels could carry.", lines: [{name: "memory", colour: "green"}]},
    () => panelsOf([state.history.memory]));
    const causes = Object.keys(slotCauses);
    timeFigureLater(parent, {...common, id: "slots", title: "Issue slots of all sockets over the run", stacked: true,
        caption: "What became of the slots of all schedulers, in the order of the legend.",
        lines: causes.map((cause) => ({name: slotCauses[cause][0], colour: slotCauses[cause][1]}))},
    () => (causes.some((cause) => state.history.slots[cause].some(isNumber))
        ? [{name: "all", values: causes.map((cause) => state.history.slots[cause].map(asPercent))}] : []));
}

// --- tables

const signed = (value) => (value > 0 ? `+${grouped(value)}` : grouped(value));

function waits(parent) {
    liveTable(parent, {
        id: "waits", title: "Who waits for whom",
        caption: "Parts of a kind that wait for, or hold, the same. The amount is the sum of the numbers that their reports begin with: packets, " +
            "entries, responses; its change is that since the look before, so a queue that grows has a positive one. The last column is the report of the part with the largest number.",
        columns: [{title: "parts", left: true, value: (row) => row.parts}, {title: "how many", value: (row) => row.count},
            {title: "of", value: (row) => row.all}, {title: "amount", value: (row) => row.amount, text: grouped},
            {title: "change", value: (row) => row.change, text: signed},
            {title: "of one part", left: true, long: true, value: (row) => `${row.most} ${row.verb} ${row.what}`}],
    }, () => state.waits);
}

function branchTable(parent) {
    liveTableLater(parent, {
        id: "branches", title: "Branches", caption: "Each goes on in a process, with a live page while it runs.",
        columns: [{title: "branch", left: true, value: (row) => row.name}, {title: "status", left: true, value: (row) => row.status},
            {title: "page", left: true, value: (row) => row.address, text: (v) => (v ? "live page" : missing), link: (row) => row.address},
            {title: "results", left: true, value: (row) => row.results}],
    }, () => state.branches);
}

function socketTable(parent) {
    liveTable(parent, {
        id: "sockets", title: "By socket", caption: "Over the last 16 samples; lanes as they are now.",
        columns: [{title: "socket", left: true, value: (row) => row.name},
            {title: "link out GB/s", value: (row) => row.link_out_gbps, text: (v) => fixed(v, 1)}, {title: "use", value: (row) => row.link_out_use, text: (v) => percent(v)},
            {title: "link in GB/s", value: (row) => row.link_in_gbps, text: (v) => fixed(v, 1)}, {title: "use", value: (row) => row.link_in_use, text: (v) => percent(v)},
            {title: "lanes out", value: (row) => row.lanes_out}, {title: "lanes in", value: (row) => row.lanes_in},
            {title: "memory GB/s", value: (row) => row.memory_gbps, text: (v) => fixed(v, 1)}, {title: "use", value: (row) => row.memory_use, text: (v) => percent(v)},
            {title: "IPC", value: (row) => row.ipc, text: (v) => fixed(v, 2)}, {title: "warps", value: (row) => row.warps, text: (v) => fixed(v, 1)}],
    }, () => state.sockets);
}

function kernelTable(parent) {
    liveTable(parent, {
        id: "kernels", title: "Kernels that have ended", caption: "The latest first, at most 200; those that run stand above them.",
        columns: [{title: "launch", left: true, value: (row) => row.launch ?? "running", text: (v) => String(v)},
            {title: "kernel", left: true, value: (row) => row.name},
            {title: "began, cycle", value: (row) => row.begin}, {title: "ended, cycle", value: (row) => row.end ?? null},
            {title: "time", value: (row) => (isNumber(row.end) ? usOf(row.end - row.begin) * 1000 : null), text: timeText}],
    }, () => [...state.kernels.running, ...state.kernels.ended]);
}

function accessTable(parent) {
    const longest = (access) => access.hops.reduce((most, hop) => (hop.wait_ns > most.wait_ns ? hop : most), {wait_ns: 0});
    const {every} = data.accesses;
    liveTable(parent, {
        id: "accesses", title: "Last accesses",
        caption: every ? `Of one access of the SMs in ${grouped(every)}, the last that have ended.`
            : "No access is followed, since a run with several workers follows none.",
        columns: [{title: "access", value: (row) => row.access, text: grouped}, {title: "kind", left: true, value: (row) => row.kind},
            {title: "from", left: true, value: (row) => `${socketName(row.socket)}, SM ${row.sm}`},
            {title: "home", left: true, value: (row) => (row.home < data.sockets.length ? socketName(row.home) : "host")},
            {title: "address", left: true, value: (row) => row.address},
            {title: "latency", value: (row) => row.latency_ns, text: timeText},
            {title: "longest wait", value: (row) => longest(row).wait_ns, text: timeText},
            {title: "at", left: true, value: (row) => longest(row).place || missing}, {title: "for", left: true, value: (row) => longest(row).waited_for || missing}],
    }, () => state.accesses.last);
}

document.getElementById("subtitle").textContent =
    `${data.branch ? `Branch ${data.branch}, process` : "Process"} ${data.process}; results go to ${data.results}. Nothing here changes the run or its results.`;
head("Share of the thread blocks that are done", ["done", "left", "simulated", "kernels", "blocks", "speed"]);
const cards = cardsOf(main);
branchTable(cards);
socketBars(cards);
slotBars(cards);
figuresOverTime(cards);
waits(cards);
socketTable(cards);
kernelTable(cards);
accessTable(cards);
startTheme();
follow(statusTexts, () => {
    takeTimeline();
    showHead();
});
