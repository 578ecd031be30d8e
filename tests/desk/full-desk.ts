import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { searchTextOf } from "#contact/messages.ts";
import { backUp } from "#db/backup.ts";
import type { Db, SendState } from "#db/tables.ts";
import { inviteToDesk } from "#settings/desk-people.ts";
import { listSiteWords, saveSiteWord } from "#settings/site-words.ts";
import { inDatabase } from "../issue-table.ts";
import type { SiteServer } from "../site-server.ts";
import { signUp } from "../visitors.ts";

/** A page of the desk in one state. */
export type DeskScreen = {
  name: string;
  path: string;
  /** Pressed once it is open. */
  presses?: string[];
  /** The page is an answer to a mistake. */
  status?: number;
  /** At these widths alone, since at others there is nothing to press. */
  widths?: number[];
};

const long = "Schiedsgerichtsverfahrensordnungsausschusssitzung".repeat(3);
const longTitle = `How we answered one hundred and twelve leads in a week, what it cost, and why the ${long.slice(0, 60)} had to wait until the frost was out of the ground`;
const longAddress = `${"a-very-long-name.".repeat(3)}indeed@a-subdomain-of-a-subdomain.of-a-builder-with-a-long-name.example`;
const names = [
  ["Maria", "Okafor"],
  ["Tom", "Lindqvist"],
  ["Ines", "Souza"],
  ["Bartholomew-Maximilian", "Featherstonehaugh-Worthington-Smythe de la Vega"],
  ["שרה", "כהן"],
  ["X", "Y"],
] as const;
const asked = [
  "Could you look at how we take orders? We lose about two a week because nobody answers the phone on site.",
  "Short.",
  `See https://example.com/${"long/".repeat(40)}?of=${long} for what we have now.`,
  "First line\n\nSecond paragraph, after an empty one.\n\n- a list\n- of wishes\n\ngnp.exe is what they sent us.",
];

/** Fills the desk with what an owner has after a year, and with what is odd. Returns every page of it in every state. */
export async function fillDesk(site: SiteServer): Promise<DeskScreen[]> {
  const now = Date.now();
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  await fillBackups(site);
  return await inDatabase(site, async (db) => {
    const messages = await fillMessages(db, at);
    const issues = await fillIssues(db, at);
    const drafts = await fillDrafts(db, at, issues.plain);
    const people = await fillSubscribers(db, at, issues);
    const word = await fillWords(db);
    await fillRest(db, at, now);
    const { sends, plain, long, sent, waiting } = issues;
    const draft = `/issues/drafts/${drafts.full}`;
    const each = (name: string, room: string, ids: object) =>
      Object.entries(ids).map(([state, id]) => named(`${room}/${id}`, `${name}-${state}`));
    return [
      ...["/", "/messages", "/messages?show=later", "/messages?show=held"].map((address) =>
        named(address),
      ),
      { name: "more", path: "/", presses: ["nav .more"], widths: [390] },
      ...each("message", "/messages", messages),
      { name: "message-replying", path: `/messages/${messages.plain}`, presses: ["a.button.main"] },
      ...["/issues", "/issues?show=bin"].map((address) => named(address)),
      named(`/issues?binned=draft-${drafts.full}`, "issues-binned"),
      ...each("issue", "/issues", { plain, long, sent, waiting }),
      ...each("editor", "/issues/drafts", drafts),
      { name: "editor-preview", path: draft, presses: ["button.view"], widths: [390, 768] },
      { name: "editor-link", path: draft, presses: ["[title='Link (Ctrl+K)']"] },
      named(`${draft}/plan`, "plan"),
      named(`/issues/drafts/${drafts.empty}/plan`, "plan-empty"),
      named(`/issues/drafts/${drafts.planned}/plan`, "plan-planned"),
      named(`/issues/drafts/${drafts.failed}/plan`, "plan-failed"),
      ...each("send", "/sends", sends),
      ...["", "/add", "?erased", "/import"].map((end) => named(`/subscribers${end}`)),
      ...each("subscriber", "/subscribers", people),
      ...["/words", "/words/about", "/words/about?word=team"].map((address) => named(address)),
      named(`/words/about?word=${encodeURIComponent(word)}`, "words-sentence"),
      ...["/people", "/settings", "/backups"].map((address) => named(address)),
      named("/settings?show=mail"),
      { ...named("/messages/999999", "nothing-here"), status: 404 },
    ];
  });
}

/** Named by its path. */
function named(path: string, name = path.replaceAll(/\W+/g, "-").slice(1) || "today"): DeskScreen {
  return { name, path };
}

type At = (hours: number) => string;

async function fillMessages(db: Db, at: At) {
  const rows = Array.from({ length: 60 }, (_, index) => {
    const [first_name, last_name] = names[index % names.length] ?? ["", ""];
    const email = index === 3 ? longAddress : `visitor${index % 40}@example.com`;
    const words = {
      ...{ first_name, last_name, email },
      company: index % 3 ? "" : "Okafor & Daughters Roofing (Ontario) Limited",
      phone: index % 2 ? "" : "+1 416 555 0199",
      message: asked[index % asked.length] ?? "",
    };
    return {
      ...{ ...words, mailbox_key: email, search_text: searchTextOf(words) },
      subject: ["general-inquiry", "consultation-request", ""][index % 3] ?? "",
      submission_key: null,
      sender_address: "203.0.113.9",
      received_at: at(-60 + index - (index === 59 ? 0.5 : 0)),
      answered_at: index % 5 === 1 ? at(-2) : null,
      later_until: index % 7 === 2 ? at(index % 2 ? -48 : 72).slice(0, 10) : null,
      held_at: index % 13 === 6 ? at(-60 + index) : null,
      held_reason: index % 13 === 6 ? ("hidden_field" as const) : null,
      released_at: null,
      from_page: index % 2 ? "/use-cases/the-estimate-that-writes-itself-overnight" : null,
    };
  });
  const stored = await db.insertInto("contact_messages").values(rows).returning(["id"]).execute();
  const id = (index: number) => stored[index]?.id ?? 0;
  return { plain: id(55), odd: id(3), held: id(6), later: id(2), answered: id(1) };
}

async function fillIssues(db: Db, at: At) {
  const body = `<h2>Three numbers</h2><p>${asked[0]}</p><p><a href="https://example.com">${asked[2]}</a></p>`;
  const first = await db
    .insertInto("final_newsletters")
    .values(
      Array.from({ length: 55 }, (_, index) => ({
        title: index === 53 ? longTitle : `Week ${index + 1}: what the missed calls cost`,
        content_markdown: body,
        publish_date: at((index - 55) * 168).slice(0, 10),
      })),
    )
    .returning(["id"])
    .execute();
  const id = (index: number) => first[index]?.id ?? 0;
  const send = async (index: number, state: SendState, more: object = {}) => {
    const isBegun = state !== "waiting";
    const [sent] = await db
      .insertInto("sends")
      .values({
        ...{ send_key: `full-${index}-${state}`, issue_id: id(index), state },
        title: index === 53 ? longTitle : `Week ${index + 1}: what the missed calls cost`,
        ...{ subject: "Week", html: "", plain_text: "", created_at: at(-50) },
        begins_at: at(isBegun ? -49 : 40),
        begun_at: isBegun ? at(-49) : null,
        ended_at: ["finished", "cancelled"].includes(state) ? at(-40) : null,
        pause_reason: null,
        ...more,
      })
      .returning(["id"])
      .execute();
    return sent?.id ?? 0;
  };
  const trouble = "the mail server refuses everything (454 4.7.0 Too many login attempts)";
  const sends = {
    waiting: await send(54, "waiting"),
    sending: await send(53, "sending", { trouble }),
    paused: await send(52, "paused", { pause_reason: "nine mails in a row were refused" }),
    finished: await send(51, "finished"),
    cancelled: await send(50, "cancelled"),
  };
  return { plain: id(10), long: id(53), sent: id(51), waiting: id(54), sends, ofSend: id };
}

async function fillDrafts(db: Db, at: At, issueId: number) {
  const letter = `<p>Hello,</p><h2>A heading</h2><p>${asked[0]} <strong>Bold</strong>, <em>italic</em>, <a href="https://example.com/${"long/".repeat(20)}">a link</a>.</p><ul><li>one</li><li>two</li></ul><blockquote><p>${asked[0]}</p></blockquote><table><tr><th>Trade</th><th>Missed</th></tr><tr><td>Roofing</td><td>12</td></tr></table><p>${long}</p>`;
  const table = `<table width="600"><tr><td bgcolor="#eeeeee"><font size="5">${asked[0]}</font></td></tr></table>`;
  const draft = async (title: string, body: string, more: object = {}) => {
    const [made] = await db
      .insertInto("drafts")
      .values({
        ...{ issue_id: null, title, preheader: "", body },
        ...{ version: 2, created_at: at(-30), saved_at: at(-3) },
        ...{ base_fingerprint: null, base_version: null, binned_at: null },
        ...more,
      })
      .returning(["id"])
      .execute();
    return made?.id ?? 0;
  };
  const made = {
    full: await draft("Answer the lead before the kettle boils", letter),
    long: await draft(longTitle.slice(0, 200), letter, { preheader: longTitle.slice(0, 140) }),
    empty: await draft("", ""),
    source: await draft("Laid out by another tool", table),
    changed: await draft("A correction", letter, {
      ...{ issue_id: issueId, base_fingerprint: "another", base_version: 1 },
    }),
    planned: await draft("For Monday", letter),
    failed: await draft("That could not be published", letter),
  };
  for (let index = 0; index < 22; index += 1) await draft(`An idea ${index}`, "Words.");
  for (const title of ["Thrown away", longTitle.slice(0, 200), ""])
    await draft(title, "Words.", { binned_at: at(-9) });
  const plan = { created_at: at(-8), audience: "all" as const };
  const problem = "An issue needs a text.";
  await db
    .insertInto("plans")
    .values([
      { ...plan, draft_id: made.planned, due_at: at(60), problem: null },
      { ...plan, draft_id: made.failed, due_at: at(-2), problem },
    ])
    .execute();
  const binned = { html: "", publish_date: "2026-01-05", preheader: null, binned_at: at(-20) };
  await db
    .insertInto("binned_issues")
    .values({ id: 990_001, title: longTitle, ...binned })
    .execute();
  return made;
}

type Issues = Awaited<ReturnType<typeof fillIssues>>;

async function fillSubscribers(db: Db, at: At, { sends, ofSend }: Issues) {
  const address = (index: number) => (index === 3 ? longAddress : `reader${index}@example.com`);
  for (let index = 0; index < 60; index += 1) {
    const suspicion = index % 13 === 6 ? ("hidden_field" as const) : null;
    await signUp(db, address(index), { at: new Date(at(-60 * 24 + index * 24)), suspicion });
  }
  await db
    .updateTable("subscribers")
    .set({
      confirmed_at: sql`case when id % 9 = 4 then null else subscribed_at end`,
      bounced_at: sql`case when id % 9 = 5 then subscribed_at end`,
      unsubscribed_at: sql`case when id % 9 = 7 then subscribed_at end`,
    })
    .where("held_at", "is", null)
    .execute();
  await db.updateTable("subscribers").set({ pending_email: null, pending_since: null }).execute();
  const all = await db
    .selectFrom("subscribers")
    .select(["id", "email", "mailbox_key", "held_at", "bounced_at", "unsubscribed_at"])
    .orderBy("id")
    .execute();
  const states = ["accepted", "accepted", "refused", "deferred", "waiting", "withdrawn"] as const;
  const answer = `550 5.1.1 The email account that you tried to reach does not exist, see ${long}`;
  const rows = [
    [sends.sending, ofSend(53), states],
    [sends.paused, ofSend(52), states],
    [sends.finished, ofSend(51), states.slice(0, 3)],
    [sends.cancelled, ofSend(50), ["accepted", "withdrawn"] as const],
  ] as const;
  for (const [send_id, issue_id, of] of rows) {
    const made = all.map(({ id }, index) => {
      const state = of[index % of.length] ?? "accepted";
      const isOpen = state === "waiting" || state === "deferred";
      return {
        ...{ send_id, issue_id, reader_id: id, state, claimed_by: null },
        due_at: isOpen ? at(1_000) : at(-48),
        settled_at: isOpen ? null : at(-48 + index / 60),
        answer: state === "refused" ? answer : null,
      };
    });
    await db.insertInto("send_rows").values(made).execute();
  }
  // The running site ends one that has no row yet.
  await db
    .updateTable("sends")
    .set({ state: "sending", ended_at: null })
    .where("id", "=", sends.sending)
    .execute();
  const days = Array.from({ length: 90 }, (_, index) => {
    return { day: at((index - 91) * 24).slice(0, 10), confirmed: 4 + Math.floor(index ** 2 / 200) };
  });
  await db.insertInto("subscriber_days").values(days).execute();
  const odd = all.find(({ email }) => email === longAddress);
  const bounce = { status_code: "5.1.1", occurred_at: at(-40), report_key: null };
  await db
    .insertInto("bounces")
    .values([
      { ...bounce, mailbox_key: longAddress, kind: "hard", answer },
      { ...bounce, mailbox_key: longAddress, kind: "complaint", answer: "Abuse report" },
    ])
    .execute();
  const one = (is: (row: (typeof all)[number]) => unknown) => all.find(is)?.id ?? 0;
  return {
    plain: one(({ bounced_at, unsubscribed_at }) => !bounced_at && !unsubscribed_at),
    odd: odd?.id ?? 0,
    bounced: one(({ bounced_at }) => bounced_at),
    left: one(({ unsubscribed_at }) => unsubscribed_at),
    held: one(({ held_at }) => held_at),
  };
}

async function fillWords(db: Db) {
  const sentence = (await listSiteWords(db)).find(
    ({ over, path }) => over !== undefined && path === "/about",
  );
  if (!sentence) throw new Error("About has no sentence.");
  const { name } = sentence;
  const { text } = sentence.value as { text: string };
  const value = { text: `${text.slice(0, -8)} truly.` };
  const saved = await saveSiteWord(db, { name, value, basedOn: sentence.changedAt });
  if (!saved.ok) throw new Error(saved.problem);
  return name;
}

async function fillRest(db: Db, at: At, now: number) {
  const ann = await inviteToDesk(db, { name: "Ann Lee", now: new Date(now) });
  await inviteToDesk(db, { name: names[3].join(" ").slice(0, 60), now: new Date(now) });
  if (!ann.ok) throw new Error(ann.problem);
  for (const device of ["Ann’s laptop", `A phone with a long name ${long}`.slice(0, 60)]) {
    const key = { credential: device, public_key: "", counter: 0, transports: "[]" };
    const made = { person_id: ann.person.id, device, created_at: at(-90), used_at: at(-9) };
    await db
      .insertInto("desk_passkeys")
      .values({ ...key, ...made })
      .execute();
    const session = { secret_hash: device, person_id: ann.person.id, credential: device };
    await db
      .insertInto("desk_sessions")
      .values({ ...session, created_at: at(-9), ends_at: at(90) })
      .execute();
  }
  // The mails that ask to confirm.
  await db.deleteFrom("outbox").execute();
  const job = { kind: "contact-email", payload: "{}", created_at: at(-2), next_attempt_at: at(-1) };
  await db
    .insertInto("outbox")
    .values({ ...job, delivery_id: "given-up", failed_at: at(-1), last_error: "Greylisted" })
    .execute();
}

async function fillBackups(site: SiteServer): Promise<void> {
  const folder = path.join(site.dataDir, "backups");
  const place = {
    ...site.database,
    dataDir: site.dataDir,
    environment: { PATH: process.env.PATH },
  };
  mkdirSync(folder, { recursive: true });
  await backUp(place, { now: new Date(), keepDays: 0 });
  for (const name of ["site-2026-11-20T083000Z", "site-2026-11-21T083012Z-before-restore"])
    writeFileSync(path.join(folder, `${name}.sqlite`), "");
  writeFileSync(path.join(folder, "from-elsewhere.dump"), "");
  const failed = {
    name: "from-elsewhere.dump",
    askedAt: "2026-11-21T08:30:12.000Z",
    problem: "it is damaged",
  };
  writeFileSync(path.join(folder, "restore.json"), JSON.stringify(failed));
}

/** Before anything is there. */
export const emptyDesk: DeskScreen[] = [
  ...["/", "/messages", "/issues", "/issues?show=bin"],
  ...["/subscribers", "/people", "/backups", "/settings"],
].map((path) => named(path, `empty-${named(path).name}`));
