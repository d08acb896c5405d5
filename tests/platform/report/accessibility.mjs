// Pages held to the rules of axe-core: names, roles, headings, tables, contrast (WCAG 2.2 A and AA, and best practice).
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {join} from "node:path";

import {repository} from "./browser.mjs";

const axe = readFileSync(join(repository, "build/web/node_modules/axe-core/axe.min.js"), "utf8");
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

// What axe finds in the page as it is: a sentence for each rule, with where. The insides of pictures are left out: they have one name and no
// roles of their own (role=img), and axe can't tell the ground of a text in SVG.
export async function findingsOf(page) {
    await page.evaluate(`window.axe || (() => { ${axe} })()`);
    return page.evaluate(async (values) => {
        const {violations} = await window.axe.run({include: [["html"]], exclude: [["[role=img] > *"]]},
            {runOnly: {type: "tag", values}, resultTypes: ["violations"], preload: false});
        const most = 4;
        return violations.map(({id, help, nodes}) => `${id}: ${help}; ${nodes.length} times: ` +
            nodes.slice(0, most).map((node) => `${node.target.join(" ")} (${node.failureSummary.split("\n").slice(1).join(" ").trim()})`).join("; "));
    }, rules);
}

const settled = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

// Without a finding in wide and narrow windows, light and dark: the gate sees either width and either theme once, `--all` the four pairs.
export async function checkAccessible(page) {
    const all = process.env.NUMAVP_TEST_DEPTH === "all";
    for (const [width, colorScheme] of [[1400, "light"], [800, "dark"], ...(all ? [[1400, "dark"], [800, "light"]] : [])]) {
        await page.setViewportSize({width, height: 900});
        await page.emulateMedia({colorScheme});
        await settled(page);
        assert.deepEqual(await findingsOf(page), [], `${width} px, ${colorScheme}`);
    }
}
