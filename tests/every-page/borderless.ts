/** Runs in the page. Controls that only a colour tells from it, which is gone in forced colours. */
export function borderless(): string[] {
  return (
    [...document.querySelectorAll("button, input, select, textarea, a.button")]
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      // Fields for programs alone are kept from people in every other way.
      .filter((element) => !element.closest("[inert]"))
      // A field may leave its border to the cell of the form that it fills.
      .filter((element) => !hasBorder(element) && !hasBorder(element.parentElement))
      .map((element) => element.outerHTML.slice(0, 120))
  );

  function hasBorder(element: Element | null): boolean {
    if (!element) return false;
    const { borderBottomWidth, borderBottomStyle } = getComputedStyle(element);
    return borderBottomStyle !== "none" && Number.parseFloat(borderBottomWidth) >= 1;
  }
}
