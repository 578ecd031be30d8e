import { spawnCommand } from "../../site-commands.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../webhook-receiver.ts";
import { type Scene, withScene } from "../scene.ts";
import { hasFailed } from "./failed-attempts.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** Longer than a delivery's time in tests. */
const slowAnswerMs = 2_000;

type Answer = WebhookReceiver["answer"];

const faults = {
  down: "webhook endpoint down",
  slow: "webhook endpoint slow",
  error: "webhook endpoint answers 500",
  gone: "webhook endpoint answers 410",
  redirect: "webhook endpoint redirects",
};

type WebhookFault = keyof typeof faults;

export const webhookFaults = Object.keys(faults) as WebhookFault[];

/** The operator's webhook fails in one of its ways while visitors sign up. */
export async function failingWebhook(how: WebhookFault, size: FaultSize): Promise<FaultReport> {
  const elsewhere = await startWebhookReceiver();
  const answers: Record<Exclude<WebhookFault, "down">, Answer> = {
    slow: (response) => void setTimeout(() => response.writeHead(204).end(), slowAnswerMs),
    error: (response) => response.writeHead(500).end("out of order"),
    gone: (response) => response.writeHead(410).end("moved away"),
    redirect: (response) => response.writeHead(307, { location: elsewhere.url }).end(),
  };
  try {
    return await withScene(size, async (scene) => {
      const report = await beginReport(faults[how], scene, size);
      const { hook } = scene;
      const seen: string[] = [];
      for (let round = 0; round < size.injections; round += 1) {
        if (how === "down") await hook.goDown();
        else hook.answer = answers[how];
        await report.during(size.lastsMs, () => hasFailed(scene, { forGood: how === "gone" }));
        if (how === "down") await hook.comeBack();
        hook.answer = (response) => response.writeHead(204).end();
        await report.after();
      }
      if (how === "gone") seen.push(await retryFailed(scene));
      if (how === "redirect")
        seen.push(`requests at the redirect's target: ${elsewhere.received.length}`);
      return await report.end(seen);
    });
  } finally {
    await elsewhere.close();
  }
}

/** What was refused for good waits for the operator, who sends it again by a command. */
async function retryFailed({ settings }: Scene): Promise<string> {
  const line = ["outbox", "retry", "--all-failed", "--json"];
  const run = await spawnCommand(line, { env: settings });
  if (run.exitCode !== 0) throw new Error(`site ${line.join(" ")}: ${run.stdout}${run.stderr}`);
  const { retried } = JSON.parse(run.stdout) as { retried: number };
  if (retried === 0) throw new Error("Nothing had failed: the fault did not happen.");
  return `outbox retry --all-failed: ${retried} sent again`;
}
