import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import { removeSubscriber, unsubscribe } from "#newsletter/leave.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { confirmSubscription, releaseSubscriber, subscribe } from "#newsletter/subscribe.ts";
import { testSite } from "../../site-identity.ts";
import type { Action } from "./actions.ts";
import type { Answer } from "./expected-reader.ts";
import type { Mailbox } from "./spellings.ts";

const newsletterWebhookUrl = "https://hooks.example/x";

/** What a mail leads to: for the reader to leave, and to confirm. */
type Links = { token: string | null; confirmToken: string | null };

/** Carries actions out as visitors, programs and the operator's commands have them done. */
export function createActor(db: Kysely<Database>, clock: () => Date) {
  const deps = { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {}, clock };
  let reports = 0;

  async function carryOut(
    action: Action,
    { mailbox, links }: { mailbox: Mailbox; links: Links | undefined },
  ): Promise<Answer> {
    const email = mailbox.spellings[action.spelling] as string;
    const yes = ({ ok }: { ok: boolean }) => (ok ? "yes" : "no");
    switch (action.do) {
      case "sign up": {
        const result = await subscribe(deps, {
          email,
          referrer: "/newsletter",
          requestUrl: testSite.url,
          clientAddress: "203.0.113.9",
          suspicion: action.suspected ? "hidden_field" : null,
        });
        return result.ok && result.duplicate ? "duplicate" : result.ok ? "new" : "no";
      }
      case "confirm":
        return yes(await confirmSubscription(deps, { token: links?.confirmToken ?? "" }));
      case "leave":
        return yes(await unsubscribe(deps, { token: links?.token ?? "", way: action.way }));
      case "take off":
        return yes(await unsubscribe(deps, { email }));
      case "release":
        return yes(await releaseSubscriber({ ...deps, now: clock() }, { email }));
      case "import": {
        const at = clock().toISOString();
        const subscriber = {
          email,
          consentText: "As on the card",
          consentPage: null,
          consentAddress: null,
          subscribedAt: at,
          confirmedAt: action.as === "confirmed" ? at : null,
          unsubscribedAt: action.as === "left" ? at : null,
          bouncedAt: action.as === "bounced" ? at : null,
        };
        const { added, left, bounced } = await importSubscribers(db, [subscriber], {
          now: clock(),
          newsletterWebhookUrl,
        });
        return added + left + bounced > 0 ? "yes" : "no";
      }
      case "report":
        return await report(mailbox, action);
      case "remove":
        return yes(await removeSubscriber({ ...deps, now: clock() }, { email }));
      case "erase":
        await eraseMailbox({ ...deps, now: clock() }, { email });
        return "told nothing";
    }
  }

  async function report(
    mailbox: Mailbox,
    { kind, mails }: Extract<Action, { do: "report" }>,
  ): Promise<Answer> {
    const refusal = { kind, answer: "452 4.2.2 The mailbox is full" };
    const tell = (reportKey: string) =>
      db
        .transaction()
        .execute((trx) =>
          recordBounce(trx, { mailbox: mailbox.key, refusal, now: clock(), reportKey }),
        );
    let first: Awaited<ReturnType<typeof tell>> = "nobody";
    for (let mail = 0; mail < mails; mail += 1) {
      reports += 1;
      const recorded = await tell(`mail ${reports}`);
      if (mail === 0) first = recorded;
    }
    if (mails > 1) await tell(`mail ${reports}`);
    return first === "nobody" ? "no" : "yes";
  }

  return { deps, carryOut };
}
