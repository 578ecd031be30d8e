import { html, raw } from "hono/html";
import { languageTag } from "#content/site-language.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { number } from "../terminal.ts";
import type { Report } from "./collect-report.ts";
import type { Markup } from "./report-parts.ts";
import type { ReportPeriod } from "./report-period.ts";
import {
  messagesSection,
  outboxSection,
  readersSection,
  visitsSection,
} from "./report-sections.ts";
import { reportStyles } from "./report-styles.ts";
import { sendsSection } from "./sends-section.ts";

type ReportPage = { report: Report; period: ReportPeriod; site: SiteIdentity };

/** The report as one HTML document with everything in it: styles, fonts, drawings, and no script. */
export function reportPage({ report, period, site }: ReportPage): string {
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
  const [monthBefore, thisMonth] = [months.at(-2), months.at(-1)];
  const month = thisMonth?.label.split(" ")[0] ?? "";
  const before = (count: number) =>
    monthBefore ? `${number(count)} in ${monthBefore.label.split(" ")[0]}` : "";
  const readers = report.readers.slice(-2).map(({ values }) => values);
  const [now, then] = [readers.at(-1), readers.at(-2)];
  const failed = report.outbox.reduce((sum, row) => sum + row.failed, 0);
  const shown: [string, number, string][] = [
    ["Confirmed readers", report.readersNow.confirmed, "today"],
    [`Confirmed in ${month}`, now?.confirmed ?? 0, before(then?.confirmed ?? 0)],
    [
      `Messages in ${month}`,
      report.messagesByMonth.at(-1) ?? 0,
      before(report.messagesByMonth.at(-2) ?? 0),
    ],
    [
      `Pages shown in ${month}`,
      report.visitsByMonth.at(-1) ?? 0,
      before(report.visitsByMonth.at(-2) ?? 0),
    ],
    ["Failed deliveries", failed, failed > 0 ? "need a look" : "nothing to do"],
  ];
  return html`<dl class="tiles">${shown.map(
    ([name, value, beside]) =>
      html`<div><dt>${name}</dt><dd>${number(value)}<small>${beside}</small></dd></div>\n`,
  )}</dl>`;
}
