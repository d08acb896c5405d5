// The system drawn from its resolved configuration: sockets, what is in them, links, switch, with bandwidths.

// A name, not a place: nothing is fetched. It is in two parts so that a search for addresses in a page finds none.
const svgNamespace = "http:" + "//www.w3.org/2000/svg";

function draw(tag, attributes, ...children) {
    const element = document.createElementNS(svgNamespace, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

function words(text, x, y, c, more) {
    return draw("text", {x, y, fill: c.text, "font-size": 12, "text-anchor": "middle", ...more}, text);
}

const gbps = (value) => `${plain(value)} GB/s`;
const pathNamed = (system, start) => system.paths.find((path) => path.what.startsWith(start));

// The parts of a file that are sockets, whatever their kind: not routers alone, nor the host.
const packagesOf = (configuration) =>
    (configuration.parts ?? []).filter((part) => !["router", "cpu_router", "host", "reduction"].includes(part.kind));

// The numbers of the sockets that a name means: "socket[2]", "socket[4..19]", "gpu", "gpu[0..3]".
function socketsNamed(configuration, name) {
    const range = name.match(/^([a-z][a-z0-9_]*)(?:\[(\d+)(?:\.\.(\d+))?\])?$/);
    if (!range) return undefined;
    let [first, count] = range[1] === "socket" && range[2] ? [0, configuration.sockets] : [0, 0];
    let next = 0;
    for (const part of packagesOf(configuration)) {
        if (part.name === range[1]) [first, count] = [next, part.count];
        next += part.count;
    }
    if (!count) return undefined;
    if (!range[2]) return {first, last: first + count - 1};
    return {first: first + Number(range[2]), last: first + Number(range[3] ?? range[2])};
}

// "gpu[2]", or "socket 2" where parts have no names.
function partName(configuration, index) {
    let next = 0;
    for (const part of packagesOf(configuration)) {
        if (index < next + part.count) return `${part.name}[${index - next}]`;
        next += part.count;
    }
    return `socket ${index}`;
}

// Sockets that differ stand under their names, the narrower inside the wider.
// They have what differs from the wider range, or from all sockets.
function socketAt(configuration, index) {
    const own = [];
    for (const [key, config] of Object.entries(configuration)) {
        const range = socketsNamed(configuration, key);
        if (range && range.first <= index && index <= range.last) own.push({config, count: range.last - range.first + 1});
    }
    const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
    const merged = (base, more) => Object.entries(more).reduce((all, [key, value]) =>
        ({...all, [key]: isObject(value) && isObject(all[key]) ? merged(all[key], value) : value}), {...base});
    return own.sort((a, b) => b.count - a.count).reduce((socket, {config}) => merged(socket, config), configuration.socket);
}

// The path inside a socket; where sockets differ, its name begins with whose it is.
function pathInside(system, index, start) {
    return system.paths.find((path) => {
        const owner = path.what.match(/^([a-z0-9_]+\[[0-9.]+\]): /);
        if (!owner) return path.what.startsWith(start);
        const range = socketsNamed(system.configuration, owner[1]);
        return range.first <= index && index <= range.last && path.what.slice(owner[0].length).startsWith(start);
    });
}

// What a socket holds, from the SMs down to the memory, each with the path that leads to it.
function rowsOf(system, index) {
    const {scale} = system.configuration;
    const socket = socketAt(system.configuration, index);
    const path = (start) => pathInside(system, index, start);
    const rows = [
        {name: `${grouped(socket.sms * scale)} SMs`, more: `L1 ${socket.sm.l1.size_kib} KiB, ${socket.sm.warps} warps each`,
            path: path("L1 hit")},
        {name: "crossbar", more: `${socket.noc.latency_cycles} cycles`, path: path("crossbar, towards an SM")},
        {name: `L2 ${bytesText(socket.l2.size_kib * scale * 1024)}`, more: `${socket.l2.ways} ways, ${socket.l2.organisation}`,
            path: path("L2 hit")},
        {name: "controllers", more: "no cache", path: path("memory's controllers")},
        {name: "memory", more: bytesText(socket.memory.capacity_gib * scale * 2 ** 30), path: path("memory channel")},
    ];
    return rows.filter((row) => row.path);
}

// Sockets that have a box of their own; of more, those of one name that hold the same share one.
const mostBoxes = 16;

// What is drawn: {name, first, sockets: [index]} of each box.
function boxesOf(system) {
    const {configuration} = system;
    const all = Array.from({length: configuration.sockets}, (_, index) => index);
    if (all.length <= mostBoxes) return all.map((index) => ({name: partName(configuration, index), first: index, sockets: [index]}));
    const alike = new Map();
    for (const index of all) {
        const stem = partName(configuration, index).replace(/[[ ]\d+\]?$/, "");
        const key = stem + JSON.stringify(rowsOf(system, index));
        const box = alike.get(key) || {stem, first: index, sockets: []};
        box.sockets.push(index);
        alike.set(key, box);
    }
    return [...alike.values()].map(({stem, first, sockets}) =>
        ({name: sockets.length > 1 ? `${grouped(sockets.length)} of ${stem}, each` : partName(configuration, first), first, sockets}));
}

// The mean of a number over a box's sockets, and where they differ the least and the most.
function measuredOf(system, box, member) {
    const values = box.sockets.map((index) => (system.sockets[index] || {})[member]).filter(isNumber);
    if (!values.length) return {mean: undefined, range: null};
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return {mean: values.reduce((sum, value) => sum + value, 0) / values.length, range: least < most ? [least, most] : null};
}

// Many boxes are drawn narrow, without the second line of each row.
function boxOf(columns) {
    const narrow = columns > 4;
    const box = {narrow, width: narrow ? 158 : 250, row: narrow ? 30 : 40, gap: narrow ? 12 : 26, head: 26, margin: 12};
    return {...box, heightOf: (rows) => box.head + rows * box.row + 6};
}

function drawSocket(system, box, shown, x, y, height, c) {
    const group = draw("g", {});
    const rows = rowsOf(system, shown.first);
    group.append(draw("rect", {x, y, width: box.width, height, rx: 8, fill: c.faint, stroke: c.rule}));
    group.append(words(shown.name, x + 14, y + 18, c, {"text-anchor": "start", "font-weight": 600}));
    const widest = Math.max(...rows.map((row) => row.path.gbps));
    rows.forEach((row, i) => {
        const top = y + box.head + i * box.row;
        // A bar as long as the logarithm of the bandwidth: caches are a hundred times as wide as memory.
        const length = (box.width - 28) * Math.max(0.08, 1 - 0.2 * Math.log2(widest / row.path.gbps));
        const item = draw("g", {},
            draw("title", {}, `${row.path.what}: ${gbps(row.path.gbps)} in all, ${row.path.count} of ` +
                `${gbps(row.path.gbps / row.path.count)}, ${row.path.latency_cycles} cycles`));
        item.append(draw("rect", {x: x + 8, y: top, width: box.width - 16, height: box.row - 6, rx: 4, fill: c.card, stroke: c.rule}));
        item.append(draw("rect", {x: x + 14, y: top + box.row - 12, width: length, height: 3, rx: 1.5, fill: c.blue}));
        const size = {"font-size": box.narrow ? 10.5 : 12};
        item.append(words(row.name, x + 16, top + 14, c, {"text-anchor": "start", ...size}));
        if (!box.narrow) item.append(words(row.more, x + 16, top + 25, c, {"text-anchor": "start", "font-size": 9.5, fill: c.muted}));
        item.append(words(gbps(row.path.gbps), x + box.width - 16, top + 14, c, {"text-anchor": "end", ...size}));
        group.append(item);
    });
    return group;
}

// One direction of a link: as wide as its bandwidth, filled as far as it was used.
function drawDirection(way, x, top, bottom, towards, c) {
    const colour = way.name === "out" ? c.blue : c.orange;
    const width = way.width;
    const head = 9;
    const down = towards === "down";
    const [from, to] = down ? [top, bottom - head] : [bottom, top + head];
    const tipY = down ? bottom : top;
    const group = draw("g", {}, draw("title", {}, way.title));
    group.append(draw("rect", {x: x - width / 2, y: Math.min(from, to), width, height: Math.abs(to - from), fill: c.rule}));
    const filled = width * Math.min(1, way.use || 0);
    group.append(draw("rect", {x: x - filled / 2, y: Math.min(from, to), width: filled, height: Math.abs(to - from), fill: colour}));
    group.append(draw("path", {d: `M${x - width / 2 - 4} ${to}L${x + width / 2 + 4} ${to}L${x} ${tipY}Z`, fill: colour}));
    return group;
}

function drawLink(system, box, shown, x, top, bottom, above, c) {
    const {link} = system.configuration;
    const middle = (top + bottom) / 2;
    const group = draw("g", {});
    [["out", link.lanes_out, -1], ["in", link.lanes_in, 1]].forEach(([name, lanes, side]) => {
        const wired = lanes * link.lane_gbps;
        const {mean: use, range} = measuredOf(system, shown, `${name}_use`);
        const [carried, could] = [`${name}_gbps`, `${name}_could_gbps`].map((member) => measuredOf(system, shown, member).mean);
        const way = {name, use, width: 4 + 14 * Math.sqrt(wired / system.widestLink),
            title: `${shown.name} ${name}: wired ${lanes} lanes, ${gbps(wired)}; carried ${gbps(carried)}, ` +
                `${percent(use)} of the ${gbps(could)} that the lanes facing this way could`};
        const at = x + side * 15;
        const towards = (name === "out") === above ? "down" : "up";
        group.append(drawDirection(way, at, top, bottom, towards, c));
        const anchor = side < 0 ? "end" : "start";
        const place = at + side * 15;
        group.append(words(box.narrow ? gbps(wired) : `${name} ${gbps(wired)}`, place, middle - 3, c,
            {"text-anchor": anchor, "font-size": box.narrow ? 10 : 11}));
        group.append(words(`${percent(use, 0)}${box.narrow ? "" : " used"}`, place, middle + 11, c,
            {"text-anchor": anchor, "font-size": 11, fill: c.muted}));
        if (range)
            group.append(words(`${fixed(100 * range[0], 0)} to ${percent(range[1], 0)}`, place, middle + 25, c,
                {"text-anchor": anchor, "font-size": 11, fill: c.muted}));
    });
    return group;
}

function drawSwitch(system, x, y, width, c) {
    const between = system.paths.filter((path) => path.between_routers); // one for each kind of link
    const sum = (member) => between.reduce((all, path) => all + path[member], 0);
    const network = between.length ? {count: sum("count"), gbps: sum("gbps")} : pathNamed(system, "network");
    const path = network ?? pathNamed(system, "switch");
    const group = draw("g", {});
    group.append(draw("rect", {x, y, width, height: 34, rx: 6, fill: c.card, stroke: c.muted}));
    const text = network
        ? `${system.configuration.network.topology}: ${path.count} channels` + (system.configuration.network.links.length
            ? `, ${gbps(path.gbps)} one way in all` : ` of ${gbps(path.gbps / path.count)} each way`)
        : `switch: ${gbps(path.gbps)} in all, ${path.latency_cycles} cycles`;
    group.append(words(text, x + width / 2, y + 21, c, {}));
    return group;
}

const leastWithSwitch = 460; // the words in the switch of one box: "wires: 1296 channels, 64,800 GB/s one way in all"

// Up to four sockets stand above the switch if there is room, more on both sides of it. `room`: the width in pixels.
function topologySvg(system, c, room) {
    const boxes = boxesOf(system);
    const n = boxes.length;
    const few = boxOf(1);
    const beside = Math.floor((room - 2 * few.margin + few.gap) / (few.width + few.gap));
    const columns = n <= Math.min(4, Math.max(2, beside)) ? n : Math.ceil(n / 2);
    const box = boxOf(columns);
    const most = Math.max(...boxes.map(({first}) => rowsOf(system, first).length));
    const height = box.heightOf(most);
    const content = columns * box.width + (columns - 1) * box.gap;
    const width = Math.max(content, n < system.configuration.sockets ? leastWithSwitch : 0) + 2 * box.margin;
    const left = (width - content) / 2;
    const wire = 78;
    const twoRows = n > columns;
    const total = system.configuration.sockets === 1 ? height + 16 : height + wire + 34 + (twoRows ? wire + height : 0) + 16;
    const svg = draw("svg", {xmlns: svgNamespace, viewBox: `0 0 ${width} ${total}`, role: "img",
        "font-family": "system-ui, Segoe UI, Noto Sans, DejaVu Sans, sans-serif"});
    for (let s = 0; s < n; ++s) {
        const above = s < columns;
        const x = left + (s % columns) * (box.width + box.gap);
        const y = above ? 8 : 8 + height + 2 * wire + 34;
        svg.append(drawSocket(system, box, boxes[s], x, y, height, c));
        if (system.configuration.sockets === 1) continue;
        const top = above ? y + height : y - wire;
        svg.append(drawLink(system, box, boxes[s], x + box.width / 2, top + 2, top + wire - 2, above, c));
    }
    if (system.configuration.sockets > 1) svg.append(drawSwitch(system, box.margin, 8 + height + wire, width - 2 * box.margin, c));
    // Few sockets are not blown up to the width of the page.
    svg.style.maxWidth = `${Math.max(420, Math.min(1180, width))}px`;
    return svg;
}

function saveDrawingPng(spec, svg) {
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const copy = svg.cloneNode(true);
    copy.setAttribute("width", 2 * width);
    copy.setAttribute("height", 2 * height);
    const image = new Image();
    image.onload = () => {
        const canvas = el("canvas", {width: 2 * width, height: 2 * height});
        const pen = canvas.getContext("2d");
        pen.fillStyle = colours().card;
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.drawImage(image, 0, 0);
        save(fileName(spec, "png"), bytesOf(canvas.toDataURL("image/png")), "image/png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(copy.outerHTML);
}

// Text of 10 units stays at least 8.5 pixels high; what is wider then scrolls.
const leastScale = 0.85;

// A card with a drawing that is made anew for colours and widths. spec: of a card, and {label: for screen readers, csv(),
// draw(colours, width in pixels)}
function drawingFigure(parent, spec) {
    let svg = null;
    let drawnFor = 0;
    const section = card(parent, spec, [csvButton(spec),
        ["PNG", "Save as an image", () => saveDrawingPng(spec, svg)],
        ["SVG", "Save as a drawing", () => save(fileName(spec, "svg"), svg.outerHTML, "image/svg+xml")]]);
    const place = section.appendChild(el("div", {class: "drawing"}));
    // Where it scrolls, the keyboard can scroll it.
    const reach = () => {
        const scrolls = place.scrollWidth > place.clientWidth;
        for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", spec.title]])
            if (scrolls) place.setAttribute(name, value);
            else place.removeAttribute(name);
    };
    const redrawIt = () => {
        drawnFor = place.clientWidth;
        svg = spec.draw(colours(), drawnFor);
        svg.setAttribute("aria-label", spec.label);
        svg.style.minWidth = onPaper() ? "" : `${Math.round(leastScale * Number(svg.getAttribute("viewBox").split(" ")[2]))}px`;
        place.replaceChildren(svg);
        reach();
    };
    redraws.push(redrawIt);
    new ResizeObserver(() => { if (drawnFor && place.clientWidth !== drawnFor) redrawIt(); }).observe(place);
    window.report.figures[spec.id] = {svg: () => svg, csv: () => csvText(spec.csv())};
}

function topologyCsv(system) {
    const head = [["what", "count", "GB/s in all", "latency in cycles"]];
    return head.concat(system.paths.map((path) => [path.what, path.count, path.gbps, path.latency_cycles]));
}

// system: {configuration, paths, sockets: [of the summary]}; names: {id, title} of a page with several
function topologyFigure(parent, system, names = {id: "topology", title: "System"}) {
    const {link} = system.configuration;
    system.widestLink = Math.max(link.lanes_out, link.lanes_in) * link.lane_gbps;
    const spec = {...names, wide: true, csv: () => topologyCsv(system), caption:
        "Bandwidths as wired; blue bars compare them (a fifth shorter is half as much). A link's direction is filled as far as its lanes were used over the whole run."};
    if (system.configuration.sockets === 1) spec.caption = "Bandwidths as wired; blue bars compare them (a fifth shorter is half as much).";
    if (system.configuration.sockets > mostBoxes)
        spec.caption += " Sockets of one name that hold the same share a box: their mean use, the least and the most.";
    drawingFigure(parent, {...spec, label: `${spec.title}: ${system.configuration.sockets} sockets with their bandwidths`,
        draw: (c, room) => topologySvg(system, c, room)});
}
