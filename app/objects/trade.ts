import { type TradeId, tradeExamples, trades } from "#content/trades.ts";
import type { Worksheet } from "#content/worksheet.ts";

const item = "trade";
/** Where the browser keeps nothing, the choice lasts as long as the page. */
let onThisPage: TradeId | null = null;

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
}

/** The worksheet with the example numbers of the chosen trade. */
export function inChosenTrade(sheet: Worksheet): Worksheet {
  const trade = readTrade();
  const examples = trade && trade !== "trades" ? tradeExamples[trade][sheet.id] : undefined;
  if (!examples) return sheet;
  const left = [...examples];
  const lines = sheet.lines.map((line) => ({
    ...line,
    factors: line.factors.map((factor) => ({ ...factor, value: left.shift() ?? factor.value })),
  }));
  return { ...sheet, lines };
}
