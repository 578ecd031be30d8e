import type { ReactNode } from "react";
import { ChalkLine } from "../ui/chalk-line.tsx";
import { unbroken } from "../ui/unbroken.tsx";

type MastheadProps = {
  heading: string;
  lede?: string;
  /** Below the lede. */
  children?: ReactNode;
};

/** The head of an inner page: h1, chalk line and lede. */
export function Masthead({ heading, lede, children }: MastheadProps) {
  return (
    <div className="wrap masthead">
      <h1>{heading}</h1>
      <ChalkLine snap />
      {lede && <p className="lede">{unbroken(lede)}</p>}
      {children}
    </div>
  );
}
