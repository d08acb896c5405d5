// The report of what-if: times of each change by both predictions, critical paths, use of links.

const usText = (ns) => fixed(ns / 1000, 1);
const overBudget = (change) => data.budget_lanes !== undefined && !change.within_budget;

const changeColumns = [
    {title: "change", left: true, long: true, value: (c) => c.name},
    {title: "machine", left: true, value: (c) => c.system},
    {title: "simulated us", value: (c) => c.simulated_ns, text: usText},
    {title: "closed form us", value: (c) => c.closed_form_ns, text: usText},
    {title: "differ", value: (c) => c.closed_form_ns / c.simulated_ns - 1, text: (value) => percent(value)},
    {title: "time, as it is: 1", value: (c) => c.time, text: (value) => fixed(value, 3)},
    {title: "lanes", value: (c) => c.lanes, text: (value, c) => (overBudget(c) ? `${plain(value)}, over` : plain(value))},
    {title: "most loaded", left: true, value: (c) => c.loaded},
];
const movedColumns = [
    {title: "change", left: true, long: true, value: (m) => m.change},
    {title: "kernel", left: true, long: true, value: (m) => m.moved},
];
const pathColumns = [
    {title: "change", left: true, long: true, value: (s) => s.change},
    {title: "number", value: (s) => s.number},
    {title: "step", left: true, value: (s) => s.step},
    {title: "where", left: true, value: (s) => s.where},
    {title: "us", value: (s) => s.ns, text: usText},
    {title: "share", value: (s) => s.share, text: (value) => percent(value)},
];
const linkColumns = [
    {title: "change", left: true, long: true, value: (l) => l.change},
    {title: "link", left: true, value: (l) => l.link},
    {title: "bytes with headers", value: (l) => l.bytes, text: bytesText},
    {title: "busy us", value: (l) => l.busy_ns, text: usText},
    {title: "use", value: (l) => l.use, text: (value) => percent(value)},
];

function budgetText() {
    if (data.budget_lanes === undefined) return "";
    const best = data.changes.find((change) => change.within_budget);
    return ` Within ${grouped(data.budget_lanes)} lanes ` +
        (best ? `the best is: ${best.name}, ${usText(best.simulated_ns)} us with ${grouped(best.lanes)} lanes.` : "there is nothing.");
}

function whatIfPage() {
    const changes = data.changes;
    document.getElementById("subtitle").append(`${data.description} The fastest: ${changes[0].name}, ` +
        `${usText(changes[0].simulated_ns)} us.${budgetText()}`);
    showAssumed(changes.flatMap((change) => change.assumed));
    const cards = cardsOf(main);
    const us = (member) => changes.map((change) => change[member] / 1000);
    barFigure(cards, {id: "times", title: "Time of each change", wide: true, unit: "us", horizontal: true,
        height: 70 + 44 * changes.length, categories: changes.map((change) => change.name), text: (value) => fixed(value, 1),
        series: [{name: "simulated", colour: "blue", values: us("simulated_ns")},
            {name: "closed form", colour: "orange", values: us("closed_form_ns")}],
        caption: "Both predictions, the fastest change first."});
    tableFigure(cards, {id: "changes", title: "Changes", columns: changeColumns, rows: changes,
        caption: "Lanes: of all links of the machine, in one direction."});
    const moved = changes.flatMap((change) => change.placed.map((one) => ({change: change.name, moved: one})));
    if (moved.length)
        tableFigure(cards, {id: "moved", title: "Kernels that list scheduling moved", columns: movedColumns, rows: moved});
    tableFigure(cards, {id: "paths", title: "Critical paths", columns: pathColumns, filter: "change or step",
        rows: changes.flatMap((change) => change.critical_path.map((step, i) => ({...step, change: change.name,
            number: i + 1, share: step.ns / change.simulated_ns})))});
    foldedTable(cards, {id: "links", title: "Use of links over the whole time", columns: linkColumns,
        rows: changes.flatMap((change) => change.links.map((link) => ({...link, change: change.name})))});
}

whatIfPage();
startTheme();
