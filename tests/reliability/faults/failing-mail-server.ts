import type { MailServerMode } from "../../mail-server.ts";
import { withScene } from "../scene.ts";
import { hasFailed } from "./failed-attempts.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

const faults = {
  down: "mail server down",
  slow: "mail server slow",
  silent: "mail server silent",
  busy: "mail server takes no connections in (421)",
  defer: "mail server puts recipients off (451)",
  reject: "mail server refuses recipients (550)",
  drop: "mail server takes the message and drops the connection",
} satisfies Record<"down" | Exclude<MailServerMode, "accept" | OtherRefusal>, string>;

/** To the outbox the same as `reject`; a newsletter tells them apart. */
type OtherRefusal = "full" | "banned";

type MailFault = keyof typeof faults;

export const mailFaults = Object.keys(faults) as MailFault[];

/** The mail server fails in one of its ways while visitors write. */
export async function failingMailServer(how: MailFault, size: FaultSize): Promise<FaultReport> {
  return await withScene(size, async (scene) => {
    const report = await beginReport(faults[how], scene, size);
    for (let round = 0; round < size.injections; round += 1) {
      if (how === "down") await scene.mail.goDown();
      else scene.mail.mode = how;
      // How it greets matters to new connections alone.
      if (how === "silent" || how === "busy") scene.mail.cut();
      await report.during(size.lastsMs, () => hasFailed(scene));
      if (how === "down") await scene.mail.comeBack();
      scene.mail.mode = "accept";
      await report.after();
    }
    return await report.end();
  });
}
