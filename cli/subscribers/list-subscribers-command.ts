import type { SubscriberState } from "#backend/newsletter/list-subscribers.ts";
import { collect } from "../collect.ts";
import { parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { torontoTime } from "../terminal/toronto-time.ts";
import { allSubscribers } from "./all-subscribers.ts";
import { subscriberRecord } from "./subscriber-record.ts";

const defaultRows = 100;

const stateWords: Record<SubscriberState, string> = {
  confirmed: "confirmed",
  unconfirmed: "subscribed, not confirmed",
  unsubscribed: "unsubscribed",
};

export function listSubscribersCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the subscribers and where each stands",
    details: "Write only to confirmed ones. The consent record of each is in: subscribers export.",
    examples: [
      ["subscribers list", `List the first ${defaultRows}`],
      ["subscribers list --confirmed --limit 5000", "List those who may be written to"],
    ],
  })
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .option("--limit <n>", "at most so many", parseLimit, defaultRows)
    .action(
      run((context, options: { confirmed?: boolean; limit: number }) =>
        context.withStore(async (store) => {
          // One more than is shown tells whether there are more.
          const found = await collect(
            allSubscribers(store, { ...options, limit: options.limit + 1 }),
          );
          const subscribers = found.slice(0, options.limit);
          const table = context.table(
            [
              { title: "E-mail", value: ({ email }) => email, flexible: true },
              { title: "State", value: ({ state }) => stateWords[state] },
              { title: "Subscribed", value: ({ subscribedAt }) => torontoTime(subscribedAt) },
              { title: "Confirmed", value: ({ confirmedAt }) => torontoTime(confirmedAt) },
              { title: "Unsubscribed", value: ({ unsubscribedAt }) => torontoTime(unsubscribedAt) },
            ],
            subscribers,
            options.confirmed ? "Nobody has confirmed yet." : "No subscribers yet.",
          );
          const more = found.length > subscribers.length;
          const text = more ? `${table}\n\nThere are more: raise --limit.` : table;
          return { json: { subscribers: subscribers.map(subscriberRecord), more }, text };
        }),
      ),
    );
}
