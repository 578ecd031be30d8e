import type { OpenDatabase } from "#backend/database/database-handle.ts";
import { countHeld, describeHeld } from "#backend/held/count-held.ts";
import type { Finding } from "./finding.ts";

/** What is held as suspected spam and waits for somebody to look at it. */
export async function checkHeld({ db }: OpenDatabase): Promise<Finding> {
  const held = await countHeld(db);
  const about = "Suspected spam";
  const message = `${describeHeld(held)} held.`;
  const commands = [
    ...(held.messages > 0 ? ["messages list --held"] : []),
    ...(held.signUps > 0 ? ["subscribers list --held"] : []),
  ];
  if (commands.length === 0) return { about, state: "ok", message };
  const advice = `A person can be among them: ${commands.join(" and ")}`;
  return { about, state: "note", message, advice };
}
