import type { MailServer } from "../mail-server.ts";
import type { WebhookReceiver } from "../webhook-receiver.ts";

const changesEveryMs = 60;

/** A mail server and a webhook that fail at random, in every way they can, until the weather clears. */
export function startBadWeather({ mail, hook }: { mail: MailServer; hook: WebhookReceiver }) {
  const moods = ["accept", "accept", "accept", "defer", "reject", "drop", "silent"] as const;
  const change = setInterval(() => {
    mail.mode = moods[Math.floor(Math.random() * moods.length)] ?? "accept";
  }, changesEveryMs);
  hook.answer = (response) => {
    const luck = Math.random();
    if (luck < 0.6) response.writeHead(204).end();
    else if (luck < 0.8) response.writeHead(500).end();
    else response.destroy();
  };
  return {
    clear() {
      clearInterval(change);
      mail.mode = "accept";
      hook.answer = (response) => response.writeHead(204).end();
    },
  };
}
