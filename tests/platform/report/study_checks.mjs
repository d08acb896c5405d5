// The report of a study in the browser: a bar for each row, the paper's numbers beside ours, tables that sort.
import assert from "node:assert/strict";
import {readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

import {numavp, repository, run, saved, withPage} from "./browser.mjs";

const source = join(repository, "tests/platform/report/rows.json");
const rows = JSON.parse(readFileSync(source, "utf8"));
const isNumber = (value) => typeof value === "number";

async function checkFigures(page) {
    const figures = [...new Set(rows.map((row) => row.figure))];
    for (const [i, figure] of figures.entries()) {
        const own = rows.filter((row) => row.figure === figure);
        const series = await page.evaluate((id) => window.report.figures[id].chart.getOption().series.map((s) =>
            ({type: s.type, name: s.name, data: s.data})), `figure-${i + 1}`);
        const bars = series.filter((s) => s.type === "bar").flatMap((s) => s.data).filter(isNumber);
        const paper = series.filter((s) => s.name === "paper").flatMap((s) => s.data);
        const drawn = own.filter((row) => !row.over && (!row.workload || !row.mean)); // quotients and extremes are not
        assert.deepEqual(bars.sort(), drawn.map((row) => row.measured).filter(isNumber).sort(), figure);
        assert.equal(paper.length, drawn.filter((row) => isNumber(row.paper)).length, figure);
    }
}

// Four configurations: their means have a chart of their own.
async function checkMeansOfConfigurations(page) {
    const series = await page.evaluate(() => window.report.figures["figure-4-means"].chart.getOption().series);
    assert.deepEqual(series.filter((s) => s.type === "bar").map((s) => [s.name, s.data.length]),
        [["arithmetic mean", 4], ["geometric mean", 4]]);
    assert.equal(series.find((s) => s.name === "paper").data.length, 4);
}

async function checkMeans(page) {
    const means = rows.filter((row) => isNumber(row.difference) && !row.unit && row.kind !== "input");
    const series = await page.evaluate(() => window.report.figures.means.chart.getOption().series.map((s) => s.data));
    assert.deepEqual(series[1].map((point) => point[0]), means.map((row) => row.paper));
    assert.deepEqual(series[2].map((point) => point.value[0]), means.map((row) => row.measured));
}

async function checkTable(page) {
    const heads = await page.locator("#means-table th").allInnerTexts();
    const column = heads.findIndex((text) => text.startsWith("difference")) + 1;
    const cells = () => page.locator(`#means-table tbody tr td:nth-child(${column})`).allInnerTexts();
    const before = await cells();
    assert.equal(before.length, rows.filter((row) => isNumber(row.paper) || row.kind).length, "what the paper says, and no other mean");
    assert.equal(before[0], "\u221210.0 %");
    await page.click('#means-table th:has-text("difference")');
    const numbers = (await cells()).filter((text) => text !== "\u2013").map((text) => parseFloat(text.replace("\u2212", "-")));
    assert.deepEqual(numbers, numbers.slice().sort((a, b) => b - a), "largest first");
}

// A verdict a claim: no geometric means, no inputs.
async function checkVerdicts(page) {
    const claims = rows.filter((row) => row.kind === "claim" && row.verdict);
    const agree = claims.filter((row) => row.verdict === "agrees").length;
    const tiles = await page.locator(".tile").allInnerTexts();
    const tile = (name) => tiles.find((text) => text.includes(name)) || "";
    assert.ok(tile("of the paper's claims agree").startsWith(`${agree} of ${claims.length}`), tiles.join("; "));
    assert.ok(tile("claim not measured").startsWith("1"), tiles.join("; "));
    const greens = await page.locator("#means-table tbody tr:has(td .near)").count();
    assert.equal(greens, agree);
    const texts = (await page.locator("#means-table tbody tr").allInnerTexts()).join("\n");
    assert.ok(texts.includes("> 1.000") && texts.includes("the point on static failed"), texts);
}

async function checkOrders(page) {
    const names = () => page.evaluate(() => window.report.figures["figure-1"].chart.getOption().xAxis[0].data.slice(0, 3));
    assert.deepEqual(await names(), ["zeta", "alpha", "with \"quotes\", <b>"]);
    await page.click('#figure-1 [data-order="name"]');
    assert.deepEqual((await names())[0], "alpha");
    await page.click('#figure-1 [data-order="value"]');
    assert.deepEqual((await names())[0], "alpha", "the fastest");
}

// No paper: no word of one; units, descriptions, axes and scale are there; more configurations than colours.
async function checkOwnStudy(page) {
    const text = await page.locator("body").innerText();
    for (const word of ["paper", "numavp\n", "ours", "verdict"]) assert.ok(!text.toLowerCase().replace(/numavp [\d.]+\S*/g, "").includes(word), `${word}: ${text}`);
    for (const word of ["Scale 0.004", "Simulated time.", "Speedup over two / 56."]) assert.ok(text.includes(word), `${word}: ${text}`);
    const optionOf = (id) => page.evaluate((name) => window.report.figures[name].chart.getOption(), id);
    const heat = await optionOf("figure-1");
    assert.equal(heat.series[0].type, "heatmap");
    assert.equal(heat.yAxis[0].data.length, 10, "a row for each configuration");
    assert.ok(heat.yAxis[0].data.includes("four, one way 112"), heat.yAxis[0].data.join("; "));
    const over = await optionOf("figure-1-over-1");
    assert.deepEqual(over.series.map((s) => [s.type, s.name]), [["line", "two"], ["line", "four"], ["scatter", "baseline, two / 56"]]);
    assert.deepEqual(over.series[2].data, [over.series[0].data[1]], "the baseline's point, on its line");
    assert.deepEqual(over.xAxis[0].axisLabel.customValues, [28, 56, 112, 224, 448], "ticks at measured values");
    assert.ok(over.xAxis[0].name.endsWith(", cycles"), over.xAxis[0].name);
    const words = await page.evaluate(() => kneeWords({numeric: true, values: [16, 32, 64, 128], lines: [
        {name: "a", rows: [1, 1.5, 2, 2.01].map((measured) => ({measured}))}, {name: "b", rows: [1, 1.5, 2, 2.5].map((measured) => ({measured}))}]}, "GB/s"));
    assert.equal(words, " a stops gaining at 64 GB/s and changes by less than 1 % beyond. A ring marks this value.");
    const fallen = await page.evaluate(() => kneeWords({numeric: true, values: [1, 2, 4, 8], lines: [
        {name: "a", rows: [1, 3, 2, 2].map((measured) => ({measured}))}]}, ""));
    assert.ok(fallen.startsWith(" a stops falling at 4 and"), fallen);
    const added = await page.evaluate(() => [true, false].map((baselineIsOne) => withBaseline([{configuration: "four", measured: 0.5, mean: "arithmetic",
        workload: ""}], {baseline: "two", baselineIsOne, figure: "f"}).length));
    assert.deepEqual(added, [2, 1], "a baseline at 1, and one whose value is not known");
    await page.click('#figure-1-over-1 [data-workload="stream-triad"]');
    const triad = (data) => data.find((row) => row.metric === "time" && row.configuration === "four / 112" && row.workload === "stream-triad").measured;
    assert.equal((await optionOf("figure-1-over-1")).series[1].data[2][1], triad(await page.evaluate(() => data.rows)));
    await page.click('#figure-1-over-1 [data-workload=""]');
    assert.deepEqual(over.series[0].data.map((point) => point[0]), [28, 56, 112, 224, 448]);
    const mean = data => data.find((row) => row.metric === "time" && row.configuration === "four / 112" && row.mean === "arithmetic").measured;
    assert.equal(over.series[1].data[2][1], mean(await page.evaluate(() => data.rows)));
    assert.equal(over.yAxis[0].name, "ns");
    assert.ok(over.xAxis[0].name.includes("one way"), over.xAxis[0].name);
    assert.equal(await page.locator("#means-table, #means").count(), 0, "nothing is compared with a paper");
    const tables = await page.locator("table").evaluateAll((all) => all.map((table) => table.querySelector("tbody").innerText));
    assert.equal(new Set(tables).size, tables.length, "no table twice");
    assert.equal(await page.locator("#figure-1 table").count(), 1);
}

await run(async (check, browser, folder) => {
    const report = join(folder, "study.html");
    numavp("report", source, "--out", report);
    await check("bars and the paper's numbers", () => withPage(browser, report, "light", checkFigures));
    await check("means of configurations", () => withPage(browser, report, "light", checkMeansOfConfigurations));
    await check("means", () => withPage(browser, report, "dark", checkMeans));
    await check("the table sorts", () => withPage(browser, report, "light", checkTable));
    await check("verdicts", () => withPage(browser, report, "light", checkVerdicts));
    await check("workloads in three orders", () => withPage(browser, report, "light", checkOrders));
    await check("a study that ran, with the profile of its one run", async () => {
        const study = join(folder, "profile.json");
        writeFileSync(study, JSON.stringify({name: "profile", figure: "Figure 5", workloads: ["spmv-mesh"], scale: 0.02,
            systems: [{label: "two", system: "numa-aware-2"}], metrics: [{name: "time", path: "time_ns", unit: "ns"}]}));
        const words = [study, "--db", join(folder, "profile.sqlite"), "--jobs", "1"];
        numavp("study", "run", ...words, "--quiet");
        numavp("study", "report", ...words.slice(0, 3), "--out", join(folder, "profile.html"));
        await withPage(browser, join(folder, "profile.html"), "light", async (page) => {
            const [points, samples] = await page.evaluate(() => [
                window.report.figures["figure-1-profile-1"].chart.getOption().series.filter((s) => s.type === "line").map((s) => s.data.length),
                data.profiles["Figure 5"][0].series.cycles.length]);
            assert.deepEqual(points, Array(4).fill(samples + 1), "two sockets, out and in");
            assert.equal(await page.locator("#figure-1").count(), 1);
        });
    });
    await check("a study of one's own", async () => {
        const study = join(folder, "own.json");
        writeFileSync(study, JSON.stringify({name: "own", title: "Latency of the link", workloads: ["table-lookup", "stream-triad"],
            scale: 0.004, set: {"socket.sms": 2, "dispatch.launch_cycles": 100}, baseline: "two / 56",
            systems: [{label: "two", system: "numa-aware-2"}, {label: "four", system: "numa-4"}],
            axes: [{name: "one way", path: "link.latency_cycles", values: [28, 56, 112, 224, 448]}],
            metrics: [{name: "time", path: "time_ns", unit: "ns", description: "Simulated time"},
                {name: "speedup", relation: "speedup", configurations: ["two / 28", "four / 28"]}]}));
        const words = [study, "--db", join(folder, "own.sqlite")];
        numavp("study", "run", ...words, "--jobs", "2", "--quiet");
        numavp("study", "report", ...words, "--out", join(folder, "own.html"));
        await withPage(browser, join(folder, "own.html"), "light", checkOwnStudy);
    });
    await check("seeds with mean and spread, ratios that diverge at 1", async () => {
        const study = join(folder, "seeds.json");
        writeFileSync(study, JSON.stringify({name: "seeds", workloads: ["table-lookup"], scale: 0.004, seeds: [3, 4],
            set: {"socket.sms": 2, "dispatch.launch_cycles": 100}, baseline: "numa-aware-2 / 56", systems: [{system: "numa-aware-2"}],
            axes: [{name: "one way", path: "link.latency_cycles", values: [28, 56, 448]}], metrics: [{name: "speedup", relation: "speedup"}]}));
        const words = [study, "--db", join(folder, "seeds.sqlite")];
        numavp("study", "run", ...words, "--jobs", "2", "--quiet");
        numavp("study", "report", ...words, "--out", join(folder, "seeds.html"));
        await withPage(browser, join(folder, "seeds.html"), "light", async (page) => {
            const [all, series, scale] = await page.evaluate(() => [data.rows,
                window.report.figures["figure-1-over-1"].chart.getOption().series.map(({type, data: points}) => ({type, points})),
                [heatScale([0.5, 1.2], {relative: true}, colours()), heatScale([0.5, 1.2], {relative: false}, colours())].map(({min, max}) => [min, max])]);
            const row = all.find((one) => one.configuration === "numa-aware-2 / 448" && one.mean === "arithmetic");
            assert.ok(row.seeds === 2 && row.least < row.measured && row.measured < row.most, JSON.stringify(row));
            const whiskers = series.find((one) => one.type === "custom").points;
            assert.deepEqual(whiskers.at(-1), [448, row.least, row.most]);
            const line = series.find((one) => one.type === "line").points;
            assert.deepEqual(line[1], [56, 1], "the baseline itself");
            assert.deepEqual(scale, [[-1, 1], [0.5, 1.2]], "half and twice are equally far from 1");
        });
    });
    await check("CSV has every row of a figure", () => withPage(browser, report, "light", async (page) => {
        const text = (await saved(page, "figure-1", "CSV")).bytes.toString();
        assert.equal(text.trimEnd().split("\n").length, 1 + rows.filter((row) => row.figure === "Figure 6").length);
        assert.ok(text.includes('"with ""quotes"", <b>"'), text);
    }));
});
