/**
 * Runs in the page. What is lettered smaller than 11 px, on the sheet or in a drawing, as it comes out on the screen.
 */
export function smallLetters(): string[] {
  const leastPx = 11;
  const found = new Set<string>();
  for (const element of document.querySelectorAll("body *")) {
    const words = [...element.childNodes]
      .map((node) => (node instanceof Text ? node.data.trim() : ""))
      .join(" ");
    // Text for screen readers alone is one pixel wide.
    const isSeen = element.checkVisibility() && element.getBoundingClientRect().width > 1;
    if (!words.trim() || !isSeen) continue;
    const sizePx = Number.parseFloat(getComputedStyle(element).fontSize) * scaleOf(element);
    // A transform's factors are not exact.
    if (sizePx < leastPx - 0.01) found.add(`${words.trim().slice(0, 40)}: ${sizePx.toFixed(1)} px`);
  }
  return [...found];

  /** Returns CSS pixels per unit of the drawing. */
  function scaleOf(element: Element): number {
    const { a, b } = element.closest<SVGTextElement>("svg text")?.getScreenCTM() ?? { a: 1, b: 0 };
    return Math.hypot(a, b);
  }
}
