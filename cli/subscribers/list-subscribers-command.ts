import { Option } from "commander";
import type { SubscriberListing } from "#newsletter/list-subscribers.ts";
import { quarantineWords } from "../messages.ts";
import { parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { type Column, torontoTime } from "../terminal.ts";
import { allSubscribers, type SubscriberFilter, subscriberRecord } from "./subscriber-record.ts";

const defaultRows = 100;

type ListOptions = SubscriberFilter & { limit: number };

export function listSubscribersCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the subscribers and their states, the latest sign-up first",
    details: `unconfirmed: signed up and has not confirmed yet ("subscribed" in JSON and exports).
confirmed: may be mailed. unsubscribed: must not be. bounced: the address refused mail for
good, or its owner complained; it is mailed again after "subscribers release EMAIL", or after a
new sign-up is confirmed. "subscribers export" has the consent record of each.

--bounced has the reason: a hard bounce (no such mailbox, or it is closed), soft bounces (the
fifth in thirty days), or a complaint (the subscriber pressed "spam"); with the status code of
RFC 3463 and the mail server's last words. An imported bounce has neither.

A quarantined sign-up looks like spam and has not been mailed for confirmation; "subscribers
release EMAIL" mails it.`,
    examples: [
      ["subscribers list", `List the latest ${defaultRows}`],
      ["subscribers list --held", "List sign-ups quarantined as suspected spam"],
      ["subscribers list --bounced", "List addresses that take no mail, and why"],
      ["subscribers list --confirmed --limit 5000", "List those who may be written to"],
    ],
  })
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .addOption(
      new Option("--bounced", "only those whose address takes no mail").conflicts("confirmed"),
    )
    .addOption(
      new Option("--held", "only quarantined sign-ups").conflicts(["confirmed", "bounced"]),
    )
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, options: ListOptions) =>
        context.withStore(async (store) => {
          // One more than is shown, to know whether there are more.
          const found = await Array.fromAsync(
            allSubscribers(store, options, { limit: options.limit + 1, newestFirst: true }),
          );
          const subscribers = found.slice(0, options.limit);
          const table = context.table(
            [
              { title: "Email", value: ({ email }) => email, flexible: true },
              ...(options.bounced
                ? bounceColumns
                : [
                    { title: "State", value: ({ state }: SubscriberListing) => state },
                    { title: "Since", value: since },
                  ]),
              ...(subscribers.some((subscriber) => quarantineWords(subscriber) !== "")
                ? [{ title: "Quarantine", value: quarantineWords }]
                : []),
            ],
            subscribers,
            whenEmpty(options),
          );
          const more = found.length > subscribers.length;
          const text = more ? `${table}\n\nThere are more: raise --limit.` : table;
          return { json: { subscribers: subscribers.map(subscriberRecord), more }, text };
        }),
      ),
    );
}

const bounceKinds = { hard: "hard bounce", soft: "soft bounces", complaint: "complaint" };

const bounceColumns: Column<SubscriberListing>[] = [
  { title: "Since", value: since },
  { title: "By", value: bounceWords },
  { title: "Code", value: ({ bounce }) => bounce?.statusCode ?? "" },
  { title: "Answer", value: ({ bounce }) => bounce?.answer ?? "", flexible: true },
];

function whenEmpty({ confirmed, bounced, held }: ListOptions): string {
  if (bounced) return "No address has bounced.";
  if (held) return "No sign-up is quarantined.";
  return confirmed ? "Nobody has confirmed yet." : "No subscribers yet.";
}

function since({
  unsubscribedAt,
  bouncedAt,
  confirmedAt,
  subscribedAt,
}: SubscriberListing): string {
  return torontoTime(unsubscribedAt ?? bouncedAt ?? confirmedAt ?? subscribedAt);
}

function bounceWords({ bouncedAt, bounce }: SubscriberListing): string {
  if (bouncedAt === null) return "";
  return bounce ? bounceKinds[bounce.kind] : "came so with a list";
}
