import { type TradeId, tradeExamples, trades } from "#content/trades.ts";
import type { Worksheet } from "#content/worksheet.ts";

const item = "trade";
/** Where the browser keeps nothing, the choice lasts as long as the page. */
let onThisPage: TradeId | null = null;
const listeners = new Set<() => void>();

/** The trade that a visitor chose in this tab's session; null before that. */
export function readTrade(): TradeId | null {
  let kept: string | null = onThisPage;
  try {
    kept = sessionStorage.getItem(item) ?? kept;
  } catch {}
  return trades.find(({ id }) => id === kept)?.id ?? null;
}

export function writeTrade(id: string): void {
  onThisPage = trades.find((trade) => trade.id === id)?.id ?? null;
  try {
    sessionStorage.setItem(item, id);
  } catch {}
  for (const read of listeners) read();
}

/** Reads the choice now, at each change, and when the page comes back from the browser's memory, until the end is called. */
export function followTrade(read: () => void): () => void {
  read();
  listeners.add(read);
  addEventListener("pageshow", read);
  return () => {
    listeners.delete(read);
    removeEventListener("pageshow", read);
  };
}

/** The worksheet with a trade's example numbers, and its name where it has some of its own. */
export function inTrade(sheet: Worksheet, id: TradeId | null): Worksheet & { trade?: string } {
  const trade = trades.find((each) => each.id === id);
  const examples = trade && trade.id !== "trades" ? tradeExamples[trade.id][sheet.id] : undefined;
  if (!trade || !examples) return sheet;
  const left = [...examples];
  const lines = sheet.lines.map((line) => ({
    ...line,
    factors: line.factors.map((factor) => ({ ...factor, value: left.shift() ?? factor.value })),
  }));
  return { ...sheet, lines, trade: trade.label };
}
