import { html, raw } from "hono/html";
import { languageTag } from "#content/site-language.ts";
import { contactSubjects } from "#contracts/contact-message.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { amount, formatAge, number, torontoTime } from "../terminal.ts";
import {
  leavingDays,
  type NamedVisits,
  type Report,
  type ReportPeriod,
  type SendResult,
} from "./report-data.ts";
import { reportStyles } from "./report-styles.ts";

type Markup = ReturnType<typeof html>;

const colours = {
  line: "var(--line)",
  pale: "var(--pale)",
  orange: "var(--orange)",
  grey: "var(--grey)",
  ink: "var(--second)",
};

/** The report as one HTML document with everything in it: styles, fonts, bars, and no script. */
export function reportPage({
  report,
  period,
  site,
}: {
  report: Report;
  period: ReportPeriod;
  site: SiteIdentity;
}): string {
  return String(html`<!doctype html>
<html lang="${languageTag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<title>Report: ${period.label} | ${site.name}</title>
<style>${raw(reportStyles())}</style>
</head>
<body>
<div class="page">
<header class="head">
<div><h1>What the site did</h1><p>${period.label}, in Toronto’s days</p></div>
<dl class="entries">
<div><dt>Firm</dt><dd>${site.name}</dd></div>
<div><dt>Site</dt><dd>${new URL(site.url).host}</dd></div>
<div><dt>Drawn</dt><dd>${period.today}</dd></div>
</dl>
</header>
<main>
${tiles(report, period)}
${readersSection(report)}
${sendsSection(report)}
${messagesSection(report)}
${visitsSection(report)}
${outboxSection(report)}
</main>
<footer><p>Sums only: nobody’s name, address or words are on this page.</p></footer>
</div>
</body>
</html>
`);
}

/** This month so far, beside the month before. */
function tiles(report: Report, { months }: ReportPeriod): Markup {
  const monthBefore = months.at(-2)?.label.split(" ")[0];
  const month = months.at(-1)?.label.split(" ")[0] ?? "";
  const tile = (name: string, counts: number[]): [string, number, string] => [
    `${name} in ${month}`,
    counts.at(-1) ?? 0,
    monthBefore ? `${number(counts.at(-2) ?? 0)} in ${monthBefore}` : "",
  ];
  const failed = sumOf(report.outbox, (row) => row.failed);
  const shown: [string, number, string][] = [
    ["Confirmed readers", report.readersNow.confirmed, "today"],
    tile(
      "Confirmed",
      report.readers.map(({ values }) => values.confirmed),
    ),
    tile("Messages", report.messagesByMonth),
    tile("Pages shown", report.visitsByMonth),
    ["Failed deliveries", failed, failed > 0 ? "need a look" : "nothing to do"],
  ];
  return html`<dl class="tiles">${shown.map(
    ([name, value, beside]) =>
      html`<div><dt>${name}</dt><dd>${number(value)}<small>${beside}</small></dd></div>\n`,
  )}</dl>`;
}

function readersSection({ readers, readersNow }: Report): Markup {
  const names = ["joined", "confirmed", "left", "bounced", "complained"] as const;
  const [joined = 0, confirmed = 0, left = 0, bounced = 0, complained = 0] = names.map((name) =>
    sumOf(readers, ({ values }) => values[name]),
  );
  const now = `${amount(readersNow.confirmed, "confirmed reader")} today, ${number(readersNow.unconfirmed)} waiting to confirm.`;
  if (joined + confirmed + left + bounced + complained === 0) {
    return sectionOf("Readers", `Nobody has joined or left in this time. ${now}`);
  }
  const told = `${now} In this time ${number(joined)} joined and ${number(confirmed)} confirmed; ${number(left)} left, ${number(bounced)} bounced (their address took no mail) and ${number(complained)} complained (they called a mail spam). Who had everything erased is in none of these numbers.`;
  const table = tableOf({
    caption: "Readers by month",
    columns: ["Month", "Joined", "Confirmed", "Left", "Bounced", "Complained"],
    colours: [colours.pale, colours.line, colours.ink, colours.grey, colours.orange],
    rows: readers.map(({ bucket, values }) => ({
      name: bucket.label,
      bar: names.map((name) => values[name]),
    })),
  });
  return sectionOf("Readers", told, table);
}

function sendsSection({ sends }: Report): Markup {
  if (sends.length === 0) {
    const none = "No issue went out in this time: issues send ID does it.";
    return sectionOf("Issues sent", none);
  }
  const of = ({ readers }: SendResult, ...states: (keyof SendResult["readers"])[]) =>
    sumOf(states, (state) => readers[state] ?? 0);
  const accepted = sumOf(sends, (send) => of(send, "accepted"));
  const told = `${amount(sends.length, "issue")} went out, and mail servers accepted ${amount(accepted, "mail")}. Accepted means that the receiving server took it; nothing tells whether it was opened. Bounced, complained and left are those of the ${leavingDays} days after it began, or until the next one did; bounced is in refused too where the receiving server said so at once.`;
  const table = tableOf({
    caption: "Each issue that went out",
    className: "titled",
    columns: [
      ...["Issue", "Accepted", "Open", "Refused", "Withdrawn"],
      ...["Begun", "Took", "Bounced", "Complained", "Left"],
    ],
    colours: [colours.line, colours.pale, colours.orange, colours.grey],
    rows: sends.map((send) => ({
      name: send.title,
      bar: [
        of(send, "accepted"),
        of(send, "waiting", "handed_over", "deferred"),
        of(send, "refused"),
        of(send, "withdrawn"),
      ],
      cells: [
        torontoTime(send.begunAt),
        took(send),
        ...[send.after.bounced, send.after.complained, send.after.left].map(number),
      ],
    })),
  });
  return sectionOf("Issues sent", told, table);
}

function took({ begunAt, endedAt, state }: SendResult): string {
  if (endedAt === null) return state === "paused" ? "paused" : "under way";
  const length = formatAge(Date.parse(endedAt) - Date.parse(begunAt));
  return state === "cancelled" ? `${length}, cancelled` : length;
}

function messagesSection({ messages, heldNow }: Report): Markup {
  const total = ({ bySubject }: { bySubject: Map<string, number> }) =>
    sumOf([...bySubject.values()], (count) => count);
  const all = sumOf(messages, ({ values }) => total(values));
  const held =
    heldNow > 0
      ? ` ${amount(heldNow, "message waits", "messages wait")} for somebody to look, held as suspected spam: messages list --held.`
      : "";
  if (all === 0) {
    const none = `Nobody has written through the contact form in this time.${held}`;
    return sectionOf("Messages", none);
  }
  const bySubject = [...contactSubjects, { value: "", label: "No subject" }]
    .map(({ value, label }) => ({
      name: label,
      visits: sumOf(messages, ({ values }) => values.bySubject.get(value) ?? 0),
    }))
    .filter(({ visits }) => visits > 0)
    .sort((one, other) => other.visits - one.visits);
  const table = tableOf({
    caption: "Messages received",
    columns: ["From", "Messages", "Held as suspected spam"],
    colours: [colours.line, colours.orange],
    rows: messages
      .filter(({ values }) => total(values) > 0)
      .map(({ bucket, values }) => ({
        name: bucket.label,
        bar: [total(values) - values.held, values.held],
      })),
  });
  const told = `${amount(all, "message")} came through the contact form.${held} Messages are deleted two years after the last of the same address.`;
  return sectionOf("Messages", told, table, topList("By subject", bySubject));
}

function visitsSection({ visits, top }: Report): Markup {
  const all = sumOf(visits, ({ values }) => values);
  if (all === 0 && top.event.length === 0) {
    const none =
      "No visit has been counted in this time. Counting begins with the first visitor after the server has started; browsers that ask not to be tracked are left out.";
    return sectionOf("Visits", none);
  }
  const table = tableOf({
    caption: "Pages shown",
    columns: ["From", "Pages"],
    colours: [colours.line],
    rows: visits
      .filter(({ values }) => values > 0)
      .map(({ bucket, values }) => ({ name: bucket.label, bar: [values] })),
  });
  const events = top.event.map(({ name, visits: count }) => `${name}: ${number(count)}`);
  const told = `${amount(all, "page")} shown.${events.length > 0 ? ` What came of them: ${events.join("; ")}.` : ""} Browsers that ask not to be tracked, programs, and pages that a cache on the way answered are not in it.`;
  const issues = top.issue.map(({ name, visits: count }) => ({
    name: /^\d+$/.test(name) ? `/newsletter/${name}` : name,
    visits: count,
  }));
  const lists: [string, NamedVisits[]][] = [
    ["Pages", top.page],
    ["Issues", issues],
    ["Where they came from", top.referrer],
    ["Campaigns", top.campaign],
  ];
  return html`${sectionOf("Visits", told, table)}<div class="lists">${lists
    .filter(([, rows]) => rows.length > 0)
    .map(([caption, rows]) => topList(caption, rows))}</div>`;
}

function outboxSection({ outbox }: Report): Markup {
  const failed = sumOf(outbox, (row) => row.failed);
  const waiting = sumOf(outbox, (row) => row.waiting);
  if (failed + waiting === 0) {
    return sectionOf("Outbox", "Every mail and webhook call has arrived; nothing waits.");
  }
  const table = tableOf({
    caption: "Mails and webhook calls that have not arrived",
    columns: ["What", "Waiting", "Failed", "Oldest waits since"],
    colours: [colours.pale, colours.orange],
    rows: outbox
      .filter((row) => row.waiting + row.failed > 0)
      .map((row) => ({
        name: row.kind,
        bar: [row.waiting, row.failed],
        cells: [torontoTime(row.oldestAt) || "–"],
      })),
  });
  const told =
    failed > 0
      ? html`<span class="alarm">${amount(failed, "delivery has failed", "deliveries have failed")} for good: outbox list --failed tells why, outbox retry --all-failed sends again.</span>`
      : `${amount(waiting, "delivery waits", "deliveries wait")}; each is tried again with growing pauses.`;
  return sectionOf("Outbox", told, table);
}

/** A section of the sheet; without numbers it says in a sentence why. */
function sectionOf(
  heading: string,
  told: Markup | string,
  content?: Markup,
  beside?: Markup,
): Markup {
  const id = heading.toLowerCase().replaceAll(" ", "-");
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<div class="part${content ? "" : " whole"}">${content ?? ""}<div><p class="told">${told}</p>${beside ?? ""}</div></div>
</section>`;
}

type Table = {
  caption: string;
  className?: string;
  columns: string[];
  /** Of the columns after the first: those of the bar's parts. */
  colours: string[];
  rows: {
    name: string;
    /** Numbers that are shown as a bar under the name too, one part each. */
    bar: number[];
    cells?: string[];
  }[];
};

/** A table whose rows are bars as well, as long as the row's numbers are in the longest one. */
function tableOf({ caption, className = "", columns, colours: keys, rows }: Table): Markup {
  const most = Math.max(1, ...rows.map(({ bar }) => sumOf(bar, (part) => part)));
  const heading = (column: string, at: number) =>
    html`<th scope="col">${keys[at - 1] ? html`<span class="key" style="--key:${keys[at - 1] ?? ""}"></span>` : ""}${column}</th>`;
  const parts = (bar: number[]) =>
    bar.map((part, at) =>
      part > 0
        ? html`<span style="--key:${keys[at] ?? ""};--share:${((part / most) * 100).toFixed(1)}"></span>`
        : "",
    );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table class="${className}"><caption>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map(
    ({ name, bar, cells = [] }) =>
      html`<tr><th scope="row">${name}<span class="bar">${parts(bar)}</span></th>${[...bar.map(number), ...cells].map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>`;
}

function topList(caption: string, rows: NamedVisits[]): Markup {
  const most = Math.max(...rows.map(({ visits }) => visits));
  return html`<table class="top"><caption>${caption}</caption><tbody>${rows.map(
    ({ name, visits }) =>
      html`<tr><th scope="row" style="--share:${Math.round((visits / most) * 100)}">${name}</th><td>${number(visits)}</td></tr>\n`,
  )}</tbody></table>`;
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}
