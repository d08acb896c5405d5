// A card with a picture: its title, how to read it, and buttons that save picture and data.

// For tests and for the browser's console: every figure by its id.
window.report = {figures: {}};

const main = document.getElementById("main");
const cardsOf = (parent) => parent.appendChild(el("div", {class: "cards"}));

function card(parent, spec, buttons) {
    const bar = el("div", {class: "buttons"});
    for (const [label, title, action] of buttons)
        bar.append(el("button", {type: "button", title, "aria-label": `${label}: ${title}, ${spec.title}`, onclick: action}, label));
    const section = el("section", {class: spec.wide ? "card wide" : "card", id: spec.id},
        el("header", {}, el("h2", {}, spec.title), bar),
        spec.caption ? el("p", {class: "caption", id: `${spec.id}-caption`}, spec.caption) : null);
    parent.append(section);
    return section;
}

// The list of contents, before the first picture: every card by its title.
function contents() {
    const fewest = 5;
    const cards = [...main.querySelectorAll(".card[id]")];
    if (cards.length < fewest) return;
    const entry = (section) => {
        const open = () => { if (section.tagName === "DETAILS") section.open = true; };
        return el("li", {}, el("a", {href: `#${section.id}`, onclick: open}, section.querySelector("h2, summary").textContent));
    };
    const list = el("details", {class: "card contents"}, el("summary", {}, "Contents"),
        el("nav", {"aria-label": "Contents"}, el("ol", {}, ...cards.map(entry))));
    const first = cards[0].closest(".cards") || cards[0];
    first.before(list);
}

const fileName = (spec, extension) => `${fileStem}-${spec.id}.${extension}`;
const csvButton = (spec) => ["CSV", "Save the data of this picture",
    () => save(fileName(spec, "csv"), csvText(spec.csv()), "text/csv")];

// What every chart looks like; `option` has what is its own.
function dressed(option, c) {
    return Object.assign({
        animation: false,
        backgroundColor: "transparent",
        textStyle: {fontFamily: getComputedStyle(document.body).fontFamily, color: c.text},
    }, option);
}

function bytesOf(dataUrl) {
    const [head, body] = dataUrl.split(",");
    if (!head.includes("base64")) return decodeURIComponent(body);
    return Uint8Array.from(atob(body), (c) => c.charCodeAt(0));
}

// The same chart on a canvas, twice as fine as the screen, on the card's colour.
function savePng(spec, chart) {
    const place = el("div", {style: `width:${chart.getWidth()}px;height:${chart.getHeight()}px`});
    const copy = echarts.init(place, null,
        {renderer: "canvas", width: chart.getWidth(), height: chart.getHeight(), devicePixelRatio: 2});
    const c = colours();
    copy.setOption(dressed(spec.option(c), c));
    const url = copy.getDataURL({type: "png", pixelRatio: 2, backgroundColor: c.card});
    copy.dispose();
    save(fileName(spec, "png"), bytesOf(url), "image/png");
}

function saveSvg(spec, chart) {
    save(fileName(spec, "svg"), bytesOf(chart.getDataURL({type: "svg"})), "image/svg+xml");
}

// spec: {id, title, caption, wide, height (a number or a function), option(colours), csv()}
function figure(parent, spec) {
    let chart = null;
    const section = card(parent, spec, [csvButton(spec),
        ["PNG", "Save as an image", () => savePng(spec, chart)],
        ["SVG", "Save as a drawing", () => saveSvg(spec, chart)], ...(spec.buttons || [])]);
    const height = () => (typeof spec.height === "function" ? spec.height() : spec.height);
    const place = section.appendChild(el("div", {class: "chart", role: "img", "aria-label": spec.title, "aria-describedby": spec.caption ? `${spec.id}-caption` : undefined,
        style: `height:${height()}px`}));
    chart = echarts.init(place, null, {renderer: "svg"});
    const draw = () => {
        const c = colours();
        place.style.height = `${height()}px`;
        chart.resize({width: place.clientWidth, height: height()});
        chart.setOption(dressed(spec.option(c), c), {notMerge: true});
    };
    redraws.push(draw);
    new ResizeObserver(() => {
        if (place.clientWidth !== chart.getWidth()) chart.resize({width: place.clientWidth, height: height()});
    }).observe(place);
    window.report.figures[spec.id] = {chart, csv: () => csvText(spec.csv()), draw};
    return {chart, draw, section};
}

// --- pieces of options

// rows: [colour or null, cells...]; the first cell is a name, the others are numbers.
function tip(title, rows) {
    const body = rows.map(([colour, name, ...cells]) =>
        `<tr><td class="left">${colour ? `<i style="background:${colour}"></i>` : ""}${escaped(name)}</td>` +
        cells.map((cell) => `<td>${escaped(cell)}</td>`).join("") + "</tr>").join("");
    return `<div class="tip"><b>${escaped(title)}</b><table>${body}</table></div>`;
}

function tooltip(c, more) {
    return Object.assign({
        backgroundColor: c.card,
        borderColor: c.rule,
        padding: [6, 10],
        textStyle: {color: c.text, fontSize: 12},
        extraCssText: "box-shadow:0 2px 10px rgba(0,0,0,.18);",
        confine: true,
    }, more);
}

const label = (c, more) => Object.assign({color: c.muted, fontSize: 11}, more);

function axis(c, more) {
    return Object.assign({
        axisLine: {show: false},
        axisTick: {show: false},
        axisLabel: label(c),
        splitLine: {lineStyle: {color: c.faint}},
        nameTextStyle: label(c),
    }, more);
}

const categories = (c, names, more) => axis(c, Object.assign(
    {type: "category", data: names, axisLine: {show: true, lineStyle: {color: c.rule}}, splitLine: {show: false}}, more));

// Many sockets are numbers alone on an axis that is called "socket", so that each has room for its label.
const manyNames = 8;
function socketAxis(c, names, more) {
    const many = names.length > manyNames && names.every((name) => name.startsWith("socket "));
    const own = (more || {}).axisLabel;
    return categories(c, names, {...more, axisLabel: label(c, {interval: 0, hideOverlap: true, ...own, ...(many ? {formatter: (name) => name.slice(7)} : {})}),
        ...(many && !(more || {}).name ? {name: "socket", nameLocation: "middle", nameGap: 24} : {})});
}

const legend = (c, names, more) => Object.assign({
    data: names, top: 0, right: 0, itemWidth: 14, itemHeight: 8, itemGap: 16, icon: "roundRect",
    textStyle: label(c), inactiveColor: c.rule,
}, more);
