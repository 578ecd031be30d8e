import {
  type Element,
  elementsBelow,
  getAttribute,
  isText,
  parseBody,
} from "#issue-body/body-tree.ts";
import { parseWrittenStyle } from "#issue-body/inline-style.ts";
import { lengthInPx } from "#issue-body/style-rules.ts";

/** Words this far from the edge stand away from it, in pixels. */
const roomPx = 8;

/** Whether most lines of a mail would begin at the very edge of a phone's screen. */
export function touchesEdges(markup: string): boolean {
  const holders = elementsBelow(parseBody(markup)).filter(({ childNodes }) =>
    childNodes.some((node) => isText(node) && node.value.trim().length > 20),
  );
  const touching = holders.filter((holder) => roomBeside(holder) < roomPx);
  return touching.length > holders.length / 2;
}

function roomBeside(holder: Element): number {
  let room = 0;
  for (let at: Element | null = holder; at; at = parentOf(at)) {
    const style = parseWrittenStyle(getAttribute(at, "style") ?? "");
    if (at.tagName === "table") room += Number(getAttribute(at, "cellpadding") ?? 0);
    for (const name of ["padding", "margin"]) {
      const all = style.get(name)?.split(" ");
      room += lengthInPx(style.get(`${name}-left`) ?? all?.[3] ?? all?.[1] ?? all?.[0] ?? "0") ?? 0;
    }
  }
  return room;
}

function parentOf({ parentNode }: Element): Element | null {
  return parentNode && "tagName" in parentNode ? parentNode : null;
}
