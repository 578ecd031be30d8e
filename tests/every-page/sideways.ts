/**
 * Runs in the page. What sticks out: the page itself, or an element with text that no box of its own lets scroll.
 */
export function sideways(): string[] {
  const root = document.documentElement;
  const found: string[] = [];
  if (root.scrollWidth > root.clientWidth) {
    const out = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 1,
    );
    const names = out.slice(0, 5).map((element) => `${element.tagName}.${element.classList}`);
    found.push(`the page: ${root.scrollWidth} px, by ${names.join(", ")}`);
  }
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    const box = element.getBoundingClientRect();
    const isOut = box.right > root.clientWidth + 1 || box.left < -1;
    if (hasText && isOut && element.checkVisibility() && box.width > 1 && !scrolls(element)) {
      found.push(`${element.tagName} to ${Math.round(box.right)} px: ${element.textContent}`);
    }
  }
  return found;

  function scrolls(element: Element | null): boolean {
    if (!element) return false;
    return (
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX) ||
      scrolls(element.parentElement)
    );
  }
}
