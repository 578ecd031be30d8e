import { useCases } from "#content/pages/use-cases.ts";
import { Draw, dot, type Shape } from "./pens.tsx";

/** Of a use case by its path, or of an issue. */
export function Thumbnail({ of: path }: { of: string }) {
  const tile = useCases.tiles.find((each) => each.path === path);
  return (
    <svg className="drawing thumbnail" viewBox="0 6 120 72" aria-hidden="true">
      <Draw {...(tile?.thumbnail ?? issueSheet)} />
    </svg>
  );
}

const issueSheet: Shape = {
  part: "M22 8h76v64H22z",
  line: "M32 8v64M88 8v64M40 38h40M40 48h40M40 58h24",
  chalk: "M40 16h40v12H40z",
  ink: [16, 28, 40, 52, 64].map((y) => dot(27, y, 1.6) + dot(93, y, 1.6)).join(""),
};
