/** A colour as sRGB channels from 0 to 255 and an opacity from 0 to 1. */
export type Colour = { red: number; green: number; blue: number; alpha: number };

const namedColours: Record<string, string> = {
  black: "#000000",
  white: "#ffffff",
  gray: "#808080",
  grey: "#808080",
  silver: "#c0c0c0",
  darkgray: "#a9a9a9",
  darkgrey: "#a9a9a9",
  lightgray: "#d3d3d3",
  lightgrey: "#d3d3d3",
  dimgray: "#696969",
  dimgrey: "#696969",
  whitesmoke: "#f5f5f5",
  red: "#ff0000",
  maroon: "#800000",
  orange: "#ffa500",
  yellow: "#ffff00",
  olive: "#808000",
  green: "#008000",
  lime: "#00ff00",
  teal: "#008080",
  aqua: "#00ffff",
  blue: "#0000ff",
  navy: "#000080",
  purple: "#800080",
  fuchsia: "#ff00ff",
  transparent: "#00000000",
};

/** Reads `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()` and common names; anything else is null. */
export function parseColour(text: string): Colour | null {
  const value = text.trim().toLowerCase();
  const hex = Object.hasOwn(namedColours, value) ? (namedColours[value] ?? value) : value;
  if (/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(hex)) return fromHex(hex.slice(1));
  const call = /^rgba?\(([0-9.%,/ ]{5,40})\)$/.exec(value);
  if (call === null) return null;
  const parts = (call[1] ?? "").split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4) return null;
  const [red, green, blue] = parts.slice(0, 3).map((part) => channel(part, 255));
  const alpha = parts[3] === undefined ? 1 : channel(parts[3], 1);
  if (![red, green, blue, alpha].every((part) => part !== undefined && Number.isFinite(part))) {
    return null;
  }
  return { red: red ?? 0, green: green ?? 0, blue: blue ?? 0, alpha };
}

function fromHex(digits: string): Colour {
  const long = digits.length <= 4 ? digits.replace(/./g, "$&$&") : digits;
  const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return { red, green, blue, alpha: alpha / 255 };
}

function channel(text: string, full: number): number {
  const value = text.endsWith("%") ? (Number(text.slice(0, -1)) / 100) * full : Number(text);
  return Math.min(full, Math.max(0, value));
}

/** `top` painted over an opaque `under`. */
export function paintOver(top: Colour, under: Colour): Colour {
  const mix = (a: number, b: number) => a * top.alpha + b * (1 - top.alpha);
  return {
    red: mix(top.red, under.red),
    green: mix(top.green, under.green),
    blue: mix(top.blue, under.blue),
    alpha: 1,
  };
}

/** The contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastRatio(a: Colour, b: Colour): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** Relative luminance, from 0 (black) to 1 (white). */
export function luminance({ red, green, blue }: Colour): number {
  const linear = (value: number) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
