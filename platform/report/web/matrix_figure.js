// The matrix: who sent how much to whom, as colours.

// Numbers stand in the cells where there is room for them.
const mostCellsWithText = 160;
const textFits = (spec) => spec.columns.length <= 24 && spec.rows.length * spec.columns.length <= mostCellsWithText;

function matrixSeries(spec, c, high) {
    const room = spec.columns.length > 32 ? 1 : 2;
    const text = spec.cellText || spec.text;
    return {
        type: "heatmap", name: spec.title, emphasis: {disabled: true},
        itemStyle: {borderColor: c.card, borderWidth: room, borderRadius: 2},
        label: {show: spec.shown ?? textFits(spec), fontSize: onPaper() ? 8 : spec.columns.length > 8 ? 11 : 12,
            formatter: (p) => text(p.data.value[2]), color: c.text},
        data: spec.cells.map(([from, to, value]) => ({
            value: [to, from, value],
            label: {color: textOn(mixed([c.low, c.high], value / high))},
        })),
    };
}

// A frame round columns `first` to `last` of a row.
function frameSeries(spec, c) {
    return {
        type: "custom", name: "frames", silent: true, z: 5, tooltip: {show: false}, encode: {x: [0, 1], y: 2},
        data: spec.frames.map(({row, first, last}) => [first, last, row]),
        renderItem: (params, api) => {
            const [width, height] = api.size([1, 1]);
            const [left, middle] = api.coord([api.value(0), api.value(2)]);
            const [right] = api.coord([api.value(1), api.value(2)]);
            return {type: "rect", shape: {x: left - width / 2, y: middle - height / 2, width: right - left + width, height, r: 2},
                style: {fill: "none", stroke: c.orange, lineWidth: 1.6, lineDash: [5, 3]}};
        },
    };
}

function matrixOption(spec, c) {
    const high = Math.max(1, ...spec.cells.map((cell) => cell[2]));
    const named = (names, more) => socketAxis(c, names, {axisLine: {show: false}, ...more});
    const two = Boolean(spec.columnLabel); // lines of a label
    return {
        grid: {left: 30, right: 12, top: two ? 22 : 44, bottom: 44, containLabel: true},
        tooltip: tooltip(c, {trigger: "item", formatter: (p) => {
            const [to, from, value] = p.data.value;
            return tip(`${spec.rows[from]} ${spec.arrow || "\u2192"} ${spec.columns[to]}`, spec.tipRows(value, from, to));
        }}),
        xAxis: named(spec.columns, {position: "top", name: spec.columnName || "to", nameLocation: "middle", nameGap: two ? 42 : 24,
            ...(two ? {axisLabel: label(c, {interval: 0, lineHeight: 14, formatter: spec.columnLabel})} : {})}),
        yAxis: named(spec.rows, {...(spec.rowLabel ? {axisLabel: label(c, {interval: 0, formatter: spec.rowLabel})} : {}), inverse: true, name: spec.rowName || "from", nameLocation: "middle",
            nameGap: spec.rowLabel || (spec.rows.length > manyNames && !two) ? 26 : 56}),
        visualMap: {type: "continuous", min: 0, max: high, calculable: false, orient: "horizontal", left: "center",
            bottom: 0, itemHeight: 160, itemWidth: 10, text: [spec.text(high), "0"], textStyle: label(c), seriesIndex: 0,
            formatter: spec.text, inRange: {color: [c.low, c.high]}},
        series: [matrixSeries(spec, c, high), ...(spec.frames && spec.frames.length ? [frameSeries(spec, c)] : [])],
    };
}

// spec: {id, title, caption, height, unit, rows, columns, cells: [[row, column, value]], text(value), tipRows(value, row, column)}
// and perhaps {rowName, columnName, arrow, rowLabel(name, row), columnLabel(name, column), cellText(value), shown, frames: [{row, first, last}]}
function matrixFigure(parent, spec) {
    const csv = () => [[spec.rowName || "from", spec.columnName || "to", spec.unit]].concat(
        spec.cells.map(([from, to, value]) => [spec.rows[from], spec.columns[to], value]));
    return figure(parent, {...spec, option: (c) => matrixOption(spec, c), csv});
}

// --- the vaults of memory cubes

// channels: {read_bytes, write_bytes, activates, columns} of each vault of each cube
function vaultNumbers(channels) {
    const bytes = channels.map((cube) => cube.map((vault) => vault.read_bytes + vault.write_bytes));
    const sums = bytes.map((cube) => cube.reduce((sum, value) => sum + value, 0));
    const columns = channels.flat().reduce((sum, vault) => sum + vault.columns, 0);
    const activates = channels.flat().reduce((sum, vault) => sum + vault.activates, 0);
    const within = bytes.filter((cube) => cube.length > 1 && Math.min(...cube) > 0).map((cube) => Math.max(...cube) / Math.min(...cube));
    return {bytes, sums, hits: columns ? 1 - activates / columns : null, within: within.length ? Math.max(...within) : null};
}

// statistics: of a run. A picture where sockets without SMs have memory whose rows are counted.
function vaultFigure(parent, {statistics, configuration, sockets, time_ns}) {
    const memoryOf = (s) => statistics[`socket${s}`].memory;
    const cubes = sockets.filter((s) => !statistics[`socket${s}`].sm && ownOf(memoryOf(s), "channel0") && isNumber(memoryOf(s).channel0.columns));
    if (cubes.length < 2) return;
    const vaultsOf = (s) => Array.from({length: Object.keys(memoryOf(s)).filter((name) => /^channel\d+$/.test(name)).length},
        (_, v) => memoryOf(s)[`channel${v}`]);
    const channels = cubes.map(vaultsOf);
    const {bytes, sums, hits, within} = vaultNumbers(channels);
    const total = Math.max(1, sums.reduce((sum, value) => sum + value, 0));
    const rows = Array.from({length: Math.max(...channels.map((cube) => cube.length))}, (_, v) => `vault ${v}`);
    const columns = cubes.map((s) => partName(configuration, s));
    matrixFigure(parent, {
        id: "vaults", title: "Use of the vaults", wide: true, unit: "B", height: 118 + 22 * Math.max(6, rows.length),
        rows, columns, rowName: "vault", columnName: "cube", arrow: "of", columnLabel: numberedLabel(columns), rowLabel: (name, v) => String(v),
        text: bytesText, shown: false, cells: bytes.flatMap((cube, h) => cube.map((value, v) => [v, h, value])),
        caption: `Bytes read and written over the whole run.${hits === null ? "" : ` ${percent(hits)} of the accesses hit an open row.`} Most over least: ` +
            `${spread(sums) || "some cubes have none"}${spread(sums) ? " among cubes" : ""}` +
            (within === null ? "." : `, at most ${plain(within, 3)} times among the vaults of a cube.`),
        tipRows: (value, v, h) => {
            const vault = channels[h][v];
            return [[null, "bytes read", grouped(vault.read_bytes)], [null, "bytes written", grouped(vault.write_bytes)],
                [null, "bandwidth", `${plain(value / time_ns)} GB/s`],
                [null, "row hits", vault.columns ? percent(1 - vault.activates / vault.columns) : missing],
                [null, `share of ${columns[h]}`, percent(sums[h] ? value / sums[h] : 0)], [null, "share of all", percent(value / total)]];
        },
    });
}

// --- Figure 10 of the memory networks: the bytes of each pair of who asks and who serves

const spread = (values) => {
    const least = Math.min(...values);
    return least > 0 ? `${plain(Math.max(...values) / least, 3)} times` : null;
};

// "0", and the name above it where it is the first of that name.
function numberedLabel(names) {
    const stem = (name) => name.replace(/[[ ]\d+\]?$/, "");
    const number = (name) => (/(\d+)\]?$/.exec(name) || ["", name])[1];
    return (name, i) => (i === 0 || stem(names[i - 1]) !== stem(name) ? `${stem(name)}\n${number(name)}` : number(name));
}

function spreadText(bytes) {
    const cubes = spread(bytes[0].map((_, h) => bytes.reduce((sum, row) => sum + row[h], 0)));
    const pairs = spread(bytes.flat());
    return ` Most over least: ${cubes ? `${cubes} among all that serve` : "some serve nobody"}` +
        (pairs ? `, ${pairs} among pairs.` : ", and some pairs have none.");
}

// traffic: {askers: [socket], homes: [socket], bytes: [row of each who asks], own: [[first, last] or null]}
function trafficMatrixFigure(parent, {traffic, configuration, time_ns}) {
    const rows = traffic.askers.map((s) => partName(configuration, s));
    const columns = traffic.homes.map((s) => partName(configuration, s));
    const sums = traffic.bytes.map((row) => row.reduce((sum, value) => sum + value, 0));
    const total = Math.max(1, sums.reduce((sum, value) => sum + value, 0));
    const frames = traffic.own.flatMap((own, row) => (own ? [{row, first: own[0], last: own[1]}] : []));
    matrixFigure(parent, {
        id: "traffic-matrix", title: "Traffic by who asks and who serves", wide: true, unit: "B",
        height: 118 + Math.max(4, rows.length) * (rows.length > manyNames ? 22 : 34), rows, columns, rowName: "asks", columnName: "serves",
        arrow: "\u2194", columnLabel: numberedLabel(columns), frames, text: bytesText,
        cells: traffic.bytes.flatMap((row, from) => row.map((value, to) => [from, to, value])),
        cellText: (value) => percent(value / total),
        caption: "Bytes of requests and their responses between each pair, over the whole run" +
            (textFits({rows, columns}) ? "; in the cells, of all bytes." : ".") + spreadText(traffic.bytes) +
            (frames.length ? " Framed: the memory near who asks." : ""),
        tipRows: (value, from) => [[null, "bytes", grouped(value)], [null, "bandwidth", `${plain(value / time_ns)} GB/s`],
            [null, `share of what ${rows[from]} asks`, percent(sums[from] ? value / sums[from] : 0)],
            [null, "share of all", percent(value / total)]],
    });
}
