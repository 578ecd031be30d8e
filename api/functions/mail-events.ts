import { Webhook } from "standardwebhooks";
import {
  readMailEvents,
  recordMailEvents,
} from "#newsletter/bounces/mail-events/record-mail-events.ts";
import type { NewsletterDeps } from "#newsletter/newsletter-deps.ts";
import type { BackendFunction } from "./backend-function.ts";

/** As the specification names them, and as Svix did before, which Resend still does. */
const headerPrefixes = ["webhook-", "svix-"];

/**
 * `mail-events`: what a mail service tells of bounces and complaints, signed by the Standard Webhooks specification →
 * `{ success, recorded }`. Five minutes' difference of clocks are let pass, and a repeat changes nothing.
 */
export function mailEvents(
  { db, clock = () => new Date() }: Pick<NewsletterDeps, "db" | "clock">,
  secret: string,
): BackendFunction {
  const webhook = new Webhook(secret);
  return {
    refusalShape: { success: false },
    async run({ body, text, headers }) {
      const signed = headerPrefixes.map((prefix) => readHeaders(headers, prefix)).find(Boolean);
      if (!signed || !isGenuine(webhook, text, signed)) {
        return { ok: false, status: 401, error: "The signature is missing, wrong or too old." };
      }
      const events = readMailEvents(body);
      if (events === null) {
        return { ok: false, status: 422, error: "This is no bounce or complaint in a known form." };
      }
      const callId = signed["webhook-id"];
      const recorded = await recordMailEvents(db, events, { callId, now: clock() });
      return { ok: true, body: { success: true, recorded } };
    },
  };
}

type SignedHeaders = Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>;

function readHeaders(headers: Headers, prefix: string): SignedHeaders | null {
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) =>
    headers.get(prefix + name),
  );
  if (!id || !timestamp || !signature) return null;
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}

function isGenuine(webhook: Webhook, text: string, headers: SignedHeaders): boolean {
  try {
    webhook.verify(text, headers);
    return true;
  } catch {
    return false;
  }
}
