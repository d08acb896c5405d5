// The report of a study: what a paper says against numavp where there is a paper, then each figure.

// A configuration by its system and the values of its axes; null where only rows are at hand.
const partsOf = (row) => ownOf(ownOf(data.figures, row.figure, {}).configurations || {}, row.configuration, null);
function configurationName(row) {
    const parts = partsOf(row);
    if (!parts || Object.keys(parts.values).length === 0) return row.configuration;
    const all = Object.values(data.figures[row.figure].configurations);
    return otherParts(parts, null, unique(all.map((one) => one.system)).length > 1);
}

// A row is drawn under its label: the configuration, or the metric where a study has no configurations.
const boundText = (row) => [isNumber(row.above) ? `> ${number(row.above)}` : "", isNumber(row.below) ? `< ${number(row.below)}` : ""]
    .filter(Boolean).join(", ");
const rows = data.rows.map((row) => ({configuration: "", over: "", unit: "", kind: "", verdict: "", reason: "", says: "", ...row,
    paper: row.paper ?? null, measured: row.measured ?? null, difference: row.difference ?? null, bound: boundText(row),
    label: configurationName({configuration: "", ...row}) || row.metric}));
// What a paper says: without one, nothing on the page is about a paper.
const isOfPaper = (row) => row.kind !== "" || isNumber(row.paper) || row.bound !== "";
const hasPaper = rows.some(isOfPaper);

const verdictKind = (value, row) => (row.verdict === "agrees" ? "near" : row.verdict === "differs" ? "far" : "");
const rowColumns = {
    figure: {title: "figure", left: true, value: (row) => row.figure},
    section: {title: "section", left: true, value: (row) => row.section},
    says: {title: "the paper says", left: true, long: true, value: (row) => row.says},
    metric: {title: "metric", left: true, value: (row) => row.metric},
    configuration: {title: "configuration", left: true, value: (row) => (row.configuration ? row.label : "")},
    over: {title: "over", left: true, value: (row) => row.over},
    mean: {title: "mean", left: true, value: (row) => row.mean},
    workload: {title: "workload", left: true, value: (row) => row.workload},
    kind: {title: "kind", left: true, value: (row) => row.kind},
    paper: {title: "paper", value: (row) => row.paper ?? row.bound, text: (value, row) => row.bound || number(value)},
    measured: {title: hasPaper ? "numavp" : "value", value: (row) => row.measured, text: (value, row) => measuredText(value, row.unit)},
    unit: {title: "unit", left: true, value: (row) => row.unit},
    scale: {title: "scale", value: (row) => row.scale ?? null},
    difference: {title: "difference", value: (row) => row.difference, text: signed, kind: verdictKind},
    verdict: {title: "verdict", left: true, value: (row) => row.verdict, kind: verdictKind},
    reason: {title: "not measured, since", left: true, long: true, value: (row) => row.reason},
};
// Columns that no row fills are left out.
const columnsOf = (names, of) =>
    names.map((name) => rowColumns[name]).filter((column) => of.some((row) => column.value(row) !== "" && column.value(row) !== null));

// What the paper says by itself, once each: neither inputs nor what follows from other numbers.
const claims = rows.filter((row) => row.kind === "claim" && row.verdict !== "");

function studyTiles() {
    const tile = (value, name) => el("div", {class: "tile"}, el("b", {}, value), el("span", {}, name));
    const some = (column, name) => {
        const n = unique(rows.map((row) => row[column]).filter(Boolean)).length;
        return n ? tile(grouped(n), n === 1 ? name : `${name}s`) : null;
    };
    const count = (verdict) => claims.filter((row) => row.verdict === verdict).length;
    const off = claims.filter((row) => isNumber(row.difference)).map((row) => Math.abs(row.difference)).sort((a, b) => a - b);
    const [open, median] = [count("open"), off[off.length >> 1]];
    main.append(el("div", {class: "tiles"},
        some("figure", "figure"), some("workload", "workload"), hasPaper ? null : some("configuration", "configuration"),
        claims.length ? tile(`${count("agrees")} of ${claims.length}`, "of the paper's claims agree") : null,
        open ? tile(grouped(open), open === 1 ? "claim not measured" : "claims not measured") : null,
        off.length ? tile(percent(median), "median difference") : null));
}

function overview(parent, compared) {
    const ratios = compared.filter((row) => !row.unit && row.kind !== "input"); // what has a unit does not fit on their scale
    if (ratios.length > 0)
        ratioFigure(parent, {id: "means", title: "Paper against numavp", rows: ratios,
            caption: "Each ratio that the paper's text or tables give: the paper's, ours, and how far ours is from it."});
    const told = rows.filter(isOfPaper); // all other means are below each figure
    const place = (row) => row.kind === "input" ? 2 : row.kind ? 0 : 1; // what is judged first, what was put in last
    const whole = [0, 1, 2].flatMap((at) => told.filter((row) => place(row) === at));
    tableFigure(parent, {id: "means-table", title: "The paper's numbers and ours", rows: whole,
        caption: "A click on a column sorts. Green is what agrees: a bound that is kept; a number within 10 % of the paper's and, " +
            "of a ratio, within a quarter of the paper's gain. Inputs are not judged; what is derived from other numbers, or said " +
            "again, is not counted.",
        columns: columnsOf(["figure", "metric", "configuration", "workload", "mean", "paper", "measured", "difference", "verdict",
            "says", "over", "kind", "reason", "section"], whole)});
}

const sentence = (text) => (text && !/[.!?]$/.test(text) ? `${text}.` : text);

// What the drawn metrics are: their descriptions, and what they are relative to.
function metricsText(known, own) {
    return unique(own.map((row) => row.metric)).map((name) => {
        const metric = ownOf(known.metrics || {}, name, {});
        const relation = metric.relation === "speedup" ? `Speedup over ${metric.baseline}.`
            : metric.relation === "ratio" ? `Ratio to ${metric.baseline}.` : "";
        return [sentence(metric.description), relation].filter(Boolean).join(" ");
    }).filter(Boolean);
}

// What the figure is about, and how much of it there is.
function captionOf(name, own) {
    const known = ownOf(data.figures, name, {});
    const sections = unique([known.section || "", ...own.map((row) => row.section)].filter(Boolean)).map(sectionName).join(", ");
    const left = known.points ? known.points - known.done : 0;
    return [sections ? sections[0].toUpperCase() + sections.slice(1) + "." : "", known.description, ...metricsText(known, own),
        own.some((row) => isNumber(row.paper)) ? "Bars are ours, thick lines the paper's." : "",
        isNumber(known.scale) ? `Scale ${plain(known.scale)}.` : "",
        known.left_out && known.left_out.length ? `${known.left_out.length} workloads are left out by the figure's rule: ` +
            `${known.left_out.join(", ")}.` : "",
        known.undecided && known.undecided.length ? `${known.undecided.length} workloads are undecided, since points that the ` +
            `rule needs failed: ${known.undecided.join(", ")}.` : "",
        known.waiting ? "The figure's rule waits for points of another figure." : "",
        left ? `${grouped(left)} of ${grouped(known.points)} points have not run or failed.` : ""].filter(Boolean).join(" ");
}

const joined = (...parts) => parts.filter(Boolean).join(", ");

// The values of a metric over each axis of the study: true if one of them was drawn.
function axisFigures(parent, whole, figure) {
    const mostLines = 3 * mostColours;
    const spec = {...whole, rows: withBaseline(whole.rows, whole)};
    return (ownOf(data.figures, figure, {}).axes || []).filter((axis, k) => {
        const shape = axisShape(spec.rows, axis, partsOf);
        if (!shape || shape.lines.length === 0 || shape.lines.length > (shape.numeric ? mostLines : mostColours)) return false;
        const path = axis.path && axis.path !== axis.name ? ` (${axis.path})` : "";
        axisFigure(parent, {...spec, id: `${spec.id}-over-${k + 1}`, title: `${spec.title}, over ${axis.name}`,
            axis: `${axis.name}${path}${axis.unit ? `, ${axis.unit}` : ""}`}, axis, shape);
        return true;
    }).length > 0;
}

// One metric of a figure: its workloads, its means, and its means over the study's axes.
function metricFigures(parent, name, spec) {
    const drawn = spec.rows;
    const labels = unique(drawn.map((row) => row.label));
    const several = unique(drawn.filter(isWorkload).map((row) => row.workload)).length > 1;
    const first = !several ? meanFigure : labels.length > mostColours ? heatFigure : workloadFigure;
    const own = several || !drawn.some(isWorkload) ? drawn : drawn.filter((row) => row.mean !== "geometric"); // of one they are the same
    const section = first(parent, {...spec, rows: own});
    const overAxes = axisFigures(parent, spec, name);
    if (several && labels.length > 3 && (!overAxes || drawn.some((row) => isMean(row) && isNumber(row.paper))))
        meanFigure(parent, {...spec, id: `${spec.id}-means`, title: `${spec.title}, means`, caption: "Over the workloads above."});
    const means = own.filter((row) => row.workload === "");
    if (drawn.some(isWorkload) && means.length > 0)
        section.append(tableOf(columnsOf(["metric", "configuration", "over", "mean", "kind", "paper", "measured", "difference",
            "verdict"], means), means));
}

// A chart for each metric of a figure; those of one configuration and one workload stand side by side.
function studyFigures(parent, name, index) {
    const own = rows.filter((row) => row.figure === name);
    const known = ownOf(data.figures, name, {});
    const configured = own.some((row) => row.configuration);
    ownOf(data.profiles, name, []).forEach((profile, i) => linkUseFigure(parent, recordedRun(profile.configuration, profile.series, []),
        {id: `figure-${index}-profile-${i + 1}`, title: `${name}: ${profile.name}`}));
    const whole = known.title ? `${name}: ${known.title}` : name;
    const units = unique(own.map((row) => row.unit));
    const one = (values) => unique(values).length === 1;
    if (configured && units.length === 1 && one(own.filter(isWorkload).map((row) => row.workload)) && one(own.map((row) => row.configuration))) {
        const single = own.filter((row) => row.mean === "arithmetic").map((row) => ({...row, label: row.metric}));
        meanFigure(parent, {id: `figure-${index}`, title: whole, rows: single, unit: units[0], caption: captionOf(name, own)});
        return;
    }
    const metrics = configured ? unique(own.map((row) => row.metric)) : [""];
    metrics.forEach((metric, i) => {
        const drawn = configured ? own.filter((row) => row.metric === metric) : own;
        const unit = unique(drawn.map((row) => row.unit)).length === 1 ? drawn[0].unit : "";
        const what = ownOf(known.metrics || {}, metric, {});
        const relative = unit === "" && ownOf(what, "relation", "ratio") !== "none" && !isNumber(what.above); // a share of workloads is not
        metricFigures(parent, name, {id: `figure-${index}${i ? `-${i + 1}` : ""}`, title: joined(whole, metrics.length > 1 ? metric : ""),
            rows: drawn, unit, figure: name, metric, baseline: ownOf(what, "baseline", "") || known.baseline || "",
            relative, baselineIsOne: relative && !what.baseline_path, caption: captionOf(name, drawn)});
    });
}

function studyPage() {
    const compared = rows.filter((row) => isNumber(row.difference));
    const scales = unique(rows.map((row) => row.scale).filter(isNumber));
    const scaled = scales.length ? `Scale ${scales.map((scale) => plain(scale)).join(", ")}.` : "";
    const figures = Object.values(data.figures);
    const title = figures.length === 1 && figures[0].title ? sentence(figures[0].title) : "";
    const seeds = unique(figures.flatMap((figure) => figure.seeds || []));
    const seeded = seeds.length ? `Means over the seeds ${seeds.join(", ")}.` : "";
    document.getElementById("subtitle").append([title, hasPaper ? "Paper against numavp." : "", scaled, seeded].filter(Boolean).join(" "));
    studyTiles();
    const cards = cardsOf(main);
    if (hasPaper) overview(cards, compared);
    unique([...Object.keys(data.figures), ...rows.map((row) => row.figure)]).forEach((name, i) => studyFigures(cards, name, i + 1));
    foldedTable(main, {id: "rows", title: "All rows", rows, columns: columnsOf(Object.keys(rowColumns), rows)});
}

studyPage();
startTheme();
