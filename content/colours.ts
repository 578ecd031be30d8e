/** The colours that follow SITE_COLOUR, as `#rrggbb`: one hue, so that a firm sets one. */
export type Colours = {
  /** Links, lines and marks: readable as text on paper, and white on it. */
  accent: string;
  soft: string;
  /** Buttons and bands, under dark text. */
  fill: string;
  fillPressed: string;
  /** Links and lines in a mail in dark mode. */
  linkInDark: string;
  lineInDark: string;
};

/** The site's own, as in app/styles/tokens.css: chalk and safety orange. */
export const usualColours: Colours = {
  accent: "#1f4fd8",
  soft: "#dfe7fb",
  fill: "#ff6b1a",
  fillPressed: "#f05a08",
  linkInDark: "#9ec0ff",
  lineInDark: "#6c9bff",
};

export function coloursOf({ colours = usualColours }: { colours?: Colours }): Colours {
  return colours;
}
