// What all pages share: the data, numbers as people read them, elements, colours, files to save.
const data = JSON.parse(document.getElementById("data").textContent);

// The member of that name; names are a user's, and "constructor" is no member of an empty object.
const ownOf = (object, name, otherwise) => (Object.hasOwn(object, name) ? object[name] : otherwise);

// el("p", {class: "caption"}, "text", another): an element; text is never read as HTML.
function el(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

function escaped(text) {
    return String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

const missing = "\u2013";
const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const grouped = (value) => Math.round(value).toLocaleString("en-US");

// As many digits as a reader wants; the CSV has all of them.
function plain(value, digits = 4) {
    if (!isNumber(value)) return missing;
    if (Number.isInteger(value)) return grouped(value);
    if (Math.abs(value) >= 1000) return grouped(value);
    return String(Number(value.toPrecision(digits)));
}
// toFixed() of a small negative number is "-0.0".
const rounded = (value, digits) => value.toFixed(digits).replace(/^-(?=[0.]*$)/, "");
const percent = (share, digits = 1) => (isNumber(share) ? `${rounded(100 * share, digits)} %` : missing);

function scaled(value, units, step) {
    if (!isNumber(value)) return missing;
    let unit = 0;
    for (; Math.abs(value) >= step && unit + 1 < units.length; ++unit) value /= step;
    return `${plain(value)} ${units[unit]}`;
}
const bytesText = (value) => scaled(value, ["B", "KiB", "MiB", "GiB", "TiB"], 1024);
const energyText = (value) => scaled(value, ["pJ", "nJ", "\u00b5J", "mJ", "J"], 1000);
const timeText = (ns) => scaled(ns, ["ns", "\u00b5s", "ms", "s"], 1000);

// At most `digits` decimals, all rows alike.
const fixed = (value, digits) => (isNumber(value) ? rounded(value, digits) : missing);

// Sentences under the title, each once: what was assumed.
function showAssumed(sentences) {
    const text = [...new Set(sentences)].map((sentence) => `${sentence}.`).join(" ");
    if (text) document.getElementById("subtitle").after(el("p", {class: "caption", id: "assumed"}, `Assumed: ${text}`));
}

function colours() {
    const style = getComputedStyle(document.documentElement);
    const names = ["page", "card", "text", "muted", "rule", "faint", "blue", "orange", "green", "purple", "yellow",
        "sky", "grey", "brown", "low", "high"];
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// The colour at `share` (0 to 1) of the way through `stops`, which lie equally far apart. Colours are "#rrggbb".
const colourBytes = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
function mixed(stops, share) {
    const at = Math.max(0, Math.min(1, share)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    const [from, to] = [colourBytes(stops[low]), colourBytes(stops[low + 1])];
    return "#" + from.map((value, i) => Math.round(value + (to[i] - value) * (at - low)).toString(16).padStart(2, "0")).join("");
}

// Black or white, whichever has more contrast to a ground: at least 4.5 to 1, which a theme's own colours do not reach on every ground.
// Luminances are those of WCAG 2.2; both contrasts are equal at 0.179.
function textOn(ground) {
    const linear = colourBytes(ground).map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 ? "#000000" : "#ffffff";
}
const palette = ["blue", "orange", "green", "purple", "yellow", "sky", "brown", "grey"];

// --- files

function save(name, content, type) {
    const link = el("a", {href: URL.createObjectURL(new Blob([content], {type})), download: name});
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function csvCell(value) {
    if (value === null || value === undefined) return "";
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
const csvText = (rows) => rows.map((row) => row.map(csvCell).join(",") + "\n").join("");

const fileStem = document.title.replace(/[^A-Za-z0-9._-]+/g, "-");

// --- light, dark, paper

const redraws = [];
const onPaper = () => document.body.classList.contains("printing");
const redraw = () => redraws.forEach((draw) => draw());

function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    document.getElementById("theme").textContent = theme === "dark" ? "Light" : "Dark";
    redraw();
}

function startTheme() {
    contents();
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    const root = document.documentElement;
    let chosen = null;
    const wanted = () => chosen || (system.matches ? "dark" : "light");
    setTheme(wanted());
    system.addEventListener("change", () => setTheme(wanted()));
    document.getElementById("theme").addEventListener("click", () => {
        chosen = root.dataset.theme === "dark" ? "light" : "dark";
        setTheme(chosen);
    });
    document.getElementById("print").addEventListener("click", () => window.print());
    window.addEventListener("beforeprint", () => {
        document.body.classList.add("printing");
        setTheme("light");
    });
    window.addEventListener("afterprint", () => {
        document.body.classList.remove("printing");
        setTheme(wanted());
    });
}
