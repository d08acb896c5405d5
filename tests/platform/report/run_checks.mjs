// The report of a run in the browser: its charts have what results.json has.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {csvRows, hovered, numavp, run, saved, withPage} from "./browser.mjs";

const small = ["--scale", "0.01", "--quiet", "--set", "socket.sms=8", "dispatch.launch_cycles=100",
    "results.interval_cycles=500"];

// Series of a chart as the page gave them to ECharts: type, name, number of points, data.
const seriesOf = (page, figure) => page.evaluate((id) =>
    window.report.figures[id].chart.getOption().series.map((s) => ({type: s.type, name: s.name, data: s.data,
        launches: s.markLine && s.markLine.data.length})), figure);

function linkUse(results, socket, way) {
    const columns = results.series.columns;
    const room = results.configuration.link.lane_gbps * 1e6 / results.configuration.clock_khz;
    const cycles = columns[`socket${socket}.link.${way}_lane_cycles`].values;
    return columns[`socket${socket}.link.${way}_bytes`].values.map((bytes, i) => cycles[i] ? 100 * bytes / (cycles[i] * room) : 0);
}

const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${what}: ${a} is not ${b}`);

async function checkOverTime(page, results) {
    const samples = results.series.cycles.length;
    const lines = {"link-use": 2, lanes: 2, "ways-l2": 2, "ways-l1": 2, "memory-use": 1, "hits-over-time": 2};
    for (const [figure, count] of Object.entries(lines)) {
        const series = (await seriesOf(page, figure)).filter((s) => s.type === "line");
        assert.equal(series.length, 2 * count, figure);
        for (const s of series)
            if (figure !== "hits-over-time") assert.equal(s.data.length, samples + 1, `${figure} ${s.name}`);
        assert.equal(series[0].launches, results.series.marks.length, figure);
    }
    const use = (await seriesOf(page, "link-use")).filter((s) => s.type === "line");
    for (const [k, [socket, way]] of [[0, "out"], [0, "in"], [1, "out"], [1, "in"]].entries())
        linkUse(results, socket, way).forEach((value, i) => near(use[k].data[i + 1][1], value, `socket ${socket} ${way} ${i}`));
    const lanes = (await seriesOf(page, "lanes")).filter((s) => s.type === "line");
    assert.deepEqual(lanes[1].data.slice(1).map((point) => point[1]), results.series.columns["socket0.link.lanes_in"].values);
}

// The shares of a socket's slots are those of results.json, and are all of them in every interval.
async function checkSlots(page, results) {
    const {slots} = results;
    const causes = Object.keys(slots.causes).filter((cause) => cause !== "translation"); // there is none
    assert.ok(slots.sockets.every((socket) => socket.translation === 0));
    const series = (await seriesOf(page, "slots")).filter((s) => s.type === "line");
    assert.equal(series.length, causes.length * results.configuration.sockets);
    const lengths = slots.series.cycles.map((cycle, i) => cycle - (i ? slots.series.cycles[i - 1] : 0));
    for (const [k, line] of series.entries()) {
        const s = Math.floor(k / causes.length);
        const cause = causes[k % causes.length];
        assert.equal(line.name, cause.replace("_", " "));
        const {values} = slots.series.columns[`socket${s}.slots.${cause}`];
        values.forEach((value, i) => near(line.data[i + 1][1], 100 * value / (lengths[i] * slots.sockets[s].schedulers), `${cause} ${i}`));
    }
    for (const i of lengths.keys())
        near(causes.reduce((sum, _, k) => sum + series[k].data[i + 1][1], 0), 100, `interval ${i}`);
    const warps = (await seriesOf(page, "occupancy")).filter((s) => s.type === "line");
    near(warps[1].data[1][1], slots.series.columns["socket1.warp_cycles"].values[0] / lengths[0], "warps");
    const ipc = (await seriesOf(page, "ipc")).filter((s) => s.type === "line");
    near(ipc[1].data[2][1], slots.series.columns["socket1.slots.issued"].values[1] / lengths[1], "ipc");
    const table = await page.locator("#slots-by-socket").innerText();
    for (const words of ["IPC", "warps", "last warp ends", "no warp"]) assert.ok(table.includes(words), table);
    const memory = 100 * slots.sockets[1].memory / (slots.sockets[1].schedulers * results.cycles);
    assert.ok(table.includes(`${memory.toFixed(1)} %`), `${memory} in ${table}`);
}

// A rate of nothing is no 0: where nothing was looked up nothing is drawn, and what was is drawn in its interval.
async function checkRates(page, results) {
    const series = (await seriesOf(page, "hits-over-time")).filter((s) => s.type === "line");
    const {columns, cycles} = results.series;
    const us = (cycle) => cycle * 1000 / results.configuration.clock_khz;
    const looked = columns["socket0.l1.load_lines"].values;
    assert.ok(looked.includes(0), "an interval without loads");
    const values = series[0].data.filter((point) => typeof point[1] === "number");
    const ends = cycles.map(us).filter((_, i) => looked[i] > 0);
    for (const end of ends) assert.ok(values.some((point) => Math.abs(point[0] - end) < 1e-9), `a value at ${end}`);
    for (const [i, lines] of looked.entries())
        if (lines === 0) assert.ok(series[0].data.some((point) => point[1] === null && Math.abs(point[0] - us(cycles[i])) < 1e-9));
}

// Pages that fault: translation, faults and the driver are drawn, and the latency of loads has the wait before them.
async function checkFaults(page, results) {
    const {host} = results.statistics;
    const faults = await seriesOf(page, "fault-latency");
    assert.deepEqual(faults.map((s) => s.name), ["to the queue", "in the queue", "the driver", "back to the sockets"]);
    near(faults.reduce((sum, s) => sum + s.data[0], 0), host.faults.latency.total_ps / host.faults.done / 1e6, "parts of a fault");
    const latency = await seriesOf(page, "latency");
    assert.equal(latency[0].name, "translation, before");
    const local = results.statistics.socket0.load_latency.local;
    near(latency[0].data[0], local.translation_ps / local.loads / 1000, "translation before a load");
    assert.ok(latency[0].data[0] > 0);
    const mmu = results.statistics.socket1.mmu;
    const rates = await seriesOf(page, "tlb-rates");
    near(rates[0].data[1], 100 * (1 - mmu.l1_misses / mmu.l1_hits), "L1 TLB");
    near(rates[1].data[1], 100 * mmu.l2_hits / (mmu.l2_hits + mmu.l2_misses), "L2 TLB");
    near((await seriesOf(page, "walks"))[0].data[0], results.statistics.socket0.mmu.walk_ps.sum / results.statistics.socket0.mmu.walk_ps.count / 1000, "a walk");
    const over = (await seriesOf(page, "walks-over-time")).filter((s) => s.type === "line" && s.name === "faults");
    assert.equal(over.length, results.configuration.sockets);
    assert.deepEqual(over[0].data.slice(1).map((point) => point[1]), results.series.columns["socket0.mmu.faults"].values);
    assert.ok((await seriesOf(page, "faults-over-time")).length > 0);
    const driver = await page.locator("#driver").innerText();
    for (const words of ["faults completed", "busy with faults", "migrations", "host link"]) assert.ok(driver.includes(words), driver);
}

// Each statistic has a unit, also where digits are part of a name ("l1"). Histograms are another matter.
async function checkUnits(page, results) {
    const without = await page.evaluate(() => leaves(statistics, "").filter((leaf) => meaning(leaf.path).doc === "").map((leaf) => leaf.path));
    assert.deepEqual(without, []);
    const hits = await page.evaluate(() => [meaning("socket1.l1.hits"), meaning("socket0.l2.local.hits")]);
    assert.deepEqual(hits, [results.units["socket*.l1.hits"], results.units["socket*.l2.local.hits"]]);
}

// No text of a chart is cut off at its edge.
async function checkTextsFit(page, theme) {
    const cut = await page.evaluate(() => Object.entries(window.report.figures).filter(([, f]) => f.chart).flatMap(([id, f]) => {
        const box = f.chart.getDom().getBoundingClientRect();
        return [...f.chart.getDom().querySelectorAll("text")].filter((text) => {
            const t = text.getBoundingClientRect();
            return t.width > 0 && (t.left < box.left - 1 || t.right > box.right + 1 || t.top < box.top - 1 || t.bottom > box.bottom + 1);
        }).map((text) => `${id}: ${text.textContent}`);
    }));
    assert.deepEqual(cut, [], theme);
}

async function checkSixteen(page, theme) {
    await checkTextsFit(page, theme);
    const shown = (id) => page.evaluate((name) => [...document.querySelectorAll(`#${name} text`)].map((t) => t.textContent), id);
    for (const id of ["hit-rates", "memory-bandwidth", "link-bandwidth", "link-use", "slots", "occupancy", "ipc", "traffic", "latency"]) {
        const texts = (await shown(id)).join("|");
        for (let s = 0; s < 16; ++s) assert.match(texts, new RegExp(`(^|[| ,])(socket )?${s}([|, ]|$)`), `${id}: socket ${s}`);
    }
}

// Of many sockets pictures over time show the mean and four at either end, and the drawing one box for sockets that are alike; the CSV has every socket.
async function checkManySockets(page, results, boxes) {
    const {sockets} = results.configuration;
    const titles = await page.evaluate(() => window.report.figures["link-use"].chart.getOption().title.map((title) => title.text));
    assert.deepEqual([titles.length, titles[1]], [10, "mean"], titles.join());
    const csv = csvRows(await page.evaluate(() => window.report.figures["link-use"].csv()));
    assert.equal(csv[0].length, 2 + 2 * sockets);
    const bytes = Array.from({length: sockets}, (_, s) => results.series.columns[`socket${s}.link.in_bytes`].values.reduce((sum, value) => sum + value, 0));
    assert.ok(titles.includes(`socket ${bytes.indexOf(Math.max(...bytes))}`), `the busiest is there: ${titles}`);
    const series = await seriesOf(page, "hits-over-time"); // a cube has no L1, the CPU no cache
    for (const panel of series.filter(({type}) => type === "line").reduce((pairs, line, i, all) => (i % 2 ? pairs : [...pairs, [line, all[i + 1]]]), []))
        assert.ok(panel.some(({data}) => data.some(([, value]) => value !== null)), "no panel is empty");
    const drawn = await page.locator("#topology svg").textContent();
    for (const name of boxes) assert.ok(drawn.includes(name), `${name} in ${drawn}`);
}

// Lines that are stacked sum to the same: the ends are those of the first line. The mean begins with a panel that has values.
async function checkExtremesOfStacked(page) {
    const panels = Array.from({length: 20}, (_, i) => ({name: `${i}`, values: i < 2 ? [[], []] : [[i, i], [20 - i, 20 - i]]}));
    const fewer = await page.evaluate((all) => fewerPanels({times: [1, 2]},
        {stacked: true, caption: "", lines: [{name: "out"}, {name: "in"}], panels: all}), panels);
    assert.deepEqual(fewer.panels.map(({name}) => name), ["mean", "19", "18", "17", "16", "5", "4", "3", "2"]);
    assert.deepEqual(fewer.panels[0].values, [[10.5, 10.5], [9.5, 9.5]]);
}

const pixelOfCell = (page, figure, cell) => page.evaluate(([id, of]) =>
    window.report.figures[id].chart.convertToPixel("grid", of), [figure, cell]);

// The matrix of who asks and who serves is that of the statistics, and each GPU's own cubes are framed.
async function checkTrafficMatrix(page, results, frames) {
    const {network} = results.statistics;
    const of = (asker, h) => network[`traffic${asker}`][`memory${Math.floor(h / 4)}`][`part${h % 4}`].bytes;
    const [matrix, framed] = await seriesOf(page, "traffic-matrix");
    const askers = Object.keys(network).filter((name) => /^traffic\d+$/.test(name)).map((name) => Number(name.slice(7)));
    const cubes = Object.keys(network.served).length * 4;
    assert.deepEqual(matrix.data.map((cell) => cell.value),
        askers.flatMap((asker, row) => Array.from({length: cubes}, (_, h) => [h, row, of(asker, h)])));
    assert.ok(matrix.data.some((cell) => cell.value[2] > 0));
    assert.deepEqual(framed.data, frames);
    const text = await hovered(page, "traffic-matrix", () => pixelOfCell(page, "traffic-matrix", [2, 1]));
    assert.match(text, new RegExp(`gpu\\[1\\] . cube\\[2\\]\\s+bytes\\s+${of(1, 2).toLocaleString("en-US")}\\s`));
    const csv = csvRows((await saved(page, "traffic-matrix", "CSV")).bytes.toString());
    assert.deepEqual(csv[1], ["gpu[0]", "cube[0]", String(of(0, 0))]);
    await checkApart(page, "traffic-matrix");
}

// The table of all channels has the names of both ends; the bars are the busiest first.
async function checkChannels(page, results) {
    const {network} = results.statistics;
    const rows = csvRows(await page.evaluate(() => window.report.figures["channel-table"].csv()));
    const counted = Object.keys(network).filter((name) => /^channel\d+$/.test(name)).length;
    assert.equal(rows.length, 1 + counted);
    assert.deepEqual(rows[0].slice(0, 3), ["from", "to", "link"]);
    const drawn = await page.evaluate(() => document.querySelector("#topology svg").textContent);
    assert.ok(drawn.includes(`: ${counted / 2} channels`), `${counted / 2} channels of all kinds in "${drawn}"`);
    for (const [from, to] of rows.slice(1)) assert.match(`${from} ${to}`, /^\w+\[\d+\] \w+\[\d+\]$/);
    const busiest = (await seriesOf(page, "network-channels"))[0].data;
    assert.ok(busiest[0] > 0 && busiest.every((use, i) => i === 0 || use <= busiest[i - 1]), busiest.join());
}

// Numbers of columns stand beside each other, and names above them.
async function checkApart(page, id) {
    const over = await page.evaluate((name) => {
        const boxes = [...document.querySelectorAll(`#${name} svg text`)].map((t) => [t.textContent, t.getBoundingClientRect()]);
        const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
        return boxes.flatMap(([text, a], i) => boxes.slice(0, i).filter(([, b]) => a.width > 0 && b.width > 0 && !apart(a, b)).map(([other]) => `${text} on ${other}`));
    }, id);
    assert.deepEqual(over, []);
}

// Bytes of each vault of each cube are those of the statistics, its row hits stand under the mouse.
async function checkVaults(page, results, first, count) {
    const vault = (h, v) => results.statistics[`socket${first + h}`].memory[`channel${v}`];
    const bytes = (h, v) => vault(h, v).read_bytes + vault(h, v).write_bytes;
    const [matrix] = await seriesOf(page, "vaults");
    assert.deepEqual(matrix.data.map((cell) => cell.value),
        Array.from({length: count * 16}, (_, i) => [Math.floor(i / 16), i % 16, bytes(Math.floor(i / 16), i % 16)]));
    const text = await hovered(page, "vaults", () => pixelOfCell(page, "vaults", [2, 5]));
    assert.match(text, new RegExp(`vault 5 of \\w+\\[2\\]\\s+bytes read\\s+${vault(2, 5).read_bytes.toLocaleString("en-US")}\\s`));
    const [, hits] = /row hits\s+([\d.]+) %/.exec(text);
    assert.ok(Math.abs(Number(hits) / 100 - 1 + vault(2, 5).activates / vault(2, 5).columns) < 0.006, hits);
    const csv = csvRows((await saved(page, "vaults", "CSV")).bytes.toString());
    assert.equal(csv.length, 1 + count * 16);
    assert.deepEqual(csv[2].slice(0, 1), ["vault 1"]);
    await checkApart(page, "vaults");
}

async function checkBars(page, results) {
    const statistics = results.statistics;
    const memory = await seriesOf(page, "memory-bandwidth");
    near(memory[0].data[1], statistics.socket1.memory.read_bytes / results.time_ns, "read bandwidth");
    const link = await seriesOf(page, "link-bandwidth");
    near(link[1].data[0], statistics.socket0.link.in.bytes / results.time_ns, "link in");
    const latency = await seriesOf(page, "latency");
    assert.deepEqual(latency.map((s) => s.data.length), Array(6).fill(4), "2 sockets, local and remote");
    const remote = statistics.socket1.load_latency.remote;
    near(latency.reduce((sum, s) => sum + s.data[3], 0), remote.total_ps / remote.loads / 1000, "the parts sum to the mean");
    const traffic = (await seriesOf(page, "traffic"))[0].data.map((cell) => cell.value);
    assert.deepEqual(traffic, [[1, 0, statistics.switch.from0.to1.bytes], [0, 1, statistics.switch.from1.to0.bytes]]);
    assert.equal((await seriesOf(page, "hit-rates"))[0].data.length, 2);
}

// Points of the roofline are the counters of results.json, below the ceilings of its configuration.
async function checkRoofline(page, results) {
    const {rows, counters} = results.kernels;
    const {configuration} = results;
    const all = (pattern, i) => Object.entries(counters).filter(([path]) => pattern.test(path)).reduce((sum, [, values]) => sum + values[i], 0);
    const names = [...new Set(rows.name.filter((_, i) => rows.kind[i] !== "outside"))];
    const of = (name, pattern) => rows.name.reduce((sum, own, i) => sum + (own === name ? all(pattern, i) : 0), 0);
    const seconds = (name) => rows.name.reduce((sum, own, i) => sum + (own === name ? rows.cycles[i] : 0), 0) / (configuration.clock_khz * 1000);
    const series = await seriesOf(page, "roofline");
    const [memory] = series.filter((s) => s.type === "scatter" && s.name.startsWith("memory,"));
    for (const name of names) {
        const point = memory.data.find((dot) => dot.kernel.name === name);
        const bytes = of(name, /^socket\d+\.memory\.(read|write)_bytes$/);
        const instructions = of(name, /^socket\d+\.sm\.warp_instructions$/);
        if (bytes === 0) continue;
        near(point.value[0], instructions / bytes, `${name}: instructions a byte`);
        near(point.value[1], instructions / seconds(name), `${name}: instructions a second`);
        assert.ok(point.value[1] <= point.value[0] * configuration.sockets * configuration.socket.memory.bandwidth_gbps * 1e9, `${name} is below the roof`);
    }
    assert.ok(memory.data.some((dot) => dot.kernel.whole), "the whole run");
    const table = csvRows(await page.evaluate(() => window.report.figures["roofline-table"].csv()));
    assert.equal(table.length, 2 + names.length);
}

// Bars and table of kernels: they sum to the run.
async function checkKernels(page, results) {
    const us = results.cycles * 1000 / results.configuration.clock_khz;
    const bars = await seriesOf(page, "kernel-times");
    near(bars.flatMap((s) => s.data).filter((value) => value !== null).reduce((sum, value) => sum + value, 0), us, "time of all kernels");
    const csv = csvRows((await saved(page, "kernels", "CSV")).bytes.toString());
    const column = (name) => csv.slice(1).map((row) => Number(row[csv[0].indexOf(name)]));
    const sum = (name) => column(name).reduce((all, value) => all + value, 0);
    assert.equal(csv.length - 1, results.kernels.rows.name.length);
    assert.equal(sum("cycles"), results.cycles);
    assert.equal(sum("warp instructions"), results.statistics.system.warp_instructions);
    assert.equal(sum("links"), results.statistics.socket0.link.out.bytes + results.statistics.socket1.link.out.bytes);
    assert.deepEqual(column("cycles"), column("cycles").sort((a, b) => b - a), "the longest first");
    const first = await page.locator("#kernels tbody tr").first().innerText();
    assert.ok(first.includes(csv[1][1]), first);
}

// Each class that has accesses has a panel, whose shares are those of its histogram, and a row of percentiles.
async function checkLatencies(page, results) {
    const classes = Object.entries(results.access_latency).flatMap(([kind, homes]) => Object.entries(homes)
        .filter(([, of]) => of.count > 0).map(([home, of]) => [`${kind}s, ${home}`, of]));
    assert.ok(classes.length >= 5, classes.map(([name]) => name).join());
    const series = await seriesOf(page, "access-latency");
    assert.deepEqual(series.map((s) => s.name), classes.map(([name]) => name));
    const bars = await page.evaluate(() => window.report.figures["access-latency"].chart.getOption().xAxis[0].data);
    for (const [k, [name, of]] of classes.entries()) {
        assert.equal(of.buckets.reduce((sum, [, n]) => sum + n, 0), of.count, name);
        near(series[k].data.reduce((sum, share) => sum + share, 0), 100, `all shares of ${name}`);
        for (const [ps, n] of of.buckets) {
            const text = await page.evaluate((ns) => timeText(ns), (ps + 1) / 1000);
            near(series[k].data[bars.indexOf(text)], 100 * n / of.count, `${name} up to ${ps} ps`);
        }
    }
    const csv = csvRows((await saved(page, "access-latency-table", "CSV")).bytes.toString());
    assert.deepEqual(csv.slice(1).map((row) => Number(row.at(-2))), classes.map(([, of]) => of.p99_9_ps));
}

async function checkFiles(page, results) {
    const csv = csvRows((await saved(page, "link-use", "CSV")).bytes.toString());
    assert.deepEqual(csv[0], ["cycle", "time_us", "socket 0 out (%)", "socket 0 in (%)", "socket 1 out (%)", "socket 1 in (%)"]);
    assert.deepEqual(csv.slice(1).map((row) => Number(row[0])), results.series.cycles);
    const use = linkUse(results, 1, "in");
    csv.slice(1).forEach((row, i) => near(Number(row[5]), use[i], `row ${i}`));
    const traffic = csvRows((await saved(page, "traffic", "CSV")).bytes.toString());
    assert.deepEqual(traffic[1], ["socket 0", "socket 1", String(results.statistics.switch.from0.to1.bytes)]);
    for (const figure of ["lanes", "topology"]) {
        const png = await saved(page, figure, "PNG");
        assert.equal(png.bytes.subarray(1, 4).toString(), "PNG", figure);
        assert.match((await saved(page, figure, "SVG")).bytes.toString(), /^<svg[^>]*xmlns/, figure);
        assert.ok(png.name.endsWith(`-${figure}.png`), png.name);
    }
}

// Charts over time show one span and one place of the mouse, also after they were drawn anew.
async function checkLinkedTime(page) {
    const spanOf = (id) => page.evaluate((name) => {
        const [{startValue, endValue}] = window.report.figures[name].chart.getOption().dataZoom;
        return [startValue, endValue];
    }, id);
    const [, end] = await spanOf("lanes");
    await page.locator("#lanes").scrollIntoViewIfNeeded();
    await page.evaluate((to) => window.report.figures["link-use"].chart.dispatchAction({type: "dataZoom", dataZoomIndex: 0, startValue: to / 4,
        endValue: to / 2}), end);
    await page.locator("#hits-over-time").scrollIntoViewIfNeeded();
    await page.waitForFunction((to) => window.report.figures["hits-over-time"].chart.getOption().dataZoom[0].endValue === to, end / 2);
    await page.locator("#lanes").scrollIntoViewIfNeeded();
    await hovered(page, "lanes", async () => [(await page.locator("#lanes .chart").boundingBox()).width / 2, 120]);
    const cursors = await page.locator(".cursor").evaluateAll((all) => all.filter((one) => one.style.display === "block").map((one) => one.closest(".card").id));
    assert.ok(cursors.includes("link-use") && !cursors.includes("lanes"), cursors.join());
    await page.click("#theme");
    assert.deepEqual(await spanOf("lanes"), [end / 4, end / 2], "drawn anew");
}

// Every picture has a name, and the list of contents leads to every card.
async function checkNamesAndContents(page) {
    const unnamed = await page.evaluate(() => [...document.querySelectorAll("[role=img]")].filter((one) => !one.getAttribute("aria-label")).length);
    assert.equal(unnamed, 0);
    await page.click(".contents summary");
    const targets = await page.locator(".contents a").evaluateAll((all) => all.map((link) => link.getAttribute("href").slice(1)));
    assert.deepEqual(targets, await page.locator(".card[id]").evaluateAll((all) => all.map((one) => one.id)));
    await page.click('.contents a[href="#statistics"]');
    assert.ok(await page.locator("#statistics").evaluate((one) => one.open), "what is folded opens");
}

async function checkHover(page) {
    const text = await hovered(page, "link-use", async () =>
        [(await page.locator("#link-use .chart").boundingBox()).width / 2, 120]);
    assert.match(text, /cycle [\d,]+[\s\S]*socket 1\s+[\d.]+ %\s+[\d.]+ %/);
}

async function checkLooks(page, dark) {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = (colour) => Number(/\d+/.exec(colour)[0]) > 128;
    assert.equal(light(await ground()), !dark, "follows the system");
    await page.click("#theme");
    assert.equal(light(await ground()), dark, "and the button");
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    assert.ok(fits, "nothing is wider than the window");
    assert.ok((await page.pdf({preferCSSPageSize: true})).length > 10000);
    assert.equal(await page.evaluate(() => document.body.className), "", "as before the printing");
}

await run(async (check, browser, folder) => {
    const place = join(folder, "run");
    numavp("run", "numa-aware-2", "spmv-powerlaw", ...small, "--report", "--out", place);
    const results = JSON.parse(readFileSync(join(place, "results.json"), "utf8"));
    const report = join(place, "report.html");
    await check("the page holds results.json, number for number", () => withPage(browser, report, "light", async (page) => {
        const held = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).results);
        assert.deepEqual(held, results);
        assert.equal(await page.locator("#statistics").count(), 1);
    }));
    await check("series over time, bars, matrix", () => withPage(browser, report, "light", async (page) => {
        await checkOverTime(page, results);
        await checkBars(page, results);
        await checkLatencies(page, results);
        await checkRates(page, results);
        await checkSlots(page, results);
    }));
    await check("every statistic has its unit", () => withPage(browser, report, "light", (page) => checkUnits(page, results)));
    await check("a link's use is its GB/s of what its lanes could", () => withPage(browser, report, "light", async (page) => {
        for (const s of await page.evaluate(() => data.summary.sockets)) {
            near(s.out_use, s.out_gbps / s.out_could_gbps, "out");
            near(s.in_use, s.in_gbps / s.in_could_gbps, "in");
        }
    }));
    await check("what limits the run", () => withPage(browser, report, "light", async (page) => {
        const {verdict} = await page.evaluate(() => data.summary);
        const words = verdict.words.replace(/^no single limit/, "No single limit");
        assert.ok((await page.textContent("#verdict")).includes(words), words);
        near(verdict.times.reduce((sum, time) => sum + time.cycles, 0), results.cycles, "times by cause");
        const rows = page.locator("#limits tbody tr");
        assert.equal(await rows.count(), verdict.kernels.length);
        assert.ok((await rows.first().textContent()).includes(verdict.kernels[0].name));
    }));
    await check("rooflines", () => withPage(browser, report, "light", (page) => checkRoofline(page, results)));
    await check("by kernel", () => withPage(browser, report, "light", (page) => checkKernels(page, results)));
    await check("saved files", () => withPage(browser, report, "light", (page) => checkFiles(page, results)));
    await check("numbers under the mouse", () => withPage(browser, report, "light", checkHover));
    await check("one span and one cursor over all charts in time", () => withPage(browser, report, "light", checkLinkedTime));
    await check("names of pictures, list of contents", () => withPage(browser, report, "light", checkNamesAndContents));
    await check("light and paper", () => withPage(browser, report, "light", (page) => checkLooks(page, false)));
    await check("dark", () => withPage(browser, report, "dark", (page) => checkLooks(page, true)));
    await check("pages that fault", async () => {
        numavp("run", "numa-4", "stencil-3d", "--scale", "0.01", "--quiet", "--set", "socket.sms=8", "translation.mode=full",
            "driver.execution=native", "driver.policy=lab", "--report", "--out", join(folder, "faults"));
        const faulting = JSON.parse(readFileSync(join(folder, "faults/results.json"), "utf8"));
        await withPage(browser, join(folder, "faults/report.html"), "light", async (page) => {
            await checkFaults(page, faulting);
            await checkTextsFit(page, "light");
        });
    });
    await check("sixteen sockets", async () => {
        numavp("run", "numa-aware-16", "spmv-powerlaw", ...small, "socket.sms=2", "--report", "--out", join(folder, "16"));
        for (const theme of ["light", "dark"])
            await withPage(browser, join(folder, "16/report.html"), theme, (page) => checkSixteen(page, theme));
    });
    for (const [system, frames, boxes, own] of [
        ["umn-cpu", [[0, 3, 0], [4, 7, 1], [8, 11, 2], [12, 15, 3]], ["gpu[0]", "3 of gpu, each", "16 of cube, each", "4 of host_cube, each", "cpu[0]"],
            ["gpu[1..3].sms=1"]],
        ["gmn-16-sfbfly", Array.from({length: 16}, (_, g) => [4 * g, 4 * g + 3, g]), ["16 of gpu, each", "64 of cube, each"], []]])
        await check(`who asks and who serves in ${system}`, async () => {
            const out = join(folder, system);
            numavp("run", system, "mn-cg", "--scale", "0.01", "--quiet", "--set", "network.traffic_matrix=true", "socket.sms=2", ...own, "--report",
                "--out", out);
            const counted = JSON.parse(readFileSync(join(out, "results.json"), "utf8"));
            for (const theme of system === "umn-cpu" ? ["light", "dark"] : ["light"])
                await withPage(browser, join(out, "report.html"), theme, async (page) => {
                    await checkTextsFit(page, theme);
                    await checkManySockets(page, counted, boxes);
                    await checkTrafficMatrix(page, counted, frames);
                    await checkChannels(page, counted);
                    if (system === "umn-cpu") { // names are too long for boxes of routers: letters and a legend tell them apart
                        const texts = await page.locator("#network svg text").allTextContents();
                        for (const text of ["cu 15", "cp 0", "cu: cube", "cp: cpu", "h: host_cube"]) assert.ok(texts.includes(text), texts.join());
                    }
                    await checkVaults(page, counted, frames.length, system === "umn-cpu" ? 20 : 64);
                });
        });
    await check("ends of stacked pictures", () => withPage(browser, report, "light", checkExtremesOfStacked));
    await check("one socket", async () => {
        numavp("run", "gpu-1", "stream-triad", ...small, "--report", "--out", join(folder, "one"));
        await withPage(browser, join(folder, "one/report.html"), "light", async (page) => {
            const figures = await page.evaluate(() => Object.keys(window.report.figures));
            assert.ok(figures.includes("memory-use") && !figures.includes("link-use") && !figures.includes("traffic") && !figures.includes("traffic-matrix") &&
                !figures.includes("vaults"), figures.join());
        });
    });
    await check("two streams", async () => {
        const part = (stream) => `{"pattern": "compute", "stream": ${stream}, "parameters": {"threads": 256, "blocks": 64}}`;
        writeFileSync(join(folder, "two.json"), `{"kernels": [${part(0)}, ${part(1)}]}`);
        numavp("run", "numa-aware-2", join(folder, "two.json"), "--quiet", "--set", "socket.sms=4", "--report", "--out", join(folder, "two"));
        await withPage(browser, join(folder, "two/report.html"), "dark", async (page) => {
            const rows = await page.evaluate(() => window.report.figures.streams.rows);
            const {cycles} = JSON.parse(readFileSync(join(folder, "two/results.json"), "utf8"));
            assert.equal(rows.reduce((sum, row) => sum + row.cycles, 0), cycles);
            assert.equal(rows.filter((row) => row.kind === "stream").length, 2);
        });
    });
    await check("names that look like HTML stay text", async () => {
        const name = "</script><img src=x onerror=alert(1)>&amp;\"'";
        results.workload.name = name;
        results.kernels.rows.name.fill(name);
        results.series.marks[0].name = name;
        writeFileSync(join(place, "results.json"), JSON.stringify(results));
        numavp("report", place, "--out", join(folder, "hostile.html"));
        await withPage(browser, join(folder, "hostile.html"), "light", async (page) => {
            assert.equal(await page.title(), `${name} on numa-aware-2`);
            assert.equal(await page.locator("img").count(), 0);
            assert.equal(await page.locator("#link-use").count(), 1);
        });
    });
});
