// The use of the links over time, Figure 5 of the NUMA-aware GPU paper, from what a run recorded.

let socketName = (s) => `socket ${s}`; // a page of one run has names of its parts
// Null where there is no whole: a rate of nothing is not 0.
const shares = (parts, wholes, factor) => parts.map((part, i) => (wholes[i] > 0 ? (factor * part) / wholes[i] : null));
const shareText = (value) => (isNumber(value) ? `${fixed(value, 1)} %` : missing);

// A run's series and events, in microseconds. `events` is empty where only results.json is at hand.
function recordedRun(config, series, events) {
    const us = (cycle) => (cycle * 1000) / config.clock_khz;
    const spans = events.filter((event) => event.what === "kernel" || event.what === "flush");
    return {
        config, events, us,
        sockets: Array.from({length: config.sockets}, (_, i) => i),
        bytesPerCycle: (gbps) => (gbps * 1e6) / config.clock_khz,
        // A column of a socket; zeros where the system has no such part.
        column(s, name) {
            const found = ownOf(series.columns, `socket${s}.${name}`);
            return found ? found.values : series.cycles.map(() => 0);
        },
        run: {
            cycles: series.cycles,
            times: series.cycles.map(us),
            launches: series.marks.map((mark) => ({us: us(mark.cycle), name: mark.name})),
            kernels: spans.map((event) => ({name: event.name, flush: event.what === "flush", begin: us(event.cycle),
                end: us(event.cycle + event.cycles)})),
        },
    };
}

// The moments at which a lane turned outward (1) or inward (-1).
function turnsOf(recorded, s, direction) {
    let before = recorded.config.link.lanes_out;
    const found = [];
    for (const event of recorded.events) {
        if (event.what !== "lanes" || event.socket !== s) continue;
        const {out} = event.args;
        if (Math.sign(out - before) === direction) found.push(recorded.us(event.cycle));
        before = out;
    }
    return found;
}

function linkUseFigure(parent, recorded, names) {
    const {link} = recorded.config;
    const use = (s, way) => shares(recorded.column(s, `link.${way}_bytes`), recorded.column(s, `link.${way}_lane_cycles`),
        100 / recorded.bytesPerCycle(link.lane_gbps));
    const turns = recorded.events.some((event) => event.what === "lanes");
    const caption = ["Of what the lanes that face a direction could carry, in each interval. Out is from the socket to the switch.",
        recorded.run.kernels.length ? "On top are kernels and the flushes behind them; dotted lines are kernel launches."
            : "Dotted lines are kernel launches.",
        turns ? "A triangle on top is a lane that turned outward, one below a lane that turned inward." : ""];
    timeFigure(parent, recorded.run, {
        ...names, caption: caption.join(" ").trim(), unit: "%", max: 100, text: shareText,
        axisText: (value) => `${value} %`,
        lines: [{name: "out", colour: "blue"}, {name: "in", colour: "orange"}],
        panels: recorded.sockets.map((s) => ({name: socketName(s), socket: s, values: [use(s, "out"), use(s, "in")]})),
        turns: turns ? [
            {name: "lane turned out", colour: "blue", of: (panel) => turnsOf(recorded, panel.socket, 1)},
            {name: "lane turned in", colour: "orange", down: true, of: (panel) => turnsOf(recorded, panel.socket, -1)}] : undefined,
    });
}
