import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { backUp } from "#db/backup.ts";
import { searchTextOf } from "#db/hold-text.ts";
import type { Db, SendState } from "#db/tables.ts";
import { inviteToDesk } from "#settings/desk-people.ts";
import { listSiteWords, saveSiteWord, takeBackSiteWord } from "#settings/site-words.ts";
import { inDatabase } from "../issue-table.ts";
import type { SiteServer } from "../site-server.ts";
import { signUp } from "../visitors.ts";

/** A page of the desk in one state. */
export type DeskScreen = {
  name: string;
  path: string;
  /** What is pressed once it is open. */
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
  const folder = path.join(site.dataDir, "backups");
  return await inDatabase(site, async (db) => {
    const messages = await fillMessages(db, at);
    const issues = await fillIssues(db, at);
    const drafts = await fillDrafts(db, at, issues.plain);
    const people = await fillSubscribers(db, at, issues);
    const words = await fillWords(db);
    await fillRest(db, at, now);
    await fillBackups(site, folder);
    return screensOf({ messages, issues, drafts, people, words });
  });
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
        ...{ send_key: `full-${index}-${state}`, issue_id: id(index), audience: "all", state },
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
  const letter = `Hello,\n\n## A heading\n\n${asked[0]} **Bold**, *italic*, [a link](https://example.com/${"long/".repeat(20)}).\n\n- one\n- two\n\n> ${asked[0]}\n\n| Trade | Missed |\n| --- | --- |\n| Roofing | 12 |\n\n${long}\n`;
  const table = `<table width="600"><tr><td bgcolor="#eeeeee"><font size="5">${asked[0]}</font></td></tr></table>`;
  const draft = async (title: string, body: string, more: object = {}) => {
    const [made] = await db
      .insertInto("drafts")
      .values({
        ...{ issue_id: null, title, preheader: "", format: "markdown", body },
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
    source: await draft("Laid out by another tool", table, { format: "html" }),
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
  const change = async (by: string, value: object | null) => {
    const basedOn = (await listSiteWords(db)).find((word) => word.name === name)?.changedAt ?? null;
    const saved = value
      ? await saveSiteWord(db, { name, by, basedOn, value })
      : await takeBackSiteWord(db, { name, by, basedOn });
    if (!saved.ok) throw new Error(JSON.stringify(saved));
  };
  await change("Ann Lee", { text: `${text.slice(0, -8)} indeed.` });
  await change("", null);
  await change(names[3].join(" ").slice(0, 60), { text: `${text.slice(0, -8)} truly.` });
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
      .values({ ...session, created_at: at(-9), seen_at: at(-1), ends_at: at(90) })
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

async function fillBackups(site: SiteServer, folder: string): Promise<void> {
  const place = {
    ...site.database,
    dataDir: site.dataDir,
    environment: { PATH: process.env.PATH },
  };
  mkdirSync(folder, { recursive: true });
  await backUp(place, { now: new Date(), keepDays: 0 });
  const counts = "12-issues-1034-subscribers-88-messages";
  for (const name of ["site-2026-11-20T083000Z", "site-2026-11-21T083012Z-before-restore"])
    writeFileSync(path.join(folder, `${name}-${counts}.sqlite`), "");
  writeFileSync(path.join(folder, "from-elsewhere.dump"), "");
  const failed = {
    name: "from-elsewhere.dump",
    askedAt: "2026-11-21T08:30:12.000Z",
    problem: "it is damaged",
  };
  writeFileSync(path.join(folder, "restore.json"), JSON.stringify(failed));
}

type Filled = {
  messages: Awaited<ReturnType<typeof fillMessages>>;
  issues: Issues;
  drafts: Awaited<ReturnType<typeof fillDrafts>>;
  people: Awaited<ReturnType<typeof fillSubscribers>>;
  words: string;
};

function screensOf({ messages, issues, drafts, people, words }: Filled) {
  const each = (prefix: string, path: string, of: Record<string, number | string>) =>
    Object.entries(of).map(([state, id]) => ({
      name: `${prefix}-${state}`,
      path: `${path}/${id}`,
    }));
  const { sends, plain, long, sent, waiting } = issues;
  const screens: DeskScreen[] = [
    { name: "today", path: "/" },
    { name: "more", path: "/", presses: ["nav .more"], widths: [390] },
    { name: "messages", path: "/messages" },
    { name: "messages-later", path: "/messages?show=later" },
    { name: "messages-spam", path: "/messages?show=held" },
    { name: "messages-found", path: "/messages?find=vans" },
    { name: "messages-nothing", path: "/messages?find=zeppelin" },
    { name: "messages-undo", path: `/messages?show=held&done=answered&id=${messages.answered}` },
    ...each("message", "/messages", messages),
    { name: "message-replying", path: `/messages/${messages.plain}`, presses: ["a.button.main"] },
    { name: "issues", path: "/issues" },
    { name: "issues-found", path: "/issues?find=calls+week" },
    { name: "issues-nothing", path: "/issues?find=zeppelin" },
    { name: "issues-drafts", path: "/issues?show=drafts" },
    { name: "issues-binned", path: `/issues?binned=draft-${drafts.full}` },
    { name: "bin", path: "/issues/bin" },
    ...each("issue", "/issues", { plain, long, sent, waiting }),
    ...each("editor", "/issues/drafts", drafts),
    {
      name: "editor-preview",
      path: `/issues/drafts/${drafts.full}`,
      presses: ["button.view"],
      widths: [390, 768],
    },
    {
      name: "editor-mail",
      path: `/issues/drafts/${drafts.long}`,
      presses: [".preview .tool:nth-child(2)"],
      widths: [1440],
    },
    {
      name: "editor-link",
      path: `/issues/drafts/${drafts.full}`,
      presses: ["[title='Link (Ctrl+K)']"],
    },
    { name: "plan", path: `/issues/drafts/${drafts.full}/plan` },
    {
      name: "plan-hour",
      path: `/issues/drafts/${drafts.long}/plan`,
      presses: ["[name=when][value=hour]"],
    },
    { name: "plan-empty", path: `/issues/drafts/${drafts.empty}/plan` },
    { name: "plan-planned", path: `/issues/drafts/${drafts.planned}/plan` },
    { name: "plan-failed", path: `/issues/drafts/${drafts.failed}/plan` },
    ...each("send", "/sends", sends),
    { name: "subscribers", path: "/subscribers" },
    { name: "subscribers-found", path: "/subscribers?find=roofing" },
    { name: "subscribers-nobody", path: "/subscribers?find=zeppelin" },
    ...each("subscriber", "/subscribers", people),
    { name: "subscribers-add", path: "/subscribers/add" },
    {
      name: "subscribers-erased",
      path: "/subscribers/erased?subscriptions=1&messages=2&mailFiles=3",
    },
    { name: "import", path: "/subscribers/import" },
    { name: "words", path: "/words" },
    { name: "words-about", path: "/words/about" },
    { name: "words-sentence", path: `/words/about?word=${encodeURIComponent(words)}` },
    { name: "words-team", path: "/words/about?word=team" },
    { name: "words-hours", path: "/words/contact?word=hours" },
    { name: "people", path: "/people" },
    { name: "settings", path: "/settings" },
    { name: "backups", path: "/backups" },
    { name: "nothing-here", path: "/messages/999999", status: 404 },
  ];
  return screens;
}

/** Before anything is there. */
export const emptyDesk: DeskScreen[] = [
  ["today", "/"],
  ["messages", "/messages"],
  ["issues", "/issues"],
  ["bin", "/issues/bin"],
  ["subscribers", "/subscribers"],
  ["people", "/people"],
  ["backups", "/backups"],
  ["settings", "/settings"],
].map(([name, path = ""]) => ({ name: `empty-${name}`, path }));
