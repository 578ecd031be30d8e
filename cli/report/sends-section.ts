import { html } from "hono/html";
import { timeZone } from "#content/site.ts";
import { amount, formatAge, number, torontoTime } from "../terminal.ts";
import type { Report } from "./collect-report.ts";
import { leavingDays, type SendResult } from "./data/read-send-results.ts";
import { drawRows } from "./draw-chart.ts";
import {
  captionedChart,
  colours,
  type Markup,
  sectionOf,
  type Table,
  tableOf,
} from "./report-parts.ts";

/** Sends drawn; the table has all of them. */
const drawnSendsMax = 12;

export function sendsSection({ sends }: Report): Markup {
  if (sends.length === 0) {
    return sectionOf(
      "Issues sent",
      "No issue went out in this time: issues send ID does it.",
      null,
    );
  }
  const drawn = sends.slice(0, drawnSendsMax);
  const labels = dayLabels(drawn);
  const content = html`<div>${captionedChart({
    caption: "Readers of each issue, by what became of their mail",
    chart: drawRows(
      drawn.map((send, at) => ({
        label: labels[at] ?? "",
        parts: laidOut(send),
      })),
    ),
    keys: [
      [colours.line, "accepted"],
      [colours.pale, "waiting or put off"],
      [colours.orange, "refused"],
      [colours.grey, "withdrawn"],
    ],
    table: {
      caption: "Readers by what became of their mail",
      columns: ["Issue", "Accepted", "Deferred", "Refused", "Withdrawn", "Open"],
      rows: sends.map((send) => [
        send.title,
        ...[
          of(send, "accepted"),
          of(send, "deferred"),
          of(send, "refused"),
          of(send, "withdrawn"),
          of(send, "waiting") + of(send, "handed_over"),
        ].map(number),
      ]),
    },
  })}</div>`;
  const accepted = sends.reduce((sum, send) => sum + of(send, "accepted"), 0);
  const told = `${amount(sends.length, "issue")} went out, and mail servers accepted ${amount(accepted, "mail")}. Accepted means that the receiving server took it; nothing tells whether it was opened. Bounced, complained and left are those of the ${leavingDays} days after it began, or until the next one did; bounced is in refused too where the receiving server said so at once.`;
  const table: Table = {
    caption: "Each issue that went out",
    className: "titled",
    columns: ["Issue", "Begun", "Took", "Accepted", "Refused", "Bounced", "Complained", "Left"],
    rows: sends.map((send) => [
      send.title,
      torontoTime(send.begunAt),
      took(send),
      number(of(send, "accepted")),
      number(of(send, "refused")),
      ...[send.after.bounced, send.after.complained, send.after.left].map(number),
    ]),
  };
  return html`${sectionOf("Issues sent", told, content)}${tableOf(table)}`;
}

/** `Nov 16`, and `Nov 16 (2)` for the next one of that day: rows of one label would be drawn over each other. */
function dayLabels(latestFirst: readonly SendResult[]): string[] {
  const seen = new Map<string, number>();
  return latestFirst
    .toReversed()
    .map(({ begunAt }) => {
      const day = shortDay(begunAt);
      const count = (seen.get(day) ?? 0) + 1;
      seen.set(day, count);
      return count === 1 ? day : `${day} (${count})`;
    })
    .toReversed();
}

/** `Nov 16`. */
function shortDay(moment: string): string {
  return new Date(moment).toLocaleDateString("en-US", { timeZone, month: "short", day: "numeric" });
}

function of({ readers }: SendResult, state: keyof SendResult["readers"]): number {
  return readers[state] ?? 0;
}

function laidOut(send: SendResult) {
  const open = of(send, "waiting") + of(send, "handed_over") + of(send, "deferred");
  let from = 0;
  const lengths: [number, string][] = [
    [of(send, "accepted"), colours.line],
    [open, colours.pale],
    [of(send, "refused"), colours.orange],
    [of(send, "withdrawn"), colours.grey],
  ];
  return lengths.map(([length, fill]) => {
    const part = { from, to: from + length, fill };
    from += length;
    return part;
  });
}

function took({ begunAt, endedAt, state }: SendResult): string {
  if (endedAt === null) return state === "paused" ? "paused" : "under way";
  const length = formatAge(Date.parse(endedAt) - Date.parse(begunAt));
  return state === "cancelled" ? `${length}, cancelled` : length;
}
