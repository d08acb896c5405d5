// The report of a network in the browser: curves, a drawing with each channel, tables; nothing overlaps or is cut off.
import assert from "node:assert/strict";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

const seriesOf = (page, figure) => page.evaluate((id) => window.report.figures[id].chart.getOption().series.map((s) =>
    ({type: s.type, name: s.name, data: s.data})), figure);

// Two boxes of routers or processors that overlap, or that are outside the drawing.
const faultsOf = (page) => page.evaluate(() => {
    const svg = document.querySelector("#network svg");
    const whole = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll("rect")].filter((r) => r.getAttribute("rx") === "5").map((r) => r.getBoundingClientRect());
    const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
    const faults = boxes.flatMap((a, i) => boxes.slice(0, i).filter((b) => !apart(a, b)).map(() => `box ${i} overlaps`));
    for (const item of svg.querySelectorAll("rect, text, path, line")) {
        const b = item.getBoundingClientRect();
        if (b.left < whole.left - 1 || b.right > whole.right + 1 || b.top < whole.top - 1 || b.bottom > whole.bottom + 1)
            faults.push(`${item.tagName} "${item.textContent}" is outside`);
    }
    return faults;
});

await run(async (check, browser, folder) => {
    const made = (name, ...words) => {
        const file = join(folder, `${name}.html`);
        numavp("network", name, "--packets", "10000", "--quiet", "--report", file, ...words);
        return file;
    };
    const cubes = made("sfbfly-4g16h", "--rates", "0.1,0.4,0.99");
    for (const scheme of ["light", "dark"])
        await check(`curves and drawing of 16 cubes, ${scheme}`, () => withPage(browser, cubes, scheme, async (page) => {
            const latency = await seriesOf(page, "latency");
            assert.deepEqual(latency[0].data.map((p) => p[0]), [0.1, 0.4], "saturated points have no latency");
            assert.deepEqual(latency.find((s) => s.name === "saturated").data.map((p) => p[0]), [0.99]);
            const accepted = (await seriesOf(page, "accepted")).find((s) => s.name === "accepted");
            assert.equal(accepted.data.length, 3);
            assert.equal(await page.locator("#network [data-channel]").count(), 48);
            assert.deepEqual(await faultsOf(page), []);
        }));
    await check("the data can be saved", () => withPage(browser, cubes, "light", async (page) => {
        const points = csvRows((await saved(page, "points", "CSV")).bytes.toString());
        assert.deepEqual(points.slice(1).map((row) => row[0]), ["0.1", "0.4", "0.99"]);
        const channels = csvRows((await saved(page, "network", "CSV")).bytes.toString());
        assert.equal(channels.length, 49);
        assert.match((await saved(page, "network", "SVG")).bytes.toString(), /^<svg[^>]*xmlns/);
    }));
    const large = made("sfbfly-16g64h", "--rates", "0.1", "--requests");
    await check("64 cubes with requests and replies apart", () => withPage(browser, large, "light", async (page) => {
        assert.deepEqual((await seriesOf(page, "latency")).slice(0, 3).map((s) => s.name), ["mean", "request", "reply"]);
        assert.deepEqual(await faultsOf(page), []);
    }));
});
