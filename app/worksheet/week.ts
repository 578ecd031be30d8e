import { useLayoutEffect, useState } from "react";
import type { BroughtSumId } from "#content/worksheet.ts";
import { yourWeek } from "#content/your-week.ts";

/** What a visitor wrote on the worksheets, in this tab's session alone; where the browser refuses that, on this page alone. */
export type Week = { firm: string; sums: Partial<Record<BroughtSumId, WrittenSum>> };

export type WrittenSum = {
  /** The fields as the visitor wrote them. */
  texts: readonly string[];
  /** A year. */
  dollars: number;
  /** A week. */
  hours: number;
};

const item = "your-week";
export const emptyWeek: Week = { firm: "", sums: {} };
let onThisPage = emptyWeek;
const listeners = new Set<() => void>();

export function keepsWeek(): boolean {
  try {
    return Boolean(sessionStorage);
  } catch {
    return false;
  }
}

export function readWeek(): Week {
  if (!keepsWeek()) return onThisPage;
  return { ...emptyWeek, ...JSON.parse(sessionStorage.getItem(item) ?? "{}") };
}

export function writeWeek(week: Week): void {
  onThisPage = week;
  const isEmpty = !week.firm && Object.keys(week.sums).length === 0;
  if (keepsWeek()) {
    // app/alive/first-hand.js goes by whether there is one.
    if (isEmpty) sessionStorage.removeItem(item);
    else sessionStorage.setItem(item, JSON.stringify(week));
  }
  for (const read of listeners) read();
}

/** Null takes the line off the sheet. */
export function writeSum(id: BroughtSumId, sum: WrittenSum | null): void {
  const { firm, sums } = readWeek();
  const { [id]: _, ...others } = sums;
  writeWeek({ firm, sums: sum ? { ...others, [id]: sum } : others });
}

/** Empty on the server, and in the first moment of the page. */
export function useWeek(): Week {
  const [week, setWeek] = useState(emptyWeek);
  useLayoutEffect(() => {
    const read = () => setWeek(readWeek());
    read();
    listeners.add(read);
    // A page that comes back from the browser's memory missed what changed since.
    addEventListener("pageshow", read);
    return () => {
      listeners.delete(read);
      removeEventListener("pageshow", read);
    };
  }, []);
  return week;
}

/** `$46,500 a year, 11 h a week`; without hours where there are none. */
export function amountOf(sums: readonly Pick<WrittenSum, "dollars" | "hours">[]): string {
  const total = (unit: "dollars" | "hours") => sums.reduce((sum, each) => sum + each[unit], 0);
  const hours = total("hours");
  const money = yourWeek.aYear(`$${total("dollars").toLocaleString("en-US")}`);
  if (hours === 0) return money;
  const digits = { maximumFractionDigits: hours < 1 ? 1 : 0 };
  return `${money}, ${yourWeek.aWeek(hours.toLocaleString("en-US", digits))}`;
}
