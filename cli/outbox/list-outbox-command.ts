import { Option } from "commander";
import { countOutbox, listOutbox, type OutboxState } from "#mail/outbox-list.ts";
import { parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { printableLine } from "../terminal/printable.ts";
import { torontoTime } from "../terminal/toronto-time.ts";

const defaultRows = 30;

type ListOptions = { failed?: boolean; waiting?: boolean; delivered?: boolean; limit: number };

export function listOutboxCommand(run: Run) {
  return siteCommand("list", {
    summary: "List emails and webhook calls, newest first",
    details:
      "Waiting ones are tried again by the running site with growing pauses; failed ones\nare left after the last attempt, for you to retry.",
    examples: [
      ["outbox list", `List the latest ${defaultRows}`],
      ["outbox list --failed", "List what could not be delivered, with the reason"],
    ],
  })
    .addOption(new Option("--failed", "only failed ones").conflicts(["waiting", "delivered"]))
    .addOption(new Option("--waiting", "only waiting ones").conflicts("delivered"))
    .option("--delivered", "only delivered ones")
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, options: ListOptions) =>
        context.withStore(async ({ db }) => {
          const states: OutboxState[] = ["failed", "waiting", "delivered"];
          const state = states.find((name) => options[name]);
          const deliveries = await listOutbox(db, { state, limit: options.limit });
          const counts = await countOutbox(db);
          const table = context.table(
            [
              { title: "Id", value: ({ id }) => String(id), align: "right" },
              { title: "Kind", value: ({ kind }) => kind },
              { title: "State", value: (delivery) => delivery.state },
              { title: "Tries", value: ({ attempts }) => String(attempts), align: "right" },
              { title: "Since", value: ({ createdAt }) => torontoTime(createdAt) },
              {
                title: "Next try",
                value: (d) => (d.state === "waiting" ? torontoTime(d.nextAttemptAt) : ""),
              },
            ],
            deliveries,
            state ? `Nothing is ${state}.` : "The outbox is empty: nothing has been sent yet.",
          );
          const sums = `${counts.waiting} waiting, ${counts.failed} failed, ${counts.delivered} delivered.`;
          const errors = deliveries
            .filter(({ lastError, state }) => lastError !== null && state !== "delivered")
            .map(({ id, lastError }) => `  ${id}: ${printableLine(lastError ?? "")}`);
          if (errors.length > 0) errors.unshift("", "Last errors:");
          const hint =
            counts.failed > 0 ? " To try failed ones again: outbox retry --all-failed" : "";
          return {
            json: { counts, deliveries },
            text: [table, ...errors, "", `${sums}${hint}`].join("\n"),
          };
        }),
      ),
    );
}
