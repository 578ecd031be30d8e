import { type ConsentProof, proveConsent } from "#newsletter/privacy.ts";
import type { CommandContext } from "../command-context.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { printableLine, torontoTime } from "../terminal.ts";
import { writeNewFile } from "../text-files.ts";
import { notASubscriber, readAddress } from "./subscriber-record.ts";

export function proveSubscriberCommand(run: Run) {
  return siteCommand(
    "prove",
    "Write the proof of one person's consent",
    "The whole history of one mailbox as readable text: wording, page, time and network address of each sign-up, and all after it.",
  )
    .argument("<email>", "the address")
    .option("-o, --output <file>", "write it into this file, which only your user can read")
    .option("--force", "write over the file where there is one")
    .action(run(prove));
}

function prove(
  context: CommandContext,
  address: string,
  { output, force }: { output?: string; force?: boolean },
): Promise<CommandResult> {
  return context.withStore(async ({ db }) => {
    const email = readAddress(address);
    const proof = await proveConsent(db, email);
    if (!proof) throw notASubscriber(email);
    const { siteName, siteEmail } = context.readOwnSettings();
    const keeper = `${siteName}, ${context.siteUrl()}, ${siteEmail}`;
    const text = consentDocument(proof, { keeper, written: context.now().toISOString() });
    if (output !== undefined) await writeNewFile(context.resolvePath(output), [text], { force });
    return {
      json: { ok: true, ...proof },
      text: output === undefined ? text.trimEnd() : `Wrote ${output}.`,
    };
  });
}

type Entry = ConsentProof["entries"][number];

const moments = [
  ["Signed up", "subscribed_at"],
  ["Confirmed", "confirmed_at"],
  ["Address bounced", "bounced_at"],
  ["Unsubscribed", "unsubscribed_at"],
] as const;

const events: Record<Entry["event"], string> = {
  signed_up: "Signed up on the site",
  held: "Signed up on the site; quarantined as suspected spam, so no mail went out",
  imported: "Imported from another list",
  released: "Released by the operator",
  confirmed: "Confirmed by the link that was mailed to the address",
  bounced: "Ended by the mail server: the address takes no mail",
  complained: "Ended by a complaint: the mail service reported that its user calls it spam",
  left: "Unsubscribed",
};

const ways: Record<NonNullable<Entry["way"]>, string> = {
  link: "on the page behind the link in a mail",
  one_click: "by the mail program's own button (RFC 8058)",
  operator: "asked of the operator",
  import: "by another program's list, which said so when it was imported",
};

function consentDocument(
  { mailbox, subscription, entries }: ConsentProof,
  { keeper, written }: { keeper: string; written: string },
): string {
  // Where the list of another program brought the confirmation, no entry here proves it.
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
    `${number}. ${events[entry.event]}${entry.way === null ? "" : `, ${ways[entry.way]}`}`,
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
