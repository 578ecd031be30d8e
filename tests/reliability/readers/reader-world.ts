import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import { retryFailedDeliveries } from "#mail/outbox-list.ts";
import { addressHash } from "#newsletter/erasures.ts";
import { importSubscribers } from "#newsletter/import-subscribers.ts";
import { removeSubscriber, unsubscribe } from "#newsletter/leave.ts";
import { eraseMailbox } from "#newsletter/privacy.ts";
import { recordBounce } from "#newsletter/record-bounce.ts";
import { type HandedOver, handOver, settleRow } from "#newsletter/sends/hand-over.ts";
import { confirmSubscription, releaseSubscriber } from "#newsletter/subscribe.ts";
import { beginTestSends, queueTestSend } from "../../sends/queue-test-send.ts";
import { testSite } from "../../site-identity.ts";
import { signUp } from "../../visitors.ts";
import { type Action, type Mailbox, mailboxesOf, type Step } from "./actions.ts";
import {
  type Answer,
  changesToTell,
  type ExpectedReader,
  type LinkOf,
  outcomesOf,
  type Told,
  unknownReader,
} from "./expected-reader.ts";

const minuteMs = 60_000;
const forgets = (action: Action) => action.do === "remove" || action.do === "erase";
const leaseMs = 5 * minuteMs;

/** A mail that arrived, with its links. */
type Arrived = {
  at: number;
  id: number;
  token: string;
  confirmToken: string | null;
  life: number;
};

type Known = {
  mailbox: Mailbox;
  expected: ExpectedReader;
  mails: Arrived[];
  /** When the latest mail about a sign-up came. */
  mailedAt: number;
  /** Goes up with each removal and erasure: links from before lead nowhere. */
  life: number;
  /** The confirm link that was written last, and since which delivery it counts. */
  latestLink: string | null;
  /** The highest delivery at the moment at which they left or were erased. */
  goneSince: number;
  told: Told;
  ledger: unknown[];
  proof: unknown;
};

/** One sequence: mailboxes of its own in a database that it shares with the others, and a clock. */
export function createReaderWorld(open: OpenDatabase, sequence: number, startMs: number) {
  const { db } = open;
  let nowMs = startMs;
  const readers: Known[] = mailboxesOf(sequence).map((mailbox) => ({
    mailbox,
    expected: unknownReader,
    mails: [],
    mailedAt: Number.NEGATIVE_INFINITY,
    life: 0,
    latestLink: null,
    goneSince: 0,
    told: "nothing",
    ledger: [],
    proof: null,
  }));
  /** Whose mail of an issue is on its way, and in which life of theirs; null where none is. */
  let audience: Map<Known, number> | null = null;
  let issues = 0;
  let seenDelivery = 0;
  const now = () => new Date(nowMs);
  const carryOut = createActor(db, now);

  const reader = ({ mailbox }: Action) => readers[mailbox] as Known;

  function linkFor(action: Action): { link: LinkOf; mail: Arrived | undefined } {
    const known = reader(action);
    const back = "back" in action ? action.back : 0;
    const withLink =
      action.do === "confirm"
        ? known.mails.filter(({ confirmToken }) => confirmToken !== null)
        : known.mails;
    const mail = withLink.at(-1 - back);
    if (mail === undefined || mail.life !== known.life) return { link: "nobody", mail };
    const isLatest = mail.confirmToken !== null && mail.confirmToken === known.latestLink;
    return { link: isLatest ? "what waits" : "mailbox", mail };
  }

  /** One of the orders of the actions has to explain the answers and what is stored then. */
  async function carryOutAtOnce(...actions: [Action, ...Action[]]): Promise<void> {
    const known = reader(actions[0]);
    const before = known.expected;
    const asked = await Promise.all(
      actions.map(async (action) => {
        const { link, mail } = linkFor(action);
        return { action, link, answer: await carryOut(action, known.mailbox, mail) };
      }),
    );
    const stored = await storedReader(db, known);
    const isExplained = [asked, asked.toReversed()].some((order) =>
      outcomesOf(before, order).some(
        ({ after, answers }) =>
          isDeepStrictEqual(after, stored) &&
          order.every(({ answer }, at) => ["told nothing", answer].includes(answers[at] ?? "")),
      ),
    );
    if (!isExplained) {
      throw new Error(`Nothing explains ${JSON.stringify({ before, asked, stored })}`);
    }
    known.expected = stored;
    await lookAtWhatLeft(known, before, actions);
    await lookAtProof(known, before, actions);
    if (actions.some(forgets)) known.life += 1;
  }

  /**
   * An issue goes to those who are readers when its send begins and when its mail is handed over, at the address that
   * they have then, and to nobody else.
   */
  async function sendIssue({ between, during }: Extract<Step, { do: "send an issue" }>) {
    issues += 1;
    const issueId = sequence * 1_000 + issues;
    const sendId = await queueTestSend(db, { issueId, beginsAt: now() });
    await beginTestSends(open, now());
    audience = new Map(
      readers.flatMap((one) => (one.expected.is === "reader" ? [[one, one.life]] : [])),
    );
    for (const action of between) await takeOne(action);
    const before = readersIn(audience);
    const [mails] = await Promise.all([
      handOverIssue(db, { sendId, now: now() }),
      during && carryOutAtOnce(during),
    ]);
    const after = readersIn(audience);
    const mailed = new Set(
      readers.filter((one) => mails.some(({ mailbox }) => mailbox === one.mailbox.key)),
    );
    // What happens at the same instant comes first or second.
    const mayBe = before.union(after);
    const mustBe = before.intersection(after);
    if (!mailed.isSubsetOf(mayBe) || !mailed.isSupersetOf(mustBe) || mails.length > mailed.size) {
      throw new Error(
        `An issue went to ${mails.map(({ mailbox }) => mailbox)} of ${readers.map(({ mailbox, expected }) => `${mailbox.key}: ${expected.is}`)}`,
      );
    }
    const accepted = { row: { state: "accepted", settled_at: now().toISOString() } } as const;
    for (const mail of mails) await settleRow(db, mail, accepted, now());
    for (const known of mailed.intersection(mustBe)) {
      const mail = mails.find(({ mailbox }) => mailbox === known.mailbox.key);
      const token = mail?.token ?? "";
      const { life } = known;
      known.mails.push({ at: nowMs, id: seenDelivery, token, confirmToken: null, life });
    }
    audience = null;
  }

  const readersIn = (lives: Map<Known, number>) =>
    new Set(readers.filter((one) => lives.get(one) === one.life && one.expected.is === "reader"));

  async function newDeliveries() {
    const rows = await db
      .selectFrom("outbox")
      .select(["id", "kind", "payload"])
      .where("id", ">", seenDelivery)
      .orderBy("id")
      .execute();
    seenDelivery = rows.at(-1)?.id ?? seenDelivery;
    return rows;
  }

  /** Mails and webhook calls that were written down since, measured by what may be said of whom. */
  async function lookAtWhatLeft(
    known: Known,
    before: ExpectedReader,
    actions: Action[],
  ): Promise<void> {
    const told: string[] = [];
    for (const { kind, payload } of await newDeliveries()) {
      const content = JSON.parse(payload);
      if (kind === "confirmation-email" && content.confirmToken) {
        known.latestLink = content.confirmToken;
      }
      if (kind === "newsletter-webhook") told.push(content.type.replace("newsletter.", ""));
    }
    const isOver = known.expected.is !== "reader" && known.expected.pending === "nothing";
    if (isOver) known.goneSince = seenDelivery;
    const [action] = actions;
    if (action && actions.length === 1) {
      const expected = changesToTell(before, known.expected, action, known.told);
      if (!expected.some((one) => isDeepStrictEqual(one, told))) {
        throw new Error(
          `The webhook was told ${told} where it should hear ${JSON.stringify(expected)}`,
        );
      }
    }
    if (actions.some(forgets)) known.told = "nothing";
    for (const one of told) {
      if (one === known.told || (one === "subscribed" && known.told === "confirmed")) {
        throw new Error(`The webhook was told twice: ${one} after ${known.told}`);
      }
      known.told = one === "unsubscribed" ? "nothing" : (one as Told);
    }
  }

  /** Entries of the ledger are only ever added; and what proves a reader's consent is that of their own sign-up. */
  async function lookAtProof(
    known: Known,
    before: ExpectedReader,
    actions: Action[],
  ): Promise<void> {
    const ended = actions.some(forgets);
    const mayConfirm = before.pending === "waiting" || actions.length > 1;
    const confirmed = mayConfirm && actions.some((action) => action.do === "confirm");
    const { key } = known.mailbox;
    const ledger = await db
      .selectFrom("consent_events")
      .selectAll()
      .where("mailbox_key", "=", key)
      .orderBy("id")
      .execute();
    const kept = ledger.slice(0, known.ledger.length);
    if (!ended && !isDeepStrictEqual(kept, known.ledger)) {
      throw new Error("The ledger lost or changed an entry");
    }
    const row = await db
      .selectFrom("subscribers")
      .select(["email", "subscribed_at", "confirmed_at"])
      .where("mailbox_key", "=", key)
      .executeTakeFirst();
    const proof = row?.confirmed_at
      ? ledger.find((entry) => entry.occurred_at === row.subscribed_at && entry.email === row.email)
      : null;
    if (proof === undefined) throw new Error("A reader's consent can't be proved");
    const mayChange = ended || confirmed;
    if (known.proof !== null && !mayChange && !isDeepStrictEqual(proof, known.proof)) {
      throw new Error("The proof of a consent changed");
    }
    known.ledger = ledger;
    known.proof = proof ?? null;
  }

  async function deliver(outcome: "arrives" | "fails" | "is given up"): Promise<void> {
    const due = await db
      .selectFrom("outbox")
      .selectAll()
      .where("delivered_at", "is", null)
      .where("failed_at", "is", null)
      .where("next_attempt_at", "<=", now().toISOString())
      .orderBy("id")
      .execute();
    for (const row of due) {
      const at = now().toISOString();
      const later = new Date(nowMs + 30 * minuteMs).toISOString();
      const result =
        outcome === "arrives"
          ? { delivered_at: at }
          : outcome === "fails"
            ? { next_attempt_at: later }
            : { failed_at: at };
      await db
        .updateTable("outbox")
        .set({ attempts: row.attempts + 1, ...result })
        .where("id", "=", row.id)
        .execute();
      const known = readers.find(({ mailbox }) => mailbox.key === row.mailbox_key);
      if (!known || outcome !== "arrives") continue;
      if (row.kind === "confirmation-email") arrive(known, row);
    }
  }

  function arrive(known: Known, { id, payload }: { id: number; payload: string }): void {
    const since = nowMs - known.mailedAt;
    if (since < 60 * minuteMs) throw new Error(`Two mails within ${since / minuteMs} minutes`);
    known.mailedAt = nowMs;
    const { token, confirmToken } = JSON.parse(payload);
    if (id <= known.goneSince) throw new Error("Who is gone was sent what was written before");
    const { is } = known.expected;
    if ((is === "gone" || is === "bounced") && confirmToken === null) {
      throw new Error("Who is gone was told that they are a reader");
    }
    known.mails.push({ at: nowMs, id, token, confirmToken, life: known.life });
  }

  async function takeOne(action: Action): Promise<void> {
    // No two steps at one moment: what came first is read from the times.
    nowMs += 1;
    await carryOutAtOnce(action);
  }

  return {
    async take(step: Step): Promise<void> {
      nowMs += 1;
      switch (step.do) {
        case "one":
          return await takeOne(step.action);
        case "send an issue":
          return await sendIssue(step);
        case "two at once":
          return await carryOutAtOnce(...step.actions);
        case "wait":
          nowMs += step.minutes * minuteMs;
          return;
        case "deliver":
          return await deliver(step.outcome);
        case "retry what was given up":
          await retryFailedDeliveries(db, { now: now() });
      }
    },
    /** Without the readers of other sequences, who would be sent each issue, and the mail of those. */
    async begin(): Promise<void> {
      await db.deleteFrom("subscribers").execute();
      await db.deleteFrom("outbox").execute();
    },
  };
}

const newsletterWebhookUrl = "https://hooks.example/x";

/** What a mail leads to: for the reader to leave, and to confirm. */
type Links = { token: string | null; confirmToken: string | null };

/** Carries actions out as visitors, programs and the operator's commands have them done. */
function createActor(db: Kysely<Database>, clock: () => Date) {
  const deps = { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {}, clock };

  return async function carryOut(
    action: Action,
    mailbox: Mailbox,
    links: Links | undefined,
  ): Promise<Answer> {
    const email = mailbox.spellings[action.spelling] as string;
    const yes = ({ ok }: { ok: boolean }) => (ok ? "yes" : "no");
    switch (action.do) {
      case "sign up": {
        const suspicion = action.suspected ? "hidden_field" : null;
        const result = await signUp(db, email, { at: clock(), suspicion, newsletterWebhookUrl });
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
      case "report": {
        const refusal = { kind: action.kind, answer: "550 5.1.1 No such user here" };
        const reported = await db
          .transaction()
          .execute((trx) => recordBounce(trx, { mailbox: mailbox.key, refusal, now: clock() }));
        return reported === "nobody" ? "no" : "yes";
      }
      case "remove":
        return yes(await removeSubscriber({ ...deps, now: clock() }, { email }));
      case "erase":
        await eraseMailbox({ ...deps, now: clock() }, { email });
        return "told nothing";
    }
  };
}

/** Everything that the send hands over at that moment, as the mail server would get it. */
async function handOverIssue(
  db: Kysely<Database>,
  { sendId, now }: { sendId: number; now: Date },
): Promise<HandedOver[]> {
  const mails: HandedOver[] = [];
  const claimant = randomUUID();
  for (;;) {
    const mail = await handOver(db, { sendId, claimant, now, leaseMs });
    if (!mail) return mails;
    mails.push(mail);
  }
}

/** What is stored, in the words of what is expected. */
async function storedReader(
  db: Kysely<Database>,
  { mailbox }: { mailbox: Mailbox },
): Promise<ExpectedReader> {
  const row = await db
    .selectFrom("subscribers")
    .selectAll()
    .where("mailbox_key", "=", mailbox.key)
    .executeTakeFirst();
  const hash = addressHash(mailbox.key);
  const erasure = await db
    .selectFrom("erasures")
    .select("address_hash")
    .where("address_hash", "=", hash)
    .unionAll(db.selectFrom("departures").select("address_hash").where("address_hash", "=", hash))
    .executeTakeFirst();
  if (!row) return { is: "nobody", pending: "nothing", erased: erasure !== undefined };
  const waits = row.pending_since !== null;
  return {
    is: standingOf(row),
    pending: row.held_at ? "held" : waits ? "waiting" : "nothing",
    erased: erasure !== undefined,
  };
}

function standingOf(row: {
  unsubscribed_at: string | null;
  confirmed_at: string | null;
  bounced_at: string | null;
}): ExpectedReader["is"] {
  if (row.unsubscribed_at) return "gone";
  if (!row.confirmed_at) return "nobody";
  return row.bounced_at ? "bounced" : "reader";
}
