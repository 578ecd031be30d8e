import type { Command } from "commander";
import { exportMessages } from "#contact/messages.ts";
import { amount } from "#content/amounts.ts";
import { printableLine } from "#content/text.ts";
import { torontoTime } from "#content/toronto-time.ts";
import { examine } from "#server/health/examine.ts";
import { inviteToDesk } from "#settings/desk-people.ts";
import { lookUpOwnersSettings } from "#settings/owner-settings.ts";
import {
  addGroup,
  addTo,
  type CommandContext,
  CommandError,
  programName,
  type Run,
  runCommandLine,
  type SiteIo,
} from "./command.ts";
import { addDbCommands } from "./db.ts";
import { addIssuesCommands } from "./issues.ts";
import { addSendsCommands } from "./sends.ts";
import { addSubscribersCommands } from "./subscribers.ts";

const programNotes = `
For example: ${programName} issues publish this-week.md
Every command has --help, and --json for programs; docs/operating.md says more. Times are Toronto's.
Exit code: 0 all well, 1 something failed or needs attention, 2 wrong usage.`;

/** Runs one of the operator's commands. Returns its exit code. */
export function runSite(commandLine: string[], io: SiteIo): Promise<number> {
  return runCommandLine(commandLine, io, addCommands);
}

function addCommands(program: Command, run: Run): void {
  program
    .description("Looks after the site: issues, messages, subscribers, mail and the database.")
    .addHelpText("after", programNotes);
  addIssuesCommands(program, run);
  addSendsCommands(program, run);
  const addMessages = addGroup(program, "messages", "What visitors wrote through the contact form");
  addMessages("export", "Export the messages as CSV, or with --json as JSON").action(
    run(async (context) => context.export(exportMessages((await context.store()).db))),
  );
  addSubscribersCommands(program, run);
  addDbCommands(program, run);
  const addDesk = addGroup(program, "desk", "Who may open the desk from anywhere");
  addDesk(
    "invite",
    "Make a link by which somebody makes a passkey for the desk",
    "The link works once, within a day. For the name of somebody who is there, it adds a device. People are removed at the desk.",
  )
    .argument("<name>", "the person's name")
    .action(run(invite));
  addTo(program)(
    "doctor",
    "Say what is configured, what can be reached and what waits",
    "It changes nothing and sends nothing. ! needs attention, and then the exit code is 1; - is worth knowing.",
  ).action(run(doctor));
}

async function invite(context: CommandContext, name: string) {
  const { db, config } = await context.store();
  const { deskAddress } = config;
  if (deskAddress === null) {
    throw new CommandError(
      "DESK_ADDRESS is not set, so only this machine opens the desk, by the link that npm run desk prints.",
    );
  }
  const invited = await inviteToDesk(db, { name, now: new Date() });
  if (!invited.ok) throw new CommandError(invited.problem);
  const { person, token, endsAt } = invited;
  const link = `${deskAddress}/enter#${token}`;
  return {
    json: { person: person.name, link, endsAt },
    text: `${person.name} opens this link on their own device. It works once, until ${torontoTime(endsAt)} in Toronto:\n\n  ${link}`,
  };
}

const signs = { ok: "+", note: "-", attention: "!" };

async function doctor(context: CommandContext) {
  const settings = await lookUpOwnersSettings(context.io.environment, context.readSettings());
  const findings = await examine(settings, new Date());
  const attentions = findings.filter(({ state }) => state === "attention").length;
  const lines = findings.map(({ about, state, message, advice }) => {
    const line = printableLine(`${signs[state]} ${about}: ${message}`);
    return advice === undefined ? line : `${line}\n    ${advice}`;
  });
  const verdict = `${amount(attentions, "thing needs", "things need")} attention.`;
  const isWell = attentions === 0;
  lines.push("", isWell ? "Nothing needs attention." : verdict);
  return {
    json: { ok: isWell, findings },
    text: lines.join("\n"),
    failed: !isWell,
  };
}
