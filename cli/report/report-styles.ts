import { readFileSync } from "node:fs";
import path from "node:path";

const fontsFolder = path.join(import.meta.dirname, "..", "..", "app", "fonts");

const faces = [
  ["Archivo", "archivo.woff2", "400 700"],
  ["Archivo Wide", "archivo-wide.woff2", "700"],
  ["Plex Mono", "plex-mono-500.woff2", "500"],
] as const;

/** The site's look for one sheet of numbers, on a screen and on paper. The fonts are in it, since the page stands alone. */
export function reportStyles(): string {
  return faces.map(fontFace).join("\n") + styles;
}

function fontFace([family, file, weight]: (typeof faces)[number]): string {
  const data = readFileSync(path.join(fontsFolder, file)).toString("base64");
  return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
}

const styles = `
:root {
  color-scheme: light;
  --pad: #eef2e9; --sheet: #fafcf6; --ink: #101a2b; --second: #46526a; --line: #1f4fd8;
  --pale: #a9bdf0; --orange: #ff6b1a; --grey: #8a94a6; --rule: #cfd6cc;
}
* { box-sizing: border-box }
body { margin: 0; background: var(--pad); color: var(--ink); font: 1rem/1.5 Archivo, Arial, sans-serif }
.page { max-width: 75rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem }
h1, h2 { font-family: "Archivo Wide", Archivo, Arial, sans-serif; font-weight: 700; line-height: 1.12; margin: 0; text-wrap: balance }
h1 { font-size: clamp(1.75rem, 5vw, 2.75rem) }
h2 { font-size: clamp(1.25rem, 3vw, 1.625rem) }
p { margin: 0; max-width: 62ch }
.number, td, th[scope=row], .entries dd, time { font-variant-numeric: tabular-nums }
.head { display: grid; gap: 1.5rem; padding-bottom: 1.75rem; border-bottom: 3px solid var(--line) }
.head p { color: var(--second); margin-top: .5rem }
.entries { display: grid; grid-template-columns: repeat(3, auto); margin: 0; background: var(--sheet); border: 1.5px solid var(--ink); align-self: end; justify-self: start }
.entries div { padding: .5rem .875rem }
.entries div + div { border-left: 1.5px solid var(--ink) }
dt { font: 500 .75rem/1.4 "Plex Mono", monospace; color: var(--second) }
dd { margin: 0; font-weight: 600 }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1.5px; margin: 2rem 0 0; background: var(--ink); border: 1.5px solid var(--ink) }
.tiles div { background: var(--sheet); padding: .875rem 1rem 1rem }
.tiles dd { font: 700 2rem/1.1 "Archivo Wide", Archivo, sans-serif; margin-top: .25rem }
.tiles small { display: block; font: 400 .875rem/1.35 Archivo, Arial, sans-serif; color: var(--second); margin-top: .25rem }
section { margin-top: 3rem; padding-top: 1.25rem; border-top: 1.5px solid var(--ink) }
.part { display: grid; gap: 1rem 2.5rem; margin-top: 1rem; align-items: start }
.part > * { min-width: 0 }
.told { color: var(--second) }
.told + .top { margin-top: 1.5rem }
.scroll:focus-visible { outline: 3px solid var(--line); outline-offset: 3px }
.scroll { overflow-x: auto }
section + .scroll { margin-top: 1.5rem }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
caption { text-align: left; font-weight: 700; padding-bottom: .375rem }
th, td { padding: .375rem 0 .375rem 1.25rem; border-bottom: 1px solid var(--rule); text-align: right; white-space: nowrap; vertical-align: top }
th { font-weight: 600 }
thead th { font: 500 .75rem/1.4 "Plex Mono", monospace; color: var(--second); vertical-align: bottom }
th[scope=row], thead th:first-child { padding-left: 0; text-align: left; min-width: 5.5rem; white-space: normal; font-weight: 400; overflow-wrap: anywhere }
thead th:first-child { font-weight: 500 }
tbody tr:last-child > * { border-bottom: 0 }
.titled th[scope=row] { min-width: 11rem; width: 100% }
.lists { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: 1.75rem 2.5rem; margin-top: 1.75rem; align-items: start }
.key { display: inline-block; width: .75em; height: .75em; margin-right: .375em; background: var(--key); print-color-adjust: exact }
.bar { display: flex; height: .5rem; margin-top: .125rem; min-width: 9rem }
.bar span { width: calc(var(--share) * 1%); background: var(--key); print-color-adjust: exact }
.top td { width: 1%; padding-right: 0 }
.top th[scope=row] { background: linear-gradient(var(--pale), var(--pale)) 0 100% / calc(var(--share) * 1%) 3px no-repeat; print-color-adjust: exact }
.alarm { border-left: 5px solid var(--orange); padding-left: .75rem; color: var(--ink) }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1.5px solid var(--ink); color: var(--second); font-size: .875rem }
@media (min-width: 48rem) {
  .head { grid-template-columns: 1fr auto }
}
@media (min-width: 68rem) {
  .part { grid-template-columns: minmax(0, 47rem) minmax(0, 1fr) }
  .part.whole { grid-template-columns: 1fr }
}
@media (max-width: 30rem) {
  .page { padding: 1.5rem 1rem 3rem }
  .entries { grid-template-columns: 1fr; justify-self: stretch }
  .entries div + div { border: 0; border-top: 1.5px solid var(--ink) }
  .tiles { grid-template-columns: 1fr 1fr }
  .tiles div:first-child { grid-column: 1 / -1 }
}
@media (prefers-color-scheme: dark) { :root { color-scheme: light } }
@media print {
  @page { margin: 14mm }
  body { background: #fff; font-size: 9.5pt }
  .page { max-width: none; padding: 0 }
  .head { grid-template-columns: 1fr auto; padding-bottom: 1rem }
  .tiles { margin-top: 1rem; grid-template-columns: repeat(5, 1fr); gap: 0; background: none }
  .tiles div + div { border-left: 1.5px solid var(--ink) }
  dt { font-size: 7pt }
  .tiles div { padding: .5rem .625rem }
  .tiles dd { font-size: 1.375rem }
  section { margin-top: 1.25rem; padding-top: .75rem }
  .part { grid-template-columns: minmax(0, 1fr) 13rem; gap: 1.25rem; margin-top: .5rem }
  .part.whole { grid-template-columns: 1fr }
  section { break-inside: avoid }
  h1 { font-size: 22pt; text-wrap: nowrap }
  h2 { font-size: 13pt }
  h2, caption { break-after: avoid }
  .lists { grid-template-columns: repeat(4, 1fr); font-size: 8.5pt; margin-top: .75rem; gap: .75rem 1.5rem }
  .lists > *, tr, .tiles, .told { break-inside: avoid }
  .scroll { overflow: visible; break-inside: avoid }
  /* A sheet for the month: the older issues are on the screen. */
  .titled tbody tr:nth-child(n + 13) { display: none }
  th, td { padding-block: .1rem }
  table { font-size: 8.5pt }
  footer { margin-top: 1.25rem; break-inside: avoid }
}
@media (forced-colors: active) { .key, .bar span, .top th[scope=row] { forced-color-adjust: none } }
`;
