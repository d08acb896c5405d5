// The report of a machine's microbenchmarks in the browser: a picture for each, measurements as points, tables.
import assert from "node:assert/strict";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

const seriesOf = (page, figure) => page.evaluate((id) => window.report.figures[id].chart.getOption().series.map((s) =>
    ({type: s.type, name: s.name, data: s.data})), figure);

await run(async (check, browser, folder) => {
    const file = join(folder, "s822lc.html");
    const csv = join(folder, "pinned.csv");
    numavp("characterize", "s822lc", "--benchmark", "NUMA_Memcpy_PinnedToGPU", "--largest", "1", "--quiet", "--csv", csv);
    numavp("characterize", "s822lc", "--largest", "64", "--quiet", "--against", csv, "--report", file);
    for (const scheme of ["light", "dark"])
        await check(`a picture for each benchmark, ${scheme}`, () => withPage(browser, file, scheme, async (page) => {
            assert.equal(await page.locator(".chart").count(), 18);
            const pinned = await seriesOf(page, "NUMA_Memcpy_PinnedToGPU");
            assert.deepEqual(pinned.filter((s) => s.type === "line").map((s) => s.name),
                ["cpu0 to gpu0", "cpu0 to gpu1", "cpu0 to gpu2", "cpu0 to gpu3"]);
            const [line, dots] = [pinned[0], pinned.find((s) => s.type === "scatter")];
            assert.equal(dots.name, "cpu0 to gpu0, measured");
            assert.equal(dots.data.length, 13, "256 B to 1 MiB");
            dots.data.forEach(([x, y], i) => {
                assert.equal(x, line.data[i][0]);
                assert.ok(Math.abs(y / line.data[i][1] - 1) < 1e-4);
            });
            const chase = await seriesOf(page, "UM_Latency_GPUToGPU");
            assert.equal(chase[0].data.length, 31);
            assert.equal(chase.filter((s) => s.type === "scatter").length, 0);
        }));
    await check("a summary before the charts", () => withPage(browser, file, "light", async (page) => {
        assert.equal(await page.locator(".card[id]").first().getAttribute("id"), "summary");
        const rows = csvRows((await saved(page, "summary", "CSV")).bytes.toString());
        const row = rows.find(([name]) => name === "CUDA_Memcpy_GPUToGPU");
        const best = await page.evaluate(() => Math.max(...data.series.filter((s) => s.benchmark === "CUDA_Memcpy_GPUToGPU")
            .flatMap((s) => s.points.map(({x, ns}) => x / ns))));
        assert.ok(Math.abs(Number(row[2]) - best) < 1e-9, `${row}, ${best}`);
        assert.equal(rows.length, 19);
    }));
    await check("tables and data", () => withPage(browser, file, "light", async (page) => {
        const errors = csvRows((await saved(page, "errors", "CSV")).bytes.toString());
        assert.equal(errors.length, 9, "8 pairs were compared");
        const findings = csvRows((await saved(page, "findings", "CSV")).bytes.toString());
        assert.ok(findings.some((row) => row[0] === "4.1 affinity" && row[1] === "GPU to pinned" && row[2] === "yes"));
        const points = csvRows((await saved(page, "NUMA_Memcpy_PinnedToGPU", "CSV")).bytes.toString());
        assert.equal(points.length, 1 + 4 * 13);
    }));
});
