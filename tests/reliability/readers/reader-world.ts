import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Database } from "#backend/database/tables.ts";
import { confirmSubscription } from "#backend/newsletter/confirm-subscription.ts";
import { importSubscribers } from "#backend/newsletter/import-subscribers.ts";
import { releaseSubscriber } from "#backend/newsletter/release-subscriber.ts";
import { removeSubscriber } from "#backend/newsletter/remove-subscriber.ts";
import { subscribe } from "#backend/newsletter/subscribe.ts";
import { unsubscribe } from "#backend/newsletter/unsubscribe.ts";
import { retryDelivery } from "#backend/outbox/retry-deliveries.ts";
import { eraseMailbox } from "#backend/privacy/erase-mailbox.ts";
import { addressHash } from "#backend/privacy/erasures.ts";
import { testSite } from "../../site-identity.ts";
import type { Action, Step } from "./actions.ts";
import {
  type Answer,
  type ExpectedReader,
  expectedAfter,
  type LinkOf,
  unknownReader,
} from "./expected-reader.ts";
import { type Mailbox, mailboxesOf } from "./spellings.ts";

const minuteMs = 60_000;
const newsletterWebhookUrl = "https://hooks.example/x";

/** A mail that arrived, with its links. */
type Arrived = { at: number; id: number; token: string; confirmToken: string | null; life: number };

type Known = {
  mailbox: Mailbox;
  expected: ExpectedReader;
  mails: Arrived[];
  /** Goes up with each removal and erasure: links from before lead nowhere. */
  life: number;
  /** The confirm link that was written last, and since which delivery it counts. */
  latestLink: string | null;
  /** The highest delivery at the moment at which they left or were erased. */
  goneSince: number;
  /** What the webhook believes. */
  told: "nothing" | "subscribed" | "confirmed";
  ledger: unknown[];
  proof: unknown;
};

/** One sequence: mailboxes of its own in a database that it shares with the others, and a clock. */
export function createReaderWorld(db: Kysely<Database>, sequence: number, startMs: number) {
  let nowMs = startMs;
  const readers: Known[] = mailboxesOf(sequence).map((mailbox) => ({
    mailbox,
    expected: unknownReader,
    mails: [],
    life: 0,
    latestLink: null,
    goneSince: 0,
    told: "nothing",
    ledger: [],
    proof: null,
  }));
  let seenDelivery = 0;
  const now = () => new Date(nowMs);
  const deps = {
    db,
    site: testSite,
    newsletterWebhookUrl,
    wakeOutbox() {},
    clock: now,
  };

  const reader = ({ mailbox }: Action) => readers[mailbox] as Known;
  const spelled = (action: Action) => reader(action).mailbox.spellings[action.spelling] as string;

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

  async function carryOut(action: Action, mail: Arrived | undefined): Promise<Answer> {
    const email = spelled(action);
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
        return yes(await confirmSubscription(deps, { token: mail?.confirmToken ?? "" }));
      case "leave":
        return yes(await unsubscribe(deps, { token: mail?.token ?? "", way: action.way }));
      case "take off":
        return yes(await unsubscribe(deps, { email }));
      case "release":
        return yes(await releaseSubscriber({ ...deps, now: now() }, { email }));
      case "import": {
        const at = now().toISOString();
        const subscriber = {
          email,
          consentText: "As on the card",
          consentPage: null,
          consentAddress: null,
          subscribedAt: at,
          confirmedAt: action.as === "confirmed" ? at : null,
          unsubscribedAt: action.as === "left" ? at : null,
        };
        const { added } = await importSubscribers(db, [subscriber], { now: now() });
        return added > 0 ? "yes" : "no";
      }
      case "remove":
        return yes(await removeSubscriber({ ...deps, now: now() }, { email }));
      case "erase":
        await eraseMailbox({ ...deps, now: now() }, { email });
        return "told nothing";
    }
  }

  /** Some order of the actions has to explain the answers and what is stored then. */
  async function carryOutAtOnce(actions: Action[]): Promise<void> {
    const known = reader(actions[0] as Action);
    const links = actions.map(linkFor);
    const answers = await Promise.all(
      actions.map((action, index) => carryOut(action, links[index]?.mail)),
    );
    const stored = await storedReader(known);
    const orders =
      actions.length === 2
        ? [
            [0, 1],
            [1, 0],
          ]
        : [[0]];
    const explained = orders
      .flatMap((order) =>
        follow(
          known.expected,
          order.map((index) => ({ ...links[index], index, action: actions[index] as Action })),
        ),
      )
      .find(
        ({ after, expectedAnswers }) =>
          isDeepStrictEqual(after, stored) &&
          answers.every((answer, index) => matches(expectedAnswers[index], answer)),
      );
    if (!explained) {
      throw new Error(
        `Nothing explains ${JSON.stringify({ before: known.expected, actions, links, answers, stored })}`,
      );
    }
    const before = known.expected;
    known.expected = explained.after;
    if (explained.ended) known.life += 1;
    await lookAtWhatLeft(known, before, actions, explained);
    await lookAtProof(known, explained);
  }

  /** What is stored, in the words of what is expected. */
  async function storedReader({ mailbox }: Known): Promise<ExpectedReader> {
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
      is: row.unsubscribed_at ? "gone" : row.confirmed_at ? "reader" : "nobody",
      pending: row.held_at ? "held" : waits ? "waiting" : "nothing",
      erased: erasure !== undefined,
    };
  }

  /** Mails and webhook calls that were written down since, held to what may be said of whom. */
  async function lookAtWhatLeft(
    known: Known,
    before: ExpectedReader,
    actions: Action[],
    { confirmed }: Followed,
  ): Promise<void> {
    const rows = await db
      .selectFrom("outbox")
      .select(["id", "kind", "payload"])
      .where("id", ">", seenDelivery)
      .orderBy("id")
      .execute();
    seenDelivery = rows.at(-1)?.id ?? seenDelivery;
    const told: string[] = [];
    for (const { kind, payload } of rows) {
      const content = JSON.parse(payload);
      if (kind === "confirmation-email" && content.confirmToken) {
        known.latestLink = content.confirmToken;
      }
      if (kind === "newsletter-webhook") told.push(content.type.replace("newsletter.", ""));
    }
    const isOver = known.expected.is !== "reader" && known.expected.pending === "nothing";
    if (isOver) known.goneSince = seenDelivery;
    if (
      (before.is === "gone" || before.erased) &&
      !confirmed &&
      told.some((one) => one !== "unsubscribed")
    ) {
      throw new Error(`Somebody who is gone was told of as ${told}`);
    }
    const [action] = actions;
    if (action && actions.length === 1) {
      const expected = changesToTell(before, known.expected, action, known.told);
      if (!expected.some((one) => isDeepStrictEqual(one, told))) {
        throw new Error(
          `The webhook was told ${told} where it should hear ${JSON.stringify(expected)}`,
        );
      }
    }
    const isForgotten = actions.some(({ do: what }) => what === "remove" || what === "erase");
    if (isForgotten) known.told = "nothing";
    for (const one of told) {
      if (one === known.told || (one === "subscribed" && known.told === "confirmed")) {
        throw new Error(`The webhook was told twice: ${one} after ${known.told}`);
      }
      known.told = one === "unsubscribed" ? "nothing" : (one as Known["told"]);
    }
  }

  /** Entries of the ledger are only ever added; and what proves a reader's consent is that of their own sign-up. */
  async function lookAtProof(known: Known, { ended, confirmed }: Followed): Promise<void> {
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
      .where(
        "mailbox_key",
        "in",
        readers.map(({ mailbox }) => mailbox.key),
      )
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
      if (known && outcome === "arrives" && row.kind === "confirmation-email") arrive(known, row);
    }
  }

  function arrive(known: Known, { id, payload }: { id: number; payload: string }): void {
    const last = known.mails.at(-1);
    if (last && nowMs - last.at < 60 * minuteMs) {
      throw new Error(`Two mails within ${(nowMs - last.at) / minuteMs} minutes`);
    }
    const { token, confirmToken } = JSON.parse(payload);
    if (id <= known.goneSince) throw new Error("Who is gone was sent what was written before");
    if (known.expected.is === "gone" && confirmToken === null) {
      throw new Error("Who is gone was told that they are a reader");
    }
    known.mails.push({ at: nowMs, id, token, confirmToken, life: known.life });
  }

  async function retryGivenUp(): Promise<void> {
    const rows = await db
      .selectFrom("outbox")
      .select("id")
      .where(
        "mailbox_key",
        "in",
        readers.map(({ mailbox }) => mailbox.key),
      )
      .where("failed_at", "is not", null)
      .execute();
    for (const { id } of rows) await retryDelivery(db, { id, now: now() });
  }

  return {
    async take(step: Step): Promise<void> {
      // No two steps at one moment: what came first is read from the times.
      nowMs += 1;
      switch (step.do) {
        case "one":
          return await carryOutAtOnce([step.action]);
        case "two at once":
          return await carryOutAtOnce(step.actions);
        case "wait":
          nowMs += step.minutes * minuteMs;
          return;
        case "deliver":
          return await deliver(step.outcome);
        case "retry what was given up":
          return await retryGivenUp();
      }
    },
    /** Begins after everything that other sequences have written. */
    async begin(): Promise<void> {
      const { last } = await db
        .selectFrom("outbox")
        .select((eb) => eb.fn.max<number | null>("id").as("last"))
        .executeTakeFirstOrThrow();
      seenDelivery = last ?? 0;
    },
    get nowMs() {
      return nowMs;
    },
  };
}

type Followed = {
  after: ExpectedReader;
  expectedAnswers: Answer[];
  /** By a removal or an erasure. */
  ended: boolean;
  confirmed: boolean;
};

/** What the actions make of a mailbox in this order; more than one where a link may have been renewed in between. */
function follow(
  before: ExpectedReader,
  steps: { action: Action; link?: LinkOf; index: number }[],
): Followed[] {
  let outcomes: Followed[] = [
    { after: before, expectedAnswers: [], ended: false, confirmed: false },
  ];
  const renewed = new Set<Followed>();
  for (const { action, link = "nobody", index } of steps) {
    outcomes = outcomes.flatMap((sofar) => {
      const links: LinkOf[] = sofar.ended ? ["nobody"] : [link];
      if (!sofar.ended && link === "what waits" && renewed.has(sofar)) links.push("mailbox");
      return links.map((one) => {
        const { after, answer } = expectedAfter(sofar.after, action, one);
        const expectedAnswers = [...sofar.expectedAnswers];
        expectedAnswers[index] = answer;
        const forgets = action.do === "remove" || action.do === "erase";
        const known = sofar.after.is !== "nobody" || sofar.after.pending !== "nothing";
        const confirms =
          action.do === "confirm" && answer === "yes" && sofar.after.pending === "waiting";
        const next = {
          after,
          expectedAnswers,
          ended: sofar.ended || (forgets && known),
          confirmed: sofar.confirmed || confirms,
        };
        if (action.do === "sign up" || action.do === "release") renewed.add(next);
        return next;
      });
    });
  }
  return outcomes;
}

function matches(expected: Answer | undefined, answer: Answer): boolean {
  return expected === "told nothing" || expected === answer;
}

/** What the webhook hears of one action: one of these. */
function changesToTell(
  before: ExpectedReader,
  after: ExpectedReader,
  action: Action,
  told: Known["told"],
): string[][] {
  const isQuiet = before.is === "gone" || before.erased;
  switch (action.do) {
    case "sign up":
    case "release": {
      const begins = before.pending !== "waiting" && after.pending === "waiting";
      return [begins && !isQuiet ? ["subscribed"] : []];
    }
    case "confirm":
      return [before.pending === "waiting" && after.is === "reader" ? ["confirmed"] : []];
    case "leave":
    case "take off": {
      const leaves = before.is !== "gone" && after.is === "gone";
      return [leaves && (before.is === "reader" || told !== "nothing") ? ["unsubscribed"] : []];
    }
    case "import":
      return [[]];
    case "remove":
    case "erase":
      // Where the call about the beginning had not been made yet, it was taken back.
      return told === "nothing" ? [[]] : [[], ["unsubscribed"]];
  }
}
