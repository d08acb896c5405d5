// Names and colours of what becomes of issue slots.
const slotCauses = {issued: ["issued", "green"], unit_busy: ["unit busy", "yellow"], queue_full: ["queue full", "brown"],
    dependence: ["dependence", "sky"], memory: ["memory", "blue"], translation: ["translation", "orange"],
    barrier: ["barrier", "purple"], no_warp: ["no warp", "rule"]};
