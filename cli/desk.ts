import { torontoTime } from "#content/toronto-time.ts";
import { inviteToDesk, recordDeed } from "#operator/desk-people.ts";
import {
  type CommandContext,
  CommandError,
  commandGroup,
  type Run,
  siteCommand,
} from "./command.ts";

export function deskCommands(run: Run) {
  return commandGroup("desk", "Who may open the desk from anywhere", [
    siteCommand(
      "invite",
      "Make a link by which somebody makes a passkey for the desk",
      "The link works once, within a day. For the name of somebody who is there, it adds a device. People are removed at the desk.",
    )
      .argument("<name>", "the person's name")
      .option("--writer", "may not erase, export, restore, or change settings and people")
      .action(run(invite)),
  ]);
}

async function invite(context: CommandContext, name: string, { writer }: { writer?: boolean }) {
  const { db, config } = await context.store();
  const { deskAddress } = config;
  if (deskAddress === null) {
    throw new CommandError(
      "DESK_ADDRESS is not set, so only this machine opens the desk, by the link that npm run desk prints.",
    );
  }
  const now = context.now();
  const role = writer ? "writer" : "owner";
  const invited = await inviteToDesk(db, { name, role, now });
  if (!invited.ok) {
    throw new CommandError(
      invited.reason === "bad_name" ? invited.why : `${name} is there already, as ${invited.role}.`,
    );
  }
  const { person, token, endsAt } = invited;
  await recordDeed(db, { person: "The terminal", deed: `invite ${role}`, about: "people" }, now);
  const link = `${deskAddress}/enter#${token}`;
  return {
    json: { person: person.name, role, link, endsAt },
    text: `${person.name} opens this link on their own device. It works once, until ${torontoTime(endsAt)} in Toronto:\n\n  ${link}`,
  };
}
