// The report of a machine's microbenchmarks: a picture for each, with measurements as points, and tables of errors.

const tints = (c) => [c.blue, c.orange, c.green, c.purple];
const sizeText = (bytes) => (bytes >= 2 ** 30 ? `${bytes / 2 ** 30} GiB` : bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` :
    bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} B`);
const rate = (x, ns) => x / ns;

// At most four curves: those measured come first.
function curvesOf(benchmark) {
    const measured = data.compared.filter((s) => s.benchmark === benchmark.name);
    const others = data.series.filter((s) => s.benchmark === benchmark.name && !measured.some((m) => m.label === s.label));
    return [...measured, ...others].slice(0, 4);
}

const valueOf = (benchmark, x, ns) => (benchmark.latency ? ns / 1000 : rate(x, ns));

function benchmarkOption(benchmark, curves, c) {
    const lines = curves.map((s, i) => ({type: "line", name: s.label, symbol: "none", itemStyle: {color: tints(c)[i]},
        lineStyle: {color: tints(c)[i], width: 2}, data: s.points.map((p) => [p.x, valueOf(benchmark, p.x, p.ns)])}));
    const dots = curves.map((s, i) => ({type: "scatter", name: `${s.label}, measured`, symbolSize: 6,
        itemStyle: {color: tints(c)[i]}, data: s.points.filter((p) => isNumber(p.measured_ns))
            .map((p) => [p.x, valueOf(benchmark, p.x, p.measured_ns)])})).filter((s) => s.data.length);
    const unit = benchmark.latency ? "us" : "GB/s";
    const x = benchmark.latency ? {type: "value", min: 0, axisLabel: label(c)} :
        {type: "log", logBase: 2, min: "dataMin", max: "dataMax", axisLabel: label(c, {formatter: sizeText, hideOverlap: true})};
    return {
        grid: {left: 8, right: 16, top: 66, bottom: 22, containLabel: true},
        legend: legend(c, curves.map((s) => s.label), {left: 0}),
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => tip(benchmark.latency ? `${p.data[0]} strides` : sizeText(p.data[0]),
            [[p.color, p.seriesName, `${plain(p.data[1])} ${unit}`]])}),
        xAxis: axis(c, {...x, name: benchmark.latency ? "strides" : "bytes", nameLocation: "middle", nameGap: 24}),
        yAxis: axis(c, {type: benchmark.latency ? "value" : "log", name: unit, nameTextStyle: label(c, {align: "left"}),
            axisLabel: label(c, {formatter: (value) => plain(value)})}),
        series: [...lines, ...dots],
    };
}

function benchmarkFigure(cards, benchmark) {
    const curves = curvesOf(benchmark);
    if (!curves.length) return;
    const measured = curves.some((s) => s.points.some((p) => isNumber(p.measured_ns)));
    const csv = () => [["from and to", "x", "ns", "measured ns"]].concat(
        curves.flatMap((s) => s.points.map((p) => [s.label, p.x, p.ns, p.measured_ns])));
    figure(cards, {id: benchmark.name, title: benchmark.name, height: 320, csv, option: (c) => benchmarkOption(benchmark, curves, c),
        caption: `${benchmark.doc}.${measured ? " Lines are numavp's, points were measured." : ""}`});
}

const errorText = (value) => `${value > 0 ? "+" : ""}${fixed(100 * value, 1)} %`;
const comparedColumns = [
    {title: "benchmark", left: true, value: (s) => s.benchmark},
    {title: "from and to", left: true, value: (s) => s.label},
    {title: "points", value: (s) => s.compared},
    {title: "median error", value: (s) => s.median_error, text: (value) => `${fixed(100 * value, 1)} %`},
    {title: "worst error", value: (s) => s.worst_error, text: errorText,
        kind: (value) => (Math.abs(value) <= 0.2 ? "near" : "far")},
    {title: "within 10 %", value: (s) => s.within_10},
    {title: "within 20 %", value: (s) => s.within_20},
    {title: "level", value: (s) => s.level, text: (value) => fixed(value, 2)},
    {title: "measured", value: (s) => s.measured_level, text: (value) => fixed(value, 2)},
    {title: "error of level", value: (s) => s.level_error, text: errorText},
];
const findingColumns = [
    {title: "table of the thesis", left: true, value: (f) => f.table},
    {title: "transfers", left: true, value: (f) => f.transfers},
    {title: "differ", left: true, value: (f) => f.verdict},
    {title: "compared", left: true, value: (f) => f.between},
];

// Of each benchmark the pairs with the highest and the lowest rate that they reach; of page faults the mean time at the most strides.
function summaryRows() {
    return data.benchmarks.map((benchmark) => {
        const best = data.series.filter((s) => s.benchmark === benchmark.name && s.points.length > 0).map((s) => {
            const last = s.points[s.points.length - 1];
            const level = benchmark.latency ? {value: last.ns / last.x / 1000, x: last.x}
                : s.points.map(({x, ns}) => ({value: rate(x, ns), x})).reduce((a, b) => (b.value > a.value ? b : a));
            return {label: s.label, ...level};
        }).sort((a, b) => (benchmark.latency ? a.value - b.value : b.value - a.value));
        return {benchmark, pairs: best.length, first: best[0], last: best[best.length - 1]};
    }).filter(({pairs}) => pairs > 0);
}

function summaryTable(parent) {
    const value = (benchmark, one) => `${plain(one.value, 3)} ${benchmark.latency ? "us a stride" : "GB/s"}`;
    const where = (benchmark, one) => `${one.label}${benchmark.latency ? "" : `, ${sizeText(one.x)}`}`;
    tableFigure(parent, {id: "summary", title: "Summary", rows: summaryRows(),
        caption: "The fastest and the slowest pair of each benchmark, each with its best rate and the size that reaches it; of page faults the " +
            "mean time at the most strides.",
        columns: [{title: "benchmark", left: true, value: ({benchmark}) => benchmark.name},
            {title: "pairs", value: ({pairs}) => pairs},
            {title: "fastest", value: ({first}) => first.value, text: (_, row) => value(row.benchmark, row.first)},
            {title: "of", left: true, value: (row) => where(row.benchmark, row.first)},
            {title: "slowest", value: ({last}) => last.value, text: (_, row) => value(row.benchmark, row.last)},
            {title: "of", left: true, value: (row) => where(row.benchmark, row.last)}]});
}

function characterizePage() {
    document.getElementById("subtitle").append(data.calibrated ? data.description :
        "No calibration: costs of calls, caches and faults are assumed.");
    showAssumed(data.assumed.filter((sentence) => data.calibrated || !sentence.includes("has no calibration")));
    const cards = cardsOf(main);
    summaryTable(cards);
    for (const benchmark of data.benchmarks) benchmarkFigure(cards, benchmark);
    if (data.compared.length)
        tableFigure(cards, {id: "errors", title: "Errors of time, of 64 KiB and more; level: best GB/s, or ns a fault",
            columns: comparedColumns, rows: data.compared});
    if (data.findings.length)
        tableFigure(cards, {id: "findings", title: "Affinity, direction, like links", columns: findingColumns, rows: data.findings,
            caption: "Numbers are those of tables of Pearson's thesis. Affinity: does the CPU matter; anisotropy: does the direction " +
                "matter. Yes: from 5 %; small: from 2.5 %; none: there is no such pair."});
}

characterizePage();
startTheme();
