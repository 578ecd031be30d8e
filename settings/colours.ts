import { colord, extend } from "colord";
import a11y from "colord/plugins/a11y";
import mix from "colord/plugins/mix";
import type { Colours } from "#content/colours.ts";

extend([a11y, mix]);

export const paper = "#eef2e9";
export const sheet = "#fafcf6";
export const ink = "#101a2b";
/** The sheet of a mail in dark mode. */
const night = "#0d2140";

/** WCAG 2.2, success criterion 1.4.3. */
const textContrast = 4.5;

type ColourResult =
  | { ok: true; accent: string }
  /** `nearest` is the lightest of its hue that passes; null if it is no colour. */
  | { ok: false; contrast: number; nearest: string | null };

/** Reads a colour as `#rgb` or `#rrggbb`, which has to be readable on the site's paper and under white. */
export function readAccent(text: string): ColourResult {
  if (!/^#(?:[0-9a-f]{3}){1,2}$/i.test(text)) return { ok: false, contrast: 0, nearest: null };
  const accent = colord(text).toHex();
  const contrast = onPaper(accent);
  if (contrast >= textContrast) return { ok: true, accent };
  return { ok: false, contrast, nearest: shade(accent, -1, (hex) => onPaper(hex) >= textContrast) };
}

/** The contrast of a colour on the site's paper, from 1 to 21. */
export function onPaper(hex: string): number {
  return colord(hex).contrast(paper);
}

/** The site's colours from one. Each keeps the contrast that its place needs. */
export function coloursFrom(accent: string): Colours {
  const against = (ground: string, least: number) => (hex: string) =>
    colord(hex).contrast(ground) >= least;
  const soft = [0.86, 0.9, 0.94].map((white) => colord(accent).mix("#ffffff", white).toHex());
  const fill = shade(accent, 1, against(ink, 6));
  return {
    accent,
    soft: soft.find((hex) => colord(accent).contrast(hex) >= textContrast) ?? sheet,
    fill,
    fillPressed: shade(fill, -1, (hex) => colord(fill).contrast(hex) >= 1.12),
    linkInDark: shade(accent, 1, against(night, 7)),
    lineInDark: shade(accent, 1, against(night, textContrast)),
  };
}

/** The nearest lighter or darker colour of the same hue that passes. */
function shade(from: string, towards: 1 | -1, passes: (hex: string) => boolean): string {
  const { h, s, l } = colord(from).toHsl();
  for (let lightness = l; lightness >= 0 && lightness <= 100; lightness += towards / 2) {
    const hex = colord({ h, s, l: lightness }).toHex();
    if (passes(hex)) return hex;
  }
  return towards === 1 ? "#ffffff" : "#000000";
}
