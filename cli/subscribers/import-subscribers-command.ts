import { InvalidArgumentError, Option } from "commander";
import { printableText } from "#contracts/text.ts";
import { importList } from "#newsletter/import-list.ts";
import { type Columns, isMeaning, listedStates, meanings } from "#newsletter/list-columns.ts";
import { dateOrders, type ListOptions } from "#newsletter/read-list.ts";
import {
  type CommandContext,
  CommandError,
  formatProblem,
  type Run,
  siteCommand,
} from "../command.ts";
import { readBytes } from "../files.ts";

/** Bad lines in the answer for programs; standard error has them all. */
const invalidKept = 1_000;

type ImportOptions = Omit<ListOptions, "columns"> & {
  column?: Columns;
  consent?: string;
  dryRun?: boolean;
};

export function importSubscribersCommand(run: Run) {
  return siteCommand(
    "import",
    "Import addresses whose consent you can prove",
    "FILE is CSV with a heading line, as Mailchimp, Ghost, Substack, Buttondown, Excel and subscribers export save it. It goes " +
      "in whole or not at all. Nobody who left, bounced or was erased is mailed again, and no mail is sent.",
  )
    .argument("<file>", "a .csv file, or - for standard input")
    .option("--consent <text>", "the wording that these people agreed to; needed to import")
    .addOption(
      new Option("--state <state>", "what rows are where the file doesn't say").choices(
        listedStates,
      ),
    )
    .addOption(
      new Option("--dates <order>", "how 5/1/2022 is meant, where the file doesn't show").choices(
        dateOrders,
      ),
    )
    .option(
      "--column <name=meaning>",
      `what a column is, where that is read wrongly: ${Object.keys(meanings).join(", ")} or none`,
      parseColumn,
    )
    .option("--dry-run", "say what would become of the list, without importing")
    .action(run(importFile));
}

function parseColumn(text: string, given: Columns = {}): Columns {
  const [, name = "", meaning = ""] = /^(.*)=(\w+)$/s.exec(text) ?? [];
  if (meaning === "none") return { ...given, [name]: null };
  if (isMeaning(meaning)) return { ...given, [name]: meaning };
  throw new InvalidArgumentError('Give the column and its meaning, such as "Contact=email".');
}

async function importFile(
  context: CommandContext,
  path: string,
  { dryRun = false, column: columns, ...options }: ImportOptions,
) {
  const file = await readBytes(context, path, { maxBytes: 100_000_000 });
  const { db, config } = await context.store();
  const deps = { db, newsletterWebhookUrl: config.newsletterWebhookUrl, now: context.now() };
  const imported = await importList(deps, file, { ...options, columns, isDry: dryRun });
  if (!imported.ok) {
    throw new CommandError(`${file.name}: ${imported.problem}`, { columns: imported.columns });
  }
  const { said, states, added, duplicate, erased, left, bounced, problems } = imported;
  for (const { line, message, words } of context.json ? [] : problems) {
    const problem = formatProblem({ file: file.name, line, message: `${message} ${words}` });
    context.io.stderr.write(`${printableText(problem)}\n`);
  }
  return {
    json: {
      dryRun,
      said,
      columns: imported.columns,
      states,
      new: added,
      duplicate,
      erased,
      leftNow: left,
      bouncedNow: bounced,
      invalidCount: problems.length,
      invalid: problems.slice(0, invalidKept),
    },
    text: printableText(said.join("\n")),
    failed: problems.length > 0,
  };
}
