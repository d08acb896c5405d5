// The report of a run in the browser: its charts have what results.json has.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

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
        for (const s of series) assert.equal(s.data.length, samples + 1, `${figure} ${s.name}`);
        assert.equal(series[0].launches, results.series.marks.length, figure);
    }
    const use = (await seriesOf(page, "link-use")).filter((s) => s.type === "line");
    for (const [k, [socket, way]] of [[0, "out"], [0, "in"], [1, "out"], [1, "in"]].entries())
        linkUse(results, socket, way).forEach((value, i) => near(use[k].data[i + 1][1], value, `socket ${socket} ${way} ${i}`));
    const lanes = (await seriesOf(page, "lanes")).filter((s) => s.type === "line");
    assert.deepEqual(lanes[1].data.slice(1).map((point) => point[1]), results.series.columns["socket0.link.lanes_in"].values);
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

async function checkHover(page) {
    const place = page.locator("#link-use .chart");
    await place.scrollIntoViewIfNeeded();
    const box = await place.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + 120);
    const tip = page.locator("#link-use .tip");
    await tip.waitFor({timeout: 20000});
    assert.match(await tip.innerText(), /cycle [\d,]+[\s\S]*socket 1\s+[\d.]+ %\s+[\d.]+ %/);
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
    }));
    await check("saved files", () => withPage(browser, report, "light", (page) => checkFiles(page, results)));
    await check("numbers under the mouse", () => withPage(browser, report, "light", checkHover));
    await check("light and paper", () => withPage(browser, report, "light", (page) => checkLooks(page, false)));
    await check("dark", () => withPage(browser, report, "dark", (page) => checkLooks(page, true)));
    await check("one socket", async () => {
        numavp("run", "gpu-1", "stream-triad", ...small, "--report", "--out", join(folder, "one"));
        await withPage(browser, join(folder, "one/report.html"), "light", async (page) => {
            const figures = await page.evaluate(() => Object.keys(window.report.figures));
            assert.ok(figures.includes("memory-use") && !figures.includes("link-use") && !figures.includes("traffic"), figures.join());
        });
    });
    await check("names that look like HTML stay text", async () => {
        const name = "</script><img src=x onerror=alert(1)>&amp;\"'";
        results.workload.name = name;
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
