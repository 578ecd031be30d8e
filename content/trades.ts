import type { BroughtSumId } from "./worksheet.ts";

/** The three that the site speaks to. A visitor's choice among them is kept in the browser tab (app/objects/trade.ts). */
export const trades = [
  { id: "trades", label: "Trades" },
  { id: "real-estate", label: "Real Estate" },
  { id: "home-improvement", label: "Home Improvement" },
] as const;

export type TradeId = (typeof trades)[number]["id"];

/**
 * The worksheets' example numbers in another trade, in the order of their fields; where there are none, the worksheet's
 * own stand.
 */
export const tradeExamples: Record<
  Exclude<TradeId, "trades">,
  Partial<Record<BroughtSumId, readonly number[]>>
> = {
  "real-estate": {
    leads: [6, 30, 9000, 5, 1, 60],
    "content-creation": [14, 1, 12, 9000, 3, 15, 46, 80],
    "social-media": [4, 30, 48, 80, 24, 20, 9000],
    "client-management": [18, 2, 9, 600, 10, 8, 46, 80],
    "email-management": [120, 40, 230, 60, 6, 6, 9000],
  },
  "home-improvement": {
    leads: [6, 6, 1500, 5, 1, 70],
    "content-creation": [12, 1, 8, 18_000, 3, 20, 46, 90],
    "social-media": [3, 40, 48, 90, 18, 6, 2500],
    "client-management": [9, 6, 4, 1200, 8, 15, 46, 90],
    "email-management": [70, 45, 230, 70, 10, 4, 2500],
  },
};
