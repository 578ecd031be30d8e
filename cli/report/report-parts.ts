import { html, raw } from "hono/html";

/** Markup that escapes what is put into it. */
export type Markup = ReturnType<typeof html>;

export type Table = {
  caption: string;
  columns: string[];
  /** The first cell names the row. */
  rows: string[][];
  className?: string;
};

export function tableOf({ caption, columns, rows, className = "" }: Table): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table class="${className}"><caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

/** Of the page's styles. */
export const colours = {
  line: "var(--line)",
  pale: "var(--pale)",
  orange: "var(--orange)",
  grey: "var(--grey)",
  ink: "var(--second)",
};

type CaptionedChart = {
  caption: string;
  /** SVG of our own drawing. */
  chart: string;
  /** What its colours mean. */
  keys: [colour: string, meaning: string][];
  /** The same numbers to be read; the chart is hidden from who can't see it. */
  table: Table;
};

export function captionedChart({ caption, chart, keys, table }: CaptionedChart): Markup {
  return html`<figure>
<figcaption>${caption}</figcaption>
${raw(chart)}
<ul class="keys">${keys.map(
    ([colour, meaning]) => html`<li><span style="--key:${colour}"></span>${meaning}</li>`,
  )}</ul>
<details><summary>The numbers</summary>${tableOf(table)}</details>
</figure>`;
}

/** A section of the sheet; without numbers it says in a sentence why. */
export function sectionOf(
  heading: string,
  told: Markup | string,
  content: Markup | null,
  beside: Markup | null = null,
): Markup {
  const id = heading.toLowerCase().replaceAll(" ", "-");
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<div class="part${content ? "" : " whole"}">${content ?? ""}<div><p class="told">${told}</p>${beside ?? ""}</div></div>
</section>`;
}
