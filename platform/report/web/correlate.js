// Measured kernels beside simulated ones.
const {kernels} = data;

function tiles() {
    const tile = (value, name) => el("div", {class: "tile"}, el("b", {}, value), el("span", {}, name));
    main.append(el("div", {class: "tiles"},
        tile(grouped(kernels.length), "kernels"),
        tile(grouped(data.within_10_percent), "within 10 %"),
        tile(grouped(data.within_20_percent), "within 20 %"),
        tile(percent(data.mean_error), "mean error"),
        tile(plain(data.geometric_mean, 3), "geometric mean of simulated / measured"),
        tile(plain(data.correlation, 3), "correlation of the logarithms")));
}

// Both axes have the same ends, so that equal times lie on the diagonal.
function scatter(parent) {
    const times = kernels.flatMap(({measured, simulated}) => [measured, simulated]);
    const least = 10 ** Math.floor(Math.log10(Math.min(...times))), most = 10 ** Math.ceil(Math.log10(Math.max(...times)));
    const option = (c) => ({
        grid: {left: 8, right: 24, top: 24, bottom: 26, containLabel: true},
        tooltip: tooltip(c, {trigger: "item", formatter: ({dataIndex}) => {
            const row = kernels[dataIndex];
            return tip(row.name, [[null, "measured", `${plain(row.measured)} ${data.unit}`],
                [null, "simulated", `${plain(row.simulated)} ${data.unit}`], [null, "ratio", plain(row.ratio, 3)]]);
        }}),
        xAxis: axis(c, {type: "log", min: least, max: most, name: `measured, ${data.unit}`, nameLocation: "middle", nameGap: 26}),
        yAxis: axis(c, {type: "log", min: least, max: most, name: `simulated, ${data.unit}`}),
        series: [{type: "scatter", symbolSize: 9, itemStyle: {color: c.blue, opacity: 0.8},
            data: kernels.map(({measured, simulated}) => [measured, simulated]),
            markLine: {silent: true, symbol: "none", label: {show: false}, lineStyle: {color: c.muted, type: "dashed"},
                data: [[{coord: [least, least]}, {coord: [most, most]}]]}}],
    });
    const csv = () => [["kernel", `measured_${data.unit}`, `simulated_${data.unit}`]].concat(kernels.map((row) => [row.name, row.measured, row.simulated]));
    figure(parent, {id: "scatter", title: "Simulated over measured", wide: true, height: 480, option, csv,
        caption: `A point a kernel; on the dashed line both are equal.${data.launch ? ` Times are without that of ${data.launch}.` : ""}`});
}

function errorTable(parent) {
    const optional = (value) => (isNumber(value) ? plain(value) : missing);
    const sorted = [...kernels].sort((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)));
    tableFigure(parent, {id: "errors", title: "Kernels", rows: sorted, filter: kernels.length > 12 ? "words to look for" : undefined,
        caption: "The farthest apart first.",
        columns: [{title: "kernel", left: true, value: (row) => row.name},
            {title: `measured, ${data.unit}`, value: (row) => row.measured}, {title: `simulated, ${data.unit}`, value: (row) => row.simulated},
            {title: "simulated / measured", value: (row) => row.ratio, text: (v) => fixed(v, 2)},
            {title: "error", value: (row) => Math.abs(row.ratio - 1), text: (v) => percent(v)},
            {title: "instructions", value: (row) => row.measured_instructions, text: optional},
            {title: "simulated", value: (row) => row.simulated_instructions, text: optional},
            {title: "bytes read", value: (row) => row.measured_bytes, text: optional},
            {title: "simulated", value: (row) => row.simulated_bytes, text: optional}]});
}

document.getElementById("subtitle").append(`${data.measurements} beside runs on ${data.system}`);
tiles();
const cards = cardsOf(main);
scatter(cards);
errorTable(cards);
startTheme();
