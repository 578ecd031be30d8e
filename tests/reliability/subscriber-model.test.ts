import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Kysely } from "kysely";
import { expect, test } from "vitest";
import type { OpenDatabase } from "#db/database-handle.ts";
import type { Database } from "#db/tables.ts";
import { retryFailedDeliveries } from "#mail/outbox.ts";
import { recordBounce } from "#newsletter/bounces/record-bounce.ts";
import { handOver, settleRow } from "#newsletter/sends/recipients.ts";
import { applyEvent, loadSubscriber } from "#newsletter/subscribers/apply-event.ts";
import { importSubscribers } from "#newsletter/subscribers/import-list.ts";
import { eraseMailbox } from "#newsletter/subscribers/person.ts";
import {
  addSubscriber,
  confirmSubscription,
  releaseSubscriber,
  unsubscribe,
} from "#newsletter/subscribers/subscribe.ts";
import {
  type SubscriberEvent,
  type SubscriberState,
  subscriberStates,
  type Transition,
} from "#newsletter/subscribers/subscriber-states.ts";
import { describeOnEachDatabase } from "../databases.ts";
import { beginTestSends, queueTestSend } from "../sends/queue-test-send.ts";
import { testSite } from "../site-identity.ts";
import { signUp } from "../visitors.ts";

const runs = { sqlite: 200, postgres: 8 };
const stepsMax = 25;
const startMs = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const newsletterWebhookUrl = "https://hooks.example/x";

const imports = {
  "import waiting": "waiting",
  "import confirmed": "confirmed",
  "import bounced": "bounced",
  "import left": "left",
} as const;

/** `leave` is by a mailed link, `take off` by the operator. */
type Event = SubscriberEvent | "add for a time" | "take off" | keyof typeof imports;

/** `link` counts from the latest mail; `spelling` is one of the mailbox's. */
type Action = { event: Event; link: number; spelling: number };

type Step =
  /** Two happen at the same instant. */
  | { do: "act"; mailbox: number; actions: Action[] }
  | { do: "wait"; minutes: number }
  /** Tries everything that is due in the outbox. */
  | { do: "deliver"; outcome: "arrives" | "fails" | "is given up" }
  | { do: "retry what was given up" }
  /** `between` happens after the send begins, `during` while its mails are handed over. */
  | { do: "send an issue"; mailbox: number; between: Action[]; during: Action[] };

const weights: Record<Event, number> = {
  "sign up": 6,
  "sign up, suspected": 2,
  add: 1,
  // Expiry is in newsletter/subscribers/add-by-hand.test.ts.
  "add for a time": 2,
  confirm: 6,
  leave: 4,
  "take off": 1,
  // Soft bounces, of which several are needed, are counted in newsletter/bounces/mail-reports.test.ts.
  bounce: 1,
  complain: 1,
  release: 2,
  ask: 1,
  erase: 2,
  "import waiting": 1,
  "import confirmed": 1,
  "import bounced": 1,
  "import left": 1,
};

const action: fc.Arbitrary<Action> = fc.record({
  event: fc.oneof(
    ...(Object.keys(weights) as Event[]).map((event) => ({
      weight: weights[event],
      arbitrary: fc.constant(event),
    })),
  ),
  link: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3)),
  spelling: fc.nat(5),
});
const mailbox = fc.nat(1);
const some = (minLength: number, maxLength: number) => fc.array(action, { minLength, maxLength });
const is = <const Word>(word: Word) => fc.constant(word);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: is("act"), mailbox, actions: some(1, 1) }) },
  { weight: 3, arbitrary: fc.record({ do: is("act"), mailbox, actions: some(2, 2) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: is("wait"), minutes: fc.constantFrom(1, 20, 45, 55, 61, 200) }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: is("deliver"),
      outcome: fc.constantFrom("arrives", "arrives", "arrives", "fails", "is given up"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: is("retry what was given up") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is("send an issue"),
      mailbox,
      between: some(0, 2),
      during: some(0, 1),
    }),
  },
);

describeOnEachDatabase("the table of a subscriber's states", (database) => {
  test("holds whatever happens, in any order and at the same instant", async () => {
    let begun = 0;
    // A failure is printed with its seed and with the shortest sequence that brings it about.
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: stepsMax, size: "max" }), async (steps) => {
        begun += 1;
        await play(database.open, begun, steps);
      }),
      { seed: 20_261_130, numRuns: runs[database.kind] },
    );
    expect(begun).toBeGreaterThanOrEqual(runs[database.kind]);
  });
});

/** `isDead`: the mailbox was erased since. */
type Mail = { token: string; confirmToken: string | null; isDead: boolean; email?: string };

type Mailbox = ReturnType<typeof newMailbox>;

function newMailbox(key: string, spellings: string[]) {
  return {
    key,
    spellings,
    state: "absent" as SubscriberState,
    mails: [] as Mail[],
    mailedAt: Number.NEGATIVE_INFINITY,
    /** The last outbox job at the moment of leaving or of an erasure. */
    goneSince: 0,
    /** The last state that the webhook was told. */
    told: "nothing" as "nothing" | "subscribed" | "confirmed",
    ledger: [] as unknown[],
    proof: null as unknown,
  };
}

function mailboxesOf(run: number): Mailbox[] {
  const fullWidth = `ann${run}`.replace(/[!-~]/g, (sign) =>
    String.fromCodePoint(sign.charCodeAt(0) + 0xfee0),
  );
  return [
    newMailbox(`ann${run}@gmail.com`, [
      `ann.${run}@gmail.com`,
      `ANN.${run}@Gmail.com`,
      `ann${run}@googlemail.com`,
      `ann.${run}+news@gmail.com`,
      `${fullWidth}@gmail.com`,
      `ann${run}@gmail.com.`,
    ]),
    newMailbox(`bo${run}@xn--bcher-kva.example`, [
      `bo${run}@bücher.example`,
      `bo${run}@BÜCHER.example`,
      `bo${run}+1@xn--bcher-kva.example`,
      `bo${run}+2@xn--bcher-kva.example`,
      `bo${run}@bü\u00adcher.example`,
      `b\u200bo${run}@bücher.example`,
    ]),
  ];
}

/** An action, the mail whose link it follows, and whether that is the link that confirms. */
type Asked = {
  action: Action;
  mail: Mail | undefined;
  isLatest: boolean;
  /** Whether an implied consent ends, and whether a sign-up waits beside it. */
  isForATime: boolean;
  isPending: boolean;
  /** Whether a mail came within the hour: a repeated sign-up is dropped. */
  isPaused: boolean;
};
type Answer = Transition["answer"];
type Outcome = { state: SubscriberState; answer: Answer; tell?: Transition["tell"] };

function expected(
  state: SubscriberState,
  { action: { event }, mail, isLatest, isForATime, isPending }: Asked,
): Outcome {
  if (state === "agreed for a time" && isPending && /bounce|complain/.test(event))
    return { state: "waiting after bouncing", answer: "ok" };
  if (event in imports) return expectedOfImport(state, event as keyof typeof imports);
  const hasLink = mail !== undefined && !mail.isDead;
  if ((event === "confirm" || event === "leave") && !hasLink) return { state, answer: "unknown" };
  if (event === "confirm" && !isLatest) return { state, answer: "unknown" };
  const names: Partial<Record<Event, SubscriberEvent>> = {
    "take off": "leave",
    "add for a time": "add",
  };
  const { to, answer, tell } = subscriberStates[state][names[event] ?? (event as SubscriberEvent)];
  const hasEnd =
    (event === "add for a time" || (event === "release" && isForATime)) && to !== state;
  return { state: to === "confirmed" && hasEnd ? "agreed for a time" : to, answer, tell };
}

const hasBounced = (state: SubscriberState) =>
  state === "bounced" || state === "waiting after bouncing";

const isMailed = (state: SubscriberState) => state === "confirmed" || state === "agreed for a time";

const isLeft = (state: SubscriberState) => state === "left" || state.endsWith("after leaving");

/** An import adds who isn't known, and knows of those whose mail goes out that they left or bounced elsewhere. */
function expectedOfImport(state: SubscriberState, event: keyof typeof imports): Outcome {
  if (state === "absent") return { state: imports[event], answer: "ok" };
  if (event === "import left" && (isMailed(state) || hasBounced(state))) {
    return { state: "left", answer: "ok", tell: "unsubscribed" };
  }
  if (event === "import bounced" && isMailed(state)) return { state: "bounced", answer: "ok" };
  return { state, answer: "unknown" };
}

/** How actions, one after the other, may end. A sign-up or a release may make another link the latest. */
function outcomesOf(state: SubscriberState, [first, ...later]: Asked[]): Outcome[][] {
  if (!first) return [[]];
  const outcome = expected(state, first);
  const isSignUp = first.action.event === "sign up";
  const stays = outcome.state === state;
  const after = later.map((asked) => ({
    ...asked,
    isPending: (isSignUp && !(stays && first.isPaused)) || (asked.isPending && stays),
  }));
  const outdated = after.map((asked) => ({ ...asked, isLatest: false }));
  const variants = /sign up|release|ask/.test(first.action.event) ? [after, outdated] : [after];
  return variants.flatMap((next) =>
    outcomesOf(outcome.state, next).map((others) => [outcome, ...others]),
  );
}

/** Plays one sequence with mailboxes of its own, and throws where something isn't as it must be. */
async function play({ db, ...open }: OpenDatabase, run: number, steps: Step[]): Promise<void> {
  let nowMs = startMs;
  const now = () => new Date(nowMs);
  const mailboxes = mailboxesOf(run);
  const at = (index: number) => mailboxes[index] as Mailbox;
  let seenJob = 0;
  let issues = 0;
  // Other sequences' subscribers would be sent each issue.
  await db.deleteFrom("subscribers").execute();
  await db.deleteFrom("outbox").execute();

  async function act(mailbox: Mailbox, actions: Action[]): Promise<void> {
    const before = mailbox.state;
    const { row, pauseUntil } = await loadSubscriber(db, mailbox.key, now());
    const asked = actions.map((action): Asked => {
      const { event, link } = action;
      const mails = mailbox.mails.filter((mail) => event !== "confirm" || mail.confirmToken);
      const mail = mails.at(-1 - link);
      const isLatest = mail !== undefined && mail.confirmToken === row?.confirm_token;
      return {
        action,
        mail,
        isLatest,
        isForATime: Boolean(row?.consent_ends_at),
        isPending: Boolean(row?.pending_since),
        isPaused: pauseUntil !== null,
      };
    });
    const answers = await Promise.all(asked.map((one) => carryOut(db, mailbox, one, now())));
    mailbox.state = (await loadSubscriber(db, mailbox.key, now())).state;
    const orders = [
      { asked, answers },
      { asked: asked.toReversed(), answers: answers.toReversed() },
    ];
    const explanation = orders
      .flatMap((order) => outcomesOf(before, order.asked).map((outcomes) => ({ order, outcomes })))
      .find(
        ({ order, outcomes }) =>
          outcomes.at(-1)?.state === mailbox.state &&
          isDeepStrictEqual(
            outcomes.map(({ answer }) => answer),
            order.answers,
          ),
      );
    if (!explanation) {
      throw new Error(
        `Nothing explains ${JSON.stringify({ before, asked, answers, after: mailbox.state })}`,
      );
    }
    const isForgotten = actions.some(({ event }) => event === "erase");
    await checkWebhook(
      mailbox,
      asked.length === 1 ? explanation.outcomes[0] : undefined,
      isForgotten,
    );
    const isConfirmed = actions.some(({ event }) => /^(?:confirm|add)/.test(event));
    await checkProof(mailbox, { isForgotten, mayChange: isForgotten || isConfirmed });
    if (isForgotten) for (const mail of mailbox.mails) mail.isDead = true;
  }

  /** The webhook hears what the table says, and nothing that it was told before. */
  async function checkWebhook(
    mailbox: Mailbox,
    outcome: Outcome | undefined,
    isForgotten: boolean,
  ) {
    const jobs = await db
      .selectFrom("outbox")
      .select(["id", "kind", "payload"])
      .where("id", ">", seenJob)
      .orderBy("id")
      .execute();
    seenJob = jobs.at(-1)?.id ?? seenJob;
    if (/^(absent|bounced|left|erased)$/.test(mailbox.state)) mailbox.goneSince = seenJob;
    const told = jobs
      .filter(({ kind }) => kind === "newsletter-webhook")
      .map(({ payload }) => JSON.parse(payload).type.replace("newsletter.", ""));
    if (outcome) {
      const { tell } = outcome;
      const isUnheard = tell === "ended" && mailbox.told === "nothing";
      const wanted =
        tell === undefined || isUnheard ? [] : [tell === "ended" ? "unsubscribed" : tell];
      // Deleting the row takes back the events that aren't delivered yet.
      const isTakenBack = isForgotten && told.length === 0;
      if (!isTakenBack) expect(told, `the webhook hears of ${mailbox.state}`).toEqual(wanted);
    }
    if (isForgotten) mailbox.told = "nothing";
    for (const one of told) {
      const isKnown =
        one === mailbox.told || (one === "subscribed" && mailbox.told === "confirmed");
      if (isKnown) throw new Error(`The webhook was told twice: ${one} after ${mailbox.told}`);
      mailbox.told = one === "unsubscribed" ? "nothing" : one;
    }
  }

  /** The ledger only grows, and a confirmed subscriber's consent is proved by one entry that stays. */
  async function checkProof(
    mailbox: Mailbox,
    { isForgotten, mayChange }: { isForgotten: boolean; mayChange: boolean },
  ) {
    const ledger = await db
      .selectFrom("consent_events")
      .selectAll()
      .where("mailbox_key", "=", mailbox.key)
      .orderBy("id")
      .execute();
    if (!isForgotten) expect(ledger.slice(0, mailbox.ledger.length)).toEqual(mailbox.ledger);
    const row = await rowOf(db, mailbox);
    const proof = row?.confirmed_at
      ? ledger.find((entry) => entry.occurred_at === row.subscribed_at && entry.email === row.email)
      : null;
    if (proof === undefined) throw new Error("A subscriber's consent can't be proved");
    if (mailbox.proof !== null && !mayChange) expect(proof).toEqual(mailbox.proof);
    mailbox.ledger = ledger;
    mailbox.proof = proof;
  }

  async function deliver(outcome: Extract<Step, { do: "deliver" }>["outcome"]): Promise<void> {
    const due = await db
      .selectFrom("outbox")
      .selectAll()
      .where("delivered_at", "is", null)
      .where("failed_at", "is", null)
      .where("next_attempt_at", "<=", now().toISOString())
      .orderBy("id")
      .execute();
    for (const { id, kind, payload, attempts, mailbox_key } of due) {
      const result = {
        arrives: { delivered_at: now().toISOString() },
        fails: { next_attempt_at: new Date(nowMs + 30 * minuteMs).toISOString() },
        "is given up": { failed_at: now().toISOString() },
      }[outcome];
      const update = db.updateTable("outbox").set({ attempts: attempts + 1, ...result });
      await update.where("id", "=", id).execute();
      const mailbox = mailboxes.find(({ key }) => key === mailbox_key);
      if (outcome === "arrives" && kind === "confirmation-email" && mailbox) {
        arrive(mailbox, id, JSON.parse(payload));
      }
    }
  }

  function arrive(
    mailbox: Mailbox,
    job: number,
    { token, confirmToken, email }: Omit<Mail, "isDead">,
  ) {
    const { state, goneSince, mailedAt } = mailbox;
    if (nowMs - mailedAt < 60 * minuteMs) throw new Error("Two mails came within an hour");
    if (job <= goneSince) throw new Error("A mail from before the end came after it");
    if (confirmToken === null && (hasBounced(state) || isLeft(state))) {
      throw new Error(`A subscriber in state ${state} was told that there is nothing to confirm`);
    }
    const isOthers = (mail: Mail) =>
      mail.confirmToken === confirmToken && mail.email?.toLowerCase() !== email?.toLowerCase();
    if (confirmToken && mailbox.mails.some(isOthers))
      throw new Error("Two spellings have one link");
    mailbox.mailedAt = nowMs;
    mailbox.mails.push({ token, confirmToken, email, isDead: false });
  }

  /** An issue goes to those who are confirmed when its send begins and when it is handed over, and to nobody else. */
  async function send({ mailbox, between, during }: Extract<Step, { do: "send an issue" }>) {
    issues += 1;
    const sendId = await queueTestSend(db, { issueId: run * 1_000 + issues, beginsAt: now() });
    await beginTestSends({ db, ...open }, now());
    const audience = mailboxes.filter(({ state }) => isMailed(state));
    const forgotten = new Set<Mailbox>();
    const perform = async (action: Action) => {
      nowMs += 1;
      await act(at(mailbox), [action]);
      if (action.event === "erase") forgotten.add(at(mailbox));
    };
    for (const action of between) await perform(action);
    const recipients = () =>
      new Set(audience.filter((one) => isMailed(one.state) && !forgotten.has(one)));
    const before = recipients();
    const [mails] = await Promise.all([handOverAll(db, sendId, now()), ...during.map(perform)]);
    const after = recipients();
    const keys = (some: Set<Mailbox>) => new Set([...some].map(({ key }) => key));
    const mailed = new Set(mails.map(({ mailbox }) => mailbox));
    expect(mails.length).toBe(mailed.size);
    expect([...mailed.difference(keys(before.union(after)))], "mailed to nobody else").toEqual([]);
    const certain = before.intersection(after);
    expect([...keys(certain).difference(mailed)], "mailed to everybody").toEqual([]);
    const accepted = { row: { state: "accepted", settled_at: now().toISOString() } } as const;
    for (const mail of mails) {
      await settleRow(db, mail, accepted, now());
      const recipient = [...certain].find(({ key }) => key === mail.mailbox);
      recipient?.mails.push({ token: mail.token, confirmToken: null, isDead: false });
    }
  }

  for (const one of steps) {
    // No two steps share an instant, so that their order can be read from the times.
    nowMs += 1;
    if (one.do === "act") await act(at(one.mailbox), one.actions);
    else if (one.do === "wait") nowMs += one.minutes * minuteMs;
    else if (one.do === "deliver") await deliver(one.outcome);
    else if (one.do === "send an issue") await send(one);
    else await retryFailedDeliveries(db, { now: now() });
  }
}

function rowOf(db: Kysely<Database>, { key }: Mailbox) {
  return db
    .selectFrom("subscribers")
    .select([
      "email",
      "subscribed_at",
      "confirmed_at",
      "confirm_token",
      "consent_ends_at",
      "pending_since",
    ])
    .where("mailbox_key", "=", key)
    .executeTakeFirst();
}

/** Everything that the send has for the mail server at that moment. */
async function handOverAll(db: Kysely<Database>, sendId: number, now: Date) {
  const claim = { sendId, claimant: randomUUID(), now, leaseMs: 5 * minuteMs };
  const mails = [];
  for (let mail = await handOver(db, claim); mail; mail = await handOver(db, claim))
    mails.push(mail);
  return mails;
}

/** Carries an action out as a visitor, a program or the operator has it done, and answers in the table's words. */
async function carryOut(
  db: Kysely<Database>,
  { key, spellings }: Mailbox,
  { action, mail }: Asked,
  now: Date,
): Promise<Answer> {
  const { event } = action;
  const email = spellings[action.spelling] as string;
  const deps = { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {}, clock: () => now, now };
  if (event in imports) {
    const state = imports[event as keyof typeof imports];
    const at = now.toISOString();
    const subscriber = {
      email,
      consentText: "As on the card",
      consentPage: null,
      consentAddress: null,
      subscribedAt: at,
      confirmedAt: state === "confirmed" ? at : null,
      unsubscribedAt: state === "left" ? at : null,
      bouncedAt: state === "bounced" ? at : null,
    };
    const importOne = () => importSubscribers(db, [subscriber], { now, newsletterWebhookUrl });
    let counts = await importOne();
    // Another import began at the same instant.
    while (!counts) counts = await importOne();
    return counts.added + counts.left + counts.bounced > 0 ? "ok" : "unknown";
  }
  const known = ({ ok }: { ok: boolean }) => (ok ? "ok" : "unknown");
  switch (event) {
    case "sign up":
    case "sign up, suspected": {
      const suspicion = event === "sign up" ? null : "hidden_field";
      const signedUp = await signUp(db, email, { at: now, suspicion, newsletterWebhookUrl });
      if (!signedUp.ok) throw new Error(`${email} is no address`);
      return signedUp.duplicate ? "duplicate" : "ok";
    }
    case "add":
    case "add for a time": {
      const endsAt = event === "add" ? null : new Date("2028-11-21");
      const person = { email, wording: "As on the card", agreedAt: now, endsAt };
      const added = await addSubscriber(deps, person);
      return added.ok ? "ok" : added.answer;
    }
    case "confirm": {
      const confirmed = await confirmSubscription(deps, { token: mail?.confirmToken ?? "" });
      return confirmed.ok ? "ok" : confirmed.reason === "unsubscribed" ? "unsubscribed" : "unknown";
    }
    case "leave": {
      const way = action.link % 2 === 0 ? "link" : "one_click";
      return known(await unsubscribe(deps, { token: mail?.token ?? "", way }));
    }
    case "take off":
      return known(await unsubscribe(deps, { email }));
    case "release": {
      const released = await releaseSubscriber(deps, { email });
      return released.ok ? "ok" : released.answer;
    }
    case "ask":
      await db.transaction().execute(async (trx) => {
        await applyEvent(trx, await loadSubscriber(trx, key, now), { ...deps, event });
      });
      return "ok";
    case "erase":
      await eraseMailbox(deps, { email });
      return "ok";
    default: {
      const kind = event === "complain" ? "complaint" : "hard";
      const refusal = { kind, answer: "550 5.1.1 No such user here" } as const;
      await db.transaction().execute((trx) => recordBounce(trx, { mailbox: key, refusal, now }));
      return "ok";
    }
  }
}
