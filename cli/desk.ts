import { torontoTime } from "#content/toronto-time.ts";
import { inviteToDesk } from "#operator/desk-people.ts";
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
      .action(run(invite)),
  ]);
}

async function invite(context: CommandContext, name: string) {
  const { db, config } = await context.store();
  const { deskAddress } = config;
  if (deskAddress === null) {
    throw new CommandError(
      "DESK_ADDRESS is not set, so only this machine opens the desk, by the link that npm run desk prints.",
    );
  }
  const invited = await inviteToDesk(db, { name, now: context.now() });
  if (!invited.ok) throw new CommandError(invited.problem);
  const { person, token, endsAt } = invited;
  const link = `${deskAddress}/enter#${token}`;
  return {
    json: { person: person.name, link, endsAt },
    text: `${person.name} opens this link on their own device. It works once, until ${torontoTime(endsAt)} in Toronto:\n\n  ${link}`,
  };
}
