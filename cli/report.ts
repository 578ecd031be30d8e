import { html, raw } from "hono/html";
import { languageTag } from "#content/site.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { siteSettings } from "#server/settings.ts";
import type { CommandContext } from "./command-context.ts";
import { countUpTo } from "./option-values.ts";
import {
  aftermathDays,
  collectReport,
  inWords,
  type NamedCount,
  type Report,
  type ReportPeriod,
  reportPeriod,
  type SendResult,
  subscriberEvents,
} from "./report-data.ts";
import { type CommandResult, type Run, siteCommand } from "./site-command.ts";
import { amount, formatAge, number, torontoDate, torontoTime } from "./terminal.ts";
import { refuseUnusable, writeNewFile } from "./text-files.ts";

const details = `One page that opens in any browser and needs nothing else: subscribers over time, each issue
that went out, messages by subject, visits, and what waits in the outbox; by months, or by weeks
where there are three months or fewer. It contains sums and no personal information.

What was erased or has been deleted by age is in none of the sums.`;

type ReportOptions = { out?: string; months: number; force?: boolean };

export function reportCommand(run: Run) {
  return siteCommand("report", {
    summary: "Write what has happened as one page to read or print",
    details,
    examples: [
      ["report", "Write report-2026-11-22.html, or whatever today is, of the last twelve months"],
      ["report --months 3 --out autumn.html", "Of three months, into another file"],
    ],
  })
    .option("--out <file>", "the file to write (default: report-DATE.html)")
    .option("--months <n>", "how many months, this one among them", countUpTo(240), 12)
    .option("--force", "replace a file that is there")
    .action(run(writeReport));
}

async function writeReport(
  context: CommandContext,
  options: ReportOptions,
): Promise<CommandResult> {
  const file = options.out ?? `report-${torontoDate(context.now())}.html`;
  const target = context.resolvePath(file);
  // Before the work, so that nobody waits for a refusal.
  await refuseUnusable(target, options);
  const period = reportPeriod(context.now(), options.months);
  const { config } = context.readSettings();
  const report = await context.withStore(({ db }) => collectReport(db, period));
  const page = reportPage(report, period, siteSettings(config));
  await writeNewFile(target, [page], options);
  return {
    json: { file, months: options.months, bytes: Buffer.byteLength(page) },
    text: `Wrote ${file}: ${period.whole.label}. Open it in any browser; it needs nothing else.`,
  };
}

// ─── The page ───

type Markup = ReturnType<typeof html>;

function reportPage(report: Report, { months, whole }: ReportPeriod, site: SiteIdentity): string {
  const today = inWords(whole.endDay.subtract({ days: 1 }), {
    ...{ month: "long", day: "numeric", year: "numeric" },
  });
  return String(html`<!doctype html>
<html lang="${languageTag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Report: ${whole.label} | ${site.name}</title>
<style>${raw(styles)}</style>
</head>
<body>
<header>
<h1>What the site did</h1>
<p>${whole.label}, in Toronto’s days. ${site.name}, ${new URL(site.url).host}, ${today}.</p>
</header>
<main>
${latest(report, months)}
${subscribersSection(report)}
${sendsSection(report)}
${messagesSection(report)}
${visitsSection(report)}
${outboxSection(report)}
</main>
<footer><p>Sums only: nobody’s name, address or words are on this page.</p></footer>
</body>
</html>
`);
}

/** This month so far, beside the month before. */
function latest(
  { now, subscribers, latestMonths, outbox }: Report,
  months: ReportPeriod["months"],
) {
  const [month = "", monthBefore] = [months.at(-1), months.at(-2)].map(
    (bucket) => bucket?.label.split(" ")[0],
  );
  const failed = sumOf(outbox, (row) => row.failed);
  const monthly = (name: string, counts: number[]): [string, number, string] => [
    `${name} in ${month}`,
    counts.at(-1) ?? 0,
    monthBefore ? `${number(counts.at(-2) ?? 0)} in ${monthBefore}` : "",
  ];
  const tiles: [string, number, string][] = [
    ["Confirmed subscribers", now.confirmed, "today"],
    monthly(
      "Confirmed",
      subscribers.map(({ confirmed }) => confirmed),
    ),
    monthly(
      "Messages",
      latestMonths.map(({ messages }) => messages),
    ),
    monthly(
      "Pages shown",
      latestMonths.map(({ visits }) => visits),
    ),
    ["Failed deliveries", failed, failed > 0 ? "need a look" : "nothing to do"],
  ];
  return html`<dl>${tiles.map(
    ([name, value, beside]) =>
      html`<div><dt>${name}</dt><dd>${number(value)} <small>${beside}</small></dd></div>\n`,
  )}</dl>`;
}

function subscribersSection({ subscribers, now }: Report): Markup {
  const sums = subscriberEvents.map((event) => sumOf(subscribers, (month) => month[event]));
  const today = `${amount(now.confirmed, "confirmed subscriber")} today, ${number(now.unconfirmed)} waiting to confirm.`;
  if (sums.every((sum) => sum === 0)) {
    return section("Subscribers", `Nobody has joined or left in this time. ${today}`);
  }
  const [joined, confirmed, left, bounced, complained] = sums.map(number);
  return section(
    "Subscribers",
    `${today} In this time ${joined} joined and ${confirmed} confirmed; ${left} left, ${bounced} bounced (their address took no mail) and ${complained} complained (they called a mail spam). Who had everything erased is in none of these numbers.`,
    table({
      caption: "Subscribers by month",
      columns: ["Month", "Joined", "Confirmed", "Left", "Bounced", "Complained"],
      colours: ["pale", "line", "second", "grey", "orange"],
      rows: subscribers.map((month) => ({
        name: month.label,
        bar: subscriberEvents.map((event) => month[event]),
      })),
    }),
  );
}

function sendsSection({ sends }: Report): Markup {
  if (sends.length === 0) {
    return section("Issues sent", "No issue went out in this time: issues send ID does it.");
  }
  const accepted = sumOf(sends, ({ recipients }) => recipients.accepted ?? 0);
  return section(
    "Issues sent",
    `${amount(sends.length, "issue")} went out, and mail servers accepted ${amount(accepted, "mail")}. Accepted means that the receiving server took it; nothing tells whether it was opened. Bounced, complained and left are those of the ${aftermathDays} days after it began, or until the next one did; bounced is in refused too where the receiving server said so at once.`,
    table({
      caption: "Each issue that went out",
      columns: [
        ...["Issue", "Accepted", "Open", "Refused", "Withdrawn"],
        ...["Begun", "Took", "Bounced", "Complained", "Left"],
      ],
      colours: ["line", "pale", "orange", "grey"],
      rows: sends.map(({ recipients, after, ...send }) => {
        const { accepted = 0, waiting = 0, handed_over = 0, deferred = 0 } = recipients;
        const { refused = 0, withdrawn = 0 } = recipients;
        return {
          name: send.title,
          bar: [accepted, waiting + handed_over + deferred, refused, withdrawn],
          cells: [
            ...[torontoTime(send.begunAt), took(send)],
            ...[after.bounced, after.complained, after.left].map(number),
          ],
        };
      }),
    }),
  );
}

function took({ begunAt, endedAt, state }: Pick<SendResult, "begunAt" | "endedAt" | "state">) {
  if (endedAt === null) return state === "paused" ? "paused" : "under way";
  const length = formatAge(Date.parse(endedAt) - Date.parse(begunAt));
  return state === "cancelled" ? `${length}, cancelled` : length;
}

function messagesSection({ activity, subjects, now }: Report): Markup {
  const all = sumOf(activity, ({ messages }) => messages);
  const toCheck =
    now.quarantinedMessages > 0
      ? ` ${amount(now.quarantinedMessages, "message waits", "messages wait")} for somebody to look, held as suspected spam: messages list --held.`
      : "";
  if (all === 0) {
    const none = `Nobody has written through the contact form in this time.${toCheck}`;
    return section("Messages", none);
  }
  return section(
    "Messages",
    `${amount(all, "message")} came through the contact form.${toCheck} Messages are deleted two years after the last of the same address.`,
    table({
      caption: "Messages received",
      columns: ["From", "Messages", "Held as suspected spam"],
      colours: ["line", "orange"],
      rows: activity
        .filter(({ messages }) => messages > 0)
        .map(({ label, messages, quarantined }) => ({
          name: label,
          bar: [messages - quarantined, quarantined],
        })),
    }),
    listOf("By subject", subjects),
  );
}

function visitsSection({ activity, events, ...report }: Report): Markup {
  const all = sumOf(activity, ({ visits }) => visits);
  if (all === 0 && events.length === 0) {
    const none =
      "No visit has been counted in this time. Counting begins with the first visitor after the server has started; browsers that ask not to be tracked are left out.";
    return section("Visits", none);
  }
  const actions = events.map(({ name, count }) => `${name}: ${number(count)}`).join("; ");
  const issues = report.issues.map(({ name, count }) => ({
    name: /^\d+$/.test(name) ? `/newsletter/${name}` : name,
    count,
  }));
  return section(
    "Visits",
    `${amount(all, "page")} shown.${actions && ` What came of them: ${actions}.`} Browsers that ask not to be tracked, programs, and pages that a cache on the way answered are not in it.`,
    table({
      caption: "Pages shown",
      columns: ["From", "Pages"],
      colours: ["line"],
      rows: activity
        .filter(({ visits }) => visits > 0)
        .map(({ label, visits }) => ({ name: label, bar: [visits] })),
    }),
    listOf("Pages", report.pages),
    listOf("Issues", issues),
    listOf("Where they came from", report.referrers),
    listOf("Campaigns", report.campaigns),
  );
}

function outboxSection({ outbox }: Report): Markup {
  const rows = outbox.filter(({ waiting, failed }) => waiting + failed > 0);
  if (rows.length === 0) {
    return section("Outbox", "Every mail and webhook call has arrived; nothing waits.");
  }
  const failed = sumOf(rows, (row) => row.failed);
  const waiting = sumOf(rows, (row) => row.waiting);
  return section(
    "Outbox",
    failed > 0
      ? html`<strong>${amount(failed, "delivery has failed", "deliveries have failed")}</strong> for good: outbox list --failed tells why, outbox retry --all-failed sends again.`
      : `${amount(waiting, "delivery waits", "deliveries wait")}; each is tried again with growing pauses.`,
    table({
      caption: "Mails and webhook calls that have not arrived",
      columns: ["What", "Waiting", "Failed", "Oldest waits since"],
      colours: ["pale", "orange"],
      rows: rows.map((row) => ({
        name: row.kind,
        bar: [row.waiting, row.failed],
        cells: [torontoTime(row.oldestAt) || "–"],
      })),
    }),
  );
}

function section(heading: string, told: Markup | string, ...tables: Markup[]): Markup {
  const id = heading.toLowerCase().replaceAll(" ", "-");
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
<p>${told}</p>
${tables}</section>`;
}

type Table = {
  caption: string;
  columns: string[];
  /** Colours of the numbers in the bar: the columns after the first. */
  colours: ("line" | "pale" | "orange" | "grey" | "second")[];
  rows: { name: string; bar: number[]; cells?: string[] }[];
};

/** Under the name of each row its numbers are drawn as a bar; the longest row fills the width. */
function table({ caption, columns, colours, rows }: Table): Markup {
  const most = Math.max(1, ...rows.map(({ bar }) => sumOf(bar, Number)));
  const key = (at: number) => `--key:var(--${colours[at]})`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table><caption>${caption}</caption>
<thead><tr>${columns.map(
    (column, at) =>
      html`<th scope="col">${colours[at - 1] ? html`<span class="key" style="${key(at - 1)}"></span>` : ""}${column}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    ({ name, bar, cells = [] }) =>
      html`<tr><th scope="row">${name}<span class="bar">${bar.map((part, at) =>
        part > 0
          ? html`<span style="${key(at)};width:${((part / most) * 100).toFixed(1)}%"></span>`
          : "",
      )}</span></th>${[...bar.map(number), ...cells].map((cell) => html`<td>${cell}</td>`)}</tr>\n`,
  )}</tbody></table></div>\n`;
}

function listOf(caption: string, counts: NamedCount[]): Markup {
  if (counts.length === 0) return html``;
  const rows = counts.map(({ name, count }) => ({ name, bar: [count] }));
  return table({ caption, columns: ["Name", "Number"], colours: ["line"], rows });
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

const styles = `
:root {
  color-scheme: light;
  --sheet: #fafcf6; --ink: #101a2b; --second: #46526a; --line: #1f4fd8;
  --pale: #a9bdf0; --orange: #ff6b1a; --grey: #8a94a6; --rule: #cfd6cc;
}
body { margin: 0 auto; max-width: 64rem; padding: 2rem 1rem; background: var(--sheet); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
h1, h2 { line-height: 1.15; margin: 0 }
p { margin: .5rem 0 0; max-width: 62ch; color: var(--second) }
strong { color: var(--ink); border-left: 5px solid var(--orange); padding-left: .5rem }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1rem; margin: 2rem 0 }
dl div, section { border-top: 2px solid var(--ink); padding-top: .5rem }
dt, small, thead th { font-size: .8125rem; font-weight: 500; color: var(--second) }
dd { margin: 0; font-size: 1.75rem; font-weight: 700 }
section { margin-top: 2.5rem }
.scroll { overflow-x: auto; margin-top: 1.25rem }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 700 }
th, td { padding: .3rem 0 .3rem 1.25rem; border-bottom: 1px solid var(--rule); text-align: right; vertical-align: top; white-space: nowrap }
th:first-child { padding-left: 0; text-align: left; min-width: 9rem; width: 60%; white-space: normal; font-weight: 400; overflow-wrap: anywhere }
.key { display: inline-block; width: .75em; height: .75em; margin-right: .375em }
.bar { display: flex; height: .5rem; margin-top: .125rem }
.key, .bar span { background: var(--key); print-color-adjust: exact; forced-color-adjust: none }
footer { margin-top: 2.5rem; border-top: 2px solid var(--ink) }
@media print {
  @page { margin: 14mm }
  body { max-width: none; padding: 0; background: #fff; font-size: 9.5pt }
  dl { grid-template-columns: repeat(5, 1fr); margin: 1rem 0 }
  section { margin-top: 1.25rem }
  tr, dl, section > p { break-inside: avoid }
  h2, caption, thead { break-after: avoid }
  .scroll { overflow: visible }
  th, td { padding-block: .1rem; font-size: 8.5pt }
}
`;
