import { html } from "hono/html";
import { contactSubjects } from "#contracts/contact-form.ts";
import { amount, number, torontoTime } from "../terminal.ts";
import type { Counted, Report } from "./collect-report.ts";
import type { ReaderEvents } from "./data/read-reader-events.ts";
import type { NamedVisits } from "./data/read-visit-sums.ts";
import { drawBars } from "./draw-chart.ts";
import {
  captionedChart,
  colours,
  type Markup,
  sectionOf,
  type Table,
  tableOf,
} from "./report-parts.ts";

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
  const chart = captionedChart({
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
  const content = captionedChart({
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
  const content = captionedChart({
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
      .map((row) => [
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
