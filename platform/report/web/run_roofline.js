// Rooflines of the run's kernels: operations a byte and a second, below the machine's ceilings (docs/use/RESULTS.md, "Roofline").
const roofLevels = {l2: ["L2", "blue"], memory: ["memory", "green"], links: ["links", "orange"], network: ["network", "purple"]};
const mostRoofed = 8; // kernels that are drawn: the longest
const perSecond = {instructions: ["MIPS", "GIPS", "TIPS"], operations: ["Mop/s", "Gop/s", "Top/s", "Pop/s"], bytes: ["MB/s", "GB/s", "TB/s", "PB/s"]};
const rateText = (value, of) => (isNumber(value) ? scaled(value / 1e6, perSecond[of], 1000) : missing);
const decadeBelow = (value) => 10 ** Math.floor(Math.log10(value));
const decadeAbove = (value) => 10 ** Math.ceil(Math.log10(value));

// What is drawn: for each level its ceiling and a point of each kernel and of the run that counted both bytes and operations.
function roofSeries({ceilings, kernels, run}, kind, c) {
    const roofed = [...kernels.slice(0, mostRoofed), ...(kernels.length > 1 ? [{...run, name: "the whole run", whole: true}] : [])];
    return ceilings.levels.map(({level, bytes_per_s: bytesPerSecond}, i) => {
        const [name, colour] = roofLevels[level];
        const points = roofed.map((kernel) => ({kernel, level: kernel.levels[i], x: kernel.levels[i][kind.perByte], y: kernel[kind.rate]}))
            .filter(({x, y}) => x > 0 && y > 0);
        return {name: `${name}, ${rateText(bytesPerSecond, "bytes")}`, level: name, colour: c[colour], bytesPerSecond, points};
    }).filter(({points}) => points.length > 0);
}

function roofOption(kind, c) {
    const levels = roofSeries(data.summary.roofline, kind, c);
    const top = Math.max(...kind.ceilings.map(({rate}) => rate));
    const points = levels.flatMap((level) => level.points);
    const xs = points.map(({x}) => x).concat(levels.map(({bytesPerSecond}) => top / bytesPerSecond));
    const [left, right] = [decadeBelow(Math.min(...xs) / 1.5), decadeAbove(Math.max(...xs) * 1.5)];
    const low = decadeBelow(Math.min(top, ...points.map(({y}) => y)) / 1.5);
    const line = {type: "line", showSymbol: false, silent: true, emphasis: {disabled: true}, tooltip: {show: false}};
    const roof = ({name, colour, bytesPerSecond}) => ({...line, name, lineStyle: {width: 1.5, color: colour}, itemStyle: {color: colour},
        data: [[Math.max(left, low / bytesPerSecond), Math.max(left, low / bytesPerSecond) * bytesPerSecond], [top / bytesPerSecond, top]]});
    const begin = Math.min(...levels.map(({bytesPerSecond}) => top / bytesPerSecond));
    const ceiling = ({name, rate}) => ({...line, name, lineStyle: {width: 1.5, color: c.muted}, itemStyle: {color: c.muted},
        data: [[begin * rate / top, rate], [right, rate]],
        endLabel: {show: true, formatter: `${name}, ${rateText(rate, kind.unit)}`, color: c.muted, fontSize: 11, align: "right", offset: [-6, -9]}});
    const dots = ({name, colour, points: all}) => ({type: "scatter", name, itemStyle: {color: colour, borderColor: c.card, borderWidth: 1},
        data: all.map(({kernel, level, x, y}) => ({value: [x, y], kernel, level, symbol: kernel.whole ? "diamond" : "circle", symbolSize: kernel.whole ? 13 : 10}))});
    const decades = (from, to) => ({type: "log", min: from, max: to, minorSplitLine: {show: false}});
    return {
        grid: {left: 8, right: 24, top: 48, bottom: 26, containLabel: true},
        legend: legend(c, levels.map(({name}) => name), {left: "auto"}),
        tooltip: tooltip(c, {trigger: "item", formatter: ({data: {kernel, level}, color}) => tip(kernel.name, [
            [null, kind.rateName, rateText(kernel[kind.rate], kind.unit)], [color, `${roofLevels[level.level][0]}, bytes`, bytesText(level.bytes)],
            [null, "bandwidth", rateText(level.bytes_per_s, "bytes")], [null, "of the ceiling", percent(level.share)],
            [null, kind.perByteName, plain(level[kind.perByte])]])}),
        xAxis: axis(c, {...decades(left, right), name: kind.perByteName, nameLocation: "middle", nameGap: 26,
            axisLabel: label(c, {formatter: (value) => plain(value)})}),
        yAxis: axis(c, {...decades(low, decadeAbove(top * 1.2)), name: kind.rateName, nameTextStyle: label(c, {align: "left"}),
            axisLabel: label(c, {formatter: (value) => rateText(value, kind.unit)})}),
        series: [...levels.map(roof), ...kind.ceilings.map(ceiling), ...levels.map(dots)],
    };
}

function roofCsv(kind) {
    const {ceilings, kernels, run} = data.summary.roofline;
    const names = ceilings.levels.map(({level}) => roofLevels[level][0]);
    return [["kernel", kind.rate, ...names.flatMap((name) => [`${name} ${kind.perByte}`, `${name} bytes_per_s`, `${name} share`])]].concat(
        [...kernels, {...run, name: "the whole run"}].map((kernel) => [kernel.name, kernel[kind.rate],
            ...kernel.levels.flatMap((level) => [level[kind.perByte], level.bytes_per_s, level.share])]));
}

function roofFigure(parent, kind) {
    const {kernels} = data.summary.roofline;
    figure(parent, {id: kind.id, title: kind.title, wide: true, height: 420, option: (c) => roofOption(kind, c), csv: () => roofCsv(kind),
        caption: `${kind.what} A kernel has a point at each level, all at its rate; right of where a level's line bends, the level could feed ` +
            "the schedulers or cores fully. A point near its line uses that level's bandwidth; one far below all lines waits for something else, as the verdict says." +
            (kernels.length > 1 ? " A diamond is the whole run." : "") +
            (kernels.length > mostRoofed ? ` The ${mostRoofed} longest of ${kernels.length} kernels; the table and the CSV have more.` : "")});
}

function roofTable(parent, {ceilings, kernels, run}) {
    const most = 50;
    const rows = [{...run, name: "the whole run"}, ...kernels.slice(0, most)];
    const some = (key) => rows.some((row) => isNumber(row[key]));
    tableFigure(parent, {id: "roofline-table", title: "Operations and bytes by kernel", rows,
        caption: "Shares are of the ceilings, which are sums over all parts of a kind: an uneven load reaches its limit below 100 %." +
            (kernels.length > most ? ` The ${most} longest of ${kernels.length}.` : ""),
        columns: [{title: "kernel", left: true, value: (row) => row.name, text: (name) => (name.length > 40 ? `${name.slice(0, 39)}\u2026` : name)},
            {title: "warp instructions a second", value: (row) => row.instructions_per_s, text: (value) => rateText(value, "instructions")},
            {title: "of issue", value: (row) => row.share, text: (value) => percent(value)},
            ...(some("tensor_ops_per_s") ? [{title: "tensor", value: (row) => row.tensor_ops_per_s, text: (value) => rateText(value, "operations")}] : [])]
            .concat(ceilings.levels.flatMap(({level}, i) => [
                {title: `${roofLevels[level][0]}: bytes`, value: (row) => row.levels[i].bytes, text: bytesText},
                {title: "of its ceiling", value: (row) => row.levels[i].share, text: (value) => percent(value)},
                {title: "instr. a byte", value: (row) => row.levels[i].instructions_per_byte, text: (value) => plain(value, 3)}]))});
}

function rooflines(parent, {roofline}) {
    if (!roofline) return;
    const {ceilings, kernels} = roofline;
    const drawn = (perByte) => kernels.some((kernel) => kernel.levels.some((level) => level[perByte] > 0));
    if (ceilings.instructions_per_s > 0 && drawn("instructions_per_byte"))
        roofFigure(parent, {id: "roofline", title: "Roofline", rate: "instructions_per_s", perByte: "instructions_per_byte", unit: "instructions",
            rateName: "warp instructions a second", perByteName: "warp instructions a byte", what: "Operations are warp instructions.",
            ceilings: [{name: "issue", rate: ceilings.instructions_per_s}]});
    if (ceilings.tensor.length > 0 && drawn("tensor_ops_per_byte"))
        roofFigure(parent, {id: "tensor-roofline", title: "Roofline of the tensor cores", rate: "tensor_ops_per_s", perByte: "tensor_ops_per_byte",
            unit: "operations", rateName: "operations of matrix instructions a second", perByteName: "operations a byte",
            what: "Operations are those of matrix instructions, two for a multiply-add.",
            ceilings: sameRates(ceilings.tensor).map(({data: kinds, ops_per_s: rate}) => ({name: kinds, rate}))});
    roofTable(parent, roofline);
}

// Kinds of elements with one rate have one line.
function sameRates(ceilings) {
    const kinds = new Map();
    for (const {data: kind, ops_per_s: rate} of ceilings) kinds.set(rate, [...(kinds.get(rate) || []), kind]);
    return [...kinds].map(([rate, names]) => ({data: names.join(", "), ops_per_s: rate}));
}
