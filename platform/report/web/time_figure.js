// Quantities over time: a panel for each socket below each other, one time axis, and the kernels on top.

const stripHeight = 16;
const stripTop = 30;
const panelGap = 16;
const panelsTop = stripTop + stripHeight + 14;
const margin = {left: 100, right: 20};

// From here on, drawing every sample would cost more than it shows: the highest and lowest of each pixel stay.
const manySamples = 3000;

// Many sockets get lower panels, so that a picture stays on a screen; two pictures of four go on a sheet of paper.
function panelHeight(spec) {
    if (spec.panels.length > 8) return 40;
    return spec.panels.length > 4 || onPaper() ? 56 : 76;
}
const panelTop = (spec, i) => panelsTop + i * (panelHeight(spec) + panelGap);
const timeHeight = (spec) => panelTop(spec, spec.panels.length) + (onPaper() ? 12 : 46);

// The first sample that ends at or after `us`.
function sampleAt(run, us) {
    let low = 0;
    let high = run.times.length - 1;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (run.times[middle] + 1e-9 < us) low = middle + 1;
        else high = middle;
    }
    return low;
}

function kernelAt(run, us) {
    const kernel = run.kernels.find((k) => k.begin <= us && us <= k.end);
    return kernel ? `, ${kernel.name}` : "";
}

// A row for each panel, a column for each line.
function timeTip(run, spec, c) {
    return (params) => {
        const list = Array.isArray(params) ? params : [params];
        const found = list.find((p) => p.seriesType === "line");
        if (!found) return "";
        const i = sampleAt(run, found.data[0]);
        const head = spec.lines.map((line) => `<th><i style="background:${c[line.colour]}"></i>${escaped(line.name)}</th>`);
        const rows = spec.panels.map((panel) => `<tr><td class="left">${escaped(panel.name)}</td>` +
            panel.values.map((values) => `<td>${escaped(spec.text(values[i]))}</td>`).join("") + "</tr>");
        const title = `${plain(run.times[i], 7)} \u00b5s, cycle ${grouped(run.cycles[i])}${kernelAt(run, run.times[i])}`;
        return `<div class="tip"><b>${escaped(title)}</b><table><tr><th></th>${head.join("")}</tr>` +
            `${rows.join("")}</table></div>`;
    };
}

function kernelStrip(run, c) {
    const draw = (params, api) => {
        const kernel = run.kernels[params.dataIndex];
        const [x, y] = api.coord([kernel.begin, 0]);
        const rect = echarts.graphic.clipRectByRect(
            {x, y: y - stripHeight, width: Math.max(api.coord([kernel.end, 0])[0] - x, 1), height: stripHeight},
            params.coordSys);
        if (!rect) return null;
        // Where there is no room the text is empty: an item without one keeps that of another width.
        const text = {text: rect.width > 24 ? kernel.name : "", fontSize: 10, fill: c.text, width: Math.max(0, rect.width - 6), overflow: "truncate",
            ellipsis: rect.width > 40 ? "\u2026" : "", fontStyle: kernel.flush ? "italic" : "normal"};
        return {
            type: "rect", shape: rect, style: {fill: kernel.flush ? c.faint : c.rule, stroke: c.card, lineWidth: 1},
            textContent: {style: text}, textConfig: {position: "inside"},
        };
    };
    return {
        type: "custom", name: "kernels", silent: true, clip: true, xAxisIndex: 0, yAxisIndex: 0, renderItem: draw,
        data: run.kernels.map((k) => [k.begin, 0, k.end]), encode: {x: [0, 2], y: 1},
    };
}

// What is linked with a panel's first line: where kernels were launched.
function launchLines(run, c) {
    const dense = run.launches.length > 60;
    return {
        silent: true, symbol: "none", animation: false, label: {show: false},
        lineStyle: {type: [2, 3], width: 1, color: c.text, opacity: dense ? 0.25 : 0.6},
        data: run.launches.map((launch) => ({xAxis: launch.us, name: launch.name})),
    };
}

// A value belongs to the interval that ends at its time. Where there is none (null) nothing is drawn, and the next one
// begins where its interval does.
function stepPoints(run, values) {
    return values.flatMap((value, t) => {
        const begins = t === 0 || (isNumber(value) && !isNumber(values[t - 1]));
        return (begins ? [[t === 0 ? 0 : run.times[t - 1], value]] : []).concat([[run.times[t], value]]);
    });
}

function panelSeries(run, spec, panel, i, c) {
    const series = spec.lines.map((line, k) => ({
        type: "line", name: line.name, xAxisIndex: i + 1, yAxisIndex: i + 1, showSymbol: false,
        step: spec.level ? "end" : "start", stack: spec.stacked ? `panel${i}` : undefined,
        lineStyle: {width: spec.stacked ? 0 : 1.3, color: c[line.colour]}, itemStyle: {color: c[line.colour]},
        areaStyle: spec.stacked ? {color: c[line.colour], opacity: 0.75} : undefined,
        emphasis: {disabled: true}, sampling: run.times.length > manySamples ? "minmax" : undefined,
        data: stepPoints(run, panel.values[k]),
        markLine: k === 0 ? launchLines(run, c) : undefined,
    }));
    if (!spec.turns) return series;
    return series.concat(spec.turns.map((turn) => ({
        type: "scatter", name: turn.name, xAxisIndex: i + 1, yAxisIndex: i + 1, symbolSize: 7,
        symbol: "triangle", symbolRotate: turn.down ? 180 : 0, symbolOffset: [0, turn.down ? -3 : 3], silent: true,
        itemStyle: {color: c[turn.colour]}, clip: false,
        data: turn.of(panel).map((us) => [us, turn.down ? 0 : spec.max]),
    })));
}

const maxOf = (spec, panel) => spec.panels[panel].max || spec.max;

function timeAxes(run, spec, c) {
    const panels = spec.panels.length;
    const last = run.times[run.times.length - 1];
    const x = (i) => axis(c, {
        type: "value", gridIndex: i, min: 0, max: last, splitLine: {show: false},
        axisLine: {show: i > 0, lineStyle: {color: c.rule}}, axisTick: {show: i === panels},
        axisLabel: label(c, {show: i === panels, showMaxLabel: false}),
        axisPointer: {show: i > 0, label: {show: false}, lineStyle: {color: c.muted}},
        name: i === panels ? "\u00b5s" : "", nameLocation: "end", nameGap: 4,
    });
    const y = (i) => axis(c, i === 0
        ? {type: "value", gridIndex: 0, min: 0, max: 1, show: false}
        : {type: "value", gridIndex: i, min: 0, max: maxOf(spec, i - 1), interval: maxOf(spec, i - 1) / 2,
            axisLabel: label(c, {formatter: spec.axisText || spec.text})});
    return {
        grid: [{...margin, top: stripTop, height: stripHeight}].concat(
            spec.panels.map((_, i) => ({...margin, top: panelTop(spec, i), height: panelHeight(spec)}))),
        xAxis: Array.from({length: panels + 1}, (_, i) => x(i)),
        yAxis: Array.from({length: panels + 1}, (_, i) => y(i)),
    };
}

function timeTitles(run, spec, c) {
    const text = (name, top, more) => ({text: name, left: 0, top, padding: 0, textStyle: label(c, more)});
    return (run.kernels.length ? [text("kernels", stripTop + 1, {})] : []).concat(
        spec.panels.map((panel, i) => text(panel.name, panelTop(spec, i) + panelHeight(spec) / 2 - 7, {color: c.text, fontWeight: 600})));
}

// What the charts show, in one that is drawn anew.
function shownSpan(run) {
    const last = run.times[run.times.length - 1];
    return span ? {startValue: Math.min(span[0], last), endValue: Math.min(span[1], last)} : {};
}

function timeOption(run, spec, c) {
    const indices = spec.panels.map((_, i) => i + 1);
    const names = spec.lines.map((line) => line.name).concat((spec.turns || []).map((turn) => turn.name));
    const icon = (name) => ({name, icon: (spec.turns || []).some((turn) => turn.name === name) ? "triangle" : "roundRect"});
    return {
        ...timeAxes(run, spec, c),
        title: timeTitles(run, spec, c),
        legend: legend(c, names.map(icon), {icon: undefined}),
        tooltip: tooltip(c, {trigger: "axis", formatter: timeTip(run, spec, c)}),
        axisPointer: {link: [{xAxisIndex: indices}]},
        dataZoom: [
            {type: "inside", ...shownSpan(run), xAxisIndex: [0, ...indices], zoomOnMouseWheel: "ctrl", moveOnMouseWheel: false},
            {type: "slider", ...shownSpan(run), show: !onPaper(), xAxisIndex: [0, ...indices], ...margin, bottom: 6, height: 16, showDetail: false,
                borderColor: c.rule, fillerColor: c.faint, backgroundColor: "transparent", showDataShadow: false,
                handleStyle: {color: c.card, borderColor: c.muted}, moveHandleSize: 0, brushSelect: false},
        ],
        series: [kernelStrip(run, c)].concat(
            spec.panels.flatMap((panel, i) => panelSeries(run, spec, panel, i, c))),
    };
}

function timeCsv(run, spec) {
    const head = ["cycle", "time_us"].concat(
        spec.panels.flatMap((panel) => spec.lines.map((line) => `${panel.name} ${line.name} (${spec.unit})`)));
    return [head].concat(run.cycles.map((cycle, i) =>
        [cycle, run.times[i], ...spec.panels.flatMap((panel) => panel.values.map((values) => values[i]))]));
}

// --- charts over time move together: what one shows, and where the mouse is in it

const timeCharts = [];
const seen = new IntersectionObserver((entries) => entries.forEach(({target, isIntersecting}) => {
    const chart = timeCharts.find(({place}) => place === target);
    if (!chart) return;
    chart.visible = isIntersecting;
    if (isIntersecting && chart.stale) showSpan(chart);
}), {rootMargin: "200px"});
let span = null; // [from, to] in us; null: all
let moving = false;

function showSpan(one) {
    one.stale = false;
    if (!span) return;
    const last = one.run.times[one.run.times.length - 1];
    moving = true;
    one.chart.dispatchAction({type: "dataZoom", dataZoomIndex: 0, startValue: Math.min(span[0], last), endValue: Math.min(span[1], last)});
    moving = false;
}

// Charts out of sight follow when they come into it: a page has dozens.
function spanMoved(from) {
    if (moving) return;
    const {startValue, endValue} = from.chart.getOption().dataZoom[0];
    if (span && span[0] === startValue && span[1] === endValue) return;
    span = [startValue, endValue];
    for (const other of timeCharts) {
        if (other === from) continue;
        other.stale = true;
        if (other.visible) showSpan(other);
    }
}

function cursorMoved(from, x) {
    const us = x === null ? null : from.chart.convertFromPixel({xAxisIndex: 1}, x);
    for (const other of timeCharts) {
        const at = us === null || other === from || !other.visible ? NaN : other.chart.convertToPixel({xAxisIndex: 1}, us);
        const inside = at >= margin.left && at <= other.chart.getWidth() - margin.right;
        other.cursor.style.display = inside ? "block" : "none";
        if (inside) other.cursor.style.left = `${at}px`;
    }
}

function linkTime(run, {chart, section}) {
    const place = section.querySelector(".chart");
    const cursor = el("div", {class: "cursor"});
    const one = {run, chart, place, cursor, visible: false, stale: false};
    place.append(cursor);
    timeCharts.push(one);
    seen.observe(place);
    chart.on("dataZoom", () => spanMoved(one));
    chart.getZr().on("mousemove", ({offsetX}) => cursorMoved(one, offsetX));
    chart.getZr().on("globalout", () => cursorMoved(one, null));
}

// A page of 72 panels a figure is read by nobody: of more than 16, the mean, and those with the highest and the lowest means over time.
// Lines that are stacked sum to about the same in each panel, which then differ in the first of them.
const mostTimePanels = 16;
const extremes = 4; // at either end
function fewerPanels(run, spec) {
    const {panels, lines} = spec;
    if (panels.length <= mostTimePanels) return spec;
    const mean = (list) => {
        const there = list.filter(isNumber);
        return there.length ? there.reduce((sum, value) => sum + value, 0) / there.length : null;
    };
    const level = (panel) => mean(spec.stacked ? panel.values[0] : panel.values.flat());
    const sorted = panels.filter((panel) => level(panel) !== null).sort((a, b) => level(b) - level(a));
    const values = lines.map((_, k) => run.times.map((_unused, i) => mean(sorted.map((panel) => panel.values[k][i]))));
    const shown = sorted.length > 2 * extremes ? [...sorted.slice(0, extremes), ...sorted.slice(-extremes)] : sorted;
    const ofWhat = spec.stacked ? ` of \u201c${lines[0].name}\u201d` : "";
    return {...spec, panels: [{name: "mean", values}, ...shown],
        caption: `${spec.caption} Of ${sorted.length} with values: the mean, and the ${extremes} with the highest and the lowest means${ofWhat} over time; the CSV has all.`};
}

// spec: {id, title, caption, unit, max, text(value), lines: [{name, colour}], level, stacked,
//        panels: [{name, values: [a list for each line], max: instead of the spec's}], turns: [{name, colour, down, of(panel)}]}
function timeFigure(parent, run, whole) {
    const spec = fewerPanels(run, whole);
    const made = figure(parent, {
        ...spec, wide: true, height: () => timeHeight(spec),
        option: (c) => timeOption(run, spec, c), csv: () => timeCsv(run, whole),
    });
    linkTime(run, made);
    return made;
}
