import type { MailServer } from "#tests/mail-server.ts";
import type { BenchTable } from "../../measurement.ts";
import { type Kind, perSecond } from "./load-mix.ts";
import type { Failure, LoadReport } from "./mixed-load.ts";

/** Milliseconds since 1970. */
export type Absence = { what: string; from: number; until: number };

const kinds = Object.keys(perSecond) as Kind[];

/** What visitors saw of each disturbance: failures of each kind that were under way at some time during it. */
export function visitorsTable({
  report,
  absences,
  disturbances,
}: {
  report: LoadReport;
  absences: readonly Absence[];
  disturbances: readonly Absence[];
}): BenchTable {
  const { failures, asked, longestMs, begunAt } = report;
  const during = (failure: Failure, { from, until }: Absence) =>
    failure.begunAt <= until && failure.endedAt >= from;
  const count = (kind: Kind, holds: (failure: Failure) => boolean) =>
    String(failures.filter((failure) => failure.kind === kind && holds(failure)).length);
  const isAbsence = (failure: Failure) => absences.some((absence) => during(failure, absence));
  const isDisturbance = (failure: Failure) => disturbances.some((one) => during(failure, one));
  const total = Object.values(perSecond).reduce((sum, each) => sum + each, 0);
  const seconds = ({ from, until }: Absence) => ((until - from) / 1_000).toFixed(1);
  const at = ({ from }: Absence) => ((from - begunAt) / 1_000).toFixed(0);
  const answered = (kind: Kind) => [
    String(asked[kind]),
    `${longestMs[kind]} ms`,
    count(kind, () => true),
  ];
  return {
    title: "Two copies and PostgreSQL behind nginx: what visitors saw",
    note: `${total} requests a second through the shipped nginx with TLS, the forms each from an address of its own, everything on this one machine: the visitors were late by ${report.ownLatestMs.toFixed(0)} ms at most. A failure is any answer but 200, none within 15 s, or one that breaks off; it counts for what was going on at any time between its request and its end. The database was away for ${absences.map((absence) => `${seconds(absence)} s`).join(" and ")}.`,
    columns: ["", ...kinds],
    rows: [
      ["asked", ...kinds.map((kind) => answered(kind)[0] ?? "")],
      ["the longest wait", ...kinds.map((kind) => answered(kind)[1] ?? "")],
      ...disturbances.map((one) => [
        `${one.what} (at ${at(one)} s, ${seconds(one)} s)`,
        ...kinds.map((kind) => count(kind, (failure) => during(failure, one))),
      ]),
      ["failed at other times", ...kinds.map((kind) => count(kind, (one) => !isDisturbance(one)))],
      [
        "failed while the database was there",
        ...kinds.map((kind) => count(kind, (one) => !isAbsence(one))),
      ],
      [
        "how",
        ...kinds.map((kind) => {
          const ofKind = failures.filter((failure) => failure.kind === kind);
          const ways = Object.entries(Object.groupBy(ofKind, ({ what }) => what));
          return ways.map(([what, all]) => `${what}: ${all?.length}`).join(", ");
        }),
      ],
    ],
  };
}

/** What was acknowledged, and what of it arrived. */
export function lossTable({
  report,
  stored,
  mails,
  logged,
}: {
  report: LoadReport;
  stored: LoadReport["acknowledged"];
  mails: MailServer["received"];
  logged: readonly string[];
}): BenchTable {
  const { acknowledged } = report;
  const ways = ["messages", "sign-ups"] as const;
  const idsOf = Map.groupBy(
    mails.flatMap(({ to, source, email }) => {
      // A message's mail names its sender to answer to; a reader's confirmation goes to the reader.
      const about = email.replyTo?.[0]?.address ?? to[0] ?? "";
      const id = email.messageId ?? source.slice(0, 100);
      return /^(?:sender|reader)-/.test(about) ? [{ about, id }] : [];
    }),
    ({ about }) => about,
  );
  const row = (what: string, of: (way: (typeof ways)[number]) => number) => [
    what,
    ...ways.map((way) => String(of(way))),
  ];
  const distinct = (about: string) => new Set(idsOf.get(about)?.map(({ id }) => id)).size;
  return {
    title: "Two copies and PostgreSQL behind nginx: what arrived",
    note: `The same run: acknowledged forms against the rows of the database and the mail at a real SMTP server. A repeat under the same Message-ID is what a copy that is killed between sending and noting leaves to the receiver. The copies logged ${logged.length} errors, all in all.`,
    columns: ["", ...ways],
    rows: [
      row("acknowledged", (way) => acknowledged[way].length),
      row(
        "of them not in the database",
        (way) => acknowledged[way].filter((email) => !stored[way].includes(email)).length,
      ),
      row("stored twice", (way) => stored[way].length - new Set(stored[way]).size),
      row(
        "acknowledged, and no mail arrived",
        (way) => acknowledged[way].filter((email) => distinct(email) === 0).length,
      ),
      row(
        "mailed under two ids",
        (way) => stored[way].filter((email) => distinct(email) > 1).length,
      ),
      row("mailed again under the same id", (way) =>
        stored[way].reduce(
          (sum, email) => sum + Math.max(0, (idsOf.get(email)?.length ?? 0) - distinct(email)),
          0,
        ),
      ),
    ],
  };
}
