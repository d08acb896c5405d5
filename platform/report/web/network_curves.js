// Latency and throughput of a network over the rate that is offered.

// Vertical axes begin at 0; a rate is per terminal.
const rateUnit = data.requests ? "requests a cycle and terminal" : "flits a cycle and terminal";
const settled = data.points.filter((point) => !point.saturated);
const overloaded = data.points.filter((point) => point.saturated);

function rateAxes(c, vertical, more) {
    const most = Math.max(...data.points.map((point) => point.rate));
    return {
        grid: {left: 8, right: 16, top: 40, bottom: 22, containLabel: true},
        xAxis: axis(c, {type: "value", min: 0, max: most * 1.04, name: `offered: ${rateUnit}`, nameLocation: "middle", nameGap: 26,
            axisLabel: label(c, {formatter: (value) => plain(value, 3), showMaxLabel: false})}),
        yAxis: axis(c, {type: "value", min: 0, name: vertical, nameTextStyle: label(c, {align: "left"}),
            axisLabel: label(c, {formatter: (value) => plain(value)}), ...more}),
    };
}

function curve(name, colour, points, of, more) {
    return {type: "line", name, symbol: "circle", symbolSize: 6, lineStyle: {color: colour, width: 2},
        itemStyle: {color: colour}, data: points.map((point) => [point.rate, of(point)]), ...more};
}

// Rates at which more came than went through; they have no steady latency.
function marked(c, height) {
    return {type: "scatter", name: "saturated", symbol: "triangle", symbolSize: 11, itemStyle: {color: c.orange}, z: 5,
        data: overloaded.map((point) => [point.rate, height(point)])};
}

function latencyOption(c) {
    const names = data.requests ? ["mean", "request", "reply"] : ["latency"];
    const of = {mean: "latency_cycles", latency: "latency_cycles", request: "request_cycles", reply: "reply_cycles"};
    const tints = [c.blue, c.green, c.purple];
    const highest = Math.max(3.3 * data.idle_cycles, ...settled.flatMap((p) => names.map((name) => 1.08 * p[of[name]])));
    const dashed = [["idle", data.idle_cycles], ["three times idle", 3 * data.idle_cycles]].map(([name, at]) =>
        ({yAxis: at, label: {formatter: `${name}: ${plain(at)}`, position: "insideStartTop", color: c.muted, fontSize: 11},
            lineStyle: {type: "dashed", color: c.muted, width: 1}}));
    const lines = names.map((name, i) => curve(name, tints[i], settled, (p) => p[of[name]],
        i === 0 ? {markLine: {silent: true, symbol: "none", data: dashed}} : {}));
    return {...rateAxes(c, "cycles", {max: highest, axisLabel: label(c, {showMaxLabel: false, formatter: (v) => plain(v)})}),
        legend: legend(c, [...names, ...(overloaded.length ? ["saturated"] : [])], {icon: undefined}),
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => tip(`rate ${plain(p.data[0])}`,
            [[p.color, p.seriesName, p.seriesName === "saturated" ? "" : `${plain(p.data[1])} cycles`]])}),
        series: [...lines, marked(c, () => highest * 0.96)]};
}

function acceptedOption(c) {
    const most = Math.max(...data.points.map((point) => point.rate));
    return {...rateAxes(c, `accepted: ${rateUnit}`, {}),
        legend: legend(c, ["accepted", ...(overloaded.length ? ["saturated"] : [])], {icon: undefined}),
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => tip(`offered ${plain(p.data[0])}`,
            [[p.color, p.seriesName, plain(p.data[1])]])}),
        series: [{type: "line", name: "as offered", symbol: "none", silent: true, data: [[0, 0], [most, most]],
            lineStyle: {type: "dashed", color: c.muted, width: 1}},
        curve("accepted", c.blue, data.points, (p) => p.accepted_rate), marked(c, (p) => p.accepted_rate)]};
}
