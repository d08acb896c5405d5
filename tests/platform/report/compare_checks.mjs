// The report of a comparison in the browser: runs side by side, with the numbers of results.json.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

const seriesOf = (page, figure) => page.evaluate((id) => window.report.figures[id].chart.getOption().series.map((s) =>
    ({name: s.name, data: s.data})), figure);
const near = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${what}: ${a} is not ${b}`);

// Labels that are cut off by their chart.
const clipped = (page) => page.evaluate(() => [...document.querySelectorAll(".chart")].flatMap((chart) => {
    const whole = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("text")].filter((text) => {
        const box = text.getBoundingClientRect();
        return box.width > 0 && (box.left < whole.left - 1 || box.right > whole.right + 1);
    }).map((text) => `${chart.parentElement.id}: ${text.textContent}`);
}));

async function checkNumbers(page, results) {
    const issue = await seriesOf(page, "issue");
    assert.deepEqual(issue.map((s) => s.name), results.map((_, i) => "ABCD"[i]));
    for (const [i, of] of results.entries()) {
        const interval = of.series.cycles[0];
        const issued = Object.entries(of.series.columns).filter(([name]) => name.endsWith(".sm.warp_instructions"))
            .reduce((sum, [, column]) => sum + column.values[0], 0);
        near(issue[i].data[0][1], issued / interval, `run ${i}`);
    }
    const memory = await seriesOf(page, "memory");
    const {memory: group} = results[1].statistics.socket0;
    near(memory[1].data[0], (group.read_bytes + group.write_bytes) / results[1].time_ns, "memory of B");
    const rows = await page.evaluate(() => window.report.figures.headline.rows);
    assert.deepEqual(rows.find((row) => row.path === "cycles").values, results.map((of) => of.cycles));
    const changes = (await saved(page, "changes", "CSV")).bytes.toString();
    const [first] = csvRows(changes).slice(1);
    const drawn = await seriesOf(page, "changes");
    near(drawn[0].data[0], Math.log2(Number(first[3]) / Number(first[2])), "the first change is drawn as its doublings");
    const slots = await seriesOf(page, "slots");
    for (const [i, of] of results.entries()) {
        const all = of.slots.sockets.reduce((sum, socket) => sum + Object.keys(of.slots.causes).reduce((s, cause) => s + socket[cause], 0), 0);
        const memory = of.slots.sockets.reduce((sum, socket) => sum + socket.memory, 0);
        near(slots.find((s) => s.name === "memory").data[i], 100 * memory / all, `slots of run ${i}`);
        near(slots.reduce((sum, s) => sum + s.data[i], 0), 100, `all slots of run ${i}`);
    }
    const latency = await page.evaluate(() => window.report.figures["access-latency"].rows);
    assert.deepEqual(latency.find((row) => row.path === "load.local.p99_9").values,
        results.map((of) => of.access_latency.load.local.p99_9_ps / 1000));
    const [longest] = await page.evaluate(() => window.report.figures.kernels.rows);
    const launch = results[0].kernels.rows.launch.indexOf(longest.launch);
    assert.equal(longest.numbers[0].values[0], results[0].kernels.rows.cycles[launch]);
    assert.deepEqual(await clipped(page), []);
}

// The steps from A's cycles to B's sum to the difference, and so do the causes of the kernels.
async function checkWaterfall(page, results, letter, other) {
    const steps = csvRows((await saved(page, `waterfall-${letter}`, "CSV")).bytes.toString()).slice(1).map((row) => Number(row[1]));
    const [before, after] = [results[0].cycles, results[other].cycles];
    assert.deepEqual([steps[0], steps[steps.length - 1]], [before, after]);
    assert.equal(steps.slice(1, -1).reduce((sum, step) => sum + step, 0), after - before);
    const kernels = (await page.evaluate(() => data.comparison.attribution))[other - 1].kernels;
    const parts = kernels.flatMap((kernel) => kernel.causes).map((cause) => cause.difference);
    assert.equal(parts.reduce((sum, part) => sum + part, 0), after - before);
    assert.ok((await page.textContent(`#attribution-${letter}`)).includes("outside kernels"));
}

await run(async (check, browser, folder) => {
    const at = (name) => join(folder, name);
    const small = ["spmv-powerlaw", "--scale", "0.01", "--quiet", "--set", "socket.sms=8", "results.interval_cycles=500"];
    for (const system of ["gpu-1", "numa-4", "numa-aware-4", "numa-aware-16"]) numavp("run", system, ...small, "--out", at(system));
    const resultsOf = (name) => JSON.parse(readFileSync(join(at(name), "results.json"), "utf8"));
    numavp("compare", at("numa-4"), at("numa-aware-4"), "--report", at("two.html"));
    numavp("compare", at("numa-4"), at("numa-aware-4"), at("gpu-1"), at("numa-aware-16"), "--report", at("four.html"));
    numavp("compare", at("gpu-1"), at("gpu-1"), "--report", at("same.html"));
    await check("fewer warps are told from slower memory", async () => {
        const triad = ["numa-4", "stream-triad", "--scale", "0.02", "--quiet", "--set", "socket.sms=8"];
        numavp("run", ...triad, "--out", at("many"));
        for (const [name, setting, told] of [["few", "socket.sm.warps=8", true], ["slow", "socket.memory.latency_ns=400", false]]) {
            numavp("run", ...triad, setting, "--out", at(name));
            numavp("compare", at("many"), at(name), "--report", at(`${name}.html`));
            await withPage(browser, at(`${name}.html`), "light", async (page) => {
                const caption = await page.textContent("#waterfall-B-caption");
                assert.match(caption, /mean latency of loads [\d,.]+ to [\d,.]+ ns, resident warps [\d,.]+ to [\d,.]+/);
                assert.equal(caption.includes("Loads became faster, yet more slots wait for them: fewer warps"), told, caption);
            });
        }
    });
    for (const scheme of ["light", "dark"]) {
        await check(`two runs, ${scheme}`, () => withPage(browser, at("two.html"), scheme, async (page) => {
            await checkNumbers(page, [resultsOf("numa-4"), resultsOf("numa-aware-4")]);
            await checkWaterfall(page, [resultsOf("numa-4"), resultsOf("numa-aware-4")], "B", 1);
            assert.match(await page.textContent("#settings"), /link\.balancer\s*static\s*dynamic/);
            await page.click("#statistics summary");
            await page.locator("#statistics tbody tr").nth(20).waitFor(); // rows are made when the table unfolds
            for (const figure of ["system-A", "system-B", "link-use-A", "link-use-B"]) assert.equal(await page.locator(`#${figure} svg`).count(), 1, figure);
        }));
        await check(`1, 4 and 16 sockets, ${scheme}`, () => withPage(browser, at("four.html"), scheme, (page) =>
            checkNumbers(page, ["numa-4", "numa-aware-4", "gpu-1", "numa-aware-16"].map(resultsOf))));
    }
    await check("a run with itself", () => withPage(browser, at("same.html"), "light", async (page) => {
        assert.match(await page.textContent("#settings"), /All settings are the same/);
        assert.equal(await page.locator("#statistics").count(), 0);
        assert.equal(await page.locator("#waterfall-B").count(), 0, "there is no difference");
    }));
});
