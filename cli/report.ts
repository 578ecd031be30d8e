import { duration } from "#content/amounts.ts";
import { torontoTime } from "#content/toronto-time.ts";
import {
  aftermathDays,
  type Report,
  readReport,
  reportPeriod,
  subscriberEvents,
} from "#operator/report.ts";
import { type CommandContext, countUpTo, formatRows, type Run, siteCommand } from "./command.ts";

export function reportCommand(run: Run) {
  return siteCommand(
    "report",
    "Say what has happened: subscribers, sends, messages, visits, the outbox",
    "By months, or by weeks where there are three months or fewer. It holds sums and no personal information; what was " +
      "erased or deleted by age is in none of them.",
  )
    .option("--months <n>", "how many months, this one among them", countUpTo(240), 12)
    .action(run(report));
}

async function report(context: CommandContext, { months }: { months: number }) {
  const period = reportPeriod(context.now(), months);
  const sums = await readReport((await context.store()).db, period);
  const sections = sectionsOf(sums).map(
    ([heading, rows, none]) => `${heading}\n${formatRows(rows, none)}`,
  );
  const heading = `${period.whole.label}, in Toronto's days`;
  return { json: { months, report: sums }, text: [heading, ...sections].join("\n\n") };
}

type Section = [heading: string, rows: Record<string, string | number>[], whenEmpty: string];

function sectionsOf({ now, subscribers, sends, activity, outbox, ...report }: Report): Section[] {
  const anyOf = (month: Report["subscribers"][number]) =>
    subscriberEvents.some((event) => month[event] > 0);
  const counted = ({ name, count }: { name: string; count: number }) => ({
    Name: name,
    Number: count,
  });
  const tops = {
    "Messages by subject": report.subjects,
    "Pages shown most": report.pages,
    "Issues shown most": report.issues,
    "Where visitors came from": report.referrers,
    Campaigns: report.campaigns,
    "What came of visits": report.events,
  };
  return [
    [
      `Subscribers: ${now.confirmed} confirmed today, ${now.unconfirmed} waiting to confirm`,
      subscribers.filter(anyOf).map(({ label, ...month }) => ({ Month: label, ...month })),
      "Nobody has joined or left in this time.",
    ],
    [
      `Issues sent, with those who bounced, complained and left in the ${aftermathDays} days after`,
      sends.map(({ title, state, begunAt, endedAt, recipients, after }) => ({
        Issue: title,
        Begun: torontoTime(begunAt),
        State:
          endedAt === null
            ? state
            : `${state} in ${duration((Date.parse(endedAt) - Date.parse(begunAt)) / 1000)}`,
        accepted: recipients.accepted ?? 0,
        refused: recipients.refused ?? 0,
        withdrawn: recipients.withdrawn ?? 0,
        bounced: after.bounced,
        complained: after.complained,
        left: after.left,
      })),
      "No issue went out in this time.",
    ],
    [
      `Messages and visits, with ${now.quarantinedMessages} messages in quarantine now`,
      activity
        .filter(({ messages, visits }) => messages + visits > 0)
        .map(({ label, messages, quarantined, visits }) => ({
          From: label,
          messages,
          "quarantined of them": quarantined,
          "pages shown": visits,
        })),
      "Nobody has written, and no visit has been counted in this time.",
    ],
    ...Object.entries(tops)
      .filter(([, counts]) => counts.length > 0)
      .map(([heading, counts]): Section => [heading, counts.map(counted), ""]),
    [
      "Outbox",
      outbox
        .filter(({ waiting, failed }) => waiting + failed > 0)
        .map(({ kind, waiting, failed, oldestAt }) => ({
          What: kind,
          waiting,
          failed,
          "oldest since": torontoTime(oldestAt),
        })),
      "Every mail and webhook call has arrived; nothing waits.",
    ],
  ];
}
