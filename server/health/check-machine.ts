import { statfs } from "node:fs/promises";
import type { ImapFlow } from "imapflow";
import { amount, formatBytes } from "#content/amounts.ts";
import { causesOf, describeCauses, errorCode } from "#db/describe-causes.ts";
import { createMailers, type Mailers } from "#mail/create-mailer.ts";
import { connectToMailbox, folderOf, wordsOfMailbox } from "#newsletter/bounces/bounce-mailbox.ts";
import { type Config, isPublicAddress, siteSettings } from "#settings/settings.ts";

/** `attention`: visitors or the firm suffer from it. `note`: fine while trying things out. */
export type Finding = {
  state: "ok" | "note" | "attention";
  message: string;
  advice?: string;
  /** The desk's page about it. */
  to?: string;
  /** What is done there. The desk says it in place of the advice. */
  deed?: string;
  canRetry?: true;
};

export type NamedFinding = Finding & { about: string };

export const ok = (message: string): Finding => ({ state: "ok", message });
export const note = (message: string, advice?: string): Finding => ({
  state: "note",
  message,
  advice,
});
export const attention = (message: string, advice?: string): Finding => ({
  state: "attention",
  message,
  advice,
});

/** A check that breaks is a finding itself. */
export async function runChecks(
  checks: Record<string, Promise<Finding | Finding[] | null>>,
): Promise<NamedFinding[]> {
  const found = Object.entries(checks).map(async ([about, check]) => {
    const findings = await check.catch((error) =>
      attention(`It could not be checked: ${describeCauses(error)}`),
    );
    return [findings ?? []].flat().map((finding) => ({ about, ...finding }));
  });
  return (await Promise.all(found)).flat();
}

/** Asks the site on this machine whether it is ready. */
export async function checkListening({ port, host }: Config): Promise<Finding> {
  if (port === 0) return note("The site takes any free port, so it can’t be asked.");
  const address = host === null || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const origin = `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(10_000) });
    const words = await response.text();
    if (response.ok && words.trim() === "ready") return ok(`It runs and is ready on ${origin}.`);
    return attention(
      `Something answers on ${origin}, but not as a site that is ready (${response.status}).`,
      "See the site's log, or whether another program has the port.",
    );
  } catch (error) {
    if (causesOf(error).some((cause) => errorCode(cause) === "ECONNREFUSED"))
      return note(
        `Nothing listens on ${address}:${port}. Mail waits until the site runs.`,
        "Start it with npm start, or see docs/deploying.md.",
      );
    return attention(`${origin} does not answer: ${describeCauses(error)}`);
  }
}

/** Connects and signs in to the mail server, without sending; or says where mail goes instead. */
export async function checkMail(config: Config): Promise<Finding> {
  if (config.smtpUrl === null) {
    const finding = isPublicAddress(config.siteUrl) ? attention : note;
    return finding(
      "No mail is sent, since no mail server is set. Each is only kept as a file where the site runs.",
      "Name your mail server at the desk, under Settings, Mail.",
    );
  }
  const { host } = new URL(config.smtpUrl);
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, siteSettings(config).url);
    await mailers.desk.verify();
    return ok(
      `The mail server lets this site in. Mail is from ${config.mailFrom}; messages go to ${config.contactTo}.`,
    );
  } catch (error) {
    return attention(
      `The mail server ${host} doesn’t let this site in: ${describeCauses(error)}`,
      "Check it at the desk, under Settings, Mail. Mail waits meanwhile.",
    );
  } finally {
    mailers?.close();
  }
}

export async function checkBounceMailbox({
  bounceMailbox,
}: Pick<Config, "bounceMailbox">): Promise<Finding | null> {
  if (bounceMailbox === null) return null;
  const { host } = new URL(bounceMailbox.url);
  let client: ImapFlow | null = null;
  try {
    client = await connectToMailbox(bounceMailbox.url);
    await client.mailboxOpen(folderOf(bounceMailbox.url), { readOnly: true });
    const flagged = (await client.search({ seen: false, flagged: true }, { uid: true })) || [];
    const opens = `${host} opens; undelivered issues come back to ${bounceMailbox.address}.`;
    if (flagged.length === 0) return ok(opens);
    return note(
      `${opens} ${amount(flagged.length, "message is", "messages are")} flagged there: no report that could be read or proved.`,
      "Read them, and mark them as read.",
    );
  } catch (error) {
    return attention(
      `${host} can't be read: ${wordsOfMailbox(error)}`,
      "Check its address and password in the settings. What comes back waits there meanwhile.",
    );
  } finally {
    client?.close();
  }
}

export async function checkDisk({ dataDir }: Pick<Config, "dataDir">): Promise<Finding> {
  const found = await statfs(dataDir).catch(() => null);
  if (!found) return note(`There is no folder ${dataDir} yet.`);
  const free = found.bavail * found.bsize;
  if (free >= 500_000_000) return ok(`${formatBytes(free)} free for ${dataDir}.`);
  return attention(
    `${formatBytes(free)} free where the site keeps its data. With none left, no message, sign-up or text can be stored, and no backup made.`,
    "Make room on that machine, or ask whoever set up your server.",
  );
}
