// Every kind of page, in wide and narrow windows, light and dark, without a finding of axe-core. The live page is in live_checks.mjs.
import assert from "node:assert/strict";
import {writeFileSync} from "node:fs";
import {join} from "node:path";

import {checkAccessible, findingsOf} from "./accessibility.mjs";
import {numavp, repository, run, withPage} from "./browser.mjs";

// Folded tables are open; of long ones a few rows stand for all.
async function unfold(page) {
    const few = 8;
    await page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
    await page.waitForFunction(() => [...document.querySelectorAll("details.card:not(.contents)")].every((one) => one.querySelector("table")));
    await page.evaluate((most) => document.querySelectorAll("details tbody").forEach((body) =>
        body.replaceChildren(...[...body.rows].slice(0, most))), few);
}

await run(async (check, browser, folder) => {
    const at = (name) => join(folder, name);
    const write = (name, value) => { writeFileSync(at(name), JSON.stringify(value)); return at(name); };
    const small = ["--scale", "0.005", "--quiet", "--set", "socket.sms=2", "dispatch.launch_cycles=100", "results.interval_cycles=2000"];
    numavp("run", "numa-aware-2", "spmv-powerlaw", ...small, "energy.model=events", "--report", "--out", at("run"));
    numavp("run", "numa-aware-2", "spmv-powerlaw", ...small, "link.lane_gbps=2", "--out", at("slower"));
    numavp("run", "numa-4", "stencil-3d", ...small, "translation.mode=full", "driver.execution=native", "driver.policy=lab", "--report", "--out", at("faults"));
    numavp("compare", at("run"), at("slower"), "--report", at("compare.html"));
    numavp("report", join(repository, "tests/platform/report/rows.json"), "--out", at("paper.html"));
    const study = write("study.json", {name: "study", workloads: ["table-lookup", "stream-triad"], scale: 0.004,
        set: {"socket.sms": 2, "dispatch.launch_cycles": 100}, systems: [{label: "two", system: "numa-aware-2"}], baseline: "two / 28",
        axes: [{name: "one way", path: "link.latency_cycles", values: [28, 112]}], metrics: [{name: "time", path: "time_ns", unit: "ns"}]});
    numavp("study", "run", study, "--db", at("study.sqlite"), "--jobs", "1", "--quiet");
    numavp("study", "report", study, "--db", at("study.sqlite"), "--out", at("study.html"));
    numavp("network", "sfbfly-4g16h", "--packets", "10000", "--quiet", "--rates", "0.1,0.99", "--report", at("network.html"));
    numavp("characterize", "s822lc", "--benchmark", "NUMA_Memcpy_PinnedToGPU", "--largest", "1", "--quiet", "--csv", at("measured.csv"));
    numavp("characterize", "s822lc", "--benchmark", "NUMA_Memcpy_PinnedToGPU", "--largest", "1", "--quiet", "--against", at("measured.csv"),
        "--report", at("characterize.html"));
    numavp("predict", "vector-add", "dgx-1", "--report", at("predict.html"));
    numavp("what-if", "vector-add-managed", "dgx-1", "--change", "faults=prefetch", "--report", at("what-if.html"));
    for (const blocks of [64, 128])
        write(`blocks-${blocks}.json`, {kernels: [{pattern: "compute", parameters: {threads: 256, blocks}}]});
    numavp("correlate", write("measured.json", {kernels: {short: {us: 20, workload: "blocks-64.json"}, long: {us: 30, workload: "blocks-128.json"}}}),
        "gpu-1", "--report", at("correlate.html"));

    for (const name of ["run/report", "faults/report", "compare", "paper", "study", "network", "characterize", "predict", "what-if", "correlate"])
        await check(name, () => withPage(browser, at(`${name}.html`), "light", async (page) => {
            await unfold(page);
            await checkAccessible(page);
        }));
    await check("a page without a language, and words without contrast, are found", () =>
        withPage(browser, at("correlate.html"), "light", async (page) => {
            await page.evaluate(() => {
                document.documentElement.removeAttribute("lang");
                document.querySelector("tbody td").style.color = "#dddddd";
            });
            const found = (await findingsOf(page)).map((one) => one.split(":")[0]).sort();
            assert.deepEqual(found, ["color-contrast", "html-has-lang"]);
        }));
});
