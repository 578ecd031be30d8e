import { torontoTime } from "#content/toronto-time.ts";
import { printableLine } from "#contracts/text.ts";
import type { Db } from "#db/tables.ts";
import { type ConsentProof, proveConsent } from "#newsletter/privacy.ts";
import { type Config, siteSettings } from "#settings/settings.ts";

type Entry = ConsentProof["entries"][number];

const moments = [
  ["Signed up", "subscribed_at"],
  ["Confirmed", "confirmed_at"],
  ["Address bounced", "bounced_at"],
  ["Unsubscribed", "unsubscribed_at"],
] as const;

export const consentEventWords: Record<Entry["event"], string> = {
  signed_up: "Signed up on the site",
  held: "Signed up on the site; quarantined as suspected spam, so no mail went out",
  imported: "Imported from another list",
  released: "Released by the operator",
  confirmed: "Confirmed by the link that was mailed to the address",
  bounced: "Ended by the mail server: the address takes no mail",
  complained: "Ended by a complaint: the mail service reported that its user calls it spam",
  left: "Unsubscribed",
};

export const leavingWords: Record<NonNullable<Entry["way"]>, string> = {
  link: "on the page behind the link in a mail",
  one_click: "by the mail program's own button (RFC 8058)",
  operator: "asked of the operator",
  import: "by another program's list, which said so when it was imported",
};

/** The proof of a subscriber's consent: as data, and as a document to hand on. */
export async function writeProof(
  { db, config, now }: { db: Db; config: Config; now: Date },
  email: string,
): Promise<
  { ok: true; proof: ConsentProof; document: string } | { ok: false; reason: "unknown_subscriber" }
> {
  const proof = await proveConsent(db, email);
  if (!proof) return { ok: false, reason: "unknown_subscriber" };
  const keeper = `${config.siteName}, ${siteSettings(config).url}, ${config.siteEmail}`;
  const document = consentDocument(proof, { keeper, written: now.toISOString() });
  return { ok: true, proof, document };
}

function consentDocument(
  { mailbox, subscription, entries }: ConsentProof,
  { keeper, written }: { keeper: string; written: string },
): string {
  // No entry here proves a confirmation that another program's list brought.
  const isOwn = entries.some(({ event }) => event === "confirmed");
  return [
    "RECORD OF CONSENT TO A NEWSLETTER",
    "",
    field("Kept by", keeper),
    field("About", subscription.email),
    field("Mailbox", mailbox),
    field("Written", moment(written)),
    "",
    "HOW IT STANDS",
    ...moments.flatMap(([name, column]) => {
      const at = subscription[column];
      if (at === null) return [];
      return field(column === "confirmed_at" && !isOwn ? "Counts since" : name, moment(at));
    }),
    "",
    "WHAT HAPPENED, IN ITS ORDER",
    ...entries.flatMap((entry, at) => ["", ...describeEntry(entry, at + 1)]),
    "",
  ].join("\n");
}

function describeEntry(entry: Entry, number: number): string[] {
  const { page, network_address: network, wording, wording_hash: hash } = entry;
  const quoted = (wording ?? "(missing)").split("\n").map((line) => `   | ${printableLine(line)}`);
  return [
    `${number}. ${consentEventWords[entry.event]}${entry.way === null ? "" : `, ${leavingWords[entry.way]}`}`,
    field("Occurred", moment(entry.occurred_at)),
    field("Recorded", moment(entry.recorded_at)),
    field("Address as typed", entry.email),
    ...(page === null ? [] : [field("Page", page)]),
    ...(network === null ? [] : [field("Network address", network)]),
    ...(hash === null ? [] : ["   Exact wording agreed to:", ...quoted]),
  ];
}

function field(name: string, value: string): string {
  return `   ${`${name}:`.padEnd(18)}${printableLine(value)}`;
}

function moment(at: string): string {
  return `${at} (${torontoTime(at)} in Toronto)`;
}
