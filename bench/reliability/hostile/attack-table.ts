import type { BenchTable } from "../../measurement.ts";
import type { Fared, VisitReport } from "../../visitors/visitor.ts";
import type { FloodTally } from "./flood.ts";
import { groupBytes } from "./guarded-server.ts";

/** One attack and what became of it. */
export type Ordeal = {
  kind: string;
  from: string;
  visitors: VisitReport;
  /** Null where nobody attacked. */
  tally: FloodTally | null;
  deaths: string[];
  errors: string[];
  peak: { groupBytes: number; residentBytes: number };
  /** By what means the memory was bounded. */
  how: string;
};

const p99BarMs = 250;
const complaintsShown = 3;

export function attackTable(ordeals: Ordeal[], seconds: number): BenchTable {
  return {
    title: "Under attack",
    note: [
      `Each attack for ${seconds} s on a server of its own with a hundred issues, in a memory group of ${groupBytes / 2 ** 20} MB (${ordeals[0]?.how}) and on the first core alone.`,
      "Attackers and visitors are processes of their own on the other cores, the attackers at the lowest priority, so that visitors don't wait for them there: `client's delay` is how late the visitors' own process was, of its 99th percentile.",
      "Attackers come from one address, or from one for each connection; visitors from addresses of their own, twenty times a second for pages and four times for both forms, as scripts send them and as browsers without scripts do. A visit that fails counts as one of 10 s.",
      `Bars: killed 0 times, no error in the log, every visit answered, a p99 under ${p99BarMs} ms.`,
    ].join(" "),
    columns: [
      "attack",
      "from",
      "answers a second",
      "pages: visits, failed",
      "p50 / p99 / longest ms",
      "forms: sent, failed",
      "p50 / p99 / longest ms",
      "client's delay ms",
      "killed",
      "errors logged",
      "most memory: group, resident",
      "bars",
    ],
    rows: ordeals.map((ordeal) => rowOf(ordeal, seconds)),
  };
}

function rowOf(ordeal: Ordeal, seconds: number): string[] {
  const { kind, from, visitors, tally, deaths, errors, peak } = ordeal;
  const { pages, forms, loopDelayP99Ms } = visitors;
  return [
    kind,
    tally ? from : "",
    tally ? answersOf(tally, seconds) : "",
    visitsOf(pages),
    timesOf(pages),
    visitsOf(forms),
    timesOf(forms),
    loopDelayP99Ms.toFixed(0),
    deaths.length === 0 ? "0" : `${deaths.length} (${[...new Set(deaths)].join(", ")})`,
    errors.length === 0 ? "0" : `${errors.length}: ${wordsOf(errors[0] ?? "")}`,
    `${megabytes(peak.groupBytes)}, ${megabytes(peak.residentBytes)}`,
    isMet(ordeal) ? "met" : "NOT met",
  ];
}

function isMet({ visitors, deaths, errors }: Ordeal): boolean {
  const fine = ({ errors, p99Ms }: Fared) => errors === 0 && p99Ms < p99BarMs;
  return deaths.length + errors.length === 0 && fine(visitors.pages) && fine(visitors.forms);
}

/** `1,200: 200 ×900, 503 ×300`, of a second. */
function answersOf({ answers, ended, refused }: FloodTally, seconds: number): string {
  const perSecond = (count: number) => Math.round(count / seconds).toLocaleString("en-CA");
  const all = Object.values(answers).reduce((sum, count) => sum + count, 0);
  const byStatus = Object.entries(answers).map(
    ([status, count]) => `${status} ×${perSecond(count)}`,
  );
  const closed = `connections ended ×${perSecond(ended)}`;
  return [
    `${perSecond(all)}: ${[...byStatus, closed].join(", ")}`,
    ...(refused > 0 ? [`refused ×${perSecond(refused)}`] : []),
  ].join(", ");
}

function visitsOf({ count, errors, complaints }: Fared): string {
  if (errors === 0) return `${count}, 0`;
  const most = Object.entries(complaints)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, complaintsShown)
    .map(([complaint, times]) => `${complaint} ×${times}`);
  return `${count}, ${errors} (${most.join(", ")})`;
}

function timesOf({ p50Ms, p99Ms, maxMs }: Fared): string {
  return [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(ms < 10 ? 1 : 0)).join(" / ");
}

/** What an error of the log says, without what else stands in its line. */
function wordsOf(line: string): string {
  try {
    return String((JSON.parse(line) as { msg: string }).msg);
  } catch {
    return line.slice(0, 100);
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
