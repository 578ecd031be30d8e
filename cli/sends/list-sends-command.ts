import { listSends } from "#newsletter/sends/find-send.ts";
import { parseLimit } from "../option-values.ts";
import { type Run, siteCommand } from "../site-command.ts";
import { torontoTime } from "../terminal/toronto-time.ts";
import { countWords, stateWords } from "./send-words.ts";

const defaultRows = 20;

export function listSendsCommand(run: Run) {
  return siteCommand("list", {
    summary: "List the sends, the latest first",
    examples: [["sends list", "List the latest"]],
  })
    .option("--limit <n>", "show at most this many", parseLimit, defaultRows)
    .action(
      run((context, { limit }: { limit: number }) =>
        context.withStore(async ({ db }) => {
          const sends = await listSends(db, { limit });
          const text = context.table(
            [
              { title: "Id", value: ({ id }) => String(id), align: "right" },
              { title: "Issue", value: ({ issueId }) => String(issueId), align: "right" },
              { title: "Title", value: ({ title }) => title, flexible: true },
              { title: "Begun", value: ({ begunAt }) => torontoTime(begunAt) },
              { title: "State", value: stateWords, flexible: true },
              { title: "Readers", value: countWords },
            ],
            sends,
            "Nothing has been sent yet: issues send ID",
          );
          return { json: { sends }, text };
        }),
      ),
    );
}
