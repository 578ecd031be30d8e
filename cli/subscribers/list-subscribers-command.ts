import { Option } from "commander";
import { torontoMoment } from "#content/toronto-time.ts";
import { listSubscribers, type SubscriberListing } from "#newsletter/list-subscribers.ts";
import type { CommandContext } from "../command-context.ts";
import { quarantineWords } from "../messages.ts";
import { parseDay, withLimit } from "../option-values.ts";
import { inPages } from "../records.ts";
import { type CommandResult, type Run, siteCommand } from "../site-command.ts";
import { formatRows, torontoTime } from "../terminal.ts";
import { subscriberRecord } from "./subscriber-record.ts";

type ListOptions = {
  confirmed?: boolean;
  bounced?: boolean;
  left?: boolean;
  held?: boolean;
  since?: string;
  find?: string;
  limit: number;
};

export function listSubscribersCommand(run: Run) {
  const command = siteCommand(
    "list",
    "List the subscribers and their states, the latest sign-up first",
    'unconfirmed: has not confirmed yet ("subscribed" in JSON and exports). bounced: the address refused mail for good, ' +
      "or its owner complained.",
  )
    .option("--confirmed", "only those who have confirmed and not unsubscribed")
    .addOption(
      new Option("--left", "only those who have unsubscribed").conflicts(["confirmed", "bounced"]),
    )
    .addOption(
      new Option("--bounced", "only those whose address takes no mail").conflicts("confirmed"),
    )
    .addOption(
      new Option("--held", "only quarantined sign-ups").conflicts(["confirmed", "bounced", "left"]),
    )
    .option(
      "--since <date>",
      "only those who signed up, or with --left who left, on that day (Toronto) or later",
      parseDay,
    )
    .option("--find <text>", "only those whose address holds this text");
  return withLimit(command, 100).action(run(list));
}

function list(context: CommandContext, options: ListOptions): Promise<CommandResult> {
  return context.withStore(async ({ db }) => {
    const { confirmed, bounced, left, held, find, limit } = options;
    const state = confirmed ? "confirmed" : bounced ? "bounced" : left ? "unsubscribed" : undefined;
    const since = options.since && torontoMoment(`${options.since}T00:00`)?.toISOString();
    const filter = { state, held, since, find, newestFirst: true } as const;
    const read = (page: { limit: number; after?: number }) =>
      listSubscribers(db, { ...filter, limit: page.limit, afterId: page.after });
    // One more than is shown, to know whether there are more.
    const found = await Array.fromAsync(inPages(read, limit + 1));
    const subscribers = found.slice(0, limit);
    const more = found.length > limit;
    const rows = subscribers.map((subscriber) => ({
      Email: subscriber.email,
      ...(bounced ? {} : { State: subscriber.state }),
      Since: torontoTime(lastMoment(subscriber)),
      ...(bounced ? bounceCells(subscriber) : { Quarantine: quarantineWords(subscriber) }),
    }));
    const text = formatRows(rows, "There are none.");
    return {
      json: { subscribers: subscribers.map(subscriberRecord), more },
      text: more ? `${text}\n\nThere are more: raise --limit.` : text,
    };
  });
}

const bounceKinds = { hard: "hard bounce", soft: "soft bounces", complaint: "complaint" };

function bounceCells({ bounce }: SubscriberListing) {
  return {
    By: bounce ? bounceKinds[bounce.kind] : "came so with a list",
    Code: bounce?.statusCode ?? "",
    Answer: bounce?.answer ?? "",
  };
}

function lastMoment(subscriber: SubscriberListing): string {
  const { unsubscribedAt, bouncedAt, confirmedAt, subscribedAt } = subscriber;
  return unsubscribedAt ?? bouncedAt ?? confirmedAt ?? subscribedAt;
}
