// The report of a run: figures over time.
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

// Of machines whose links have errors.
function errorsOverTime(parent) {
    const values = (s) => column(s, "link.errors");
    const panels = sockets.map((s) => ({name: socketName(s), values: [values(s)]}));
    timeFigure(parent, run, {
        id: "link-errors", title: "Errors of the links", unit: "packets", text: (value) => plain(value), max: roundUp(most(panels)),
        caption: "Packets that arrived with an error in each interval, both ways, and were asked for again.",
        lines: [{name: "packets", colour: "orange"}], panels,
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
    timeFigure(parent, run, {
        id: "hits-over-time", title: "Cache hits over time", unit: "%", max: 100, text: shareText,
        axisText: (value) => `${value} %`,
        caption: "Of the load lines that the L1s looked up and of the reads that the L2 served; no line where there were none.",
        lines: [{name: "L1", colour: "yellow"}, {name: "L2", colour: "blue"}],
        panels: sockets.map((s) => ({name: socketName(s),
            values: [times100(ratioOverTime(s, "l1.hit_rate")), times100(ratioOverTime(s, "l2.hit_rate"))]})),
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
