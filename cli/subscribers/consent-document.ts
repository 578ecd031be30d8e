import type { ConsentProof } from "#newsletter/privacy.ts";
import { printableLine } from "../terminal/printable.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

type Entry = ConsentProof["entries"][number];

type Words = { firm: { name: string; url: string; email: string }; now: Date };

const events: Record<Entry["event"], string> = {
  signed_up: "Signed up on the site",
  held: "Signed up on the site; held as suspected spam, so no mail went out",
  imported: "Taken over from another list",
  released: "Released by the operator",
  confirmed: "Confirmed by the link that was mailed to the address",
  bounced: "Ended by the mail server: the address takes no mail",
  complained:
    "Ended by a complaint: the reader's mail service has passed on that they call it spam",
  left: "Unsubscribed",
};

const ways: Record<NonNullable<Entry["way"]>, string> = {
  link: "on the page behind the link in a mail",
  one_click: "by the mail program's own button (RFC 8058)",
  operator: "asked of the operator",
  import: "by another program's list, which said so when it was imported",
};

/** The proof of one mailbox's consent as plain text that can be printed and read without this program. */
export function consentDocument(proof: ConsentProof, { firm, now }: Words): string {
  const { subscription, entries } = proof;
  // Of a list from elsewhere, the confirmation was that program's, and no entry here proves it.
  const isOwn = entries.some(({ event }) => event === "confirmed");
  const moments: [string, string | null][] = [
    ["Signed up", subscription.subscribed_at],
    [isOwn ? "Confirmed" : "Counts since", subscription.confirmed_at],
    ["Address bounced", subscription.bounced_at],
    ["Unsubscribed", subscription.unsubscribed_at],
  ];
  return [
    "RECORD OF CONSENT TO A NEWSLETTER",
    "",
    field("Kept by", `${firm.name}, ${firm.url}, ${firm.email}`),
    field("About", subscription.email),
    field("Mailbox", proof.mailbox),
    field("Written", moment(now.toISOString())),
    "",
    "HOW IT STANDS",
    ...moments.flatMap(([name, at]) => (at === null ? [] : [field(name, moment(at))])),
    "",
    "WHAT HAPPENED, IN ITS ORDER",
    ...entries.flatMap((entry, at) => ["", ...describeEntry(entry, at + 1)]),
    "",
  ].join("\n");
}

function describeEntry(entry: Entry, number: number): string[] {
  const way = entry.way === null ? "" : `, ${ways[entry.way]}`;
  const optional: [string, string | null][] = [
    ["Page", entry.page],
    ["Network address", entry.network_address],
  ];
  return [
    `${number}. ${events[entry.event]}${way}`,
    field("Occurred", moment(entry.occurred_at)),
    field("Recorded", moment(entry.recorded_at)),
    field("Address as typed", entry.email),
    ...optional.flatMap(([name, value]) => (value === null ? [] : [field(name, value)])),
    ...(entry.wording_hash === null
      ? []
      : [
          "   Exact wording agreed to:",
          ...(entry.wording ?? "(missing)")
            .split("\n")
            .map((line) => `   | ${printableLine(line)}`),
          field("Its SHA-256", entry.wording_hash),
        ]),
    field("Event", JSON.stringify([entry.event, entry.way])),
  ];
}

function field(name: string, value: string): string {
  return `   ${`${name}:`.padEnd(18)}${printableLine(value)}`;
}

function moment(at: string): string {
  return `${at} (${torontoTime(at)} in Toronto)`;
}
