// The pictures of a study: bars per workload, and ours beside the paper's on one scale.

const meanNames = {arithmetic: "arithmetic mean", geometric: "geometric mean", harmonic: "harmonic mean", max: "largest", min: "smallest", "": ""};
const unique = (values) => [...new Set(values)];
const signed = (share) => (isNumber(share) ? `${share > 0 ? "+" : share < 0 ? "\u2212" : ""}${Math.abs(100 * share).toFixed(1)} %` : missing);
const number = (value) => (Math.abs(value) >= 1000 ? plain(value) : fixed(value, 3));
// A metric's value as its row has it, with the unit where it has one.
const measuredText = (value, unit) => (!isNumber(value) ? missing : unit ? `${plain(value)} ${unit}` : number(value));
const paperColour = "text";

// Of a metric on a configuration for a workload, or of a mean. Quotients of means and extremes stand in tables alone.
const isWorkload = (row) => row.workload !== "" && row.mean === "";
const isMean = (row) => row.workload === "" && row.over === "";

// What stands on the axis: workloads in their order, then means.
function shapeOf(rows, order) {
    const labels = unique(rows.map((row) => row.label));
    const workloads = unique(rows.filter(isWorkload).map((row) => row.workload));
    const means = unique(rows.filter(isMean).map((row) => row.mean));
    const of = (fits, label) => rows.find((row) => row.label === label && fits(row)) || {};
    const value = (workload) => of((row) => isWorkload(row) && row.workload === workload, labels[0]).measured || 0;
    const sorted = workloads.slice();
    if (order === "name") sorted.sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
    if (order === "value") sorted.sort((a, b) => value(b) - value(a));
    return {
        categories: [...sorted, ...means.map((mean) => ownOf(meanNames, mean) || "all")],
        isMean: [...sorted.map(() => false), ...means.map(() => true)],
        series: labels.map((label) => ({name: label, rows: [
            ...sorted.map((workload) => of((row) => isWorkload(row) && row.workload === workload, label)),
            ...means.map((mean) => of((row) => isMean(row) && row.mean === mean, label))]})),
    };
}

// The means alone: a bar for each of what the rows are about, side by side for each kind of mean.
function meanShape(rows) {
    const own = rows.filter(isMean);
    const labels = unique(own.map((row) => row.label));
    return {categories: labels, isMean: labels.map(() => false), series: unique(own.map((row) => row.mean)).map((mean) =>
        ({name: ownOf(meanNames, mean) || "value",
            rows: labels.map((label) => own.find((row) => row.label === label && row.mean === mean) || {})}))};
}

function workloadTip(shape, c) {
    return (params) => {
        const list = (Array.isArray(params) ? params : [params]).filter((p) => p.seriesType === "bar");
        if (list.length === 0) return "";
        const i = list[0].dataIndex;
        const paper = shape.series.some((s) => s.rows.some((row) => isNumber(row.paper)));
        const head = (paper ? ["ours", "paper", "difference"] : [""]).map((name) => `<th>${name}</th>`).join("");
        const rows = shape.series.map((s, k) => `<tr><td class="left"><i style="background:${c[palette[k % 8]]}"></i>` +
            `${escaped(s.name)}</td><td>${escaped(measuredText(s.rows[i].measured, s.rows[i].unit))}</td>` +
            (paper ? `<td>${number(s.rows[i].paper)}</td><td>${signed(s.rows[i].difference)}</td>` : "") + "</tr>").join("");
        return `<div class="tip"><b>${escaped(shape.categories[i])}</b><table><tr><th></th>${head}</tr>${rows}</table></div>`;
    };
}

// The paper's numbers as short lines across the bars that they belong to.
function paperMarks(shape, c) {
    const count = shape.series.length;
    const draw = (params, api) => {
        const [category, value, k] = [api.value(0), api.value(1), api.value(2)];
        const bars = api.barLayout({barMaxWidth: 22, barGap: "8%", count});
        const [x, y] = api.coord([category, value]);
        const bar = bars[k];
        const half = bar.width / 2 + 3;
        const line = {x1: x + bar.offsetCenter - half, x2: x + bar.offsetCenter + half, y1: y, y2: y};
        return {type: "group", children: [
            {type: "line", shape: line, style: {stroke: c.card, lineWidth: 5}},
            {type: "line", shape: line, style: {stroke: c[paperColour], lineWidth: 2.5}}]};
    };
    const points = shape.series.flatMap((s, k) => s.rows.map((row, i) => [i, row.paper, k])).filter((p) => isNumber(p[1]));
    return {type: "custom", name: "paper", renderItem: draw, silent: true, z: 5, clip: true, data: points,
        encode: {x: 0, y: 1}, itemStyle: {color: c[paperColour]}};
}

// Arrows to the names that do not fit, in the theme's colours.
const scrolling = (c) => ({type: "scroll", icon: undefined, left: 0, right: 0, pageIconColor: c.text, pageIconInactiveColor: c.rule,
    pageTextStyle: label(c)});

function workloadOption(shape, c) {
    const crowded = shape.categories.length > 12 || shape.categories.join("").length > 140;
    const firstMean = shape.isMean.indexOf(true);
    const bars = shape.series.map((s, k) => ({
        type: "bar", name: s.name, barMaxWidth: 22, barGap: "8%", emphasis: {disabled: true},
        itemStyle: {color: c[palette[k % 8]]},
        data: s.rows.map((row) => (isNumber(row.measured) ? row.measured : null)),
        // Means stand on a ground of their own.
        markArea: k === 0 && firstMean > 0 ? {silent: true, itemStyle: {color: c.faint, opacity: 0.8}, data: [[
            {xAxis: shape.categories[firstMean]}, {xAxis: shape.categories[shape.categories.length - 1]}]]} : undefined,
        markLine: k === 0 ? {silent: true, symbol: "none", label: {show: false}, data: shape.relative ? [{yAxis: 1}] : [],
            lineStyle: {color: c.muted, type: "dashed", width: 1}} : undefined,
    }));
    const paper = paperMarks(shape, c);
    const names = shape.series.map((s) => ({name: s.name, icon: "roundRect"}));
    if (paper.data.length > 0) names.push({name: "paper", icon: "rect", itemStyle: {color: c[paperColour]}});
    return {
        grid: {left: 8, right: 8, top: shape.unit ? 54 : 40, bottom: 4, containLabel: true},
        legend: legend(c, names, scrolling(c)),
        tooltip: tooltip(c, {trigger: "axis", formatter: workloadTip(shape, c),
            axisPointer: {type: "shadow", shadowStyle: {color: c.faint, opacity: 0.6}}}),
        xAxis: categories(c, shape.categories, {axisLabel: label(c, {rotate: crowded ? 60 : 0, interval: 0,
            width: crowded ? 150 : undefined, overflow: "truncate"})}),
        yAxis: axis(c, {type: "value", name: shape.unit || "", nameGap: 8, axisLabel: label(c, {formatter: (value) => plain(value)})}),
        series: [...bars, paper],
    };
}

// The seeds of a row in the rows of a tip.
const spreadRows = (row) => (isNumber(row.least) ? [[null, `least of ${row.seeds} seeds`, measuredText(row.least, row.unit)],
    [null, "largest", measuredText(row.most, row.unit)]] : []);

const rowsCsv = (rows) => {
    const names = ["figure", "section", "metric", "configuration", "over", "mean", "workload", "unit", "kind", "paper", "above",
        "below", "measured", "difference", "verdict", "reason", "says", "seeds", "least", "most"];
    return [names].concat(rows.map((row) => names.map((name) => row[name])));
};

// A bar for each workload and configuration; buttons order the workloads.
function workloadFigure(parent, spec) {
    let order = "paper";
    let made = null;
    const pressed = (name) => {
        order = name;
        made.section.querySelectorAll("[data-order]").forEach((button) =>
            button.setAttribute("aria-pressed", String(button.dataset.order === order)));
        made.draw();
    };
    const shape = shapeOf(spec.rows, order); // the first label is what "by value" orders by
    const many = shape.categories.length > 8;
    made = figure(parent, {...spec, wide: true, height: many ? 380 : 280, csv: () => rowsCsv(spec.rows),
        option: (c) => workloadOption({...shapeOf(spec.rows, order), relative: spec.relative, unit: spec.unit}, c)});
    const choices = [["paper", "as given"], ["name", "by name"], ["value", `by ${shape.series[0].name}`]];
    const bar = el("div", {class: "buttons orders"}, ...choices.map(([name, text]) => el("button",
        {type: "button", "data-order": name, "aria-pressed": String(name === order), onclick: () => pressed(name)}, text)));
    made.section.querySelector(".chart").before(bar);
    return made.section;
}

// --- many configurations: more than there are colours

const mostColours = palette.length;

// Ratios diverge at 1, on a logarithmic scale: half and twice are equally far from it. Other values go from the least to the most.
function heatScale(values, spec, c) {
    if (spec.relative && values.length > 0 && values.every((value) => value > 0)) {
        const far = Math.max(0.05, ...values.map((value) => Math.abs(Math.log2(value))));
        return {of: Math.log2, min: -far, max: far, ends: [2 ** far, 2 ** -far], colours: [c.orange, c.card, c.blue]};
    }
    const [low, high] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
    return {of: (value) => value, min: low, max: high > low ? high : low + 1, ends: [high, low], colours: [c.low, c.high]};
}

function heatOption(shape, spec, c) {
    const cells = shape.series.flatMap((s, k) => s.rows.map((row, i) => [i, k, row.measured])).filter((cell) => isNumber(cell[2]));
    const scale = heatScale(cells.map((cell) => cell[2]), spec, c);
    const told = shape.categories.length <= 14;
    const ground = (value) => mixed(scale.colours, (scale.of(value) - scale.min) / (scale.max - scale.min));
    return {
        grid: {left: 8, right: 8, top: 8, bottom: 44, containLabel: true},
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => {
            const [i, k] = p.data.value;
            const row = shape.series[k].rows[i];
            return tip(shape.categories[i], [[null, shape.series[k].name, measuredText(row.measured, row.unit)]].concat(
                isNumber(row.paper) ? [[null, "paper", number(row.paper)]] : [], spreadRows(row)));
        }}),
        xAxis: categories(c, shape.categories, {axisLabel: label(c, {rotate: shape.categories.join("").length > 110 ? 60 : 0, interval: 0,
            width: 150, overflow: "truncate"})}),
        yAxis: categories(c, shape.series.map((s) => s.name), {inverse: true,
            axisLabel: label(c, {interval: 0, width: window.innerWidth < 900 ? 180 : 320, overflow: "truncate", color: c.text})}),
        visualMap: {type: "continuous", min: scale.min, max: scale.max, dimension: 2, calculable: false, orient: "horizontal", left: "center",
            bottom: 0, itemHeight: 160, itemWidth: 10, text: scale.ends.map((value) => measuredText(value, spec.unit)), textStyle: label(c),
            inRange: {color: scale.colours}},
        series: [{type: "heatmap", name: spec.title, emphasis: {disabled: true}, itemStyle: {borderColor: c.card, borderWidth: 1},
            label: {show: told, fontSize: 11, formatter: (p) => plain(p.data.measured, 3)},
            data: cells.map(([i, k, value]) => ({value: [i, k, scale.of(value)], measured: value,
                label: {color: textOn(ground(value))}}))}],
    };
}

// A row for each configuration, a column for each workload and mean.
function heatFigure(parent, spec) {
    const shape = shapeOf(spec.rows, "paper");
    const bottom = shape.categories.join("").length > 110 ? 170 : 80;
    return figure(parent, {...spec, wide: true, height: bottom + 22 * shape.series.length, csv: () => rowsCsv(spec.rows),
        option: (c) => heatOption(shapeOf(spec.rows, "paper"), spec, c)}).section;
}

// --- paper against numavp

const ratioName = (row) => [row.figure, row.metric, row.over ? `${row.configuration} over ${row.over}` : row.configuration,
    row.workload, meanNames[row.mean]].filter(Boolean).join(", ");
const sectionName = (section) => (/^\d/.test(section) ? `section ${section}` : section);

// The means of a metric by configuration: an axis of the study from left to right.
function meanFigure(parent, spec) {
    return figure(parent, {...spec, wide: true, height: 280, csv: () => rowsCsv(spec.rows.filter(isMean)),
        option: (c) => workloadOption({...meanShape(spec.rows), relative: spec.relative, unit: spec.unit}, c)}).section;
}

function ratioOption(rows, c) {
    const names = rows.map(ratioName);
    const line = (params, api) => {
        const row = rows[params.dataIndex];
        const [x1, y] = api.coord([row.paper, params.dataIndex]);
        const [x2] = api.coord([row.measured, params.dataIndex]);
        return {type: "line", shape: {x1, x2, y1: y, y2: y}, style: {stroke: c.grey, lineWidth: 2}};
    };
    const points = (key) => rows.map((row, i) => [row[key], i]);
    return {
        grid: {left: 8, right: 60, top: 34, bottom: 4, containLabel: true},
        legend: legend(c, [{name: "paper", icon: "diamond"}, {name: "numavp", icon: "circle"}], {icon: undefined}),
        tooltip: tooltip(c, {trigger: "axis", axisPointer: {type: "shadow", axis: "y", shadowStyle: {color: c.faint, opacity: 0.6}},
            formatter: (params) => {
                const row = rows[params[0].dataIndex];
                return tip(`${ratioName(row)}${row.section ? ` (${sectionName(row.section)})` : ""}`, [[c.text, "paper", number(row.paper)],
                    [c.blue, "numavp", number(row.measured)], [null, "difference", signed(row.difference)]]);
            }}),
        xAxis: axis(c, {type: "value", scale: true, boundaryGap: ["14%", "14%"], axisLabel: label(c, {formatter: (value) => (value < 0 ? "" : plain(value))})}),
        yAxis: categories(c, names, {inverse: true, axisLabel: label(c, {width: onPaper() ? 260 : 420, overflow: "truncate", color: c.text}),
            splitLine: {show: true, lineStyle: {color: c.faint}}}),
        series: [
            {type: "custom", name: "difference", renderItem: line, data: points("paper"), encode: {x: 0, y: 1}, silent: true},
            {type: "scatter", name: "paper", symbol: "diamond", symbolSize: 12, itemStyle: {color: c.text}, data: points("paper")},
            {type: "scatter", name: "numavp", symbol: "circle", symbolSize: 11, itemStyle: {color: c.blue},
                label: {show: true, color: c.muted, fontSize: 11, formatter: (p) => signed(rows[p.dataIndex].difference)},
                data: rows.map((row, i) => ({value: [row.measured, i],
                    label: {position: row.measured < row.paper ? "left" : "right"}}))},
        ],
    };
}

function ratioFigure(parent, spec) {
    return figure(parent, {...spec, wide: true, height: 60 + 26 * spec.rows.length, csv: () => rowsCsv(spec.rows),
        option: (c) => ratioOption(spec.rows, c)});
}
