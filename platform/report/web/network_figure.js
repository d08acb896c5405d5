// The network drawn from the layout that the data has: clusters, routers, and each direction of each channel in the
// colour of its use.

// Between the colours of idle, half used and always used.
const useColour = (use, c) => mixed([mixed([c.grey, c.rule], 0.5), c.blue, c.orange], use);

// A curve beside the line from a to b, so that both directions are seen.
function channelPath(a, b, bend, aside) {
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    const length = Math.hypot(dx, dy) || 1;
    const [nx, ny] = [-dy / length, dx / length];
    const move = (point) => [point[0] + nx * aside, point[1] + ny * aside].map((v) => v.toFixed(1)).join(" ");
    const middle = [(a[0] + b[0]) / 2 + nx * 2 * bend, (a[1] + b[1]) / 2 + ny * 2 * bend];
    return bend === 0 ? `M${move(a)}L${move(b)}` : `M${move(a)}Q${move(middle)} ${move(b)}`;
}

const channelTitle = (channel) => `${channel.from} to ${channel.to}: ${percent(channel.use)} used, ` +
    `${plain(channel.use * channel.gbps)} of ${plain(channel.gbps)} GB/s, ` +
    `${plain(channel.packets_mw + channel.idle_mw)} mW, ${channel.cycles} cycles`;

function drawChannels(layout, c) {
    const group = draw("g", {fill: "none", "stroke-linecap": "round", class: "channels"});
    // What is used most lies on top.
    const order = layout.channels.map((_, i) => i).sort((i, j) => data.channels[i].use - data.channels[j].use);
    for (const i of order) {
        const {from, to, bend} = layout.channels[i];
        const use = data.channels[i].use;
        const path = channelPath(layout.routers[from].at, layout.routers[to].at, bend, 2.2);
        group.append(draw("g", {"data-channel": i}, draw("title", {}, channelTitle(data.channels[i])),
            draw("path", {d: path, stroke: useColour(use, c), "stroke-width": (1 + 3 * Math.min(1, use)).toFixed(2)}),
            draw("path", {d: path, stroke: "transparent", "stroke-width": 5})));
    }
    return group;
}

function box(at, size, more) {
    return draw("rect", {x: at[0] - size[0] / 2, y: at[1] - size[1] / 2, width: size[0], height: size[1], rx: 5, ...more});
}

const routerStems = (layout) => [...new Set(layout.routers.map((router) => router.name.replace(/\[.*/, "")))];

// Names that fit into their boxes; where some do not, letters and numbers stand for all, and a ground for each name.
const unitsALetter = 6.4; // at a size of 11
const namesFit = (layout) => layout.routers.every(({name}) => unitsALetter * bothText(name).length <= layout.router_size[0]);
const bothText = (name) => name.replace(/^([a-z0-9_]+)\[(\d+)\]$/, "$1 $2");
const groundsOf = (c) => [c.card, c.rule, c.low, c.faint];

// A name's first letter, or two where another name begins with the same one.
function routerLetters(stem, layout) {
    const others = routerStems(layout).filter((other) => other !== stem);
    return stem.slice(0, others.some((other) => other.startsWith(stem[0])) ? 2 : 1);
}

// The number alone where all routers have one name, else with the name, or with its letters where names are too long.
function routerText(name, layout) {
    const number = name.replace(/^[a-z0-9_]+\[(\d+)\]$/, "$1");
    if (routerStems(layout).length === 1) return number;
    return namesFit(layout) ? bothText(name) : `${routerLetters(name.replace(/\[.*/, ""), layout)} ${number}`;
}

// The ground of a name's boxes where letters stand for names.
function routerGround(name, layout, c) {
    if (!hasGrounds(layout)) return c.card;
    return groundsOf(c)[routerStems(layout).indexOf(name.replace(/\[.*/, "")) % groundsOf(c).length];
}

// Which letters and which ground are which name's, below the scale of colours.
const hasGrounds = (layout) => routerStems(layout).length > 1 && !namesFit(layout);
function drawStems(layout, x, y, c) {
    const group = draw("g", {});
    for (const stem of routerStems(layout)) {
        group.append(draw("rect", {x, y: y - 1, width: 18, height: 12, rx: 3, fill: routerGround(stem, layout, c), stroke: c.muted}),
            words(`${routerLetters(stem, layout)}: ${stem}`, x + 24, y + 9, c, {"font-size": 11, fill: c.muted, "text-anchor": "start"}));
        x += 44 + unitsALetter * (stem.length + 4);
    }
    return group;
}

function drawCluster(cluster, layout, c) {
    const below = draw("g", {});
    if (cluster.frame) {
        const [x, y, width, height] = cluster.frame;
        below.append(draw("rect", {x, y, width, height, rx: 8, fill: c.faint, stroke: c.rule}));
    }
    if (cluster.at)
        for (const r of cluster.routers) {
            const [x1, y1] = cluster.at;
            const [x2, y2] = layout.routers[r].at;
            below.append(draw("line", {x1, y1, x2, y2, stroke: c.rule, "stroke-width": 1.5, "stroke-dasharray": "3 3"}));
        }
    return below;
}

function drawProcessor(cluster, layout, c) {
    const routers = cluster.routers.map((r) => layout.routers[r].name).join(", ");
    return draw("g", {}, draw("title", {}, `${cluster.processor}, with ${routers}`),
        box(cluster.at, layout.processor_size, {fill: c.card, stroke: c.text, "stroke-width": 1.2}),
        words(cluster.processor.replace(/\[(\d+)\]$/, " $1"), cluster.at[0], cluster.at[1] + 4, c, {"font-size": 11, "font-weight": 600}));
}

function drawRouter(router, layout, c) {
    const nodes = router.nodes || [];
    const title = nodes.length ? `${router.name}, with ${nodes.join(", ")}` : router.name;
    return draw("g", {}, draw("title", {}, title),
        box(router.at, layout.router_size, {fill: routerGround(router.name, layout, c), stroke: c.muted}),
        words(routerText(router.name, layout), router.at[0], router.at[1] + 4, c, {"font-size": 11}));
}

// The colours and what they stand for, below the drawing.
function drawScale(x, y, c) {
    const group = draw("g", {});
    const steps = 40;
    for (let i = 0; i < steps; ++i)
        group.append(draw("rect", {x: x + 4 * i, y, width: 4.5, height: 8, fill: useColour(i / (steps - 1), c)}));
    ["0 %", "50 %", "100 %"].forEach((text, i) =>
        group.append(words(text, x + 80 * i, y + 22, c, {"font-size": 11, fill: c.muted})));
    group.append(words("use of a direction of a channel", x + 190, y + 9, c,
        {"font-size": 11, fill: c.muted, "text-anchor": "start"}));
    return group;
}

function networkSvg(layout, c) {
    const width = Math.max(layout.width, 440);
    const left = (layout.width - width) / 2;
    const svg = draw("svg", {xmlns: svgNamespace, viewBox: `${left} 0 ${width} ${layout.height + (hasGrounds(layout) ? 56 : 36)}`, role: "img",
        "font-family": "system-ui, Segoe UI, Noto Sans, DejaVu Sans, sans-serif"});
    for (const cluster of layout.clusters) svg.append(drawCluster(cluster, layout, c));
    svg.append(drawChannels(layout, c));
    for (const cluster of layout.clusters) if (cluster.at) svg.append(drawProcessor(cluster, layout, c));
    for (const router of layout.routers) svg.append(drawRouter(router, layout, c));
    svg.append(drawScale(left + 28, layout.height + 2, c));
    if (hasGrounds(layout)) svg.append(drawStems(layout, left + 28, layout.height + 36, c));
    // Small networks are not blown up to the width of the page.
    svg.style.maxWidth = `${Math.min(1180, Math.round(1.25 * width))}px`;
    svg.style.margin = "0 auto";
    return svg;
}

const channelRows = () => [["from", "to", "cycles", "use (flits a cycle)", "GB/s", "mW of packets", "mW idle"]].concat(
    data.channels.map((c) => [c.from, c.to, c.cycles, c.use, c.use * c.gbps, c.packets_mw, c.idle_mw]));

function networkFigure(parent, caption) {
    const spec = {id: "network", title: "Network", wide: true, csv: channelRows, caption};
    drawingFigure(parent, {...spec, label: `Network: ${data.layout.routers.length} routers and their channels`,
        draw: (c) => networkSvg(data.layout, c)});
}
