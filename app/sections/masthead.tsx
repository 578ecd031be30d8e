import type { ReactNode } from "react";
import { ChalkLine } from "../ui/chalk-line.tsx";
import { unbroken } from "../ui/unbroken.tsx";

type MastheadProps = {
  heading: string;
  lede?: string;
  /** Buttons and links under the lede. */
  children?: ReactNode;
};

/** The head of an inner page: its one h1, the line under it, and what the page is about in a sentence or two. */
export function Masthead({ heading, lede, children }: MastheadProps) {
  return (
    <div className="wrap pt-[clamp(40px,6vw,76px)]">
      <h1 className="max-w-[52rem]">{heading}</h1>
      <ChalkLine snap />
      {lede && <p className="lede mt-5 max-w-[58ch]">{unbroken(lede)}</p>}
      {children && (
        <div className="mt-7 flex flex-wrap items-center gap-x-6 gap-y-4">{children}</div>
      )}
    </div>
  );
}
