import * as v from "valibot";
import { answerWords, readFields } from "#api/function-call.ts";
import { newsletterSignupSchema, type WebhookEvent } from "#contracts/newsletter.ts";
import { findMailbox, readAddress } from "#mail/mailbox-key.ts";
import { consentOf } from "#newsletter/consent-ledger.ts";
import { confirmationPauseMs } from "#newsletter/load-subscriber.ts";
import { isSubscriberToken, newSubscriberToken } from "#newsletter/subscriber-token.ts";
import { type Answer, type Call, inTransaction, refused } from "./call.ts";
import { refusalOfTooMany } from "./limits.ts";
import { enqueue } from "./outbox.ts";

type State = "unconfirmed" | "confirmed" | "unsubscribed";

const taken = (duplicate: boolean): Answer => ({
  status: 200,
  body: {
    success: true,
    duplicate,
    message: duplicate ? answerWords.duplicate : answerWords.subscribed,
  },
});

/**
 * `newsletter-signup`: `{ email }` → `{ success, duplicate, message }`. A mailbox counts once in every spelling, must
 * confirm, and is mailed at most once an hour. The body's webhook is never called.
 */
export async function signUp(call: Call): Promise<Answer> {
  const { pool, settings, visitor, headers } = call;
  const read = readFields(newsletterSignupSchema, call.body);
  if (!read.ok) return refused(read);
  const email = readAddress(read.values.email);
  const mailbox = email === null ? null : findMailbox(email);
  if (email === null || mailbox === null) {
    return {
      status: 200,
      body: { success: false, duplicate: false, message: answerWords.invalidAddress },
    };
  }
  const tooMany = await refusalOfTooMany(call, "signUp", { email, visitor });
  if (tooMany) return tooMany;
  const consent = consentOf(settings.site, {
    referrer: headers.get("Referer"),
    requestUrl: settings.site.url,
    clientAddress: visitor,
  });
  return await inTransaction(pool, async (client) => {
    const token = newSubscriberToken();
    const { rows } = await client.query<{ state: State; token: string; is_new: boolean }>(
      // Someone who unsubscribed starts anew; everyone else is unchanged.
      `insert into chalkline.subscribers as known
         (mailbox, email, state, token, consent_text, consent_page, consent_address, subscribed_at)
       values ($1, $2, 'unconfirmed', $3, $4, $5, $6, now())
       on conflict (mailbox) do update set
         email = excluded.email, state = excluded.state, token = excluded.token,
         consent_text = excluded.consent_text, consent_page = excluded.consent_page,
         consent_address = excluded.consent_address, subscribed_at = excluded.subscribed_at,
         confirmed_at = null, unsubscribed_at = null
       where known.state = 'unsubscribed'
       returning state, token, true as is_new`,
      [mailbox, email, token, consent.wording, consent.page, consent.networkAddress],
    );
    const isNew = rows.length > 0;
    const mailed = await client.query<{ email: string; token: string }>(
      `update chalkline.subscribers set last_mail_at = now()
       where mailbox = $1 and state = 'unconfirmed'
         and (last_mail_at is null or last_mail_at < now() - make_interval(secs => $2))
       returning email, token`,
      [mailbox, confirmationPauseMs / 1_000],
    );
    for (const { email: to, token: theirs } of mailed.rows) {
      await enqueue(client, "confirmation-email", { email: to, token: theirs });
    }
    if (isNew) await tell(client, call, "newsletter.subscribed", email);
    return taken(!isNew);
  });
}

const tokenSchema = v.object({ token: v.string("token must be text.") });

/** `newsletter-confirm`: `{ token }` → `{ success, reason?, message }`. */
export async function confirm(call: Call): Promise<Answer> {
  const token = readToken(call);
  if (token === null) return notDone("unknown_token", answerWords.unknownLink);
  return await inTransaction(call.pool, async (client) => {
    const { rows } = await client.query<{ state: State; email: string }>(
      "select state, email from chalkline.subscribers where token = $1 for update",
      [token],
    );
    const [found] = rows;
    if (!found) return notDone("unknown_token", answerWords.unknownLink);
    if (found.state === "unsubscribed") return notDone("unsubscribed", answerWords.alreadyLeft);
    if (found.state === "unconfirmed") {
      await client.query(
        "update chalkline.subscribers set state = 'confirmed', confirmed_at = now() where token = $1",
        [token],
      );
      await tell(client, call, "newsletter.confirmed", found.email);
    }
    return { status: 200, body: { success: true, message: answerWords.confirmed } };
  });
}

/** `newsletter-unsubscribe`: `{ token }` → `{ success, reason?, message }`. */
export async function unsubscribe(call: Call): Promise<Answer> {
  const token = readToken(call);
  const unknown = answerWords.unknownLeavingLink(call.settings.site.email);
  if (token === null) return notDone("unknown_token", unknown);
  return await inTransaction(call.pool, async (client) => {
    const { rows } = await client.query<{ was: State; email: string }>(
      `update chalkline.subscribers as reader
       set state = 'unsubscribed', unsubscribed_at = coalesce(reader.unsubscribed_at, now())
       from (select mailbox, state as was from chalkline.subscribers where token = $1 for update) as before
       where reader.mailbox = before.mailbox
       returning before.was, reader.email`,
      [token],
    );
    const [found] = rows;
    if (!found) return notDone("unknown_token", unknown);
    if (found.was !== "unsubscribed") {
      await tell(client, call, "newsletter.unsubscribed", found.email);
    }
    return { status: 200, body: { success: true, message: answerWords.unsubscribed } };
  });
}

function readToken({ body }: Call): string | null {
  const read = readFields(tokenSchema, body);
  return read.ok && isSubscriberToken(read.values.token) ? read.values.token : null;
}

function notDone(reason: string, message: string): Answer {
  return { status: 200, body: { success: false, reason, message } };
}

async function tell(
  client: Parameters<typeof enqueue>[0],
  { settings }: Call,
  type: WebhookEvent["type"],
  email: string,
): Promise<void> {
  if (!settings.webhook) return;
  const event: WebhookEvent = { type, timestamp: new Date().toISOString(), data: { email } };
  await enqueue(client, "newsletter-webhook", event);
}
