import { statfs } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import type { ImapFlow } from "imapflow";
import { amount, formatBytes } from "#content/amounts.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { createMailers, type Mailers } from "#mail/create-mailer.ts";
import { connectToMailbox, folderOf, wordsOfMailbox } from "#newsletter/bounces/bounce-mailbox.ts";
import { type Config, siteSettings } from "#settings/settings.ts";

/**
 * One thing that the doctor looked at. `attention`: something is broken or missing that visitors or the firm depend on.
 * `note`: worth knowing, and fine while trying things out.
 */
export type Finding = {
  about?: string;
  state: "ok" | "note" | "attention";
  message: string;
  advice?: string;
};

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

const answerTimeoutMs = 10_000;

/** The checks of what the site needs beside its database, by name. */
export function checksOfMachine(config: Config) {
  return {
    Mail: checkMail(config),
    "Bounce mailbox": checkBounceMailbox(config),
    Webhook: checkWebhook(config),
    Disk: checkDisk(config),
  };
}

/** Connects and signs in to the mail server, without sending; or says where mail goes instead. */
async function checkMail(config: Config): Promise<Finding> {
  if (config.smtpUrl === null) {
    const finding = isPublicSite(config.siteUrl) ? attention : note;
    return finding(
      "none is sent, since no mail server is set. Each mail is only kept as a file where the site runs.",
      "Name your mail server at the desk, under Settings, Mail.",
    );
  }
  const { host } = new URL(config.smtpUrl);
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, siteSettings(config).url);
    await mailers.desk.verify();
    return ok(
      `${host} lets this site in. Mail is from ${config.mailFrom}; messages go to ${config.contactTo}.`,
    );
  } catch (error) {
    return attention(
      `${host}: ${describeCauses(error)}`,
      "Check the mail server at the desk, under Settings, Mail. Mail waits meanwhile.",
    );
  } finally {
    mailers?.close();
  }
}

async function checkWebhook(config: Config): Promise<Finding | null> {
  if (config.newsletterWebhookUrl === null) return null;
  const { hostname, port, protocol, host } = new URL(config.newsletterWebhookUrl);
  const fault = await tryConnect(
    hostname.replace(/^\[|\]$/g, ""),
    Number(port) || (protocol === "https:" ? 443 : 80),
  );
  if (fault !== null) {
    return attention(
      `${host} can't be reached: ${fault}`,
      "Check NEWSLETTER_WEBHOOK_URL. Events wait meanwhile.",
    );
  }
  const signed = config.webhookSecret === null ? "calls are not signed" : "calls are signed";
  return ok(`${host} can be reached (no event was sent); ${signed}.`);
}

export async function checkListening({ port, host }: Config): Promise<Finding> {
  if (port === 0) return note("PORT is 0: any free port is taken.");
  const address = host === null || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const origin = `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
  if ((await tryConnect(address, port)) !== null) {
    return note(
      `nothing listens on ${address}:${port}. Mail waits until the site runs.`,
      "Start it with npm start, or see docs/deploying.md.",
    );
  }
  try {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const response = await fetch(`${origin}/readyz`, { signal });
    const words = await response.text();
    if (response.ok && words.trim() === "ready") {
      return ok(`runs and is ready on ${origin}.`);
    }
    return attention(
      `something answers on ${origin}, but not as a site that is ready (${response.status}).`,
      "See the site's log, or whether another program has the port.",
    );
  } catch (error) {
    return attention(
      `something listens on ${origin} but does not answer: ${describeCauses(error)}`,
    );
  }
}

function tryConnect(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 5_000 });
    socket.once("connect", () => finish(null));
    socket.once("timeout", () => finish("no answer within 5 s"));
    socket.once("error", (error) => finish(describeCauses(error)));
    function finish(fault: string | null): void {
      socket.destroy();
      resolve(fault);
    }
  });
}

export function isPublicSite(siteUrl: string | null): boolean {
  if (siteUrl === null) return false;
  const { hostname } = new URL(siteUrl);
  return !/^(localhost|127\..*|\[::1\]|.*\.(localhost|local|test|internal))$/.test(hostname);
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
      "Check BOUNCE_MAILBOX. What comes back waits there meanwhile.",
    );
  } finally {
    client?.close();
  }
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  for (let folder = dataDir; ; folder = path.dirname(folder)) {
    const found = await statfs(folder).catch(() => null);
    if (found === null && folder !== path.dirname(folder)) continue;
    if (found === null) return note(`${dataDir} can't be measured.`);
    const free = found.bavail * found.bsize;
    if (free >= 500_000_000) return ok(`${formatBytes(free)} free for ${dataDir}.`);
    return attention(
      `${formatBytes(free)} free where the site keeps its data. With none left, no message, sign-up or text can be stored, and no backup made.`,
      "Make room on that machine, or ask whoever set up your server.",
    );
  }
}
