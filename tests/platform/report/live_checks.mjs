// The live pages of a run, a study and branches in the browser: they follow them, lead to each other, say when they are gone, and fit
// narrow windows.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {writeFileSync} from "node:fs";
import {join} from "node:path";

import {checkAccessible} from "./accessibility.mjs";
import {program, repository, run} from "./browser.mjs";

// Something that takes minutes, and its address.
function startLive(folder, words) {
    const child = spawn(program, [...words, "--quiet", "--live"],
        {env: {...process.env, NUMAVP_CONFIGS: join(repository, "configs"), XDG_RUNTIME_DIR: folder}, stdio: ["ignore", "ignore", "pipe"]});
    return new Promise((resolve, reject) => {
        let said = "";
        child.stderr.on("data", (text) => {
            said += text;
            const found = /live at (\S+)\n/.exec(said);
            if (found) resolve({child, address: found[1]});
        });
        child.on("exit", (status) => reject(new Error(`the run ended with ${status}: ${said}`)));
    });
}

const seriesOf = (page, figure) => page.evaluate((id) => window.report.figures[id].chart.getOption().series, figure);

async function checkFollows(page) {
    await page.waitForFunction(() => window.report.figures["link-use"] && state.progress.cycle > 0);
    const cycle = await page.evaluate(() => state.progress.cycle);
    await page.waitForFunction((before) => state.progress.cycle > before, cycle);
    assert.match(await page.locator("#status").innerText(), /The run goes on/);
    const link = (await seriesOf(page, "link-use")).filter((series) => series.type === "line");
    assert.equal(link.length, 8, "two directions of four sockets");
    assert.ok(link.some((series) => series.data.some(([, value]) => value > 0)), "links are in use");
    const bars = await seriesOf(page, "now");
    assert.deepEqual(bars.map((series) => series.name), ["link out", "link in", "memory"]);
    assert.ok(bars.every((series) => series.data.every((value) => value >= 0 && value <= 100)));
    const slots = await seriesOf(page, "slots-now");
    for (const s of [0, 1, 2, 3])
        assert.ok(Math.abs(slots.reduce((sum, series) => sum + series.data[s], 0) - 100) < 0.1, `socket ${s}: all slots`);
    assert.match(await page.locator("#waits").innerText(), /socket0\.sm/);
    assert.match(await page.locator("#kernels").innerText(), /running/);
    assert.match(await page.locator("#accesses tbody").innerText(), /0x[0-9a-f]+/);
    assert.ok(await page.locator("#progress").evaluate((one) => one.value > 0));
}

// Rows keep the order that a reader chose while they change.
async function checkOrderStays(page) {
    await page.click("#waits th:has-text('parts')");
    const cycle = await page.evaluate(() => state.progress.cycle);
    await page.waitForFunction((before) => state.progress.cycle > before, cycle);
    const names = await page.locator("#waits tbody tr td:first-child").allInnerTexts();
    assert.deepEqual(names, [...names].sort((a, b) => a.localeCompare(b, "en", {numeric: true})));
}

async function checkNamed(page) {
    assert.equal(await page.locator("[role=img]:not([aria-label])").count(), 0);
    assert.equal(await page.locator("#progress").getAttribute("aria-label"), "Share of the thread blocks that are done");
    assert.equal(await page.locator("#status").getAttribute("role"), "status");
}

async function checkFits(page, width) {
    await page.setViewportSize({width, height: 900});
    await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth);
}

// A page that lists the pages of other processes: each link opens one that follows its run.
async function checkLeadsOn(context, page, table, title) {
    const link = page.locator(`#${table} a`).first();
    await link.waitFor();
    const [other] = await Promise.all([context.waitForEvent("page"), link.click()]);
    // A page that has just been opened may not have read its script yet.
    await other.waitForFunction(() => typeof state !== "undefined" && state.progress.cycle > 0);
    assert.match(await other.title(), title);
    await other.close();
}

async function checkStudy(check, context, folder) {
    const file = join(folder, "study.json");
    writeFileSync(file, JSON.stringify({workloads: ["spmv-powerlaw"], set: {"socket.sms": 8}, metrics: [{name: "time"}],
        systems: [{system: "numa-aware-2"}], axes: [{name: "latency", path: "link.latency_cycles", values: [56, 57, 58]}]}));
    const {child, address} = await startLive(folder, ["study", "run", file, "--jobs", "2", "--db", join(folder, "db")]);
    child.removeAllListeners("exit");
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
    try {
        await page.goto(address);
        await check("the page of a study leads to its points", () => checkLeadsOn(context, page, "running", /^spmv-powerlaw on numa-aware-2, live$/));
        await check("it counts its points", async () => {
            assert.match(await page.locator("#tiles").innerText(), /0 of 3\s+points have results/);
            assert.equal(await page.locator("#running tbody tr").count(), 2);
            assert.equal(await page.locator("#waiting tbody tr").count(), 1);
        });
        for (const width of [1400, 800]) await check(`the study fits ${width} pixels`, () => checkFits(page, width));
        await check("the study is silent", () => assert.deepEqual(faults, []));
        child.kill("SIGKILL");
        await check("it says that the study is gone", () => page.waitForFunction(() =>
            document.getElementById("status").textContent.includes("The study has ended or was stopped: nothing answers any more.")));
    } finally {
        child.kill("SIGKILL");
        await page.close();
    }
}

async function checkBranches(check, context, folder) {
    const {child, address} = await startLive(folder, ["branch", "numa-aware-2", "spmv-powerlaw", "--at", "1", "--set", "socket.sms=8",
        "--unchanged", "--change", "link.balancer=static", "--jobs", "2", "--out", join(folder, "branches")]);
    child.removeAllListeners("exit");
    const page = await context.newPage();
    try {
        await page.goto(address);
        await check("the page of a run leads to its branches", () => checkLeadsOn(context, page, "branches", /branch (unchanged|link.balancer=static), live$/));
        await check("it says that it has branches", async () =>
            assert.match(await page.locator("#status").innerText(), /the launch of kernel 1 was reached, and 2 branches go on/));
    } finally {
        child.kill("SIGKILL");
        await page.close();
    }
}

await run(async (check, browser, folder) => {
    const {child, address} = await startLive(folder,
        ["run", "numa-aware-4", "spmv-powerlaw", "--set", "socket.sms=8", "--out", join(folder, "out")]);
    child.removeAllListeners("exit");
    const context = await browser.newContext({viewport: {width: 1400, height: 900}, colorScheme: "dark"});
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
    page.on("request", (request) => {
        if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).host !== new URL(address).host) faults.push(`request ${request.url()}`);
    });
    try {
        await page.goto(address);
        await check("the page follows the run", () => checkFollows(page));
        await check("rows keep their order", () => checkOrderStays(page));
        await check("charts have names", () => checkNamed(page));
        for (const width of [1400, 800]) await check(`it fits ${width} pixels`, () => checkFits(page, width));
        await check("it is readable by all", () => checkAccessible(page));
        await check("it is silent and stays at home", () => assert.deepEqual(faults, []));
        await check("another token opens nothing", async () => {
            const other = await context.newPage();
            const answer = await other.goto(address.replace(/.$/, (c) => (c === "0" ? "1" : "0")));
            assert.equal(answer.status(), 403);
        });
        child.kill("SIGKILL");
        await check("it says that the run is gone", () => page.waitForFunction(() =>
            document.getElementById("status").textContent.includes("nothing answers any more. Its results go to")));
        await checkStudy(check, context, folder);
        await checkBranches(check, context, folder);
    } finally {
        child.kill("SIGKILL");
        await context.close();
    }
});
