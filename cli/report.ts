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

What was erased or has been deleted by age is in none of the sums. --json also prints them.`;

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
  await refuseUnusable(target, options);
  const period = reportPeriod(context.now(), options.months);
  const { config } = context.readSettings();
  const report = await context.withStore(({ db }) => collectReport(db, period));
  const page = reportPage(report, period.whole, siteSettings(config));
  await writeNewFile(target, [page], options);
  return {
    json: { file, months: options.months, bytes: Buffer.byteLength(page), report },
    text: `Wrote ${file}: ${period.whole.label}. Open it in any browser; it needs nothing else.`,
  };
}

type Section = { heading: string; told: string; tables?: Table[] };
type Table = { caption: string; columns: string[]; rows: (string | number)[][] };

function reportPage(report: Report, { label, endDay }: ReportPeriod["whole"], site: SiteIdentity) {
  const today = inWords(endDay.subtract({ days: 1 }), {
    ...{ month: "long", day: "numeric", year: "numeric" },
  });
  const sections = [
    subscribersSection(report),
    sendsSection(report),
    messagesSection(report),
    visitsSection(report),
    outboxSection(report),
  ];
  return String(html`<!doctype html>
<html lang="${languageTag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Report: ${label} | ${site.name}</title>
<style>${raw(styles)}</style>
</head>
<body>
<h1>What the site did</h1>
<p>${label}, in Toronto’s days. ${site.name}, ${new URL(site.url).host}, ${today}.</p>
${sections.map(
  ({ heading, told, tables = [] }) =>
    html`<section><h2>${heading}</h2>
<p>${told}</p>
${tables.filter(({ rows }) => rows.length > 0).map(table)}</section>\n`,
)}<p>Sums only: nobody’s name, address or words are on this page.</p>
</body>
</html>
`);
}

function table({ caption, columns, rows }: Table) {
  const shown = (cell: string | number) => (typeof cell === "number" ? number(cell) : cell);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}">
<table><caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name = "", ...cells]) =>
      html`<tr><th scope="row">${shown(name)}</th>${cells.map((cell) => html`<td>${shown(cell)}</td>`)}</tr>\n`,
  )}</tbody></table></div>\n`;
}

function subscribersSection({ subscribers, now }: Report): Section {
  const heading = "Subscribers";
  const sums = subscriberEvents.map((event) => sumOf(subscribers, (month) => month[event]));
  const today = `${amount(now.confirmed, "confirmed subscriber")} today, ${number(now.unconfirmed)} waiting to confirm.`;
  if (sums.every((sum) => sum === 0)) {
    return { heading, told: `Nobody has joined or left in this time. ${today}` };
  }
  const [joined, confirmed, left, bounced, complained] = sums.map(number);
  return {
    heading,
    told: `${today} In this time ${joined} joined and ${confirmed} confirmed; ${left} left, ${bounced} bounced (their address took no mail) and ${complained} complained (they called a mail spam). Who had everything erased is in none of these numbers.`,
    tables: [
      {
        caption: "Subscribers by month",
        columns: ["Month", "Joined", "Confirmed", "Left", "Bounced", "Complained"],
        rows: subscribers.map((month) => [
          month.label,
          ...subscriberEvents.map((event) => month[event]),
        ]),
      },
    ],
  };
}

function sendsSection({ sends }: Report): Section {
  const heading = "Issues sent";
  if (sends.length === 0) {
    return { heading, told: "No issue went out in this time: issues send ID does it." };
  }
  const accepted = sumOf(sends, ({ recipients }) => recipients.accepted ?? 0);
  return {
    heading,
    told: `${amount(sends.length, "issue")} went out, and mail servers accepted ${amount(accepted, "mail")}. Accepted means that the receiving server took it; nothing tells whether it was opened. Bounced, complained and left are those of the ${aftermathDays} days after it began, or until the next one did; bounced is in refused too where the receiving server said so at once.`,
    tables: [
      {
        caption: "Each issue that went out",
        columns: [
          ...["Issue", "Accepted", "Open", "Refused", "Withdrawn"],
          ...["Begun", "Took", "Bounced", "Complained", "Left"],
        ],
        rows: sends.map(({ recipients, after, ...send }) => {
          const { accepted = 0, waiting = 0, handed_over = 0, deferred = 0 } = recipients;
          const { refused = 0, withdrawn = 0 } = recipients;
          return [
            ...[send.title, accepted, waiting + handed_over + deferred, refused, withdrawn],
            ...[torontoTime(send.begunAt), took(send)],
            ...[after.bounced, after.complained, after.left],
          ];
        }),
      },
    ],
  };
}

function took({ begunAt, endedAt, state }: Pick<SendResult, "begunAt" | "endedAt" | "state">) {
  if (endedAt === null) return state === "paused" ? "paused" : "under way";
  const length = formatAge(Date.parse(endedAt) - Date.parse(begunAt));
  return state === "cancelled" ? `${length}, cancelled` : length;
}

function messagesSection({ activity, subjects, now }: Report): Section {
  const all = sumOf(activity, ({ messages }) => messages);
  const toCheck =
    now.quarantinedMessages > 0
      ? ` ${amount(now.quarantinedMessages, "message is", "messages are")} quarantined as suspected spam: messages list --held.`
      : "";
  return {
    heading: "Messages",
    told:
      all === 0
        ? `Nobody has written through the contact form in this time.${toCheck}`
        : `${amount(all, "message")} came through the contact form.${toCheck} Messages are deleted two years after the last of the same address.`,
    tables: [
      {
        caption: "Messages received",
        columns: ["From", "Messages", "Quarantined"],
        rows: activity
          .filter(({ messages }) => messages > 0)
          .map(({ label, messages, quarantined }) => [label, messages - quarantined, quarantined]),
      },
      listOf("By subject", subjects),
    ],
  };
}

function visitsSection({ activity, events, ...report }: Report): Section {
  const all = sumOf(activity, ({ visits }) => visits);
  const actions = events.map(({ name, count }) => `${name}: ${number(count)}`).join("; ");
  const issues = report.issues.map(({ name, count }) => ({
    name: /^\d+$/.test(name) ? `/newsletter/${name}` : name,
    count,
  }));
  return {
    heading: "Visits",
    told:
      all === 0 && events.length === 0
        ? "No visit has been counted in this time. Counting begins with the first visitor after the server has started; browsers that ask not to be tracked are left out."
        : `${amount(all, "page")} shown.${actions && ` What came of them: ${actions}.`} Browsers that ask not to be tracked, programs, and pages that a cache on the way answered are not in it.`,
    tables: [
      {
        caption: "Pages shown",
        columns: ["From", "Pages"],
        rows: activity
          .filter(({ visits }) => visits > 0)
          .map(({ label, visits }) => [label, visits]),
      },
      listOf("Pages", report.pages),
      listOf("Issues", issues),
      listOf("Where they came from", report.referrers),
      listOf("Campaigns", report.campaigns),
    ],
  };
}

function outboxSection({ outbox }: Report): Section {
  const heading = "Outbox";
  const rows = outbox.filter(({ waiting, failed }) => waiting + failed > 0);
  if (rows.length === 0) {
    return { heading, told: "Every mail and webhook call has arrived; nothing waits." };
  }
  const failed = sumOf(rows, (row) => row.failed);
  const waiting = sumOf(rows, (row) => row.waiting);
  return {
    heading,
    told:
      failed > 0
        ? `${amount(failed, "delivery has failed", "deliveries have failed")} for good: outbox list --failed says why, outbox retry --all-failed sends again.`
        : `${amount(waiting, "delivery waits", "deliveries wait")}; each is tried again with growing pauses.`,
    tables: [
      {
        caption: "Mails and webhook calls that have not arrived",
        columns: ["What", "Waiting", "Failed", "Oldest waits since"],
        rows: rows.map(({ kind, waiting, failed, oldestAt }) => [
          ...[kind, waiting, failed, torontoTime(oldestAt) || "–"],
        ]),
      },
    ],
  };
}

function listOf(caption: string, counts: NamedCount[]): Table {
  const rows = counts.map(({ name, count }) => [name, count]);
  return { caption, columns: ["Name", "Number"], rows };
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}

const styles = `
body { margin: 0 auto; max-width: 64rem; padding: 1rem; background: #fff; color: #101a2b; font: 1rem/1.5 system-ui, sans-serif }
h2 { margin: 2rem 0 0 }
p { max-width: 62ch }
.scroll { overflow-x: auto; margin-top: 1rem }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 700 }
th, td { padding: .25rem 0 .25rem 1rem; border-bottom: 1px solid #ccc; text-align: right; white-space: nowrap; font-weight: 400 }
th:first-child { padding-left: 0; text-align: left; white-space: normal; overflow-wrap: anywhere }
@page { margin: 14mm }
`;
