// The report of an application on a machine in the browser: a bar for each step, tables of links and steps.
import assert from "node:assert/strict";
import {join} from "node:path";

import {csvRows, numavp, run, saved, withPage} from "./browser.mjs";

await run(async (check, browser, folder) => {
    const file = join(folder, "stencil.html");
    numavp("predict", "stencil-4", "dgx-1", "--report", file);
    for (const scheme of ["light", "dark"])
        await check(`a bar for each step, ${scheme}`, () => withPage(browser, file, scheme, async (page) => {
            const series = await page.evaluate(() => window.report.figures.timeline.chart.getOption().series.map((s) =>
                ({name: s.name, bars: s.data.length, framed: s.data.filter((d) => d.itemStyle.borderWidth).length})));
            assert.deepEqual(series, [{name: "copy", bars: 20, framed: 8}, {name: "kernel", bars: 24, framed: 0}]);
        }));
    await check("tables and data", () => withPage(browser, file, "light", async (page) => {
        const steps = csvRows((await saved(page, "timeline", "CSV")).bytes.toString());
        assert.equal(steps.length, 1 + 44);
        const links = csvRows((await saved(page, "links", "CSV")).bytes.toString());
        assert.equal(links.length, 1 + 18);
    }));
});
