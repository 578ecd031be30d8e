import { html } from "hono/html";
import type { ReaderEvents } from "#backend/report/read-reader-events.ts";
import { leavingDays, type SendResult } from "#backend/report/read-send-results.ts";
import type { NamedVisits } from "#backend/report/read-visit-sums.ts";
import { timeZone } from "#content/site.ts";
import { contactSubjects } from "#contracts/contact-form.ts";
import { formatAge, torontoTime } from "../terminal/toronto-time.ts";
import type { Counted, OutboxHealth, Report } from "./collect-report.ts";
import { drawBars, drawRows } from "./draw-chart.ts";
import {
  amount,
  figureOf,
  type Markup,
  number,
  sectionOf,
  type Table,
  tableOf,
} from "./report-parts.ts";

const colours = {
  line: "var(--line)",
  pale: "var(--pale)",
  orange: "var(--orange)",
  grey: "var(--grey)",
  ink: "var(--second)",
};

/** Sends drawn; the table has all of them. */
const drawnSendsMax = 12;

export function readersSection({ readers, readersNow }: Report): Markup {
  const sum = (name: keyof ReaderEvents) =>
    readers.reduce((total, { values }) => total + values[name], 0);
  const isEmpty = readers.every(({ values }) => Object.values(values).every((one) => one === 0));
  const now = `${amount(readersNow.confirmed, "confirmed reader")} today, ${number(readersNow.unconfirmed)} waiting to confirm.`;
  if (isEmpty) {
    return sectionOf("Readers", `Nobody has joined or left in this time. ${now}`, null);
  }
  const parts = readers.flatMap(({ bucket: { start, end }, values }) => {
    const { joined, confirmed, left, bounced, complained } = values;
    const gone = left + bounced;
    return [
      { start, end, from: 0, to: joined, fill: colours.pale, inset: 0.2 },
      { start, end, from: 0, to: confirmed, fill: colours.line, inset: 0.7 },
      { start, end, from: 0, to: -left, fill: colours.ink, inset: 0.2 },
      { start, end, from: -left, to: -gone, fill: colours.grey, inset: 0.2 },
      { start, end, from: -gone, to: -gone - complained, fill: colours.orange, inset: 0.2 },
    ];
  });
  const chart = figureOf({
    caption: "Readers who came, and who went, by month",
    chart: drawBars(parts),
    keys: [
      [colours.pale, "joined"],
      [colours.line, "confirmed"],
      [colours.ink, "left"],
      [colours.grey, "bounced"],
      [colours.orange, "complained"],
    ],
    table: {
      caption: "Readers by month",
      columns: ["Month", "Joined", "Confirmed", "Left", "Bounced", "Complained"],
      rows: readers.map(({ bucket, values }) => [
        bucket.label,
        ...[values.joined, values.confirmed, values.left, values.bounced, values.complained].map(
          number,
        ),
      ]),
    },
  });
  const told = `${now} In this time ${number(sum("joined"))} joined and ${number(sum("confirmed"))} confirmed; ${number(sum("left"))} left, ${number(sum("bounced"))} bounced (their address took no mail) and ${number(sum("complained"))} complained (they called a mail spam). Who had everything erased is in none of these numbers.`;
  return sectionOf("Readers", told, chart);
}

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
  const content = html`<div>${figureOf({
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

export function messagesSection({ messages, heldNow }: Report): Markup {
  const total = ({ bySubject }: { bySubject: Map<string, number> }) =>
    [...bySubject.values()].reduce((sum, count) => sum + count, 0);
  const all = messages.reduce((sum, { values }) => sum + total(values), 0);
  const held =
    heldNow > 0
      ? ` ${amount(heldNow, "message waits", "messages wait")} for somebody to look, held as suspected spam: messages list --held.`
      : "";
  if (all === 0) {
    return sectionOf(
      "Messages",
      `Nobody has written through the contact form in this time.${held}`,
      null,
    );
  }
  const subjects = [...contactSubjects, { value: "", label: "No subject" }];
  const bySubject = subjects
    .map(({ value, label }) => ({
      label,
      count: messages.reduce((sum, { values }) => sum + (values.bySubject.get(value) ?? 0), 0),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
  const content = figureOf({
    caption: `Messages ${everyBucket(messages)}`,
    chart: drawBars(
      messages.flatMap(({ bucket: { start, end }, values }) => {
        const taken = total(values) - values.held;
        return [
          { start, end, from: 0, to: taken, fill: colours.line },
          { start, end, from: taken, to: total(values), fill: colours.orange },
        ];
      }),
    ),
    keys: [
      [colours.line, "messages"],
      [colours.orange, "held as suspected spam"],
    ],
    table: {
      caption: "Messages by subject",
      columns: ["From", ...subjects.map(({ label }) => label), "Of these held"],
      rows: messages
        .filter(({ values }) => total(values) > 0)
        .map(({ bucket, values }) => [
          bucket.label,
          ...subjects.map(({ value }) => number(values.bySubject.get(value) ?? 0)),
          number(values.held),
        ]),
    },
  });
  const told = `${amount(all, "message")} came through the contact form.${held} Messages are deleted two years after the last of the same address.`;
  const list = topList(
    "By subject",
    bySubject.map(({ label, count }) => ({ name: label, visits: count })),
  );
  return sectionOf("Messages", told, content, list);
}

export function visitsSection({ visits, top }: Report): Markup {
  const all = visits.reduce((sum, { values }) => sum + values, 0);
  if (all === 0 && top.event.length === 0) {
    return sectionOf(
      "Visits",
      "No visit has been counted in this time. Counting begins with the first visitor after the server has started; browsers that ask not to be tracked are left out.",
      null,
    );
  }
  const content = figureOf({
    caption: `Pages shown ${everyBucket(visits)}`,
    chart: drawBars(
      visits.map(({ bucket: { start, end }, values }) => ({
        ...{ start, end, from: 0, to: values },
        fill: colours.line,
      })),
    ),
    keys: [[colours.line, "pages and issues shown to people"]],
    table: {
      caption: "Pages shown",
      columns: ["From", "Pages"],
      rows: visits
        .filter(({ values }) => values > 0)
        .map(({ bucket, values }) => [bucket.label, number(values)]),
    },
  });
  const events = top.event.map(({ name, visits: count }) => `${name}: ${number(count)}`);
  const told = `${amount(all, "page")} shown.${events.length > 0 ? ` What came of them: ${events.join("; ")}.` : ""} Browsers that ask not to be tracked, programs, and pages that a cache on the way answered are not in it.`;
  const lists: [string, NamedVisits[]][] = [
    ["Pages", top.page],
    [
      "Issues",
      top.issue.map(({ name, visits: count }) => ({ name: issueName(name), visits: count })),
    ],
    ["Where they came from", top.referrer],
    ["Campaigns", top.campaign],
  ];
  return html`${sectionOf("Visits", told, content)}<div class="lists">${lists
    .filter(([, rows]) => rows.length > 0)
    .map(([caption, rows]) => topList(caption, rows))}</div>`;
}

function issueName(id: string): string {
  return /^\d+$/.test(id) ? `/newsletter/${id}` : id;
}

export function outboxSection({ outbox }: Report): Markup {
  const failed = outbox.reduce((sum, row) => sum + row.failed, 0);
  const waiting = outbox.reduce((sum, row) => sum + row.waiting, 0);
  if (failed + waiting === 0) {
    return sectionOf("Outbox", "Every mail and webhook call has arrived; nothing waits.", null);
  }
  const table: Table = {
    caption: "Mails and webhook calls that have not arrived",
    columns: ["What", "Waiting", "Failed", "Oldest waits since"],
    rows: outbox
      .filter((row) => row.waiting + row.failed > 0)
      .map((row: OutboxHealth) => [
        row.kind,
        number(row.waiting),
        number(row.failed),
        torontoTime(row.oldestAt) || "–",
      ]),
  };
  const told =
    failed > 0
      ? html`<span class="alarm">${amount(failed, "delivery has failed", "deliveries have failed")} for good: outbox list --failed tells why, outbox retry --all-failed sends again.</span>`
      : `${amount(waiting, "delivery waits", "deliveries wait")}; each is tried again with growing pauses.`;
  return sectionOf("Outbox", told, tableOf(table));
}

function topList(caption: string, rows: NamedVisits[]): Markup {
  const most = Math.max(...rows.map(({ visits }) => visits));
  return html`<table class="top"><caption>${caption}</caption><tbody>${rows.map(
    ({ name, visits }) =>
      html`<tr><th scope="row" style="--share:${Math.round((visits / most) * 100)}">${name}</th><td>${number(visits)}</td></tr>\n`,
  )}</tbody></table>`;
}

/** Whether the buckets are weeks or months. */
function everyBucket(counted: Counted<unknown>[]): string {
  return /\d{4}/.test(counted[0]?.bucket.label ?? "") ? "by month" : "by week";
}
