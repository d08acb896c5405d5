// A metric over an axis of a study: lines over numbers, bars over names.

const otherParts = (parts, without, withSystem) => [withSystem ? parts.system : "", ...Object.entries(parts.values)
    .filter(([name]) => name !== without).map(([name, value]) => `${name} ${value}`)].filter(Boolean).join(", ");

// Values by the value of an axis: a line for each of the other choices. `workload` is one's name, or "" for the means; where there is
// one choice alone, the means have a line for each workload beside them. Null if fewer than two values are there.
function axisShape(rows, axis, partsOf, workload = "") {
    const own = rows.filter((row) => row.over === "" && partsOf(row) && Object.hasOwn(partsOf(row).values, axis.name));
    const at = (row) => partsOf(row).values[axis.name];
    const values = unique(own.map(at));
    if (values.length < 2) return null;
    const numeric = values.every(isNumber);
    if (numeric) values.sort((a, b) => a - b);
    const shown = own.filter((row) => (workload ? isWorkload(row) && row.workload === workload : isMean(row) && row.mean === "arithmetic"));
    const systems = unique(own.map((row) => partsOf(row).system));
    const other = (row) => otherParts(partsOf(row), axis.name, systems.length > 1);
    const line = (name, of) => ({name, rows: values.map((value) => of.find((row) => at(row) === value) || {})});
    const lines = unique(shown.map(other)).map((name) => line(name || workload || "mean", shown.filter((row) => other(row) === name)));
    const workloads = unique(own.filter(isWorkload).map((row) => row.workload));
    const beside = lines.length === 1 && workloads.length > 1 && workload === "";
    if (beside)
        lines.push(...workloads.map((name) => line(name, own.filter((row) => isWorkload(row) && row.workload === name))));
    return {numeric, values, lines, workloads, chosen: !beside && workloads.length > 1 && workloads.length <= 12};
}

// A ratio to the baseline's own value is 1 on the baseline itself, which has no rows of it.
function withBaseline(rows, spec) {
    const {baseline, baselineIsOne, figure: name} = spec;
    if (!baselineIsOne || !baseline || rows.some((row) => row.configuration === baseline)) return rows;
    const one = {...rows[0], figure: name, configuration: baseline, over: "", paper: null, measured: 1, least: null, most: null, workload: "", mean: ""};
    const workloads = unique(rows.filter(isWorkload).map((row) => row.workload));
    return rows.concat({...one, mean: "arithmetic"}, workloads.map((workload) => ({...one, workload})));
}

// Where a line stops changing: the place of the first value from which on it changes by less than one part in a hundred. None if it still
// changes at the end.
function kneeOf(shape, line) {
    const values = line.rows.map((row) => row.measured);
    if (!shape.numeric || values.length < 3 || !values.every((value) => isNumber(value) && value !== 0)) return null;
    const first = values.findIndex((value, i) => values.slice(i).every((later) => Math.abs(later / value - 1) < 0.01));
    return first < values.length - 1 ? first : null;
}

function kneeSentence(shape, line, knee, unit) {
    const values = line.rows.map((row) => row.measured);
    if (knee === 0) return `${line.name} changes by less than 1 % throughout.`;
    const rises = values[knee] > values[knee - 1];
    return `${line.name} stops ${rises ? "gaining" : "falling"} at ${plain(shape.values[knee])}${unit ? ` ${unit}` : ""} and changes by ` +
        "less than 1 % beyond.";
}

function kneeWords(shape, unit) {
    const most = 6;
    const known = shape.lines.map((line) => [line, kneeOf(shape, line)]).filter(([, knee]) => knee !== null);
    return known.slice(0, most).map(([line, knee]) => ` ${kneeSentence(shape, line, knee, unit)}`).join("") +
        (known.some(([, knee]) => knee > 0) ? " A ring marks this value." : "");
}

// The baseline's place: on the axis, or a height where it has no value of it. Null if its value is not known.
function baselineOf(rows, axis, spec, workload) {
    const {baseline, baselineIsOne} = spec;
    if (!baseline) return null;
    const parts = partsOf({figure: spec.figure, configuration: baseline});
    const row = rows.find((one) => one.configuration === baseline && one.over === "" &&
        (workload ? isWorkload(one) && one.workload === workload : isMean(one) && one.mean === "arithmetic"));
    const value = baselineIsOne ? 1 : row ? row.measured : null;
    if (!isNumber(value)) return null;
    return {name: `baseline, ${baseline}`, value, at: parts && Object.hasOwn(parts.values, axis.name) ? parts.values[axis.name] : null};
}

// From the least to the largest of the seeds.
function whiskers(line, shape, colour) {
    const draw = (params, api) => {
        const [x, low] = api.coord([api.value(0), api.value(1)]);
        const [, high] = api.coord([api.value(0), api.value(2)]);
        const stroke = {stroke: colour, lineWidth: 1.2};
        const bar = (y) => ({type: "line", shape: {x1: x - 4, x2: x + 4, y1: y, y2: y}, style: stroke});
        return {type: "group", children: [{type: "line", shape: {x1: x, x2: x, y1: low, y2: high}, style: stroke}, bar(low), bar(high)]};
    };
    const points = line.rows.map((row, i) => [shape.values[i], row.least, row.most]).filter(([, low]) => isNumber(low));
    return {type: "custom", name: line.name, renderItem: draw, silent: true, data: points, encode: {x: 0, y: [1, 2]}, itemStyle: {color: colour}};
}

function axisLine(shape, line, k, c) {
    const dashes = ["solid", "dashed", "dotted"], symbols = ["circle", "rect", "triangle", "diamond"];
    const colour = c[palette[k % mostColours]];
    const turn = Math.floor(k / mostColours);
    const values = line.rows.map((row) => (isNumber(row.measured) ? row.measured : null));
    if (!shape.numeric)
        return {type: "bar", name: line.name, barMaxWidth: 22, barGap: "8%", itemStyle: {color: colour}, emphasis: {disabled: true}, data: values};
    const knee = kneeOf(shape, line);
    return {type: "line", name: line.name, symbol: symbols[turn % symbols.length], symbolSize: 7, connectNulls: true,
        lineStyle: {color: colour, width: line.name === "mean" ? 3 : 1.6, type: dashes[turn % dashes.length]}, itemStyle: {color: colour},
        emphasis: {disabled: true}, data: values.map((value, i) => [shape.values[i], value]),
        markPoint: knee > 0 ? {silent: true, symbol: "circle", symbolSize: 15, label: {show: false}, animation: false,
            itemStyle: {color: "transparent", borderColor: colour, borderWidth: 1.6},
            data: [{coord: [shape.values[knee], values[knee]]}]} : undefined};
}

// A diamond at its value of the axis, or a dashed line.
function baselineSeries(shape, baseline, c) {
    if (!baseline) return [];
    const on = shape.values.indexOf(baseline.at);
    const look = {name: baseline.name, silent: true, itemStyle: {color: c.card, borderColor: c.text, borderWidth: 1.8}, z: 4};
    if (on >= 0)
        return [{...look, type: "scatter", symbol: "diamond", symbolSize: 13, data: [[shape.numeric ? baseline.at : on, baseline.value]]}];
    const ends = shape.numeric ? [shape.values[0], shape.values[shape.values.length - 1]] : [0, shape.values.length - 1];
    return [{...look, type: "line", showSymbol: false, itemStyle: {color: c.text}, lineStyle: {color: c.text, type: "dashed", width: 1},
        data: ends.map((x) => [x, baseline.value])}];
}

function axisOption(shape, spec, baseline, c) {
    const wide = shape.numeric && shape.values[0] > 0 && shape.values[shape.values.length - 1] / shape.values[0] >= 16;
    const names = shape.lines.map((line) => line.name).concat(baseline ? [baseline.name] : []);
    const xLabel = {name: spec.axis, nameLocation: "middle", nameGap: 26};
    return {
        grid: {left: 8, right: 24, top: spec.unit ? 54 : 40, bottom: 26, containLabel: true},
        legend: legend(c, names, scrolling(c)),
        tooltip: tooltip(c, {trigger: "axis", formatter: (params) => {
            const i = shape.numeric ? shape.values.indexOf(params[0].data[0]) : params[0].dataIndex;
            if (i < 0) return "";
            return tip(`${spec.axis} ${shape.values[i]}`, shape.lines.flatMap((line, k) =>
                [[c[palette[k % mostColours]], line.name, measuredText(line.rows[i].measured, spec.unit)], ...spreadRows(line.rows[i])]));
        }}),
        xAxis: shape.numeric
            ? axis(c, {type: wide ? "log" : "value", scale: true, axisLine: {show: true, lineStyle: {color: c.rule}}, splitLine: {show: false},
                min: shape.values[0], max: shape.values[shape.values.length - 1], ...xLabel,
                axisTick: {show: true, customValues: shape.values, lineStyle: {color: c.rule}},
                axisLabel: label(c, {customValues: shape.values, hideOverlap: true, formatter: (v) => plain(v)})})
            : categories(c, shape.values.map(String), xLabel),
        yAxis: axis(c, {type: "value", name: spec.unit || (spec.relative ? `${spec.metric}` : ""), nameGap: 8,
            nameTextStyle: label(c, {align: "left"}), axisLabel: label(c, {formatter: (v) => plain(v)})}),
        series: [...shape.lines.map((line, k) => axisLine(shape, line, k, c)), ...baselineSeries(shape, baseline, c),
            ...(shape.numeric ? shape.lines.map((line, k) => whiskers(line, shape, c[palette[k % mostColours]])).filter(({data: points}) => points.length > 0) : [])],
    };
}

// One chart over an axis; buttons choose a workload in the place of the means where the means have several lines.
function axisFigure(parent, spec, axis, means) {
    let workload = "";
    let made = null;
    const shape = () => (workload ? axisShape(spec.rows, axis, partsOf, workload) : means);
    const csv = () => [[spec.axis, ...shape().lines.map((line) => line.name + (spec.unit ? ` (${spec.unit})` : ""))]].concat(
        shape().values.map((value, i) => [value, ...shape().lines.map((line) => line.rows[i].measured)]));
    const caption = () => [workload ? `Of ${workload}.` : "Arithmetic means over the workloads.", kneeWords(shape(), axis.unit).trim(),
        shape().numeric && shape().lines.some((line) => line.rows.some((row) => isNumber(row.least))) ? "Whiskers go from the least to the largest of the seeds." : ""]
        .filter(Boolean).join(" ");
    made = figure(parent, {...spec, wide: true, height: 340, csv, caption: caption(),
        option: (c) => axisOption(shape(), spec, baselineOf(spec.rows, axis, spec, workload), c)});
    if (!means.chosen) return made.section;
    const choose = (name) => {
        workload = name;
        made.section.querySelectorAll("[data-workload]").forEach((button) =>
            button.setAttribute("aria-pressed", String(button.dataset.workload === workload)));
        made.section.querySelector(".caption").textContent = caption();
        made.draw();
    };
    const bar = el("div", {class: "buttons orders"}, ...["", ...means.workloads].map((name) => el("button",
        {type: "button", "data-workload": name, "aria-pressed": String(name === ""), onclick: () => choose(name)}, name || "mean")));
    made.section.querySelector(".chart").before(bar);
    return made.section;
}
