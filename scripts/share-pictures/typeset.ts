import { Resvg } from "@resvg/resvg-js";
import { html } from "hono/html";

/** A face as the pictures letter it: the file of a static font and its family's name. */
export type Face = { family: string; file: string };

export type SetText = { lines: string[]; size: number };

type Room = {
  /** In pixels. */
  width: number;
  maxLines: number;
  /** In pixels, largest first. */
  sizes: readonly number[];
};

/** Set tightly, as the site's headings are; in ems. */
export const headingTracking = -0.022;

/** At which size widths are measured: they grow with it in proportion. */
const measuredSize = 100;

/** Sets words in the largest size in which they fit the room, with lines of about the same length. */
export function typeset(text: string, face: Face, room: Room): SetText {
  const words = text.split(" ");
  const space = measure("a b", face) - measure("ab", face);
  const widths = words.map((word) => measure(word, face));
  for (const size of room.sizes) {
    const max = (room.width * measuredSize) / size;
    for (let count = 1; count <= room.maxLines; count += 1) {
      const best = breakings(words.length, count)
        .map((breaks) => layOut(words, widths, space, breaks))
        .filter((lines) => lines.every(({ width }) => width <= max))
        .sort((a, b) => raggedness(a) - raggedness(b))[0];
      if (best) return { lines: best.map(({ text }) => text), size };
    }
  }
  throw new Error(`These words don't fit their picture: ${text}`);
}

/** Every way to break `length` words into `count` lines: the index of the word after each line. */
function breakings(length: number, count: number): number[][] {
  if (count === 1) return [[length]];
  return Array.from({ length }, (_, at) => at).flatMap((at) =>
    at < count - 1 ? [] : breakings(at, count - 1).map((breaks) => [...breaks, length]),
  );
}

type Line = { text: string; width: number };

function layOut(words: string[], widths: number[], space: number, breaks: number[]): Line[] {
  return breaks.map((end, index) => {
    const start = breaks[index - 1] ?? 0;
    const ofWords = widths.slice(start, end).reduce((sum, width) => sum + width, 0);
    return {
      text: words.slice(start, end).join(" "),
      width: ofWords + space * (end - start - 1),
    };
  });
}

/** Least where all lines are of one length, since their sum is the same however they break. */
function raggedness(lines: Line[]): number {
  return lines.reduce((sum, { width }) => sum + width ** 2, 0);
}

function measure(text: string, face: Face): number {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="400"><text x="100" y="200" font-family="${face.family}" font-size="${measuredSize}" letter-spacing="${headingTracking * measuredSize}">${escapeXml(text)}</text></svg>`;
  return new Resvg(svg, fontOptions([face])).getBBox()?.width ?? 0;
}

export function fontOptions(faces: readonly Face[]) {
  return { font: { loadSystemFonts: false, fontFiles: faces.map(({ file }) => file) } };
}

export function escapeXml(text: string): string {
  return String(html`${text}`);
}
