import { useEffect, useState } from "react";
import { worksheetWords, writtenPrice } from "#content/worksheet.ts";
import { Link } from "../ui/link.tsx";
import { pathWithSum, readNumber, writeDollars } from "./calculation-sheet.tsx";

/**
 * The audit's price, for the client to write in; until then an illegible scribble. The page's own stylesheet styles it.
 */
export function WrittenPrice({ label }: { label: string }) {
  const { amount, bring } = writtenPrice;
  const [isLive, setIsLive] = useState(false);
  const [text, setText] = useState("");
  useEffect(() => setIsLive(true), []);
  const number = readNumber(text);
  const dollars = number === null ? null : Math.round(number);
  return (
    <>
      <p className="written-price">
        <b>{label}</b>
        <span className="written-amount">
          <Handwriting isWritten={text !== ""} />
          {isLive && (
            <input
              type="text"
              inputMode="decimal"
              autoComplete="off"
              aria-label={amount}
              aria-invalid={(text !== "" && dollars === null) || undefined}
              maxLength={13}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </span>
      </p>
      <p className="written-bring">
        <Link to={pathWithSum("audit", dollars)}>
          {dollars === null ? bring : worksheetWords.bring(writeDollars(dollars))}
        </Link>
      </p>
    </>
  );
}

/** A dollar sign, with the scribble until a figure is written. */
function Handwriting({ isWritten }: { isWritten: boolean }) {
  return (
    <svg viewBox="0 0 170 48" aria-hidden="true">
      <path
        d={`M20 10c-8 2-10 9-3 11s12 5 7 10-16 3-16 3M15 4v36${isWritten ? "" : "M44 30c10-2 17-12 27-7s-2 14 12 9 15-14 27-12 8 12 22 7 10-4 16-4"}`}
        fill="none"
        stroke="var(--color-chalk)"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      {!isWritten && <path d="M2 45h166" stroke="var(--color-chalk)" strokeWidth="2" />}
    </svg>
  );
}
