// Bars, stacked or side by side.

// Every number of the category under the mouse.
function barTip(spec, c) {
    return (params) => {
        const list = (Array.isArray(params) ? params : [params]).filter((p) => p.seriesType === "bar");
        if (list.length === 0) return "";
        const i = list[0].dataIndex;
        const rows = spec.series.map((s) => [c[s.colour], s.name, spec.text(s.values[i])]);
        if (spec.totalName)
            rows.push([null, spec.totalName, spec.text(spec.series.reduce((sum, s) => sum + (s.values[i] || 0), 0))]);
        return tip(spec.categories[i], rows);
    };
}

function barSeries(spec, s, k, c) {
    return {
        type: "bar", name: s.name, stack: spec.stacked ? s.stack || "all" : undefined, barMaxWidth: spec.barWidth || 26,
        barGap: "8%", itemStyle: {color: c[s.colour], borderColor: c.card, borderWidth: spec.horizontal ? 1 : 0},
        emphasis: {disabled: true},
        data: s.values.map((value) => (isNumber(value) ? value : null)),
        markLine: k === 0 && spec.limits && spec.limits.length ? {
            silent: true, symbol: "none", lineStyle: {color: c.muted, type: "dashed"},
            data: spec.limits.map((limit) => ({[spec.horizontal ? "xAxis" : "yAxis"]: limit.value, name: limit.name})),
            label: {formatter: (p) => p.name, position: "insideEndTop", color: c.muted, fontSize: 11},
        } : undefined,
    };
}

function barOption(spec, c) {
    const names = spec.horizontal ? categories(c, spec.categories, {inverse: true, axisLabel: label(c, {interval: 0})})
        : socketAxis(c, spec.categories);
    const highest = (spec.limits || []).reduce((high, limit) => Math.max(high, limit.value), 0);
    const max = spec.max || (highest ? (extent) => Math.max(extent.max, highest) * 1.04 : null);
    const values = axis(c, {type: "value", max, min: 0, name: spec.unit, nameGap: 10,
        axisLabel: label(c, {formatter: spec.axisText || ((value) => plain(value)), showMaxLabel: !highest})});
    return {
        grid: {left: 8, right: spec.horizontal ? 46 : 8, top: 46, bottom: spec.horizontal || spec.categories.length <= manyNames ? 4 : 22, containLabel: true},
        legend: legend(c, spec.series.map((s) => s.name), {left: "auto"}),
        tooltip: tooltip(c, {trigger: "axis", axisPointer: {type: "shadow", shadowStyle: {color: c.faint, opacity: 0.6}},
            formatter: barTip(spec, c)}),
        xAxis: spec.horizontal ? values : names,
        yAxis: spec.horizontal ? names : values,
        series: spec.series.map((s, k) => barSeries(spec, s, k, c)),
    };
}

// A limit that is far above all bars would press them flat: the caption says it instead.
function withNearLimits(spec) {
    const far = 5;
    const tops = spec.categories.map((_, i) => spec.series.map((s) => s.values[i] || 0)
        .reduce((top, value) => (spec.stacked ? top + value : Math.max(top, value)), 0));
    const top = Math.max(...tops);
    const beyond = (spec.limits || []).filter((limit) => top > 0 && limit.value > far * top);
    if (beyond.length === 0) return spec;
    const said = beyond.map((limit) => `${limit.name} ${spec.text(limit.value)}`).join(", ");
    return {...spec, limits: spec.limits.filter((limit) => !beyond.includes(limit)), caption: `${spec.caption} Far above: ${said}.`};
}

const barCsv = (spec) => [["", ...spec.series.map((s) => `${s.name} (${spec.unit})`)]].concat(
    spec.categories.map((name, i) => [name, ...spec.series.map((s) => s.values[i])]));

// spec: {id, title, caption, height, unit, categories, series: [{name, colour, values, stack}], stacked, horizontal,
//        max, limits: [{value, name}], text(value), totalName}
function barFigure(parent, whole) {
    const spec = withNearLimits(whole);
    return figure(parent, {...spec, option: (c) => barOption(spec, c), csv: () => barCsv(spec)});
}
