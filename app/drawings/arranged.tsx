import type { ReactNode } from "react";
import "./arranged.css";

/**
 * One drawing in two arrangements: what stands side by side on a wide sheet stands one below the other on a phone's. Only
 * one of them is there at a time, for eyes and for screen readers.
 */
export function Arranged({ wide, narrow }: { wide: ReactNode; narrow: ReactNode }) {
  return (
    <div className="arranged">
      <div>{wide}</div>
      <div>{narrow}</div>
    </div>
  );
}
