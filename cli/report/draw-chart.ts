import * as Plot from "@observablehq/plot";
// Plot draws into a document, which Node has none of; linkedom's is the lightest that it can draw into.
import { parseHTML } from "linkedom";

/** A part of a bar, from `from` to `to` on the axis of values. */
type BarPart = {
  start: Date;
  end: Date;
  from: number;
  to: number;
  fill: string;
  /** How much of the bucket's width stays free on either side: what stands in front of another is narrower. */
  inset?: number;
};

/** A bar of parts that lie one after the other. */
type Row = { label: string; parts: { from: number; to: number; fill: string }[] };

type Size = { width: number; height: number };

/** One drawing for sheets and screens, and another one for phones, where shrunk words can't be read. */
const sizes = { wide: { width: 720, height: 260 }, narrow: { width: 342, height: 230 } };

const rowHeight = 30;
const fewTicks = { wide: 6, narrow: 4 };

/** The same chart at both sizes, as SVG; what it shows is told beside it, so it is hidden from screen readers. */
export function drawBars(parts: BarPart[]): string {
  return both((size, name) =>
    Plot.plot({
      ...frameOf(size),
      ...{ marginLeft: 44, marginBottom: 38 },
      x: { type: "utc", label: null, ticks: name === "wide" ? undefined : fewTicks.narrow },
      y: { label: null, grid: true, nice: true, ticks: 4, tickFormat: wholeOnly },
      marks: [
        ...[...new Set(parts.map(({ inset = 0.5 }) => inset))].map((inset) =>
          Plot.rect(
            parts.filter((part) => (part.inset ?? 0.5) === inset && part.to !== part.from),
            {
              ...{ x1: "start", x2: "end", y1: "from", y2: "to", fill: "fill" },
              insetLeft: inset * barWidth(parts, size) * 0.5,
              insetRight: inset * barWidth(parts, size) * 0.5,
            },
          ),
        ),
        Plot.ruleY([0], { stroke: "var(--line)", strokeWidth: 2 }),
      ],
    }),
  );
}

/** Bars from the left, one under the other. */
export function drawRows(rows: Row[]): string {
  const parts = rows.flatMap(({ label, parts: ofRow }) =>
    ofRow.map((part) => ({ ...part, label })),
  );
  return both((size, name) =>
    Plot.plot({
      ...frameOf({ ...size, height: rows.length * rowHeight + 40 }),
      marginLeft: 76,
      x: { label: null, grid: true, ticks: fewTicks[name], tickFormat: wholeOnly },
      y: { type: "band", label: null, domain: rows.map(({ label }) => label), padding: 0.35 },
      marks: [
        Plot.barX(
          parts.filter((part) => part.to > part.from),
          { x1: "from", x2: "to", y: "label", fill: "fill" },
        ),
        Plot.ruleX([0], { stroke: "var(--line)", strokeWidth: 2 }),
      ],
    }),
  );
}

function frameOf(size: Size) {
  const { document } = parseHTML("<html><body></body></html>");
  return {
    ...size,
    document,
    className: "chart",
    marginRight: 12,
    color: { type: "identity" as const },
    style: { fontFamily: "inherit", fontSize: "13px" },
  };
}

/** A bucket's width on the drawing, by which bars are set apart. */
function barWidth(parts: BarPart[], { width }: Size): number {
  return width / Math.max(1, new Set(parts.map(({ start }) => start.getTime())).size) / 2;
}

function wholeOnly(value: number): string {
  return Number.isInteger(value) ? Math.abs(value).toLocaleString("en-CA") : "";
}

function both(draw: (size: Size, name: keyof typeof sizes) => SVGSVGElement | HTMLElement): string {
  return (["wide", "narrow"] as const)
    .map((name) => {
      const drawn = draw(sizes[name], name);
      drawn.setAttribute("aria-hidden", "true");
      drawn.setAttribute("class", `chart chart-${name}`);
      return drawn.outerHTML.replace(/<style>[\s\S]*?<\/style>/, "");
    })
    .join("\n");
}
