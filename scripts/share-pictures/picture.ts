import { dotsOf } from "#app/drawings/dot-matrix-font.ts";
import { sharePictureSize } from "#app/seo/share-picture.ts";
import { escapeXml, type Face, headingTracking, type SetText, typeset } from "./typeset.ts";

export type Faces = { heading: Face; lettering: Face };

/** As app/styles/tokens.css has them. */
const colour = {
  paper: "#eef2e9",
  sheet: "#fafcf6",
  grid: "#dfe7d8",
  rule: "#c9d3c2",
  ink: "#101a2b",
  secondInk: "#46526a",
  chalk: "#1f4fd8",
};

const { width, height } = sharePictureSize;
const margin = 72;
const lineGap = 1.06;

/** A sheet of the drawing set: the page's title over the chalk line, and the title block in the corner. */
export function pagePicture(title: string, sheetName: string, faces: Faces): string {
  const set = typeset(title, faces.heading, {
    width: width - 2 * margin,
    maxLines: 3,
    sizes: [94, 90, 86, 82, 78, 74, 70, 66],
  });
  const top = 78;
  const lineY = top + set.lines.length * set.size * lineGap + 36;
  return sheet(`${heading(set, top, faces)}
    ${chalkLine(lineY)}
    ${titleBlock(sheetName, faces)}`);
}

/** The newsletter's sheet: tractor-feed paper, and its name as the printer's pins strike it. */
export function newsletterPicture(name: string, title: string, faces: Faces): string {
  const { columns, dots } = dotsOfWords(name.split(" "));
  const left = 132;
  const pitch = (width - 2 * left) / columns;
  const top = 110;
  const struck = dots
    .map(({ column, row }) => {
      const x = left + (column + 0.5) * pitch;
      return `<circle cx="${x.toFixed(1)}" cy="${(top + (row + 0.5) * pitch).toFixed(1)}" r="${(pitch * 0.43).toFixed(1)}"/>`;
    })
    .join("");
  // The pins have struck the name already.
  const set = typeset(title.replace(`${name}: `, ""), faces.heading, {
    width: width - 2 * left,
    maxLines: 3,
    sizes: [62, 58, 54, 50],
  });
  const below = top + 7 * pitch + 76;
  return `${svgOpen}
    <path fill="${colour.sheet}" d="M0 0h${width}v${height}H0z"/>
    ${Array.from({ length: 5 }, (_, band) => `<path fill="${colour.paper}" d="M84 ${band * 126 + 63}h${width - 168}v63h-${width - 168}z"/>`).join("")}
    <path stroke="${colour.rule}" stroke-width="2" stroke-dasharray="6 8" d="M84 0V${height}M${width - 84} 0V${height}"/>
    ${[42, width - 42].map((x) => Array.from({ length: 7 }, (_, hole) => `<circle cx="${x}" cy="${hole * 90 + 45}" r="15" fill="${colour.rule}"/>`).join("")).join("")}
    <g fill="${colour.chalk}">${struck}</g>
    ${heading(set, below, faces, left)}
  </svg>`;
}

/** Words side by side, with half a letter's space between them. */
function dotsOfWords(words: string[]): ReturnType<typeof dotsOf> {
  let columns = 0;
  const dots = words.flatMap((word, index) => {
    const left = index === 0 ? 0 : columns + 3;
    const set = dotsOf(word);
    columns = left + set.columns;
    return set.dots.map(({ column, row }) => ({ column: left + column, row }));
  });
  return { columns, dots };
}

const svgOpen = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;

function sheet(drawing: string): string {
  const step = 30;
  const across = Array.from(
    { length: height / step },
    (_, row) => `M0 ${row * step + 15}H${width}`,
  );
  const down = Array.from(
    { length: width / step },
    (_, column) => `M${column * step + 15} 0V${height}`,
  );
  return `${svgOpen}
    <path fill="${colour.paper}" d="M0 0h${width}v${height}H0z"/>
    <path stroke="${colour.grid}" stroke-width="1" d="${across.join("")}${down.join("")}"/>
    ${drawing}
  </svg>`;
}

function heading({ lines, size }: SetText, top: number, faces: Faces, left = margin): string {
  const first = top + size * 0.74;
  return lines
    .map(
      (line, index) =>
        `<text x="${left - size * 0.05}" y="${(first + index * size * lineGap).toFixed(1)}" font-family="${faces.heading.family}" font-size="${size}" letter-spacing="${(headingTracking * size).toFixed(2)}" fill="${colour.ink}">${escapeXml(line)}</text>`,
    )
    .join("");
}

/** The string between its two pins, and the dust beside it. */
function chalkLine(y: number): string {
  const dust = Array.from({ length: 110 }, (_, index) => {
    const x = margin + scatter(index) * (width - 2 * margin);
    // Thickest next to the line.
    const away = (scatter(index + 0.37) - 0.5) ** 3 * 190;
    const radius = 1 + scatter(index + 0.71) * 1.6;
    return `<circle cx="${x.toFixed(1)}" cy="${(y + away).toFixed(1)}" r="${radius.toFixed(1)}"/>`;
  }).join("");
  return `<g fill="${colour.chalk}" fill-opacity=".45">${dust}</g>
    <path stroke="${colour.chalk}" stroke-width="7" d="M${margin} ${y}H${width - margin}"/>
    <g fill="${colour.ink}"><circle cx="${margin}" cy="${y}" r="11"/><circle cx="${width - margin}" cy="${y}" r="11"/></g>`;
}

/** 0 to 1, without a pattern that the eye finds, and the same in each build. */
function scatter(seed: number): number {
  const value = Math.sin(seed * 127.1 + 311.7) * 43758.5453;
  return value - Math.floor(value);
}

/** In the sheet's corner: the firm's logo, the sheet's name, which is the page's path, and where the firm works. */
function titleBlock(sheetName: string, faces: Faces): string {
  const box = { left: width - margin - 640, top: height - 58 - 104, width: 640, height: 104 };
  const entry = (row: number, key: string, value: string) => {
    const y = box.top + 33 + row * 52;
    const text = (x: number, fill: string, words: string) =>
      `<text x="${x}" y="${y}" font-family="${faces.lettering.family}" font-size="22" fill="${fill}">${escapeXml(words)}</text>`;
    return text(box.left + 124, colour.secondInk, key) + text(box.left + 218, colour.ink, value);
  };
  const { left, top } = box;
  return `<path fill="${colour.sheet}" stroke="${colour.ink}" stroke-width="3" d="M${left} ${top}h${box.width}v${box.height}h-${box.width}z"/>
    <path stroke="${colour.ink}" stroke-width="3" d="M${left + 104} ${top}v${box.height}M${left + 104} ${top + 52}h${box.width - 104}"/>
    <g transform="translate(${left + 16} ${top + 16}) scale(2.4)"><path fill="${colour.ink}" d="M0 0h30v30H0z"/><path d="M4 21 26 9" stroke="#ff6b1a" stroke-width="3"/><g fill="${colour.paper}"><circle cx="4.8" cy="20.6" r="2.6"/><circle cx="25.2" cy="9.4" r="2.6"/></g></g>
    ${entry(0, "Sheet", sheetName)}
    ${entry(1, "Site", "Toronto and the GTA")}`;
}
