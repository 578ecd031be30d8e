import { randomUUID } from "node:crypto";
import { raw } from "hono/html";
import type { SiteSettings } from "#content/site-settings.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { createMailers, type Mailers, type MailMessage } from "#mail/create-mailer.ts";
import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { type Html, html, mailDocument } from "#mail/mail-document.ts";
import { readAddress } from "#mail/mailbox-key.ts";
import { draftIsGone, findDraft, readDraft } from "../issues/drafts.ts";
import { type FoundIssue, findIssue, nextIssue } from "../issues/issues.ts";
import { hourOfDraft } from "../issues/plans.ts";
import { composeMail, newsletterHeaders } from "./recipients.ts";
import { judgeSend, type Refusal, type Site } from "./sends.ts";

type SiteOfMail = Site & { settings: SiteSettings };

/** The mail as it would be composed now, to how many it would go, and warnings in sentences. */
export async function previewSend(site: SiteOfMail, request: { issueId: number; at: Date | null }) {
  const judged = await judgeSend(site.db, request, site.now);
  if (!judged.ok) return judged;
  const composed = await composeLetter(site, judged.issue);
  return composed.ok ? { ...judged, ...composed } : composed;
}

type SentTest = { ok: true; said: string; mail: ComposedMail; notes: string[] } | Refusal;

/** Mails an issue to one address, and to nobody else. */
export async function sendTestIssue(
  site: SiteOfMail,
  { issueId, to }: { issueId: number; to: string },
): Promise<SentTest> {
  const issue = await findIssue(site.db, issueId);
  if (!issue) return { ok: false, problem: "There is no such issue any more." };
  return await sendTest(site, issue, to);
}

/** The same with a draft, as the issue that it would be: nothing of it is public. */
export async function sendTestDraft(
  site: SiteOfMail,
  { draftId, to }: { draftId: number; to: string },
): Promise<SentTest> {
  const { db, now } = site;
  const draft = await findDraft(db, draftId);
  if (!draft) return { ok: false, problem: draftIsGone };
  const issue = draft.issue_id === null ? null : await findIssue(db, draft.issue_id);
  const read = await readDraft(draft, issue, await hourOfDraft(db, draftId, now));
  if (!read.ok) return { ok: false, problem: read.problems.join(" ") };
  const { number } = issue ?? (await nextIssue(db));
  // A number that no issue has yet is not another's.
  const place = { id: issue?.id ?? number, number };
  const sent = await sendTest(site, { ...place, ...read.issue.words }, to);
  if (!sent.ok || issue) return sent;
  return { ...sent, said: `${sent.said} Its link to the page works once that is published.` };
}

async function sendTest(site: SiteOfMail, issue: FoundIssue, to: string): Promise<SentTest> {
  const address = readAddress(to);
  if (address === null) {
    return { ok: false, problem: `${to || "Nothing"} is no address that mail could be sent to.` };
  }
  const composed = await composeLetter(site, issue);
  if (!composed.ok) return composed;
  const { mail, notes } = composed;
  const sent = await sendAtOnce(site, "newsletter", {
    to: address,
    subject: mail.subject,
    text: mail.text,
    html: raw(mail.html) as Html,
    headers: newsletterHeaders(site.settings, testToken),
  });
  if (!sent.ok) return sent;
  const said = `The test is on its way to ${address}. Nobody else got it.`;
  return { ok: true, said, mail, notes };
}

/** Mails only that mail works. */
export async function sendTestMail(
  site: Omit<SiteOfMail, "db">,
  address: string,
): Promise<{ ok: true } | Refusal> {
  const title = `${site.config.siteName} can send mail`;
  const text =
    "This came from the desk. If you can read it, messages and newsletters can reach you.";
  const document = mailDocument({ title, site: site.settings, content: html`<p>${text}</p>` });
  return await sendAtOnce(site, "desk", { to: address, subject: title, text, html: document });
}

/** Sends one mail without the outbox, so that the server's answer can be shown. */
async function sendAtOnce(
  { config, settings, now }: Omit<SiteOfMail, "db">,
  from: "desk" | "newsletter",
  { to, subject, ...letter }: Omit<MailMessage, "deliveryId" | "date" | "to"> & { to: string },
): Promise<{ ok: true } | Refusal> {
  if (config.smtpUrl === null) {
    const problem =
      "No mail was sent, since no mail server is set. Name it at the desk, under Settings.";
    return { ok: false, problem };
  }
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, settings.url);
    await mailers[from].send({
      ...letter,
      deliveryId: `test-${randomUUID()}`,
      date: now.toISOString(),
      to: { name: "", address: to },
      subject: `[Test] ${subject}`,
    });
    return { ok: true };
  } catch (error) {
    return { ok: false, problem: `The mail server didn’t take it: ${describeCauses(error)}` };
  } finally {
    mailers?.close();
  }
}

/** Belongs to nobody. */
const testToken = "test";

async function composeLetter({ settings }: SiteOfMail, issue: FoundIssue) {
  const composed = await composeMail(settings, issue, testToken);
  if (!composed.ok) return composed;
  const { mail } = composed;
  const notes = [
    ...mail.notes,
    ...mail.removed.map(({ what, count }) => `Left out, as on the page: ${count} × ${what}`),
  ];
  if (!settings.url.startsWith("https://")) {
    notes.push(
      "The site’s address is not https, so mail programs show no Unsubscribe button, which Gmail requires.",
    );
  }
  return { ok: true as const, mail, notes };
}
