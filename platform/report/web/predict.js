// The report of an application on a machine: a timeline by GPU and engine, use of links, all steps as a table.

const tintOf = (c, kind) => ({copy: c.blue, kernel: c.orange, host: c.green})[kind];
const usText = (ns) => fixed(ns / 1000, 1);
const critical = new Set(data.critical_path);

function barShape(params, api) {
    const [lane, start, end] = [api.value(0), api.value(1), api.value(2)];
    const from = api.coord([start, lane]);
    const to = api.coord([end, lane]);
    const height = api.size([0, 1])[1] * 0.7;
    const area = params.coordSys;
    const x = Math.max(from[0], area.x);
    const width = Math.max(Math.min(to[0], area.x + area.width) - x, 1);
    return {type: "rect", shape: {x, y: from[1] - height / 2, width, height}, style: api.style()};
}

function timelineOption(c, lanes) {
    const kinds = ["copy", "kernel", "host"].filter((kind) => data.steps.some((s) => s.kind === kind));
    return {
        grid: {left: 8, right: 16, top: 34, bottom: 30, containLabel: true},
        legend: legend(c, kinds, {left: 0}),
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => {
            const s = data.steps[p.data.step];
            return tip(s.name, [[tintOf(c, s.kind), `${usText(s.start_ns)} to ${usText(s.end_ns)} us`, s.where],
                ["", "alone", `${usText(s.alone_ns)} us`], ["", "began after", s.after ? `${s.after}, ${s.reason}` : "nothing"]]);
        }}),
        xAxis: axis(c, {type: "value", min: 0, max: data.simulated_ns / 1000, name: "us", nameLocation: "middle", nameGap: 30,
            axisLabel: label(c, {showMaxLabel: false})}), // the end is no round number
        yAxis: categories(c, lanes, {inverse: true}),
        series: kinds.map((kind) => ({type: "custom", name: kind, renderItem: barShape, itemStyle: {color: tintOf(c, kind)},
            encode: {x: [1, 2], y: 0},
            data: data.steps.map((s, step) => ({s, step})).filter(({s}) => s.kind === kind).flatMap(({s, step}) =>
                s.units.map((unit) => ({step, value: [lanes.indexOf(unit), s.start_ns / 1000, s.end_ns / 1000],
                    itemStyle: critical.has(s.name) ? {borderColor: c.text, borderWidth: 2} : {}})))})),
    };
}

const stepColumns = [
    {title: "step", left: true, value: (s) => s.name},
    {title: "kind", left: true, value: (s) => s.kind},
    {title: "where", left: true, value: (s) => s.where},
    {title: "start us", value: (s) => s.start_ns, text: usText},
    {title: "end us", value: (s) => s.end_ns, text: usText},
    {title: "alone us", value: (s) => s.alone_ns, text: usText},
    {title: "time", left: true, value: (s) => s.time},
    {title: "began after", left: true, value: (s) => s.after},
    {title: "because of", left: true, value: (s) => s.reason},
    {title: "critical", left: true, value: (s) => (critical.has(s.name) ? "yes" : "")},
];
const linkColumns = [
    {title: "link", left: true, value: (l) => l.link},
    {title: "bytes with headers", value: (l) => l.bytes, text: bytesText},
    {title: "busy us", value: (l) => l.busy_ns, text: usText},
    {title: "use", value: (l) => l.use, text: (value) => percent(value)},
];

function predictPage() {
    document.getElementById("subtitle").append(`${data.description} ${usText(data.simulated_ns)} us simulated, ` +
        `${usText(data.closed_form_ns)} us by the closed form: longest path ${usText(data.path_ns)} us, ` +
        `${data.loaded || "no part"} loaded with ${usText(data.load_ns)} us.`);
    showAssumed(data.assumed);
    const lanes = [...new Set(data.steps.flatMap((s) => s.units))].sort();
    const cards = cardsOf(main);
    const csv = () => [["step", "kind", "where", "start ns", "end ns"]].concat(
        data.steps.map((s) => [s.name, s.kind, s.where, s.start_ns, s.end_ns]));
    figure(cards, {id: "timeline", title: "Timeline", wide: true, height: 70 + 26 * lanes.length, csv,
        option: (c) => timelineOption(c, lanes), caption: "A row for each GPU, engine and thread; a step that occupies several stands in each of their rows. " +
            "Framed: the critical path, each step of which began when the one before ended."});
    tableFigure(cards, {id: "links", title: "Use of links over the whole time", columns: linkColumns, rows: data.links});
    tableFigure(cards, {id: "steps", title: "Steps", columns: stepColumns, rows: data.steps});
}

predictPage();
startTheme();
