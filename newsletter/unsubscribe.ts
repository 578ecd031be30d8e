import { findMailbox } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import type { LeavingWay } from "./consent-event.ts";
import { findMailboxOfToken } from "./find-mailbox-of-token.ts";
import { loadSubscriber } from "./load-subscriber.ts";
import type { NewsletterDeps } from "./newsletter-deps.ts";

type UnsubscribeResult = { ok: true } | { ok: false; reason: "unknown_token" };

/** By the secret of a link in mail; or, by the operator, by the address that somebody has written from. */
type Leaving =
  | { token: string; way?: Extract<LeavingWay, "link" | "one_click">; requestId?: string | null }
  | { email: string };

/** Ends a subscription, confirmed or not, at once. A repeat is answered like the first time. */
export async function unsubscribe(
  {
    db,
    newsletterWebhookUrl,
    wakeOutbox,
    clock = () => new Date(),
  }: Pick<NewsletterDeps, "db" | "newsletterWebhookUrl" | "wakeOutbox" | "clock">,
  leaving: Leaving,
): Promise<UnsubscribeResult> {
  const now = clock();
  const result = await db.transaction().execute(async (trx): Promise<UnsubscribeResult> => {
    const mailbox =
      "token" in leaving
        ? await findMailboxOfToken(trx, leaving.token)
        : findMailbox(leaving.email);
    if (mailbox === null) return { ok: false, reason: "unknown_token" };
    const { answer } = await applyEvent(trx, await loadSubscriber(trx, mailbox, now), {
      event: "leave",
      now,
      newsletterWebhookUrl,
      ...("token" in leaving
        ? { way: leaving.way ?? "link", requestId: leaving.requestId }
        : { way: "operator" }),
    });
    return answer === "ok" ? { ok: true } : { ok: false, reason: "unknown_token" };
  });
  wakeOutbox();
  return result;
}
