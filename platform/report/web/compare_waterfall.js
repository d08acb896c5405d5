// Where the difference of two runs comes from: from A's time by cause to the other's.

const causeName = (cause) => cause.replaceAll("_", " ").replace(/\b(l1|l2|sm)\b/g, (name) => name.toUpperCase());
const signedCycles = (value) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + grouped(Math.abs(value));

// Steps from one total to the other, the largest first; small ones are one step, so that all sum to the difference.
function waterfallSteps({before, after, causes}) {
    const shown = 9;
    const differing = causes.filter(({difference}) => difference !== 0);
    const steps = differing.slice(0, shown).map(({cause, doc, difference}) => ({name: causeName(cause), doc, difference}));
    const rest = differing.slice(shown);
    if (rest.length) steps.push({name: `${rest.length} more`, doc: rest.map(({cause}) => causeName(cause)).join(", "),
        difference: rest.reduce((sum, {difference}) => sum + difference, 0)});
    let level = before;
    for (const step of steps) {
        step.from = level;
        level += step.difference;
        step.to = level;
    }
    return {steps, end: level, before, after};
}

// What tells apart causes that a step does not: slow memory and few warps both have slots wait for memory.
const besides = [["headline", "load_latency_ns", "mean latency of loads"], ["slots", "resident_warps", "resident warps"],
    ["headline", "l1_hit_rate", "L1 hits"], ["headline", "l2_hit_rate", "L2 hits"],
    ["headline", "memory_bandwidth", "memory"], ["headline", "link_bandwidth", "links"], ["headline", "remote_share", "remote loads"]];

// Changes of less are not told.
const leastChange = 0.02;

// {name, unit, from, to} of A and the run with this index.
function besideNumbers(run) {
    return besides.map(([table, path, name]) => {
        const row = comparison[table].find((one) => one.path === path);
        return row ? {path, name, unit: row.unit, from: row.values[0], to: row.values[run]} : {};
    }).filter(({from, to}) => isNumber(from) && isNumber(to));
}

const ofMemory = ["sm_port", "crossbar", "l1", "l2", "link", "far_l2", "near_memory", "far_memory"];

// Sentences below the title: what else differs, and what follows where waits and latency go opposite ways.
function besideText({run, causes}) {
    const numbers = besideNumbers(run);
    const apart = numbers.filter(({from, to}) => Math.abs(to - from) > leastChange * Math.max(Math.abs(from), Math.abs(to)));
    if (!apart.length) return "";
    const told = apart.map(({name, unit, from, to}) => `${name} ${plain(from, 3)} to ${plain(to, 3)}${unit && unit !== "warps" ? ` ${unit}` : ""}`).join(", ");
    const waits = causes.filter(({cause}) => ofMemory.includes(cause)).reduce((sum, {difference}) => sum + difference, 0);
    const change = (path) => {
        const number = apart.find((one) => one.path === path);
        return number ? Math.sign(number.to - number.from) : 0;
    };
    const hidden = waits !== 0 && change("load_latency_ns") === -Math.sign(waits) && change("resident_warps") === -Math.sign(waits);
    return ` From A to ${letters[run]}: ${told}.` + (hidden ? ` Loads became ${waits > 0 ? "faster, yet more" : "slower, yet fewer"} slots wait for them: ` +
        `${waits > 0 ? "fewer" : "more"} warps are there to issue meanwhile.` : "");
}

function waterfallFigure(parent, attribution, letter) {
    const {steps, before, after} = waterfallSteps(attribution);
    const rows = [{name: "A", from: 0, to: before}, ...steps, {name: letter, from: 0, to: after}];
    const lowest = Math.min(...rows.slice(1, -1).flatMap(({from, to}) => [from, to]), before, after);
    const highest = Math.max(...rows.flatMap(({from, to}) => [from, to]));
    // Steps much smaller than the totals would not be seen from 0.
    const base = lowest > 3 * (highest - lowest) ? Math.max(0, lowest - (highest - lowest)) : 0;
    const kind = (row) => (row.difference === undefined ? "grey" : row.difference > 0 ? "orange" : "green");
    const option = (c) => ({
        grid: {left: 8, right: 96, top: 8, bottom: 4, containLabel: true},
        tooltip: tooltip(c, {trigger: "axis", axisPointer: {type: "shadow", shadowStyle: {color: c.faint, opacity: 0.6}},
            formatter: (params) => {
                const row = rows[params[0].dataIndex];
                return row.difference === undefined ? tip(row.name, [[null, "cycles", grouped(row.to)]])
                    : tip(row.name, [[null, row.doc, ""], [null, "cycles", signedCycles(row.difference)]]);
            }}),
        xAxis: axis(c, {type: "value", min: base, name: "cycles", nameGap: 4, axisLabel: label(c, {formatter: (value) => plain(value), showMaxLabel: false})}),
        yAxis: categories(c, rows.map(({name}) => name), {inverse: true, axisLabel: label(c, {interval: 0})}),
        series: [
            {type: "bar", stack: "all", silent: true, itemStyle: {color: "transparent"}, data: rows.map(({from, to}) => Math.max(base, Math.min(from, to)))},
            {type: "bar", stack: "all", barMaxWidth: 18, emphasis: {disabled: true},
                data: rows.map((row) => ({value: Math.max(row.from, row.to) - Math.max(base, Math.min(row.from, row.to)), itemStyle: {color: c[kind(row)]}})),
                label: {show: true, position: "right", color: c.muted, fontSize: 11,
                    formatter: (p) => (rows[p.dataIndex].difference === undefined ? grouped(rows[p.dataIndex].to) : signedCycles(rows[p.dataIndex].difference))}}],
    });
    const csv = () => [["step", "cycles", "from", "to"]].concat(rows.map((row) => [row.name, row.difference ?? row.to, row.from, row.to]));
    figure(parent, {
        id: `waterfall-${letter}`, title: `Where the difference of ${letter} comes from`, wide: true, option, csv, height: 40 + 30 * rows.length,
        caption: "Cycles of A, and what each cause adds or saves. Kernels' cycles are divided by what the schedulers' slots were used for or " +
            `waited for, waits for memory by where loads spent their time.${besideText(attribution)}${base > 0 ? " The axis does not begin at 0." : ""}`});
}

function attributionTable(parent, attribution, letter) {
    const rows = attribution.kernels.filter(({difference}) => difference !== 0);
    if (!rows.length) return;
    const told = ({causes}) => causes.filter(({difference}) => difference !== 0).slice(0, 3)
        .map(({cause, difference}) => `${causeName(cause)} ${signedCycles(difference)}`).join(", ");
    tableFigure(parent, {
        id: `attribution-${letter}`, title: `By kernel: ${letter} less A`, rows, filter: rows.length > 12 ? "words to look for" : undefined,
        caption: "Cycles of all launches of a kernel, and the causes that differ most.",
        columns: [{title: "kernel", left: true, value: (row) => row.name, text: (name) => (name.length > 40 ? `${name.slice(0, 39)}\u2026` : name)},
            {title: "A", value: (row) => row.before, text: (v) => plain(v)}, {title: letter, value: (row) => row.after, text: (v) => plain(v)},
            {title: "difference", value: (row) => row.difference, text: (v) => signedCycles(v)},
            {title: "of which", left: true, long: true, value: told}],
    });
}

function attributions(parent) {
    for (const attribution of comparison.attribution) {
        if (attribution.difference === 0) continue;
        waterfallFigure(parent, attribution, letters[attribution.run]);
        attributionTable(parent, attribution, letters[attribution.run]);
    }
}
