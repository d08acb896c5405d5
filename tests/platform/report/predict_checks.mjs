// Reports of an application's graph in the browser: on a machine a bar for each step and unit that it occupies, tables of links and steps; of
// what-if two bars for each change, tables of critical paths and links.
import assert from "node:assert/strict";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

await run(async (check, browser, folder) => {
    const file = join(folder, "stencil.html");
    numavp("predict", "stencil-4", "dgx-1", "--report", file);
    const {steps: all, critical_path} = JSON.parse(numavp("predict", "stencil-4", "dgx-1", "--json"));
    const bars = (kind, more = () => true) =>
        all.filter((s) => s.kind === kind && more(s)).reduce((sum, s) => sum + s.units.length, 0);
    const onPath = (s) => critical_path.includes(s.name);
    for (const scheme of ["light", "dark"])
        await check(`a bar for each step in each of its rows, ${scheme}`, () => withPage(browser, file, scheme, async (page) => {
            const series = await page.evaluate(() => window.report.figures.timeline.chart.getOption().series.map((s) =>
                ({name: s.name, bars: s.data.length, framed: s.data.filter((d) => d.itemStyle.borderWidth).length})));
            assert.deepEqual(series, ["copy", "kernel"].map((name) => ({name, bars: bars(name), framed: bars(name, onPath)})));
            assert.ok(bars("copy") > 20, "copies of pageable memory stand in the row of the thread too");
            const rows = await page.evaluate(() => window.report.figures.timeline.chart.getOption().yAxis[0].data);
            assert.ok(rows.includes("cpu0 thread"), `the row of the unit that is loaded most: ${rows}`);
            assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /-0\.0 %/);
        }));
    const assumed = join(folder, "assumed.html");
    numavp("predict", "vector-add", "gpu-8-cpu-2", "--report", assumed);
    await check("what was assumed stands under the title", () => withPage(browser, assumed, "light", async (page) =>
        assert.match(await page.evaluate(() => document.getElementById("assumed").innerText), /gpu-8-cpu-2 has no calibration/)));
    await check("tables and data", () => withPage(browser, file, "light", async (page) => {
        const steps = csvRows((await saved(page, "timeline", "CSV")).bytes.toString());
        assert.equal(steps.length, 1 + 44);
        const links = csvRows((await saved(page, "links", "CSV")).bytes.toString());
        assert.equal(links.length, 1 + 18);
    }));
    const answers = join(folder, "what-if.html");
    numavp("what-if", "vector-add-managed", "dgx-1", "--change", "faults=prefetch", "--change", "machine=s822lc", "--lanes", "250",
        "--report", answers);
    for (const scheme of ["light", "dark"])
        await check(`two bars for each change, ${scheme}`, () => withPage(browser, answers, scheme, async (page) => {
            const series = await page.evaluate(() => window.report.figures.times.chart.getOption().series.map((s) =>
                ({name: s.name, bars: s.data.filter((value) => value > 0).length})));
            assert.deepEqual(series, [{name: "simulated", bars: 3}, {name: "closed form", bars: 3}]);
            const text = await page.evaluate(() => document.body.innerText);
            assert.match(text, /Within 250 lanes the best is: machine=s822lc/);
            assert.match(text, /336, over/);
        }));
    await check("tables of what-if", () => withPage(browser, answers, "light", async (page) => {
        const paths = csvRows((await saved(page, "paths", "CSV")).bytes.toString());
        assert.ok(paths.some((row) => row.includes("move a@gpu0")), "moves are on the path");
        const links = csvRows(await page.evaluate(() => window.report.figures.links.csv()));
        assert.ok(links.some((row) => row.includes("machine=s822lc")), "links of each change");
    }));
});
