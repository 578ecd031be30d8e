import type { ComposedMail } from "#mail/issue-mail/compose-issue-mail.ts";
import { countAudience, listSends } from "#newsletter/sends/find-send.ts";
import type { OpenStore } from "#server/open-store.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { duration } from "../sends.ts";
import { amount, formatFields, number, torontoTime } from "../terminal.ts";
import { formatBytes } from "../text-files.ts";

/** Lines of the plain text that are shown before it goes out. */
const firstLines = 6;

export type SendOptions = {
  test?: string;
  at?: Date;
  dryRun?: boolean;
  onlyNew?: boolean;
  preheader?: string;
  yes?: boolean;
};

/** What will happen, or why nothing can. */
export async function planSend(
  context: CommandContext,
  { db }: OpenStore,
  {
    issue,
    mail,
    options,
  }: {
    issue: { id: number; number: number; title: string };
    mail: ComposedMail;
    options: SendOptions;
  },
) {
  const { config } = context.readSettings();
  const earlier = await listSends(db, { issueId: issue.id });
  const open = earlier.find(({ endedAt }) => endedAt === null);
  if (open) throw alreadyOpen(issue.id, open.id);
  const { confirmed, withoutIssue } = await countAudience(db, issue.id);
  // One that was cancelled while it waited has mailed nobody.
  const begun = earlier.find(({ begunAt }) => begunAt !== null);
  if (begun && !options.onlyNew) {
    const cut = begun.state === "cancelled" ? ", cancelled before its end" : "";
    throw new CommandError(
      `Issue ${issue.id} went out on ${torontoTime(begun.begunAt)} (send ${begun.id}${cut}). Nobody is sent an issue twice; ` +
        `confirmed readers who have not been sent it: ${number(withoutIssue)}. --only-new sends it to them.`,
      { exitCode: 1 },
    );
  }
  const readers = options.onlyNew ? withoutIssue : confirmed;
  if (readers === 0) {
    throw new CommandError(
      options.onlyNew
        ? "There is no confirmed reader who has not been sent the issue."
        : "There are no confirmed readers yet. subscribers list shows who has signed up.",
      { exitCode: 1 },
    );
  }
  if (options.at && options.at < context.now()) {
    throw new CommandError(
      `${torontoTime(options.at)} is over in Toronto. Leave --at out for now.`,
    );
  }
  const { gmailClipBytes } = await import("#mail/issue-mail/compose-issue-mail.ts");
  const isSecure = context.siteUrl().startsWith("https://");
  const notes = [
    ...mail.notes,
    ...(isSecure
      ? []
      : ["SITE_URL is not https, so mail programs show no button to leave, which Gmail asks for."]),
  ];
  const text = formatFields([
    ["Issue", `#${issue.number}, ${issue.title}`],
    ["From", `${config.siteName} <${config.mailFromNewsletter}>`],
    [
      "To",
      `${amount(readers, "confirmed reader")}${options.onlyNew ? " who have not been sent it" : ""}`,
    ],
    ["Begins", options.at ? `${torontoTime(options.at)} in Toronto` : "now"],
    ["Takes", `${duration(readers, config.smtpRate)} at ${config.smtpRate} a second`],
    ["Size", `${formatBytes(mail.bytes)} of HTML; Gmail shows ${formatBytes(gmailClipBytes)}`],
    ["Beside it", mail.preheader],
    ...notes.map((note): [string, string] => ["Note", note]),
  ]);
  const words = mail.text.split("\n").filter((line) => line.trim() !== "");
  const excerpt = words.slice(0, firstLines).map((line) => `  ${line}`);
  return {
    readers,
    text: [text, "", ...excerpt, "  …"].join("\n"),
    json: {
      issue: issue.id,
      title: issue.title,
      from: config.mailFromNewsletter,
      readers,
      beginsAt: options.at?.toISOString() ?? null,
      seconds: Math.ceil(readers / config.smtpRate),
      bytes: mail.bytes,
      preheader: mail.preheader,
      notes,
    },
  };
}

/** Why an issue is not sent while another send of it goes on. */
export function alreadyOpen(issueId: number, sendId: number): CommandError {
  return new CommandError(
    `Send ${sendId} of issue ${issueId} has not ended yet. See it: sends show ${sendId}`,
    { exitCode: 1 },
  );
}
