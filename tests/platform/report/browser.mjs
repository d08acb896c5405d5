// What the checks in the browser share: numavp, Chromium without a network, and what a page must never do.
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";

export const [program, repository] = process.argv.slice(2);
const {chromium} = createRequire(join(repository, "build/web/"))("playwright-core");

const patience = 150000; // ms: a gate's cores are busy with other tests, and a page of 64 cubes takes seconds when alone

export function numavp(...words) {
    const ended = spawnSync(program, words, {encoding: "utf8", env: {...process.env, NUMAVP_CONFIGS: join(repository, "configs")}});
    assert.equal(ended.status, 0, `numavp ${words.join(" ")}: ${ended.stderr}`);
    return ended.stdout;
}

// Opens the page, lets `check` look at it, and then holds it to what holds for all: it was silent and stayed at home.
export async function withPage(browser, file, colorScheme, check) {
    const context = await browser.newContext({viewport: {width: 1280, height: 900}, colorScheme, offline: true,
        acceptDownloads: true});
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    const faults = [];
    page.on("console", (message) => faults.push(`console ${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`error: ${error.stack}`));
    page.on("request", (request) => {
        if (!/^(data|blob):/.test(request.url()) && request.url() !== `file://${file}`) faults.push(`request ${request.url()}`);
    });
    await page.goto(`file://${file}`);
    await check(page);
    assert.deepEqual(faults, []);
    await context.close();
}

// The content of what a button of a figure saves.
export async function saved(page, figure, button) {
    const [download] = await Promise.all([page.waitForEvent("download"),
        page.click(`#${figure} .buttons button:text-is("${button}")`)]);
    return {name: download.suggestedFilename(), bytes: readFileSync(await download.path())};
}

// What stands under the mouse at the pixel [x, y] of a figure's chart that `at` gives. A chart that was still being laid out when the
// mouse came has shown nothing: the mouse comes again.
export async function hovered(page, figure, at) {
    const place = page.locator(`#${figure} .chart`);
    const tip = page.locator(`#${figure} .tip`);
    for (const end = Date.now() + patience; ;) {
        await place.scrollIntoViewIfNeeded();
        const [x, y] = await at();
        const box = await place.boundingBox();
        await page.mouse.move(box.x + x, box.y + y);
        try {
            await tip.waitFor({timeout: 2000});
            return await tip.innerText();
        } catch (fault) {
            if (Date.now() > end) throw fault;
            await page.mouse.move(1, 1);
        }
    }
}

export const csvRows = (text) => text.trimEnd().split("\n").map((line) => line.split(","));

// Runs each check with its own sentence, in a folder that goes away.
export async function run(checks) {
    const folder = mkdtempSync(join(tmpdir(), "numavp-report-"));
    const browser = await chromium.launch({executablePath: "/usr/bin/chromium", timeout: patience,
        args: ["--no-sandbox", "--disable-dev-shm-usage"]}); // a container's /dev/shm is smaller than a large page
    let failed = 0;
    try {
        await checks(async (name, check) => {
            try {
                await check();
                console.log(`ok      ${name}`);
            } catch (fault) {
                ++failed;
                console.log(`failed  ${name}\n${fault.stack}`);
            }
        }, browser, folder);
    } finally {
        await browser.close();
        rmSync(folder, {recursive: true, force: true});
    }
    process.exitCode = failed ? 1 : 0;
}
