// The report of a study: paper against numavp, then each figure.

// A row is drawn under its label: the configuration, or the metric where a study has no configurations.
const boundText = (row) => [isNumber(row.above) ? `> ${number(row.above)}` : "", isNumber(row.below) ? `< ${number(row.below)}` : ""]
    .filter(Boolean).join(", ");
const rows = data.rows.map((row) => ({configuration: "", over: "", unit: "", kind: "", verdict: "", reason: "", says: "", ...row,
    paper: row.paper ?? null, measured: row.measured ?? null, difference: row.difference ?? null, bound: boundText(row),
    label: row.configuration || row.metric}));

const verdictKind = (value, row) => (row.verdict === "agrees" ? "near" : row.verdict === "differs" ? "far" : "");
const rowColumns = {
    figure: {title: "figure", left: true, value: (row) => row.figure},
    section: {title: "section", left: true, value: (row) => row.section},
    says: {title: "the paper says", left: true, long: true, value: (row) => row.says},
    metric: {title: "metric", left: true, value: (row) => row.metric},
    configuration: {title: "configuration", left: true, value: (row) => row.configuration},
    over: {title: "over", left: true, value: (row) => row.over},
    mean: {title: "mean", left: true, value: (row) => row.mean},
    workload: {title: "workload", left: true, value: (row) => row.workload},
    kind: {title: "kind", left: true, value: (row) => row.kind},
    paper: {title: "paper", value: (row) => row.paper ?? row.bound, text: (value, row) => row.bound || number(value)},
    measured: {title: "numavp", value: (row) => row.measured, text: number},
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
    const count = (verdict) => claims.filter((row) => row.verdict === verdict).length;
    const off = claims.filter((row) => isNumber(row.difference)).map((row) => Math.abs(row.difference)).sort((a, b) => a - b);
    const [open, median] = [count("open"), off[off.length >> 1]];
    main.append(el("div", {class: "tiles"},
        tile(grouped(unique(rows.map((row) => row.figure)).length), "figures"),
        tile(grouped(unique(rows.map((row) => row.workload).filter(Boolean)).length), "workloads"),
        claims.length ? tile(`${count("agrees")} of ${claims.length}`, "of the paper's claims agree") : null,
        open ? tile(grouped(open), open === 1 ? "claim not measured" : "claims not measured") : null,
        off.length ? tile(percent(median), "median difference") : null));
}

function overview(parent, compared) {
    const ratios = compared.filter((row) => !row.unit && row.kind !== "input"); // what has a unit does not fit on their scale
    if (ratios.length > 0)
        ratioFigure(parent, {id: "means", title: "Paper against numavp", rows: ratios,
            caption: "Each ratio that the paper's text or tables give: the paper's, ours, and how far ours is from it."});
    const told = rows.filter((row) => row.workload === "" || isNumber(row.paper) || row.kind !== "");
    const place = (row) => row.kind === "input" ? 2 : row.kind ? 0 : 1; // what is judged first, what was put in last
    const whole = [0, 1, 2].flatMap((at) => told.filter((row) => place(row) === at));
    tableFigure(parent, {id: "means-table", title: "The paper's numbers and ours", rows: whole,
        caption: "A click on a column sorts. Green is what agrees: a bound that is kept; a number within 10 % of the paper's and, " +
            "of a ratio, within a quarter of the paper's gain. Inputs are not judged; what is derived from other numbers, or said " +
            "again, is not counted.",
        columns: columnsOf(["figure", "metric", "configuration", "workload", "mean", "paper", "measured", "difference", "verdict",
            "says", "over", "kind", "reason", "section"], whole)});
}

// What the figure is about, and how much of it there is.
function captionOf(name, own) {
    const known = ownOf(data.figures, name, {});
    const sections = unique([known.section || "", ...own.map((row) => row.section)].filter(Boolean)).map(sectionName).join(", ");
    const left = known.points ? known.points - known.done : 0;
    return [sections ? sections[0].toUpperCase() + sections.slice(1) + "." : "", known.description,
        "Bars are ours" + (own.some((row) => isNumber(row.paper)) ? ", thick lines the paper's." : "."),
        known.left_out && known.left_out.length ? `${known.left_out.length} workloads are left out by the figure's rule: ` +
            `${known.left_out.join(", ")}.` : "",
        known.undecided && known.undecided.length ? `${known.undecided.length} workloads are undecided, since points that the ` +
            `rule needs failed: ${known.undecided.join(", ")}.` : "",
        known.waiting ? "The figure's rule waits for points of another figure." : "",
        left ? `${grouped(left)} of ${grouped(known.points)} points have not run or failed.` : ""].filter(Boolean).join(" ");
}

// A chart for each metric of a figure; where there are many configurations, their means by themselves too.
function paperFigure(parent, name, index) {
    const own = rows.filter((row) => row.figure === name);
    const known = ownOf(data.figures, name, {});
    const configured = own.some((row) => row.configuration);
    ownOf(data.profiles, name, []).forEach((profile, i) => linkUseFigure(parent, recordedRun(profile.configuration, profile.series, []),
        {id: `figure-${index}-profile-${i + 1}`, title: `${name}: ${profile.name}`}));
    if (configured && unique(own.filter(isWorkload).map((row) => row.workload)).length === 1) {
        const single = own.filter((row) => row.mean === "arithmetic").map((row) => ({...row,
            label: unique(own.map((r) => r.label)).length > 1 ? `${row.metric}, ${row.configuration}` : row.metric}));
        meanFigure(parent, {id: `figure-${index}`, title: known.title ? `${name}: ${known.title}` : name, rows: single,
            caption: captionOf(name, own)});
        return;
    }
    const metrics = configured ? unique(own.map((row) => row.metric)) : [""];
    metrics.forEach((metric, i) => {
        const drawn = configured ? own.filter((row) => row.metric === metric) : own;
        const id = `figure-${index}${i ? `-${i + 1}` : ""}`;
        const relative = drawn.every((row) => !row.unit);
        const title = [known.title ? `${name}: ${known.title}` : name, metrics.length > 1 ? metric : ""].filter(Boolean).join(", ");
        const spec = {id, title, rows: drawn, relative, caption: captionOf(name, drawn)};
        const workloads = drawn.some(isWorkload);
        const section = workloads ? workloadFigure(parent, spec) : meanFigure(parent, spec);
        if (workloads && unique(drawn.map((row) => row.label)).length > 3)
            meanFigure(parent, {...spec, id: `${id}-means`, title: `${title}, means`, caption: "Over the workloads above."});
        const means = drawn.filter((row) => row.workload === "");
        if (workloads && means.length > 0)
            section.append(tableOf(columnsOf(["metric", "configuration", "over", "mean", "kind", "paper", "measured", "difference",
                "verdict"], means), means));
    });
}

function studyPage() {
    const compared = rows.filter((row) => isNumber(row.difference));
    document.getElementById("subtitle").append("Paper against numavp.");
    if (claims.length > 0 || compared.length > 0) studyTiles();
    const cards = cardsOf(main);
    overview(cards, compared);
    unique([...Object.keys(data.figures), ...rows.map((row) => row.figure)]).forEach((name, i) => paperFigure(cards, name, i + 1));
    foldedTable(main, {id: "rows", title: "All rows", rows, columns: columnsOf(Object.keys(rowColumns), rows)});
}

studyPage();
startTheme();
