import { randomUUID } from "node:crypto";
import { raw } from "hono/html";
import type { Kysely } from "kysely";
import type { SiteSettings } from "#content/site-settings.ts";
import { describeCauses } from "#db/describe-causes.ts";
import type { Database, Db, SendAudience } from "#db/tables.ts";
import { createMailers, type Mailers, type MailMessage } from "#mail/create-mailer.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { type Html, html, mailDocument } from "#mail/mail-document.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { declarations } from "#settings/setting-declarations.ts";
import { type Config, siteSettings } from "#settings/settings.ts";
import { withSiteWords } from "#settings/site-words.ts";
import { findDraft, readDraft } from "../issues/drafts.ts";
import { type FoundIssue, findIssue, listIssues, nextIssue } from "../issues/issues.ts";
import type { TextProblem } from "../issues/read-issue-text.ts";
import { newsletterHeaders } from "./recipients.ts";
import {
  cancelSend,
  countAudience,
  listSends,
  moveSend,
  pauseSend,
  queueSend,
  resumeSend,
  type SendListing,
  type SteerResult,
} from "./sends.ts";

type Site = { db: Kysely<Database>; config: Config; now: Date };

/** A setting without which no issue may go out, and why, as the end of a sentence. */
export type MissingSetting = { setting: keyof typeof whyNeeded; why: string };

const whyNeeded = {
  SMTP_URL: "no mail server is configured, so nobody would be reached",
  SITE_URL: "the links to leave would lead to this machine",
  SITE_STREET:
    "an issue has to name the sender's mailing address (Canada's anti-spam law, s. 6(2))",
  SITE_POSTAL_CODE: "the mailing address is not whole without it",
};

/** Without these an issue can't lawfully or usefully go out. */
export function settingsMissingToSend(config: Config): MissingSetting[] {
  const isMissing = {
    SMTP_URL: config.smtpUrl === null,
    SITE_URL: config.siteUrl === null,
    SITE_STREET: config.siteStreet === declarations.SITE_STREET.default,
    SITE_POSTAL_CODE: config.sitePostalCode === declarations.SITE_POSTAL_CODE.default,
  };
  return (Object.keys(whyNeeded) as MissingSetting["setting"][])
    .filter((setting) => isMissing[setting])
    .map((setting) => ({ setting, why: whyNeeded[setting] }));
}

/** Why nothing may go out by these settings, in one sentence's words; null where all that is needed is set. */
export function hindranceToSend(config: Config): string | null {
  const missing = settingsMissingToSend(config);
  if (missing.length === 0) return null;
  return `settings are missing: ${missing.map(({ setting, why }) => `${setting} (${why})`).join("; ")}`;
}

/** A year and a day: what lies farther ahead is a slip of the year. */
const farthestAheadMs = 366 * 24 * 60 * 60 * 1000;

export type HourRefusal = { reason: "hour_is_over" | "too_far_ahead"; at: Date };

/** Why a send or a publication can't be planned for a moment; null where it can. */
export function refuseHour(at: Date, now: Date): HourRefusal | null {
  if (at < now) return { reason: "hour_is_over", at };
  if (at.getTime() - now.getTime() > farthestAheadMs) return { reason: "too_far_ahead", at };
  return null;
}

type SendRequest = {
  issueId: number;
  /** Everybody, or, where it has been sent before, those who have not been sent it. */
  audience: SendAudience;
  /** When to begin; null: now. */
  at: Date | null;
  /** The line beside the subject; null: the issue's own. */
  preheader: string | null;
};

export type SendRefusal =
  | { reason: "unknown_issue" }
  | { reason: "send_open"; openId: number }
  /** It went out by that send, and may go to the others alone. */
  | { reason: "sent_before"; send: SendListing; withoutIssue: number }
  | { reason: "nobody_to_send_to" }
  | HourRefusal;

type SendPreview = {
  issue: FoundIssue;
  mail: ComposedMail;
  /** Warnings for the operator, in sentences. */
  notes: string[];
  recipients: number;
  seconds: number;
  missing: MissingSetting[];
};

export async function previewSend(
  site: Site,
  request: SendRequest,
): Promise<{ ok: true; preview: SendPreview } | ({ ok: false } & SendRefusal)> {
  const issue = await findIssue(site.db, request.issueId);
  if (!issue) return { ok: false, reason: "unknown_issue" };
  const letter = await composeLetter(site, issue, request.preheader);
  const judged = await judgeSend(site.db, request, site.now);
  if (!judged.ok) return judged;
  const { mail, notes } = letter;
  const { recipients } = judged;
  const seconds = recipients / site.config.smtpRate;
  const missing = settingsMissingToSend(site.config);
  return { ok: true, preview: { issue, mail, notes, recipients, seconds, missing } };
}

/** Schedules a send: the running site composes its mail and begins it at its hour. */
export async function sendIssue(
  { db, config, now }: Site,
  request: SendRequest,
): Promise<
  | { ok: true; sendId: number; recipients: number }
  | ({ ok: false } & SendRefusal)
  | { ok: false; reason: "settings_missing"; missing: MissingSetting[] }
> {
  const missing = settingsMissingToSend(config);
  if (missing.length > 0) return { ok: false, reason: "settings_missing", missing };
  return await db.transaction().execute(async (trx) => {
    const { issueId: id, audience, preheader, at } = request;
    const issue = await findIssue(trx, id);
    if (!issue) return { ok: false, reason: "unknown_issue" } as const;
    const judged = await judgeSend(trx, request, now);
    if (!judged.ok) return judged;
    const queued = await queueSend(trx, {
      issue,
      audience,
      preheader,
      now,
      beginsAt: at ?? now,
    });
    if (!queued.ok) return queued;
    return { ok: true, sendId: queued.id, recipients: judged.recipients } as const;
  });
}

/** Counts who would get it; refuses where nobody would, or not again. */
async function judgeSend(
  db: Db,
  { issueId, audience, at }: SendRequest,
  now: Date,
): Promise<{ ok: true; recipients: number } | ({ ok: false } & SendRefusal)> {
  const earlier = await listSends(db, { issueId });
  const open = earlier.find(({ endedAt }) => endedAt === null);
  if (open) return { ok: false, reason: "send_open", openId: open.id };
  const { confirmed, withoutIssue } = await countAudience(db, issueId);
  // One that was cancelled while it waited has mailed nobody.
  const send = earlier.find(({ begunAt }) => begunAt !== null);
  if (send && audience === "all") return { ok: false, reason: "sent_before", send, withoutIssue };
  const recipients = audience === "new" ? withoutIssue : confirmed;
  if (recipients === 0) return { ok: false, reason: "nobody_to_send_to" };
  const refusal = at && refuseHour(at, now);
  return refusal ? { ok: false, ...refusal } : { ok: true, recipients };
}

type SentTest =
  | { ok: true; address: string; bytes: number; notes: string[]; folder: string | null }
  | { ok: false; reason: "no_address" }
  | { ok: false; reason: "mail_server_refused"; words: string };

/** Mails the issue to one address, and to nobody else. */
export async function sendTestIssue(
  site: Site,
  { issueId, preheader, to }: Pick<SendRequest, "issueId" | "preheader"> & { to: string },
): Promise<SentTest | { ok: false; reason: "unknown_issue" }> {
  const issue = await findIssue(site.db, issueId);
  if (!issue) return { ok: false, reason: "unknown_issue" };
  return await sendTest(site, issue, { preheader, to });
}

/** The same with a draft, as the issue that it would be: nothing of it is public. */
export async function sendTestDraft(
  site: Site,
  { draftId, to }: { draftId: number; to: string },
): Promise<
  | SentTest
  | { ok: false; reason: "unknown_draft" }
  | { ok: false; reason: "unreadable"; problems: TextProblem[] }
> {
  const { db, now } = site;
  const draft = await findDraft(db, draftId);
  if (!draft) return { ok: false, reason: "unknown_draft" };
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const read = await readDraft(draft, issue, now);
  if (!read.ok) return { ok: false, reason: "unreadable", problems: read.problems };
  const { number } = issue ?? (await nextIssue(db));
  // A number that no issue has yet is not another's.
  const id = issue?.id ?? number;
  return await sendTest(site, { id, number, ...read.issue.words }, { preheader: null, to });
}

async function sendTest(
  site: Site,
  issue: FoundIssue,
  { preheader, to }: { preheader: string | null; to: string },
): Promise<SentTest> {
  const { config, now } = site;
  const { mail, notes, settings } = await composeLetter(site, issue, preheader);
  const address = readAddress(to);
  if (address === null) return { ok: false, reason: "no_address" };
  const sent = await sendAtOnce(config, settings, "newsletter", {
    to: address,
    now,
    subject: mail.subject,
    text: mail.text,
    html: raw(mail.html) as Html,
    headers: newsletterHeaders(settings, {
      token: testToken,
      feedbackId: `issue-${issue.id}:test`,
    }),
  });
  return sent.ok ? { ...sent, address, bytes: mail.bytes, notes } : sent;
}

/** Mails only that mail works. */
export async function sendTestMail(
  { config, settings }: { config: Config; settings: SiteSettings },
  { address, now }: { address: string; now: Date },
) {
  const title = `${config.siteName} can send mail`;
  const text =
    "This came from the desk. If you can read it, messages and newsletters can reach you.";
  const content = html`<p>${text}</p>`;
  const letter = { subject: title, text, html: mailDocument({ title, site: settings, content }) };
  return await sendAtOnce(config, settings, "desk", { to: address, now, ...letter });
}

/** Sends one mail without the outbox; `folder` is where it is a file, where there is no mail server. */
async function sendAtOnce(
  config: Config,
  { url }: SiteSettings,
  from: "desk" | "newsletter",
  {
    to,
    now,
    subject,
    ...letter
  }: Pick<MailMessage, "subject" | "text" | "html" | "headers"> & {
    to: string;
    now: Date;
  },
): Promise<
  { ok: true; folder: string | null } | { ok: false; reason: "mail_server_refused"; words: string }
> {
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, url);
    await mailers[from].send({
      ...letter,
      deliveryId: `test-${randomUUID()}`,
      date: now.toISOString(),
      to: { name: "", address: to },
      subject: `[Test] ${subject}`,
    });
    return { ok: true, folder: config.smtpUrl === null ? `${config.dataDir}/mail` : null };
  } catch (error) {
    return { ok: false, reason: "mail_server_refused", words: describeCauses(error) };
  } finally {
    mailers?.close();
  }
}

/** The link to leave in a mail that is looked at is nobody's. */
const testToken = "test";

/** The mail as it would be composed now, and what the operator should know of it. */
async function composeLetter({ db, config, now }: Site, issue: FoundIssue, given: string | null) {
  // Loaded here, because the style inliner takes longer to load than most commands run.
  const { composeIssueMail } = await import("#mail/issue-mail/compose-issue-mail.ts");
  const settings: SiteSettings = await withSiteWords(db, siteSettings(config));
  const preheader = given ?? issue.preheader;
  const mail = composeIssueMail({
    issue,
    preheader,
    now,
    site: settings,
    tokenPlaceholder: testToken,
  });
  const removed = mail.removed
    .filter(({ what }) => !what.startsWith("style property"))
    .map(({ what, count }) => `Left out, as on the page: ${count} × ${what}`);
  const notes = [...mail.notes, ...removed];
  // The site and its mails name issues by number, which falls behind the id when one is removed.
  const namesake =
    issue.number === issue.id
      ? undefined
      : (await listIssues(db)).find((other) => other.number === issue.id);
  if (namesake) {
    notes.push(`On the site, #${issue.id} is another issue: ${namesake.id}, "${namesake.title}".`);
  }
  if (!settings.url.startsWith("https://")) {
    notes.push(
      "The site’s address is not https, so mail programs show no button to leave, which Gmail asks for.",
    );
  }
  return { mail, notes, settings };
}

export type Steering = { deed: "pause" | "resume" | "cancel" } | { deed: "move"; at: Date };

export async function steerSend(
  { db, now }: Pick<Site, "db" | "now">,
  id: number,
  steering: Steering,
): Promise<SteerResult | ({ ok: false } & HourRefusal)> {
  if (steering.deed === "move") {
    const refusal = refuseHour(steering.at, now);
    if (refusal) return { ok: false, ...refusal };
  }
  return await db.transaction().execute(async (trx) => {
    switch (steering.deed) {
      case "pause":
        return await pauseSend(trx, { id });
      case "resume":
        return await resumeSend(trx, id, now);
      case "cancel":
        return await cancelSend(trx, { id, now });
      case "move":
        return await moveSend(trx, { id, beginsAt: steering.at });
    }
  });
}
