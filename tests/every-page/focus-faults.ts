/**
 * Runs in the page, which the keyboard has been used on, so that :focus-visible holds. Gives the focus to everything that
 * takes it, from the last to the first, and tells where it isn't seen.
 */
export function focusFaults(): string[] {
  const bar = document.querySelector("body > header");
  const stops = [
    ...document.querySelectorAll<HTMLElement>("main a, main button, main input, main select"),
    ...document.querySelectorAll<HTMLElement>("main textarea, main summary, footer a"),
  ].filter((element) => element.checkVisibility() && element.tabIndex >= 0);
  window.scrollTo(0, document.body.scrollHeight);
  const found: string[] = [];
  // Backwards, as Shift+Tab goes: each stop comes into the window from above, where the bar is.
  for (const element of stops.reverse()) {
    element.focus();
    if (document.activeElement !== element) continue;
    const words = element.outerHTML.slice(0, 120);
    const box = element.getBoundingClientRect();
    const barEnd = bar?.getBoundingClientRect().bottom ?? 0;
    if (box.top < barEnd - 1) found.push(`${box.top} px is under the bar: ${words}`);
    if (box.top >= window.innerHeight) found.push(`below the window: ${words}`);
    const focused = looks(element);
    element.blur();
    if (looks(element) === focused) found.push(`looks the same with the focus: ${words}`);
  }
  window.scrollTo(0, 0);
  return found;

  // The mark may stand on a box around the element: a whole tile, a row of a form.
  function looks(element: Element): string {
    const boxes = [element, element.parentElement, element.closest("li")];
    return boxes
      .flatMap((box) => (box ? [null, "::before", "::after"].map((part) => [box, part]) : []))
      .map(([box, part]) => {
        const style = getComputedStyle(box as Element, part as string | null);
        return `${style.outline} ${style.boxShadow} ${style.backgroundColor} ${style.border}`;
      })
      .join();
  }
}
