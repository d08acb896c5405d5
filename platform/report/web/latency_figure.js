// Latencies of accesses by class: a panel for each, one logarithmic axis of time.

const latencyPanel = {height: 64, gap: 26, top: 14, left: 152, right: 24};
const latencyTop = (i) => latencyPanel.top + i * (latencyPanel.height + latencyPanel.gap);
const bucketsToAPower = 4;

// Classes that have accesses, as {name, colour, of}.
function latencyClasses(all) {
    const colour = {local: "green", remote: "purple"};
    return Object.entries(all).flatMap(([kind, homes]) => Object.entries(homes)
        .filter(([, of]) => of.count > 0).map(([home, of]) => ({name: `${kind}s, ${home}`, colour: colour[home], of})));
}

// Number of the bucket whose largest latency is `ps`: a quarter of a power of two each.
const bucketOf = (ps) => {
    const power = Math.floor(Math.log2(ps + 1) + 1e-9);
    const below = 2 ** power;
    return bucketsToAPower * power + Math.round((ps + 1 - below) / (below / bucketsToAPower));
};
const bucketEnd = (bucket) => 2 ** Math.floor(bucket / bucketsToAPower) * (1 + (bucket % bucketsToAPower) / bucketsToAPower);

function latencyTip(classes, first, shares, c) {
    return (params) => {
        const list = (Array.isArray(params) ? params : [params]).filter((p) => p.seriesType === "bar");
        if (list.length === 0) return "";
        const i = list[0].dataIndex;
        return tip(`${timeText(bucketEnd(first + i - 1) / 1000)} to ${timeText(bucketEnd(first + i) / 1000)}`,
            classes.map((one, k) => [c[one.colour], one.name, shareText(shares[k][i])]));
    };
}

function latencyOption(classes, first, shares, c) {
    const last = classes.length - 1;
    const names = shares[0].map((_, i) => timeText(bucketEnd(first + i) / 1000));
    const every = Math.max(1, Math.ceil(names.length / 10));
    const at = (i) => ({gridIndex: i, xAxisIndex: i, yAxisIndex: i});
    return {
        grid: classes.map((_, i) => ({left: latencyPanel.left, right: latencyPanel.right, top: latencyTop(i), height: latencyPanel.height})),
        title: classes.map((one, i) => ({text: one.name, left: 0, top: latencyTop(i) + latencyPanel.height / 2 - 7, padding: 0,
            textStyle: label(c, {color: c.text, fontWeight: 600})})),
        tooltip: tooltip(c, {trigger: "axis", axisPointer: {type: "shadow", shadowStyle: {color: c.faint, opacity: 0.6}},
            formatter: latencyTip(classes, first, shares, c)}),
        axisPointer: {link: [{xAxisIndex: "all"}]},
        xAxis: classes.map((_, i) => categories(c, names, {gridIndex: i,
            axisLabel: label(c, {show: i === last, interval: (k) => k % every === 0 && k + every / 2 < names.length})})),
        yAxis: classes.map((_, i) => axis(c, {type: "value", gridIndex: i, min: 0, splitNumber: 2,
            axisLabel: label(c, {formatter: (value) => `${value} %`})})),
        series: classes.map((one, i) => ({type: "bar", name: one.name, ...at(i), data: shares[i], barCategoryGap: "8%",
            itemStyle: {color: c[one.colour]}, emphasis: {disabled: true}})),
    };
}

// all: `access_latency` of results.json; nothing is drawn of a run without accesses.
function latencyFigures(parent, all) {
    const classes = all ? latencyClasses(all) : [];
    if (classes.length === 0) return;
    const ends = classes.flatMap((one) => one.of.buckets.map(([ps]) => bucketOf(ps)));
    const first = Math.min(...ends);
    const count = Math.max(...ends) - first + 1;
    const shares = classes.map(({of}) => {
        const values = new Array(count).fill(0);
        for (const [ps, n] of of.buckets) values[bucketOf(ps) - first] += 100 * n / of.count;
        return values;
    });
    figure(parent, {
        id: "access-latency", title: "Latency of accesses by class", wide: true, height: latencyTop(classes.length),
        caption: "Of the accesses of a class, how many took how long, from leaving their SM to the answer; by where the " +
            "home of the line is. Time is logarithmic, four bars to a doubling.",
        option: (c) => latencyOption(classes, first, shares, c),
        csv: () => [["class", "up to (ps)", "accesses"]].concat(
            classes.flatMap((one) => one.of.buckets.map(([ps, n]) => [one.name, ps, n]))),
    });
    const time = (key) => ({title: key[0], value: (row) => row.of[key[1]], text: (ps) => timeText(ps / 1000)});
    tableFigure(parent, {
        id: "access-latency-table", title: "Latency of accesses by class, in numbers", wide: true,
        caption: "A percentile is the upper bound of its bucket of the histogram, at most 3 % above the value. " +
            "A write-back L2 answers a store when it holds it.",
        rows: classes,
        columns: [{title: "class", left: true, value: (row) => row.name},
            {title: "accesses", value: (row) => row.of.count, text: grouped},
            ...[["mean", "mean_ps"], ["half", "p50_ps"], ["90 %", "p90_ps"], ["99 %", "p99_ps"], ["99.9 %", "p99_9_ps"],
                ["longest", "max_ps"]].map(time)],
    });
}
