/**
 * Runs in the page. What a line's end tears apart where a typesetter would not: a compound after its hyphen where little
 * follows ("90-/day"), a number from its unit ("7/am", "1-2/weeks"), a telephone number ("416/555"), a product before its sign
 * ("8/× $1,360"); and a line of two letters or fewer. An issue's own compounds are its writer's, and a search result's are
 * cut from anywhere.
 */
export function tornWords(): string[] {
  const compound: Tear = [/(^|[^-\w])\w+-$/, /^\w{1,7}(?![-\w])/];
  const unit: Tear = [
    /\d\s*$/,
    /^\s*(?:[ap]m|days?|hours?|minutes|weeks?|months?|years?|million)\b/,
  ];
  const figures: Tear[] = [
    [/\+1 [\d ]*$/, /^\s*\d/],
    [/\S\s*$/, /^\s*×/],
    [/[$+]$/, /^\d/],
  ];
  const found = new Set<string>();
  for (const block of document.querySelectorAll("main *, footer *")) {
    if (!isBlock(block) || !block.checkVisibility() || block.closest("svg")) continue;
    const tears = block.closest(".issue-body, .search-results")
      ? figures
      : [compound, unit, ...figures];
    const letters = lettersOf(block);
    const text = letters.map(({ letter }) => letter).join("");
    const starts = [0];
    letters.forEach(({ top }, index) => {
      const before = letters[index - 1];
      if (!before || top < before.middle) return;
      starts.push(index);
      const [end, start] = [text.slice(0, index), text.slice(index)];
      if (tears.some(([ending, starting]) => ending.test(end) && starting.test(start))) {
        found.add(`${end.slice(-24)}/${start.slice(0, 24)}`);
      }
    });
    // Text for screen readers alone is one pixel wide; a field's value stands in its line and is no letter of it.
    if (starts.length === 1 || block.clientWidth <= 1 || block.querySelector("input")) continue;
    starts.forEach((start, at) => {
      const line = text.slice(start, starts[at + 1]);
      if (line.replaceAll(/[^\p{L}\d]/gu, "").length <= 2)
        found.add(`by itself: ${line}, in ${text.slice(0, 80)}`);
    });
  }
  return [...found];

  type Tear = [end: RegExp, start: RegExp];

  function isBlock(element: Element): boolean {
    return !getComputedStyle(element).display.startsWith("inline");
  }

  /** The letters of a block with their heights on the page: its own, and those of what runs inside its lines. */
  function lettersOf(block: Element) {
    const letters: { letter: string; top: number; middle: number }[] = [];
    const range = document.createRange();
    const walk = (node: Node) => {
      if (node instanceof Element && (node === block || !isBlock(node))) {
        for (const child of node.childNodes) walk(child);
      }
      if (!(node instanceof Text) || !node.data.trim()) return;
      for (let at = 0; at < node.data.length; at += 1) {
        range.setStart(node, at);
        range.setEnd(node, at + 1);
        const box = range.getClientRects()[0];
        if (!box?.width) continue;
        letters.push({
          letter: node.data[at] ?? "",
          top: box.top,
          middle: box.top + box.height / 2,
        });
      }
    };
    walk(block);
    return letters;
  }
}
