import { rulers } from "#content/pages/rulers.ts";
import { formatLongDate, torontoDay } from "#content/toronto-time.ts";
import { readNumber } from "../worksheet/calculation-sheet.tsx";
import { calendarAddress, calendarFile } from "./calendar-file.server.ts";
import {
  estimateRoom,
  interestPerDay,
  invoiceDays,
  lienDays,
  readDay,
} from "./ontario-dates.server.ts";

export type Field = {
  name: string;
  label: string;
  kind: "date" | "number";
  value: string;
  /** Beside a field that can't be read. */
  fault: string | null;
};

type Mark = { at: number; what: string; when: string };

export type Measured = {
  fields: readonly Field[];
  /** Empty where a field can't be read. */
  marks: Mark[];
  /** The ruler's length and unit. */
  length: number;
  unit: "days" | "dollars";
  /** Rows below the drawing that are no marks on it. */
  rows: { what: string; when: string }[];
  /** Which of the rules was used. */
  rule: string;
  calendar: string | null;
};

/** The three rulers by what a visitor wrote into the address. Where nothing or blanks alone are, an example from today. */
export function measureAll(asked: URLSearchParams, host: string, now: Date) {
  const today = torontoDay(now.getTime());
  const calendar: MakeCalendar = (about, events) => {
    const description = `${about} ${rulers.noAdvice}`;
    const all = events.map(({ day, summary }) => ({ day: `${day}`, summary, description }));
    return calendarAddress(calendarFile(all, host, now));
  };

  function measure(fields: object, measured: typeof measureInvoice) {
    const isExample = Object.keys(fields).every((name) => !asked.get(name)?.trim());
    const read = (name: string, usual: string) =>
      ((isExample ? null : asked.get(name)) ?? usual).trim().slice(0, 60);
    return { ...measured(read, today, calendar), isExample };
  }
  return {
    invoice: measure(rulers.invoice.fields, measureInvoice),
    estimate: measure(rulers.estimate.fields, measureEstimate),
    lien: measure(rulers.lien.fields, measureLien),
  };
}

type Read = (name: string, usual: string) => string;
/** `about` is in the description of each. */
type MakeCalendar = (
  about: string,
  events: readonly { day: Temporal.PlainDate; summary: string }[],
) => string;

const longDay = (day: Temporal.PlainDate) => formatLongDate(new Date(`${day}T12:00:00Z`));

const dollars = (amount: number) =>
  amount.toLocaleString("en-CA", {
    style: "currency",
    currency: "CAD",
    currencyDisplay: "narrowSymbol",
  });

function dateField(name: string, label: string, value: string): Field {
  const isRight = readDay(value) !== null;
  // A browser complains of a date that its field can't show.
  return {
    name,
    label,
    kind: "date",
    value: isRight ? value : "",
    fault: isRight ? null : rulers.noDate,
  };
}

function numberField(name: string, label: string, value: string, isRight: boolean): Field {
  return { name, label, kind: "number", value, fault: isRight ? null : rulers.noNumber };
}

function measureInvoice(read: Read, today: Temporal.PlainDate, calendar: MakeCalendar): Measured {
  const { fields, marks: words, interest, courtRate, shown, title, law } = rulers.invoice;
  const written = {
    received: read("received", today.toString()),
    amount: read("amount", "10000"),
    rate: read("rate", ""),
  };
  const received = readDay(written.received);
  const amount = readNumber(written.amount);
  const rate = written.rate === "" ? 0 : readNumber(written.rate);
  const measured = {
    fields: [
      dateField("received", fields.received, written.received),
      numberField("amount", fields.amount, written.amount, amount !== null),
      numberField("rate", fields.rate, written.rate, rate !== null),
    ],
    length: 28,
    unit: "days",
  } as const;
  if (!received || amount === null || rate === null) return { ...measured, ...nothing };
  const days = invoiceDays(received);
  if (days.rule === "none") return { ...measured, ...nothing, rule: shown.none };
  const marks = (["objection", "notice", "due"] as const).flatMap((name) => {
    const day = days[name];
    return day ? [{ at: received.until(day).days, what: words[name], day }] : [];
  });
  const perDay = rate > 0 ? interest(dollars(interestPerDay(amount, rate))) : courtRate;
  return {
    ...measured,
    marks: marks.map(({ day, ...mark }) => ({ ...mark, when: longDay(day) })),
    rows: [{ what: `${words.interest}, ${perDay}`, when: longDay(days.interest) }],
    rule: shown[days.rule],
    calendar: calendar(
      `${title}, received ${longDay(received)}. ${law}`,
      marks.map(({ what, day }) => ({ day, summary: `${what}: ${dollars(amount)}` })),
    ),
  };
}

function measureEstimate(read: Read, today: Temporal.PlainDate, calendar: MakeCalendar): Measured {
  const { fields, cap, room, extra, left, over, event, shown, title, law } = rulers.estimate;
  const written = {
    estimate: read("estimate", "10000"),
    extras: read("extras", "450, 300"),
    billed: read("billed", today.add({ days: 30 }).toString()),
  };
  const estimate = readNumber(written.estimate);
  const parts = written.extras
    .split(/[,;]\s+|\s*;\s*|\n|,(?!\d{3}\b)/)
    .filter((part) => part.trim());
  const extras = parts.map(readNumber);
  const billed = readDay(written.billed);
  const isRight = extras.length <= 8 && extras.every((one) => one !== null);
  const measured = {
    fields: [
      numberField("estimate", fields.estimate, written.estimate, estimate !== null && estimate > 0),
      numberField("extras", fields.extras, written.extras, isRight),
      dateField("billed", fields.billed, written.billed),
    ],
    unit: "dollars",
  } as const;
  if (!estimate || !isRight || !billed) return { ...measured, ...nothing, length: 0 };
  const cents = (amount: number) => Math.round(amount * 100);
  const sums = estimateRoom(
    cents(estimate),
    extras.map((one) => cents(one ?? 0)),
  );
  const money = (amount: number) => dollars(amount / 100);
  return {
    ...measured,
    length: sums.room,
    marks: sums.after.map((rest, index) => ({
      at: sums.room - rest,
      what: extra(index + 1),
      when: rest < 0 ? over(money(-rest)) : left(money(rest)),
    })),
    rows: [
      { what: room, when: money(sums.room) },
      { what: cap, when: money(sums.cap) },
    ],
    rule: shown,
    calendar: calendar(`${title}. ${law}`, [{ day: billed, summary: event(money(sums.cap)) }]),
  };
}

function measureLien(read: Read, today: Temporal.PlainDate, calendar: MakeCalendar): Measured {
  const { fields, marks: words, annual, annualMarks, shown, title, law } = rulers.lien;
  const written = {
    contract: read("contract", today.subtract({ years: 1 }).toString()),
    ends: read("ends", today.toString()),
  };
  const contract = readDay(written.contract);
  const ends = readDay(written.ends);
  const measured = {
    fields: [
      dateField("contract", fields.contract, written.contract),
      dateField("ends", fields.ends, written.ends),
    ],
    unit: "days",
  } as const;
  if (!contract || !ends) return { ...measured, ...nothing, length: 0 };
  const { rule, yearly, ...days } = lienDays(contract, ends);
  const marks = (["preserve", "perfect"] as const).map((name) => ({
    at: ends.until(days[name]).days,
    what: words[name],
    day: days[name],
  }));
  const released = yearly
    ? (["anniversary", "notice", "earliest", "latest"] as const).map((name) => ({
        what: `${annual}: ${annualMarks[name]}`,
        day: yearly[name],
      }))
    : [];
  return {
    ...measured,
    length: marks[1]?.at ?? 0,
    marks: marks.map(({ day, ...mark }) => ({ ...mark, when: longDay(day) })),
    rows: released.map(({ what, day }) => ({ what, when: longDay(day) })),
    rule: shown[rule],
    calendar: calendar(
      `${title}. ${law}`,
      [...marks, ...released].map(({ what, day }) => ({ day, summary: what })),
    ),
  };
}

const nothing = { marks: [], rows: [], rule: "", calendar: null } satisfies Partial<Measured>;
