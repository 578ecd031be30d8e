import { randomUUID } from "node:crypto";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { isSubscriberToken, newSubscriberToken } from "#newsletter/subscriber-token.ts";
import { confirmationEmail } from "./confirmation-email.ts";
import type { MailMessage } from "./mail-message.ts";
import { createMailTemplate, isPlainInHeader, type MailTemplate } from "./mail-template.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

type ConfirmationDelivery = {
  deliveryId: string;
  createdAt: string;
  payload: OutboxPayloads["confirmation-email"];
};

type Composed = { message: MailMessage; fillIn: MailTemplate };

/**
 * The mails that ask for a confirmation, composed once and filled in for each address: in a flood of sign-ups encoding
 * each anew would take the processor longer than everything else that is done for it.
 */
export function createConfirmationMails(
  compose: (message: MailMessage) => Promise<Buffer>,
  site: SiteIdentity,
): (delivery: ConfirmationDelivery) => Promise<MailMessage> {
  const templates = new Map<Asked, Promise<Composed>>();

  function templateOf(asked: Asked): Promise<Composed> {
    let template = templates.get(asked);
    if (!template) {
      template = composeTemplate(compose, site, asked);
      templates.set(asked, template);
      // The next one tries it anew.
      template.catch(() => templates.delete(asked));
    }
    return template;
  }

  return async function mailOf({ deliveryId, createdAt, payload }) {
    const { email, token } = payload;
    const confirmToken = payload.confirmToken === undefined ? token : payload.confirmToken;
    const canFillIn =
      isPlainInHeader(email) &&
      isSubscriberToken(token) &&
      (confirmToken === null || isSubscriberToken(confirmToken));
    if (!canFillIn) return confirmationEmail({ deliveryId, createdAt, payload, site });
    const { message, fillIn } = await templateOf(confirmToken === null ? "nothing" : "to confirm");
    return {
      ...message,
      deliveryId,
      date: createdAt,
      to: { name: "", address: email },
      composed: fillIn(ownWords({ deliveryId, createdAt, email, token, confirmToken })),
    };
  };
}

type Asked = "to confirm" | "nothing";

async function composeTemplate(
  compose: (message: MailMessage) => Promise<Buffer>,
  site: SiteIdentity,
  asked: Asked,
): Promise<Composed> {
  const deliveryId = randomUUID();
  const createdAt = new Date().toISOString();
  const email = `${randomUUID()}@placeholder.invalid`;
  const token = newSubscriberToken();
  const confirmToken = asked === "nothing" ? null : newSubscriberToken();
  const payload = { email, token, confirmToken };
  const message = confirmationEmail({ deliveryId, createdAt, payload, site });
  const placeholders = ownWords({ deliveryId, createdAt, email, token, confirmToken });
  return { message, fillIn: createMailTemplate(await compose(message), placeholders) };
}

type Own = {
  deliveryId: string;
  createdAt: string;
  email: string;
  token: string;
  confirmToken: string | null;
};

/** What each of the mails has of its own, in the order in which a template takes it. */
function ownWords({ deliveryId, createdAt, email, token, confirmToken }: Own): string[] {
  const words = [deliveryId, headerDate(createdAt), email, token];
  return confirmToken === null ? words : [...words, confirmToken];
}

/** RFC 5322, section 3.3, as Nodemailer writes it. */
function headerDate(at: string): string {
  return new Date(at).toUTCString().replace("GMT", "+0000");
}
